import Foundation
import Logging
import SampleTripsModels
import Strata
import StrataClient
import StrataTestSupport
import Testing

/// What a role can do with the history, and what it is told where it cannot.
@Suite struct HistoryRightsTests {
    /// A container as a role that was granted no more than this, on tables that another role owns.
    private func asRole(
        granted rights: [String], _ body: (ModelContainer, TestDatabase) async throws -> Void
    ) async throws {
        try await withTestDatabase { database in
            var url = try #require(database.foundationURL)
            let owner = try await open(url)
            let context = ModelContext(owner)
            context.insert(trip(0))
            try await context.save()
            await owner.close()
            let role = "history_rights_\(UInt32.random(in: 0 ... .max))"
            try await database.execute(
                "CREATE ROLE \(role) LOGIN",
                "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO \(role)",
                "GRANT USAGE ON SCHEMA strata TO \(role)", "GRANT SELECT ON strata.store TO \(role)",
                "GRANT USAGE ON SEQUENCE strata.key_block TO \(role)")
            for right in rights { try await database.execute("SELECT strata.history_grant('\(role)', '\(right)')") }
            url.append(queryItems: [URLQueryItem(name: "user", value: role)])
            do {
                let container = try await open(url)
                do { try await body(container, database) } catch {
                    await container.close()
                    throw error
                }
                await container.close()
            } catch {
                try? await database.execute("DROP OWNED BY \(role)", "DROP ROLE \(role)")
                throw error
            }
            try await database.execute("DROP OWNED BY \(role)", "DROP ROLE \(role)")
        }
    }

    private func open(_ url: URL) async throws -> ModelContainer {
        try await ModelContainer(
            for: Schema(Trip.self, BusinessTrip.self, PersonalTrip.self),
            configurations: [ModelConfiguration(url: url)], logger: Logger(label: "test"))
    }

    private func trip(_ number: Int) -> Trip {
        Trip(name: "\(number)", destination: "Rome", startDate: day(number), endDate: day(number + 1))
    }

    /// Expects an error that names the right that is missing.
    private func expectRefusal(
        _ words: String, sourceLocation: SourceLocation = #_sourceLocation, _ body: () async throws -> Void
    ) async {
        let error = await #expect(throws: SwiftDataError.self, sourceLocation: sourceLocation) { try await body() }
        #expect(
            error?.sqlState == "42501" && error?.message.contains(words) == true,
            "\(String(describing: error))", sourceLocation: sourceLocation)
    }

    @Test func `an application's role runs a durable consumer with what applications are granted`() async throws {
        try await asRole(granted: ["write"]) { container, _ in
            let consumer = container.historyConsumer("copies", of: Trip.self)
            let reloads = Shared(0)
            let handler: HistoryConsumer.Handler = { transactions, context in
                for _ in transactions { context.insert(BucketListItem(title: "seen")) }
            }
            let reload: HistoryConsumer.Reload = { _ in reloads.withLock { $0 += 1 } }
            #expect(try await consumer.catchUp(handler: handler, reload: reload) == 0)
            let context = ModelContext(container)
            for number in 1...3 {
                context.insert(trip(number))
                try await context.save()
            }
            #expect(try await consumer.catchUp(handler: handler, reload: reload) == 3)
            #expect(try await consumer.catchUp(handler: handler, reload: reload) == 0)
            #expect(reloads.value == 1)
            #expect(try await context.fetchCount(FetchDescriptor<BucketListItem>()) == 3)
        }
    }

    @Test func `who may write is told what to grant when it deletes history`() async throws {
        try await asRole(granted: ["write"]) { container, _ in
            let context = ModelContext(container)
            await expectRefusal("'prune'") { try await context.deleteHistory(HistoryDescriptor()) }
            await expectRefusal("'prune'") { try await container.pruneHistory(olderThan: .distantFuture) }
            let history = try await context.fetchHistory(after: nil)
            #expect(history.transactions.count == 1)
        }
    }

    @Test func `who may read is told what to grant when it keeps a place`() async throws {
        try await asRole(granted: ["read"]) { container, _ in
            let history = try await ModelContext(container).fetchHistory(after: nil)
            #expect(history.transactions.count == 1)
            await expectRefusal("strata.history_consumer") {
                _ = try await container.historyConsumer("copies").catchUp { _, _ in }
            }
        }
    }

    @Test func `who was granted nothing is told what to grant when it reads`() async throws {
        try await asRole(granted: []) { container, _ in
            let context = ModelContext(container)
            context.insert(trip(1))
            try await context.save()
            await expectRefusal("strata.history_grant('<role>', 'read')") {
                _ = try await context.fetchHistory(after: nil)
            }
            await expectRefusal("strata.history_grant('<role>', 'read')") {
                _ = try await container.currentHistoryToken()
            }
        }
    }

    @Test func `who may prune prunes, and nothing else`() async throws {
        try await asRole(granted: ["prune"]) { container, _ in
            let pruned = try await prune(1, in: container, olderThan: .distantFuture)
            let history = try await ModelContext(container).fetchHistory(after: nil)
            #expect(pruned.transactions == 1 && history.transactions.isEmpty)
        }
    }
}
