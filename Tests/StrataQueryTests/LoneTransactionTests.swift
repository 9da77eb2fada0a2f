import Foundation
import Strata
import StrataModelTestSupport
import StrataTestSupport
import Testing

@Model private final class Job {
    var state: Int
    var note: String

    init(_ state: Int) {
        self.state = state
        note = ""
    }
}

/// A change of one object that is all that a transaction writes.
@Suite struct LoneTransactionTests {
    private static let plain =
        #"UPDATE "public"."job" AS t SET "state" = $2::bigint WHERE t."pk" = $1::bigint AND t."state" IS NOT DISTINCT FROM $3::bigint"#

    private func withJob(_ body: (ModelStore, ModelContext) async throws -> Void) async throws {
        try await withModelStore(Job.self) { store in
            let context = ModelContext(store.container)
            context.insert(Job(0))
            try await context.save()
            store.recorder.reset()
            try await body(store, ModelContext(store.container))
        }
    }

    private func stored(_ store: ModelStore) async throws -> [String] {
        try await store.database.texts("SELECT state || note FROM job")
    }

    @Test func `it is a plain UPDATE, and COMMIT goes with it`() async throws {
        try await withJob { store, context in
            try await context.transaction { try await context.fetch(FetchDescriptor<Job>()).first?.state = 1 }
            #expect(store.recorder.roundTrips == 2)
            let flush = try #require(store.recorder.flushes.last)
            // Between them the moment of the save is asked for.
            #expect(flush.count == 4)
            #expect(flush[1] == Self.plain)
            #expect(flush[3] == "COMMIT")
            #expect(try await stored(store) == ["1"])
        }
    }

    @Test func `so it is behind a lock by name, and behind an enumeration`() async throws {
        try await withJob { store, context in
            try await context.withAdvisoryLock("lone") {
                try await context.fetch(FetchDescriptor<Job>()).first?.state = 1
            }
            #expect(store.recorder.flushes.last?.contains(Self.plain) == true)
            try await context.transaction { () async throws -> Void in
                try await context.enumerate(FetchDescriptor<Job>(), allowEscapingMutations: true) { (job: Job) in
                    job.state = 2
                }
            }
            #expect(store.recorder.flushes.last?.contains(Self.plain) == true)
            #expect(try await stored(store) == ["2"])
        }
    }

    @Test func `a conflict writes nothing, and the context goes on`() async throws {
        try await withJob { store, context in
            let error = await #expect(throws: SwiftDataError.self) {
                try await context.transaction {
                    let job = try await context.fetch(FetchDescriptor<Job>()).first
                    try await store.database.execute("UPDATE job SET state = 7")
                    job?.state = 1
                }
            }
            #expect(error?.code == .conflict)
            #expect(try await stored(store) == ["7"])
            #expect(!context.hasChanges)
            try await context.transaction { try await context.fetch(FetchDescriptor<Job>()).first?.state = 8 }
            #expect(try await stored(store) == ["8"])
        }
    }

    @Test func `a row that is gone is an error too`() async throws {
        try await withJob { store, context in
            let error = await #expect(throws: SwiftDataError.self) {
                try await context.transaction {
                    let job = try await context.fetch(FetchDescriptor<Job>()).first
                    try await store.database.execute("DELETE FROM job")
                    job?.state = 1
                }
            }
            #expect(error?.code == .modelNotFound)
            let rest = try await stored(store)
            #expect(rest.isEmpty)
        }
    }

    @Test func `behind something that was written the server decides, so that all is undone`() async throws {
        try await withJob { store, context in
            let error = await #expect(throws: SwiftDataError.self) {
                try await context.transaction {
                    let job = try await context.fetch(FetchDescriptor<Job>()).first
                    try await context.execute("UPDATE \(Job.self) SET note = 'x', state = 7")
                    job?.state = 1
                }
            }
            #expect(error?.code == .conflict)
            #expect(store.recorder.statements.contains { $0.contains("HAVING 1 / (count(*) = 1)") })
            let states = try await stored(store)
            #expect(states == ["0"])
        }
    }

    // What no save has written is not to be committed either when the save is in conflict.

    /// Changes the only job, in conflict with somebody else's change of its row, behind `body` in one transaction.
    private func conflict(
        _ store: ModelStore, _ context: ModelContext, behind body: () async throws -> Void
    ) async throws {
        let error = await #expect(throws: SwiftDataError.self) {
            try await context.transaction {
                try await body()
                let job = try await context.fetch(FetchDescriptor<Job>()).first
                try await store.database.execute("UPDATE job SET state = 7")
                job?.state = 1
            }
        }
        #expect(error?.code == .conflict)
        #expect(try await stored(store) == ["7"])
    }

    @Test func `what a function has written goes with a conflict`() async throws {
        try await withJob { store, context in
            try await store.database.execute(
                "CREATE TABLE mail (id bigint)",
                "CREATE FUNCTION send_mail(id bigint) RETURNS bigint LANGUAGE sql AS $$ INSERT INTO mail VALUES (id) RETURNING id $$"
            )
            try await conflict(store, context) {
                let sent = try await context.fetch(Int.self, sql: "SELECT send_mail(\(7))")
                #expect(sent == [7])
            }
            #expect(try await store.database.texts("SELECT id::text FROM mail").isEmpty)
        }
    }

    @Test func `history that was deleted is there again after a conflict`() async throws {
        try await withJob { store, context in
            let count = "SELECT count(*)::text FROM strata.history_transaction"
            let before = try await store.database.texts(count)
            #expect(before != ["0"])
            try await conflict(store, context) {
                try await context.deleteHistory(HistoryDescriptor<DefaultHistoryTransaction>())
            }
            // That of the other one is new.
            #expect(
                try await store.database.texts("SELECT (count(*) - 1)::text FROM strata.history_transaction") == before)
        }
    }

    @Test func `a consumer's place stays where it was when what its handler wrote is in conflict`() async throws {
        try await withJob { store, _ in
            let consumer = store.container.historyConsumer("lone")
            let handled = Shared(0)
            let hasMet = Shared(false)
            func catchUp() async throws -> Int {
                try await consumer.catchUp { transactions, context in
                    let job = try await context.fetch(FetchDescriptor<Job>()).first
                    if !hasMet.value {
                        hasMet.withLock { $0 = true }
                        try await store.database.execute("UPDATE job SET note = note || 'x', state = 7")
                    }
                    job?.state = 1
                    handled.withLock { $0 += transactions.count }
                }
            }
            let error = await #expect(throws: SwiftDataError.self) { _ = try await catchUp() }
            #expect(error?.code == .conflict)
            let again = try await catchUp()
            #expect(again == 2, "the one that was to be handled, and the one that came between")
            #expect(try await stored(store) == ["1x"])
        }
    }
}
