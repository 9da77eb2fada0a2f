import Foundation
import Strata
import StrataModelTestSupport
import StrataTestSupport
import Testing

/// Views whose rows the server keeps.
@Suite struct MaterializedViewTests {
    private func withReports(_ body: (ModelStore, ModelContext) async throws -> Void) async throws {
        try await withModelStore(Voyage.self, Cruise.self, Stop.self, PortStatistics.self, PortReport.self) { store in
            let context = ModelContext(store.container)
            for (number, port) in ["Kiel", "Kiel", "Bergen"].enumerated() {
                context.insert(Voyage("v\(number)", port, day: number, price: 1, mood: .calm))
            }
            try await context.save()
            try await context.refresh(PortReport.self, concurrently: false)
            store.recorder.reset()
            try await body(store, ModelContext(store.container))
        }
    }

    private func counts(_ context: ModelContext) async throws -> [String] {
        try await context.fetch(FetchDescriptor<PortReport>(sortBy: [SortDescriptor(\.port)]))
            .map { "\($0.port) \($0.voyages)" }
    }

    @Test(arguments: [true, false]) func `rows are those of the last refresh`(concurrently: Bool) async throws {
        try await withReports { store, context in
            #expect(try await counts(context) == ["Bergen 1", "Kiel 2"])
            let report = try #require(
                try await context.fetch(FetchDescriptor<PortReport>(predicate: #Predicate { $0.port == "Kiel" })).first)
            context.insert(Voyage("late", "Kiel", day: 9, price: 1, mood: .calm))
            try await context.save()
            #expect(try await counts(context) == ["Bergen 1", "Kiel 2"])
            store.recorder.reset()
            try await context.refresh(PortReport.self, concurrently: concurrently)
            #expect(
                store.recorder.statements.filter { $0.contains("VIEW") } == [
                    "REFRESH MATERIALIZED VIEW \(concurrently ? "CONCURRENTLY " : "")\"public\".\"port_report\""
                ])
            #expect(report.voyages == 3)
            #expect(try await counts(context) == ["Bergen 1", "Kiel 3"])
            let blocking = { try context.refresh(PortReport.self) }
            try blocking()
        }
    }

    @Test func `a refresh belongs to the transaction`() async throws {
        struct Stopped: Error {}
        try await withReports { _, context in
            var within: [String] = []
            await #expect(throws: Stopped.self) {
                try await context.transaction {
                    context.insert(Voyage("late", "Oslo", day: 9, price: 1, mood: .calm))
                    try await context.save()
                    try await context.refresh(PortReport.self)
                    within = try await counts(context)
                    throw Stopped()
                }
            }
            #expect(within == ["Bergen 1", "Kiel 2", "Oslo 1"])
            context.rollback()
            let after = try await counts(context)
            #expect(after == ["Bergen 1", "Kiel 2"])
        }
    }

    @Test func `what is not kept, and what is unsaved, is not refreshed`() async throws {
        try await withReports { store, context in
            let error = await #expect(throws: SwiftDataError.self) { try await context.refresh(PortStatistics.self) }
            #expect(error?.code == .unsupportedFeature)
            #expect(
                error?.message.hasPrefix("PortStatistics cannot be refreshed: its rows are computed by each fetch.")
                    == true)
            context.insert(Voyage("unsaved", "Oslo", day: 9, price: 1, mood: .calm))
            let refusal = await #expect(throws: SwiftDataError.self) { try await context.refresh(PortReport.self) }
            #expect(refusal?.code == .unsupportedFeature)
            #expect(store.recorder.roundTrips == 0)
        }
    }

    @Test func `who may not refresh it is told who may`() async throws {
        try await withReports { store, context in
            try await store.database.execute(
                "CREATE ROLE refresh_guest", "GRANT ALL ON SCHEMA public TO refresh_guest",
                "GRANT SELECT ON ALL TABLES IN SCHEMA public TO refresh_guest")
            context.settings = ["role": "refresh_guest"]
            let error = await #expect(throws: SwiftDataError.self) { try await context.refresh(PortReport.self) }
            #expect(error?.code == .storeFailure && error?.sqlState == "42501")
            #expect(
                error?.message.hasPrefix(
                    "PortReport cannot be refreshed by the role of this connection: only the owner of \"public\".\"port_report\" may"
                )
                    == true, "\(String(describing: error))")
            let blocking = { try context.refresh(PortReport.self) }
            let same = #expect(throws: SwiftDataError.self) { try blocking() }
            #expect(same?.message == error?.message)
            try await store.database.execute("DROP OWNED BY refresh_guest", "DROP ROLE refresh_guest")
        }
    }

    @Test func `an index that somebody dropped is missed`() async throws {
        try await withReports { store, context in
            try await store.database.execute("DROP INDEX port_report_pk_idx")
            let error = await #expect(throws: SwiftDataError.self) { try await context.refresh(PortReport.self) }
            #expect(error?.sqlState == "55000")
            #expect(error?.message.contains("has no unique index of its key") == true, "\(String(describing: error))")
            try await context.refresh(PortReport.self, concurrently: false)
        }
    }

    @Test func `it is made with an index of its key, and recognized`() async throws {
        try await withReports { store, _ in
            let indexes = try await store.database.texts(
                "SELECT replace(indexdef, current_schema || '.', '') FROM pg_indexes WHERE tablename = 'port_report'")
            #expect(indexes == ["CREATE UNIQUE INDEX port_report_pk_idx ON port_report USING btree (pk)"])
            let schema = Schema(Voyage.self, Cruise.self, Stop.self, PortStatistics.self, PortReport.self)
            try await store.reopened(schema).close()
            try await store.database.execute("COMMENT ON MATERIALIZED VIEW port_report IS 'strata 0'")
            let error = await #expect(throws: SwiftDataError.self) { try await store.reopened(schema).close() }
            #expect(error?.message.contains("view port_report was made of another definition") == true)
        }
    }
}
