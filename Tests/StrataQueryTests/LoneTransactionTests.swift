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
            #expect(error?.code == .conflict || error?.code == .modelNotFound)
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
}
