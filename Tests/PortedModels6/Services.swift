import Foundation
import SwiftData

// A database behind a protocol: closures that get a context, typed reads and writes, a fake for tests, retries.

@Model
final class Ticket {
    @Attribute(.unique) var code: String
    var subject: String
    var state: State
    var opened: Date
    var assignee: Operator?
    @Relationship(deleteRule: .cascade, inverse: \TicketEvent.ticket) var events: [TicketEvent]

    enum State: Codable, Equatable, Sendable {
        case open
        case waiting(until: Date)
        case closed(by: String)
    }

    init(code: String, subject: String, opened: Date, state: State = .open) {
        self.code = code
        self.subject = subject
        self.opened = opened
        self.state = state
        self.events = []
    }
}

@Model
final class TicketEvent {
    var text: String
    var date: Date
    var ticket: Ticket?
    init(text: String, date: Date) {
        self.text = text
        self.date = date
    }
}

@Model
final class Operator {
    var name: String
    var isActive: Bool = true
    @Relationship(deleteRule: .nullify, minimumModelCount: 0, maximumModelCount: 5, inverse: \Ticket.assignee)
    var tickets: [Ticket] = []
    init(name: String) { self.name = name }
}

struct TicketSummary: Sendable, Hashable, Identifiable {
    let id: PersistentIdentifier
    let code: String
    let events: Int
}

protocol Database: Sendable {
    func withContext<Result: Sendable>(_ body: @Sendable (ModelContext) throws -> Result) async throws -> Result
}

extension Database {
    func save<Result: Sendable>(_ body: @Sendable (ModelContext) throws -> Result) async throws -> Result {
        try await withContext { context in
            let result = try body(context)
            if context.hasChanges { try context.save() }
            return result
        }
    }

    func fetch<Model: PersistentModel, Result: Sendable>(
        _ descriptor: @escaping @Sendable () -> FetchDescriptor<Model>,
        as transform: @escaping @Sendable ([Model]) throws -> Result
    ) async throws -> Result {
        try await withContext { try transform($0.fetch(descriptor())) }
    }

    func count<Model: PersistentModel>(_: Model.Type, where predicate: Predicate<Model>? = nil) async throws -> Int {
        try await withContext { try $0.fetchCount(FetchDescriptor<Model>(predicate: predicate)) }
    }

    @discardableResult
    func insert<Model: PersistentModel>(_ make: @Sendable () -> Model) async throws -> PersistentIdentifier {
        try await save { context in
            let model = make()
            context.insert(model)
            return model.persistentModelID
        }
    }

    func delete<Model: PersistentModel>(_: Model.Type, id: PersistentIdentifier) async throws {
        try await save { context in
            guard let model: Model = try context.existing(id) else { return }
            context.delete(model)
        }
    }
}

extension ModelContext {
    func existing<Model: PersistentModel>(_ id: PersistentIdentifier) throws -> Model? {
        if let model = registeredModel(for: id) as Model? { return model }
        var descriptor = FetchDescriptor(predicate: #Predicate<Model> { $0.persistentModelID == id })
        descriptor.fetchLimit = 1
        return try fetch(descriptor).first
    }
}

@ModelActor
actor BackgroundDatabase: Database {
    func withContext<Result: Sendable>(_ body: @Sendable (ModelContext) throws -> Result) async throws -> Result {
        try body(modelContext)
    }
}

@MainActor
struct MainDatabase: Database {
    let container: ModelContainer

    func withContext<Result: Sendable>(_ body: @Sendable (ModelContext) throws -> Result) async throws -> Result {
        try body(container.mainContext)
    }
}

struct TicketService {
    var database: any Database
    var now: @Sendable () -> Date = { .now }

    func open(_ subject: String, code: String) async throws -> PersistentIdentifier {
        let date = now()
        return try await database.insert {
            let ticket = Ticket(code: code, subject: subject, opened: date)
            ticket.events.append(TicketEvent(text: "opened", date: date))
            return ticket
        }
    }

    func close(_ id: PersistentIdentifier, by name: String) async throws {
        let date = now()
        try await database.save { context in
            guard let ticket: Ticket = try context.existing(id) else { return }
            ticket.state = .closed(by: name)
            ticket.events.append(TicketEvent(text: "closed", date: date))
            let operators = try context.fetch(FetchDescriptor<Operator>(predicate: #Predicate { $0.name == name }))
            ticket.assignee = operators.first ?? Operator(name: name)
        }
    }

    func openTickets() async throws -> [TicketSummary] {
        let open = Ticket.State.open
        return try await database.fetch(
            { FetchDescriptor(predicate: #Predicate<Ticket> { $0.state == open }, sortBy: [SortDescriptor(\.code)]) },
            as: { $0.map { TicketSummary(id: $0.persistentModelID, code: $0.code, events: $0.events.count) } })
    }

    func idle() async throws -> Int {
        try await database.count(Operator.self, where: #Predicate { $0.isActive && $0.tickets.count < 1 })
    }
}
