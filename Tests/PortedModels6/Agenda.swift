import Foundation
import Observation
import SwiftData

// A list of things to do as Xcode's templates and tutorials build it today: one observable model of the screen on the main
// actor, a container of samples for previews.

@Model
final class AgendaItem {
    var title: String
    var notes: String
    var priority: Priority
    var due: Date?
    var isDone: Bool
    private(set) var completedAt: Date?
    @Relationship(deleteRule: .nullify, inverse: \AgendaLabel.items) var labels: [AgendaLabel]

    enum Priority: Int, Codable, CaseIterable, Identifiable, Comparable, Sendable {
        case low = 0
        case medium, high
        var id: Int { rawValue }
        static func < (lhs: Priority, rhs: Priority) -> Bool { lhs.rawValue < rhs.rawValue }
    }

    init(
        _ title: String, notes: String = "", priority: Priority = .medium, due: Date? = nil, isDone: Bool = false,
        labels: [AgendaLabel] = []
    ) {
        self.title = title
        self.notes = notes
        self.priority = priority
        self.due = due
        self.isDone = isDone
        self.labels = labels
    }

    func toggle(at date: Date = .now) {
        isDone.toggle()
        completedAt = isDone ? date : nil
    }
}

@Model
final class AgendaLabel {
    @Attribute(.unique) var name: String
    var items: [AgendaItem] = []
    init(name: String) { self.name = name }
}

extension AgendaItem {
    @MainActor static var samples: [AgendaItem] {
        [
            AgendaItem("Water plants", priority: .high, due: Date(timeIntervalSince1970: 1000)),
            AgendaItem("Call Ada", isDone: true), AgendaItem("Read", priority: .low),
        ]
    }

    static func overdue(at date: Date) -> Predicate<AgendaItem> {
        let never = Date.distantFuture
        return #Predicate<AgendaItem> { item in !item.isDone && (item.due ?? never) < date }
    }

    static func with(priority: Priority) -> Predicate<AgendaItem> {
        let raw = priority.rawValue
        return #Predicate { $0.priority.rawValue == raw }
    }
}

@MainActor
enum AgendaPreview {
    static func container(_ configuration: ModelConfiguration = .init(isStoredInMemoryOnly: true)) throws
        -> ModelContainer
    {
        let container = try ModelContainer(for: AgendaItem.self, configurations: configuration)
        for item in AgendaItem.samples { container.mainContext.insert(item) }
        return container
    }
}

@MainActor
@Observable
final class AgendaViewModel {
    private let modelContext: ModelContext
    private(set) var items: [AgendaItem] = []
    private(set) var message: String?
    var searchText = "" { didSet { reload() } }
    var hidesDone = false

    init(modelContext: ModelContext) {
        self.modelContext = modelContext
        reload()
    }

    var sections: [(AgendaItem.Priority, [AgendaItem])] {
        Dictionary(grouping: items, by: \.priority).sorted { $0.key > $1.key }.map { ($0.key, $0.value) }
    }

    func reload() {
        let (text, hidesDone) = (searchText, hidesDone)
        let predicate = #Predicate<AgendaItem> { item in
            (text.isEmpty || item.title.localizedStandardContains(text)) && (!hidesDone || !item.isDone)
        }
        do {
            items = try modelContext.fetch(FetchDescriptor(predicate: predicate, sortBy: [SortDescriptor(\.title)]))
            message = nil
        } catch {
            message = error.localizedDescription
        }
    }

    func add(_ title: String, label name: String? = nil) {
        let item = AgendaItem(title, labels: name.map { [AgendaLabel(name: $0)] } ?? [])
        modelContext.insert(item)
        save()
    }

    func delete(at offsets: IndexSet) {
        offsets.map { items[$0] }.forEach(modelContext.delete)
        save()
    }

    func overdue(at date: Date) throws -> Int {
        try modelContext.fetchCount(FetchDescriptor(predicate: AgendaItem.overdue(at: date)))
    }

    func urgent() throws -> [String] {
        try modelContext.fetch(FetchDescriptor(predicate: AgendaItem.with(priority: .high))).map(\.title)
    }

    private func save() {
        do { try modelContext.save() } catch { message = "\(error)" }
        reload()
    }
}
