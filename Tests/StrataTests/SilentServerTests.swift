import Foundation
import Strata
import StrataClient
import StrataTestSupport
import Testing

@Model private final class Note {
    var text: String
    var rest = ""
    init(text: String) { self.text = text }
}

/// A pooler or server that takes everything and answers nothing: which call of a context it is, and how it ends.
@Suite(
    .enabled(if: try TestServer.shared().localServer != nil, "needs a private server"), .timeLimit(.minutes(5)))
struct SilentServerTests {
    /// The calls that wait for an answer. The proxy falls silent before the last of what they send.
    enum Call: CaseIterable {
        case fetch, count, identifiers, page, save, transaction, fetchInTransaction, enumerate, enumerateInTransaction
        case refresh, history, deletion
    }

    enum Ending: CaseIterable { case cancellation, silence, timeout }

    private static func carryOut(
        _ call: Call, in context: ModelContext, fallSilent: () -> Void
    ) async throws {
        let notes = try await context.fetch(FetchDescriptor<Note>())
        switch call {
        case .fetch, .count, .identifiers, .page, .enumerate, .refresh, .history: fallSilent()
        default: break
        }
        switch call {
        case .fetch: _ = try await context.fetch(FetchDescriptor<Note>())
        case .count: _ = try await context.fetchCount(FetchDescriptor<Note>())
        case .identifiers: _ = try await context.fetchIdentifiers(FetchDescriptor<Note>())
        case .page: _ = try await context.fetchPage(FetchDescriptor<Note>())
        case .refresh: try await context.refresh(notes)
        case .history: _ = try await context.fetchHistory(after: nil)
        case .enumerate: try await context.enumerate(FetchDescriptor<Note>()) { (_: Note) in }
        case .save:
            context.insert(Note(text: "new"))
            fallSilent()
            try await context.save()
        case .deletion:
            try context.delete(model: Note.self)
            fallSilent()
            try await context.save()
        case .transaction:
            try await context.transaction {
                context.insert(Note(text: "first"))
                try await context.save()
                fallSilent()
                context.insert(Note(text: "second"))
            }
        case .fetchInTransaction:
            try await context.transaction {
                context.insert(Note(text: "first"))
                try await context.save()
                fallSilent()
                _ = try await context.fetch(FetchDescriptor<Note>())
            }
        case .enumerateInTransaction:
            try await context.transaction {
                context.insert(Note(text: "first"))
                try await context.save()
                fallSilent()
                try await context.enumerate(FetchDescriptor<Note>()) { (_: Note) in }
            }
        }
    }

    private func withProxy(
        silence: Duration?, trigger: String? = nil,
        _ body: (SilentProxy, ModelContainer, ModelStore) async throws -> Void
    ) async throws {
        try await withModelStore(Note.self) { store in
            let before = ModelContext(store.container)
            before.insert(Note(text: "there"))
            try await before.save()
            let proxy = try SilentProxy(before: store.database.configuration, silentAfter: trigger)
            defer { proxy.stop() }
            proxy.isArmed = false
            var configuration = ModelConfiguration(url: try #require(proxy.url(for: store.database)))
            configuration.pool.answerTimeout = silence
            configuration.pool.cancellationTimeout = .milliseconds(150)
            // Only so can the proxy see the trigger: the name of a prepared statement does not say it.
            if trigger != nil { configuration.preparedStatements = .unnamed }
            let container = try await ModelContainer(for: Schema([Note.self]), configurations: [configuration])
            proxy.isArmed = true
            do { try await body(proxy, container, store) } catch {
                await container.close()
                throw error
            }
            proxy.isSilent = false
            await container.close()
        }
    }

    @Test(arguments: Call.allCases, Ending.allCases)
    func `every call ends, and what follows works`(call: Call, ending: Ending) async throws {
        try await withProxy(silence: ending == .silence ? .seconds(2) : nil) { proxy, container, store in
            let task = Task {
                let context = ModelContext(container)
                try await Self.carryOut(call, in: context) {
                    proxy.isSilent = true
                    if ending == .timeout { context.timeout = .milliseconds(200) }
                }
            }
            try await waitUntil { proxy.swallowed > 0 }
            if ending == .cancellation { task.cancel() }
            do {
                try await task.value
                Issue.record("\(call) succeeded")
            } catch let error as SwiftDataError {
                let isUnknown = error.code == .outcomeUnknown
                #expect(ending != .cancellation || isUnknown, "\(error)")
                #expect(isUnknown || (error.code == .storeFailure && error.underlying?.code == .timeout), "\(error)")
                #expect(!error.isRetryable)
            } catch {
                #expect(error is CancellationError && ending == .cancellation, "\(error)")
            }
            proxy.isSilent = false
            let texts = try await ModelContext(container).fetch(FetchDescriptor<Note>()).map(\.text)
            #expect(texts == ["there"])
        }
    }

    @Test(arguments: [Ending.cancellation, .silence])
    func `a save whose COMMIT nobody answers has an unknown outcome`(ending: Ending) async throws {
        try await withProxy(silence: ending == .silence ? .seconds(2) : nil, trigger: "COMMIT") {
            proxy, container, store in
            let task = Task {
                let context = ModelContext(container)
                context.insert(Note(text: "perhaps"))
                try await context.save()
            }
            try await waitUntil { proxy.isSilent }
            if ending == .cancellation { task.cancel() }
            let error = await #expect(throws: SwiftDataError.self) { try await task.value }
            #expect(error?.code == .outcomeUnknown)
            proxy.isSilent = false
            let count = try await ModelContext(store.container).fetchCount(FetchDescriptor<Note>())
            #expect(count == 2)
        }
    }

    /// Nothing can be stored by it.
    @Test func `a read-only transaction whose COMMIT nobody answers is a lost connection`() async throws {
        try await withModelStore(Note.self) { store in
            let proxy = try SilentProxy(before: store.database.configuration, silentAfter: "COMMIT")
            defer { proxy.stop() }
            proxy.isArmed = false
            var configuration = ModelConfiguration(
                url: try #require(proxy.url(for: store.database)), allowsSave: false)
            configuration.pool.answerTimeout = .seconds(2)
            configuration.pool.cancellationTimeout = .milliseconds(150)
            // Only so can the proxy see every COMMIT.
            configuration.preparedStatements = .unnamed
            let container = try await ModelContainer(for: Schema([Note.self]), configurations: [configuration])
            proxy.isArmed = true
            let context = ModelContext(container)
            let error = await #expect(throws: SwiftDataError.self) {
                try await context.transaction { _ = try await context.fetch(FetchDescriptor<Note>()) }
            }
            #expect(error?.code == .storeFailure && error?.underlying?.code == .timeout, "\(String(describing: error))")
            proxy.isSilent = false
            await container.close()
        }
    }

    @Test func `loading a property ends too`() async throws {
        try await withProxy(silence: .seconds(2)) { proxy, container, store in
            let context = ModelContext(container)
            var descriptor = FetchDescriptor<Note>()
            descriptor.propertiesToFetch = [\.text]
            let note = try #require(try await context.fetch(descriptor).first)
            proxy.isSilent = true
            func read() -> String { note.rest }
            _ = read()
            let error = #expect(throws: SwiftDataError.self) { try context.throwUnreportedErrors() }
            #expect(
                error?.code == .unfulfilledFault && error?.underlying?.code == .timeout, "\(String(describing: error))")
        }
    }

