import Foundation
import SwiftData

// A drawing document: undo, redo, rollback, what a context knows of its changes.

@Model
final class Canvas {
    var name: String
    var background: Ink = Ink(red: 1, green: 1, blue: 1)
    @Relationship(deleteRule: .cascade, inverse: \Stroke.canvas) var strokes: [Stroke] = []
    @Attribute(.transformable(by: "InkTransformer")) var grid: GridStyle?

    init(name: String) { self.name = name }
}

@Model
final class Stroke {
    var points: [Point]
    var ink: Ink
    var width: CGFloat = 2
    var zIndex: Int
    var canvas: Canvas?

    struct Point: Codable, Equatable { var x, y: CGFloat }

    init(points: [Point], ink: Ink = .black, zIndex: Int = 0) {
        self.points = points
        self.ink = ink
        self.zIndex = zIndex
    }
}

struct Ink: Codable, Equatable {
    var red, green, blue: Double
    var alpha = 1.0

    static let black = Ink(red: 0, green: 0, blue: 0)
}

/// Not Codable: a transformer's.
struct GridStyle: Equatable { var step: Int }

final class CanvasEditor {
    let context: ModelContext
    let canvas: Canvas

    init(_ name: String, in container: ModelContainer) {
        context = ModelContext(container)
        context.autosaveEnabled = false
        context.undoManager = UndoManager()
        canvas = Canvas(name: name)
        context.insert(canvas)
        context.processPendingChanges()
        context.undoManager?.removeAllActions()
    }

    func draw(_ points: [(Double, Double)], ink: Ink = .black) {
        context.undoManager?.beginUndoGrouping()
        defer { context.undoManager?.endUndoGrouping() }
        let stroke = Stroke(points: points.map { Stroke.Point(x: $0.0, y: $0.1) }, ink: ink)
        stroke.zIndex = (canvas.strokes.map(\.zIndex).max() ?? 0) + 1
        canvas.strokes.append(stroke)
        context.undoManager?.setActionName("Draw")
    }

    func erase(_ stroke: Stroke) {
        if let index = canvas.strokes.firstIndex(where: { $0 === stroke }) { canvas.strokes.remove(at: index) }
        context.delete(stroke)
    }

    var canUndo: Bool { context.undoManager?.canUndo ?? false }

    func undo() { context.undoManager?.undo() }

    func redo() { context.undoManager?.redo() }

    /// How many objects are new, changed and deleted.
    var pending: [Int] {
        [context.insertedModelsArray.count, context.changedModelsArray.count, context.deletedModelsArray.count]
    }

    var summary: String {
        let names = context.insertedModelsArray.map { String(describing: type(of: $0)) }.sorted()
        return names.joined(separator: ",") + (canvas.hasChanges ? "*" : "") + (canvas.isDeleted ? "!" : "")
    }

    func discard() {
        guard context.hasChanges else { return }
        context.rollback()
    }

    func save() throws {
        if context.insertedModelsArray.contains(where: { $0 is Canvas }) { context.author = "new" }
        try context.save()
        context.undoManager = nil
    }

    func strokes(using ink: Ink) throws -> [Stroke] {
        try context.fetch(
            FetchDescriptor<Stroke>(
                predicate: #Predicate { $0.ink.red == ink.red && $0.ink.alpha >= 0.5 },
                sortBy: [SortDescriptor(\.zIndex)]))
    }
}
