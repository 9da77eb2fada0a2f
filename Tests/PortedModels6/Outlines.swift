import Foundation
import SwiftData

// A tree of nodes: a relationship to the class itself, moves, depth, copies of a branch, ordering by hand.

@Model
final class Outline {
    var title: String
    var position: Int = 0
    var isCollapsed = false
    var parent: Outline?
    @Relationship(deleteRule: .cascade, inverse: \Outline.parent) var children: [Outline]? = []
    @Relationship(inverse: \Outline.linkedFrom) var links: [Outline] = []
    var linkedFrom: [Outline] = []

    init(_ title: String, children: [Outline] = []) {
        self.title = title
        self.children = children
        for (index, child) in children.enumerated() { child.position = index }
    }

    var orderedChildren: [Outline] {
        get { (children ?? []).sorted { $0.position < $1.position } }
        set {
            children = newValue
            newValue.enumerated().forEach { $1.position = $0 }
        }
    }

    var depth: Int {
        var depth = 0
        var node = parent
        while let current = node {
            depth += 1
            node = current.parent
        }
        return depth
    }

    func flattened() -> [Outline] { [self] + orderedChildren.flatMap { $0.flattened() } }

    func copy() -> Outline {
        let copy = Outline(title, children: orderedChildren.map { $0.copy() })
        copy.isCollapsed = isCollapsed
        return copy
    }

    func move(to newParent: Outline?) throws {
        var ancestor = newParent
        while let current = ancestor {
            if current == self { throw OutlineError.cycle(current.id) }
            ancestor = current.parent
        }
        position = newParent?.children?.count ?? 0
        parent = newParent
    }
}

enum OutlineError: Error, Equatable {
    case cycle(PersistentIdentifier)
}

struct OutlineDocument: Codable {
    var title: String
    var children: [OutlineDocument]?

    init(_ outline: Outline) {
        title = outline.title
        children = outline.orderedChildren.map(OutlineDocument.init)
    }

    func insert(into context: ModelContext, below parent: Outline? = nil, at position: Int = 0) -> Outline {
        let outline = Outline(title)
        context.insert(outline)
        outline.position = position
        outline.parent = parent
        children?.enumerated().forEach { index, child in _ = child.insert(into: context, below: outline, at: index) }
        return outline
    }
}

struct OutlineStore {
    let context: ModelContext

    static var roots: FetchDescriptor<Outline> {
        var descriptor = FetchDescriptor<Outline>(
            predicate: #Predicate { $0.parent == nil }, sortBy: [SortDescriptor(\.position), SortDescriptor(\.title)])
        descriptor.relationshipKeyPathsForPrefetching = [\.children]
        return descriptor
    }

    func text() throws -> [String] {
        try context.fetch(Self.roots).flatMap { $0.flattened() }
            .map { String(repeating: " ", count: $0.depth) + $0.title }
    }

    func leaves() throws -> [Outline] {
        try context.fetch(
            FetchDescriptor<Outline>(
                predicate: #Predicate { $0.children?.isEmpty ?? true }, sortBy: [SortDescriptor(\.title)]))
    }

    func siblings(of outline: Outline) throws -> [Outline] {
        let (id, parent) = (outline.id, outline.parent?.persistentModelID)
        let predicate = #Predicate<Outline> { $0.parent?.persistentModelID == parent && $0.persistentModelID != id }
        return try context.fetch(FetchDescriptor(predicate: predicate, sortBy: [SortDescriptor(\.position)]))
    }

    func grandchildren(of title: String) throws -> Int {
        try context.fetchCount(FetchDescriptor<Outline>(predicate: #Predicate { $0.parent?.parent?.title == title }))
    }

    func linked(with words: [String]) throws -> [Outline] {
        try context.fetch(
            FetchDescriptor<Outline>(
                predicate: #Predicate { node in node.linkedFrom.contains { words.contains($0.title) } },
                sortBy: [SortDescriptor(\.title)]))
    }

    func export() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        return try encoder.encode(context.fetch(Self.roots).map(OutlineDocument.init))
    }
}