    @Test func `opening ends too`() async throws {
        try await withModelStore(Note.self) { store in
            let proxy = try SilentProxy(before: store.database.configuration)
            defer { proxy.stop() }
            var configuration = ModelConfiguration(url: try #require(proxy.url(for: store.database)))
            configuration.pool.answerTimeout = .seconds(2)
            configuration.pool.cancellationTimeout = .milliseconds(150)
            // In the question about the tables, and not in what connecting sends: that has a limit of its own.
            let late = try SilentProxy(before: store.database.configuration, silentAfter: "pg_catalog")
            defer { late.stop() }
            configuration.url = try #require(late.url(for: store.database))
            let error = await #expect(throws: SwiftDataError.self) {
                try await ModelContainer(for: Schema([Note.self]), configurations: [configuration])
            }
            #expect(error?.code == .loadIssueModelContainer && error?.underlying?.code == .timeout)
            configuration.url = try #require(proxy.url(for: store.database)).appending(queryItems: [
                URLQueryItem(name: "connect_timeout", value: "2")
            ])
            proxy.isSilent = true
            let unconnected = await #expect(throws: SwiftDataError.self) {
                try await ModelContainer(for: Schema([Note.self]), configurations: [configuration])
            }
            #expect(unconnected?.underlying?.code == .connectionFailed)
        }
    }

    @Test func `an observer goes on over another connection`() async throws {
        try await withProxy(silence: .seconds(2)) { proxy, container, store in
            var results = container.results(of: FetchDescriptor<Note>()).makeAsyncIterator()
            let first = try await results.next()
            #expect(first?.count == 1)
            proxy.isSilent = true
            try await waitUntil { proxy.swallowed > 0 }
            proxy.isSilent = false
            let other = ModelContext(store.container)
            other.insert(Note(text: "second"))
            try await other.save()
            let second = try await results.next()
            #expect(second?.count == 2)
        }
    }

    /// The server ends it, and the connection stays.
    @Test func `a context's time is told to a server that answers`() async throws {
        try await withModelStore(Note.self) { store in
            let context = ModelContext(store.container)
            context.insert(Note(text: "a"))
            try await context.save()
            let holder = try await store.database.connect()
            defer { holder.close() }
            try await holder.run("BEGIN")
            try await holder.run("LOCK TABLE note IN ACCESS EXCLUSIVE MODE")
            context.timeout = .milliseconds(100)
            store.recorder.reset()
            let error = await #expect(throws: SwiftDataError.self) {
                _ = try await context.fetch(FetchDescriptor<Note>())
            }
            #expect(error?.code == .storeFailure && error?.sqlState == "57014")
            #expect(error?.underlying?.code == .timeout)
            #expect(
                error?.message
                    == "fetch Note: The call took longer than its time of 0.1 s. The server has stopped the statement.")
            #expect(store.recorder.roundTrips == 1)
            try await holder.run("ROLLBACK")
            context.timeout = .seconds(60)
            let notes = try await context.fetch(FetchDescriptor<Note>())
            #expect(notes.count == 1)
            // Each call has its own time.
            let count = try await context.fetchCount(FetchDescriptor<Note>())
            #expect(count == 1)
        }
    }
}
