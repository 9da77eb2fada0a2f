import Foundation
import SwiftData

// A widget and an app that follow each other: history by token, a token kept as JSON, tombstones, authors.

@Model
final class TimeEntry {
    @Attribute(.unique, .preserveValueOnDeletion) var id: UUID
    @Attribute(.preserveValueOnDeletion) var activity: String
    var start: Date
    var end: Date?
    var client: TimeClient?

    init(activity: String, start: Date) {
        id = UUID()
        self.activity = activity
        self.start = start
    }

    var isRunning: Bool { end == nil }
}

@Model
final class TimeClient {
    @Attribute(.unique) var name: String
    var rate: Double = 0
    @Relationship(deleteRule: .deny, inverse: \TimeEntry.client) var entries: [TimeEntry] = []
    init(name: String) { self.name = name }
}

enum Author { static let widget = "widget", app = "app" }

/// Where the token is kept, as user defaults would be.
final class TokenBox {
    private var data: Data?

    var token: DefaultHistoryToken? {
        get { data.flatMap { try? JSONDecoder().decode(DefaultHistoryToken.self, from: $0) } }
        set { data = newValue.flatMap { try? JSONEncoder().encode($0) } }
    }
}

struct TimeChanges: Equatable {
    var inserted: [String] = []
    var updated: [String] = []
    var deleted: [String] = []
}

struct Timesheet {
    let container: ModelContainer
    let box = TokenBox()

    func context(as author: String) -> ModelContext {
        let context = ModelContext(container)
        context.author = author
        context.autosaveEnabled = false
        return context
    }

    func start(_ activity: String, for name: String, at date: Date, as author: String = Author.app) throws {
        let context = context(as: author)
        let client =
            try context.fetch(FetchDescriptor<TimeClient>(predicate: #Predicate { $0.name == name })).first
            ?? TimeClient(name: name)
        let entry = TimeEntry(activity: activity, start: date)
        context.insert(entry)
        entry.client = client
        try context.save()
    }

    func stopAll(at date: Date) throws {
        let context = context(as: Author.app)
        for entry in try context.fetch(FetchDescriptor<TimeEntry>(predicate: #Predicate { $0.end == nil })) {
            entry.end = date
        }
        try context.save()
    }

    func delete(_ activity: String) throws {
        let context = context(as: Author.app)
        let matching = FetchDescriptor<TimeEntry>(predicate: #Predicate { $0.activity == activity })
        try context.fetch(matching).forEach { context.delete($0) }
        try context.save()
    }

    func changes(by author: String? = nil, limit: UInt64 = 0) throws -> TimeChanges {
        let context = ModelContext(container)
        var descriptor = HistoryDescriptor<DefaultHistoryTransaction>()
        if let token = box.token {
            descriptor.predicate = #Predicate { $0.token > token }
        }
        if limit > 0 { descriptor.fetchLimit = limit }
        let transactions = try context.fetchHistory(descriptor)
        box.token = transactions.last?.token ?? box.token
        var result = TimeChanges()
        for transaction in transactions where author == nil || transaction.author == author {
            for change in transaction.changes where change.changedPersistentIdentifier.entityName == "TimeEntry" {
                switch change {
                case .insert:
                    if let entry = context.model(for: change.changedPersistentIdentifier) as? TimeEntry {
                        result.inserted.append(entry.activity)
                    }
                case .update(let update):
                    guard let update = update as? DefaultHistoryUpdate<TimeEntry> else { continue }
                    result.updated += update.updatedAttributes.map { $0 == \TimeEntry.end ? "end" : "other" }
                case .delete(let deletion):
                    if let deletion = deletion as? DefaultHistoryDelete<TimeEntry>,
                        let activity = deletion.tombstone[\.activity] as? String
                    {
                        result.deleted.append(activity)
                    }
                @unknown default:
                    break
                }
            }
        }
        return result
    }

    func forget(before date: Date) throws {
        var descriptor = HistoryDescriptor<DefaultHistoryTransaction>()
        descriptor.predicate = #Predicate { $0.timestamp < date }
        try ModelContext(container).deleteHistory(descriptor)
    }

    func newestAuthors() throws -> [String] {
        let descriptor = HistoryDescriptor<DefaultHistoryTransaction>(
            predicate: #Predicate { $0.author != nil }, sortBy: [.init(\.transactionIdentifier, order: .reverse)])
        return try ModelContext(container).fetchHistory(descriptor).compactMap(\.author)
    }
}
