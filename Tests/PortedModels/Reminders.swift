import Foundation
import SwiftData

@Model
final class ReminderList {
    @Attribute(.unique) var remoteID: Int
    var name: String
    @Relationship(deleteRule: .cascade, inverse: \Reminder.list) var reminders: [Reminder] = []

    init(remoteID: Int, name: String) {
        self.remoteID = remoteID
        self.name = name
    }
}

@Model
final class Reminder {
    @Attribute(.unique) var remoteID: Int
    var title: String
    var isDone: Bool = false
    var due: Date?
    var list: ReminderList?

    init(remoteID: Int, title: String, due: Date? = nil) {
        self.remoteID = remoteID
        self.title = title
        self.due = due
    }
}

struct ReminderDTO: Codable, Sendable {
    var id: Int
    var title: String
    var due: Date?
}

struct ReminderListDTO: Codable, Sendable {
    var id: Int
    var name: String
    var reminders: [ReminderDTO]
}

protocol RemindersAPI: Sendable {
    func lists() async throws -> [ReminderListDTO]
}

/// Asynchronous functions as apps have them: what reads and writes the store is not awaited.
@ModelActor
actor RemindersSync {
    func pull(from api: any RemindersAPI) async throws -> [PersistentIdentifier] {
        let lists = try await api.lists()
        for dto in lists {
            let list = try await list(for: dto)
            for item in dto.reminders {
                let id = item.id
                let known = try modelContext.fetch(
                    FetchDescriptor<Reminder>(predicate: #Predicate { $0.remoteID == id }))
                let reminder = known.first ?? Reminder(remoteID: item.id, title: item.title)
                reminder.title = item.title
                reminder.due = item.due
                reminder.list = list
            }
        }
        try modelContext.save()
        return try modelContext.fetchIdentifiers(FetchDescriptor<ReminderList>())
    }

    private func list(for dto: ReminderListDTO) async throws -> ReminderList {
        let id = dto.id
        var descriptor = FetchDescriptor<ReminderList>(predicate: #Predicate { $0.remoteID == id })
        descriptor.fetchLimit = 1
        if let list = try modelContext.fetch(descriptor).first {
            list.name = dto.name
            return list
        }
        let list = ReminderList(remoteID: dto.id, name: dto.name)
        modelContext.insert(list)
        return list
    }

    func finishAll() async throws -> Int {
        var finished = 0
        try modelContext.transaction {
            let open = try modelContext.fetch(FetchDescriptor<Reminder>(predicate: #Predicate { !$0.isDone }))
            for reminder in open { reminder.isDone = true }
            finished = open.count
        }
        return finished
    }

    func titles() async throws -> [String] {
        var titles: [String] = []
        try modelContext.enumerate(FetchDescriptor<Reminder>(sortBy: [SortDescriptor(\.title)])) {
            titles.append($0.title)
        }
        let batches = try modelContext.fetch(FetchDescriptor<Reminder>(), batchSize: 2)
        guard batches.count == titles.count else { return [] }
        return titles
    }

    func title(of id: PersistentIdentifier) async -> String? {
        self[id, as: Reminder.self]?.title
    }

    func forgetDone() async throws {
        try modelContext.delete(model: Reminder.self, where: #Predicate { $0.isDone })
        try modelContext.save()
    }

    func authors(after token: DefaultHistoryToken?) async throws -> [String?] {
        var descriptor = HistoryDescriptor<DefaultHistoryTransaction>()
        if let token { descriptor.predicate = #Predicate { $0.token > token } }
        return try modelContext.fetchHistory(descriptor).map(\.author)
    }

    func forgetHistory() async throws {
        try modelContext.deleteHistory(HistoryDescriptor<DefaultHistoryTransaction>())
    }
}

@MainActor
final class RemindersModel {
    private let container: ModelContainer
    private(set) var openCount = 0
    private(set) var lists: [ReminderList] = []

    init(url: URL) async throws {
        container = try ModelContainer(
            for: ReminderList.self, Reminder.self, configurations: ModelConfiguration(url: url))
    }

    func refresh(from api: any RemindersAPI) async throws {
        let ids = try await RemindersSync(modelContainer: container).pull(from: api)
        let context = container.mainContext
        lists = try context.fetch(FetchDescriptor<ReminderList>(sortBy: [SortDescriptor(\.name)]))
            .filter { ids.contains($0.persistentModelID) }
        openCount = try context.fetchCount(FetchDescriptor<Reminder>(predicate: #Predicate { !$0.isDone }))
    }

    func sync() -> RemindersSync { RemindersSync(modelContainer: container) }

    func eraseEverything() async throws {
        lists = []
        try container.erase()
        openCount = try container.mainContext.fetchCount(FetchDescriptor<Reminder>())
    }

    func close() { container.close() }
}
