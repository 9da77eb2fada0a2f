import Foundation
import Observation
import SwiftData

// One object of settings an app has, changed by key paths; lists that are sorted and divided by choice.

@Model
final class Preferences {
    static let key = "preferences"

    @Attribute(.unique) private var singleton: String = Preferences.key
    var theme: Theme = Theme.system
    var fontSize: CGFloat = 14
    var flags: [String: Bool] = [:]
    var recent: [String] = [] { willSet { previous = recent } }
    var accent: (any ShapeColor)? { accentName.flatMap { NamedColor(name: $0) } }
    var accentName: String?
    @Transient private(set) var previous: [String] = []
    @Transient weak var observer: Watcher?

    enum Theme: String, Codable, CaseIterable, Sendable { case system, light, dark }

    private init() {}

    static func current(in context: ModelContext) throws -> Preferences {
        if let found = try context.fetch(FetchDescriptor<Preferences>()).first { return found }
        let new = Preferences()
        context.insert(new)
        try context.save()
        return new
    }
}

protocol ShapeColor: Sendable { var name: String { get } }
struct NamedColor: ShapeColor { var name: String }
final class Watcher { var count = 0 }

@Model
final class Wine {
    var name: String
    var year: Int
    var region: String
    var rating: Double?
    var isOpen: Bool = false
    var added: Date = Date()

    init(name: String, year: Int, region: String, rating: Double? = nil) {
        self.name = name
        self.year = year
        self.region = region
        self.rating = rating
    }
}

enum WineOrder: String, CaseIterable, Identifiable, Sendable {
    case name, year, rating

    var id: String { rawValue }

    func descriptor(_ order: SortOrder = .forward) -> SortDescriptor<Wine> {
        switch self {
        case .name: SortDescriptor(\Wine.name, order: order)
        case .year: SortDescriptor(\Wine.year, order: order)
        case .rating: SortDescriptor(\Wine.rating, order: order)
        }
    }
}

struct WineSection: Identifiable {
    let id: String
    let wines: [Wine]
}

@MainActor
@Observable
final class Cellar {
    @ObservationIgnored private let container: ModelContainer
    private var context: ModelContext { container.mainContext }
    private(set) var sections: [WineSection] = []
    var order: WineOrder = .name { didSet { refresh() } }
    var direction = SortOrder.forward

    init(container: ModelContainer) {
        self.container = container
        container.mainContext.autosaveEnabled = false
        refresh()
    }

    func refresh(_ section: (Wine) -> String = { $0.region }) {
        var descriptor = FetchDescriptor<Wine>()
        descriptor.sortBy = [order.descriptor(direction), .init(\.added)]
        let wines = (try? context.fetch(descriptor)) ?? []
        sections = Dictionary(grouping: wines, by: section)
            .map { WineSection(id: $0.key, wines: $0.value) }
            .sorted(using: KeyPathComparator(\.id))
    }

    func update<Value>(_ keyPath: ReferenceWritableKeyPath<Preferences, Value>, _ value: Value) throws {
        try Preferences.current(in: context)[keyPath: keyPath] = value
        try context.save()
    }

    func update(_ wine: Wine, _ change: (Wine) throws -> Void) rethrows {
        try change(wine)
        try? context.save()
    }

    func page(after wine: Wine?, size: Int) throws -> [Wine] {
        let year = wine?.year ?? .min
        var descriptor = FetchDescriptor<Wine>(
            predicate: #Predicate { $0.year > year }, sortBy: [SortDescriptor(\.year)])
        descriptor.fetchLimit = size
        descriptor.includePendingChanges = false
        return try context.fetch(descriptor)
    }

    func add(_ wines: Wine...) throws {
        wines.forEach { context.insert($0) }
        try context.save()
        refresh()
    }

    func best() throws -> Wine? {
        var descriptor = FetchDescriptor<Wine>(
            predicate: #Predicate { wine in wine.rating != nil && (wine.rating ?? 0) > 0.5 },
            sortBy: [SortDescriptor(\.rating, order: .reverse)])
        descriptor.fetchLimit = 1
        return try context.fetch(descriptor).first
    }
}
