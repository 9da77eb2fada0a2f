import Foundation
import Strata
import StrataClient
import StrataModelTestSupport
import StrataTestSupport
import Testing

/// The rows of a batch go on their way while those of the next one are made. What makes them may use the context meanwhile.
@Suite struct RowsUnderWayTests {
    private struct Stop: Error {}

    /// 20,000 rows in two batches; before one of them something happens, and how many have come is counted.
    private final class Rows: AsyncSequence, AsyncIteratorProtocol {
        let place: Int
        let happening: () async throws -> Void
        private(set) var number = 0

        init(before place: Int, _ happening: @escaping () async throws -> Void) {
            (self.place, self.happening) = (place, happening)
        }

        func next() async throws -> (String, String)? {
            number += 1
            if number == place { try await happening() }
            return number > 20_000 ? nil : ("n\(number)", "x")
        }

        func makeAsyncIterator() -> Rows { self }
    }

    private func withShelf(line: Int = #line, _ body: (ModelStore, ModelContext) async throws -> Void) async throws {
        try await withModelStore(Item.self, Tool.self, Shelf.self, line: line) { store in
            try await body(store, ModelContext(store.container))
        }
    }

    private func insert(_ rows: Rows, in context: ModelContext) async throws -> InsertedRows {
        try await context.insert(into: Item.self, \.code, \.label, rows: rows, uniquePolicy: .fail)
    }

    private func insertAll(_ rows: Rows, in context: ModelContext) async throws {
        let result = try await insert(rows, in: context)
        #expect(result.insertedCount == 20_000)
    }

    private func count(_ context: ModelContext) throws -> Int { try context.fetchCount(FetchDescriptor<Item>()) }

    private func expectItems(_ number: Int, _ context: ModelContext) throws {
        let found = try count(context)
        #expect(found == number)
    }

    private func expectShelves(_ number: Int, _ context: ModelContext) throws {
        let found = try context.fetchCount(FetchDescriptor<Shelf>())
        #expect(found == number)
    }

    private static let copying = """
        SELECT state FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'COPY%' AND state = 'active'
        """

    // The second batch has just begun: of the first, not all has been sent.
    @Test func `a batch is being loaded while the next one is made`() async throws {
        try await withShelf { store, context in
            let observer = try await store.database.connect()
            var active = 0
            func look() throws {
                for _ in 0..<3_000 where active == 0 {
                    try observer.run(PostgresBatch(PostgresStatement(PreparedSQL(Self.copying))) { _ in active += 1 })
                }
            }
            let insertAll = {
                let rows = (1...20_000).lazy.map { number in
                    if number == 16_400 { #expect(throws: Never.self) { try look() } }
                    return ("n\(number)", "x")
                }
                return try context.insert(into: Item.self, \.code, \.label, rows: rows, uniquePolicy: .fail)
            }
            #expect(try insertAll().insertedCount == 20_000)
            #expect(active == 1)
            observer.close()
            try expectItems(20_000, context)
        }
    }

    @Test func `no statement goes on while rows are waited for, or where one may not take long`() async throws {
        try await withShelf { store, context in
            let rows = Rows(before: 17_000) {
                let active = try await store.database.texts(Self.copying)
                #expect(active.isEmpty)
            }
            try await insertAll(rows, in: context)
            context.timeout = .seconds(60)
            let observer = try await store.database.connect()
            var active = 0
            let insertMore = {
                let rows = (20_001...40_000).lazy.map { number in
                    if number == 37_000 {
                        let statement = PostgresStatement(PreparedSQL(Self.copying))
                        #expect(throws: Never.self) { try observer.run(PostgresBatch(statement) { _ in active += 1 }) }
                    }
                    return ("n\(number)", "x")
                }
                return try context.insert(into: Item.self, \.code, \.label, rows: rows, uniquePolicy: .fail)
            }
            #expect(try insertMore().insertedCount == 20_000)
            #expect(active == 0)
            observer.close()
            try expectItems(40_000, context)
        }
    }

    @Test func `what makes rows hears why those before were refused`() async throws {
        try await withShelf { _, context in
            var heard: [String] = []
            func look() {
                do { try expectItems(0, context) } catch {
                    heard.append((error as? SwiftDataError)?.message ?? "\(error)")
                }
            }
            func insertTwice() throws {
                let rows = (1...20_000).lazy.map { number in
                    if number == 17_000 { look() }
                    return (number == 2 ? "n1" : "n\(number)", "x")
                }
                try context.insert(into: Item.self, \.code, \.label, rows: rows, uniquePolicy: .fail)
            }
            let error = #expect(throws: SwiftDataError.self) { try insertTwice() }
            #expect(error?.code == .uniqueConstraint)
            #expect(heard == [error?.message])
            try expectItems(0, context)
            let rows = Rows(before: 17_000) { try await Task.sleep(for: .zero) }
            try await insertAll(rows, in: context)
        }
    }

    @Test func `what makes rows sees those that were loaded before`() async throws {
        try await withShelf { _, context in
            var counts: [Int] = []
            let rows = Rows(before: 17_000) {
                counts.append(try await context.fetchCount(FetchDescriptor<Item>()))
                counts.append(try count(context))
            }
            try await insertAll(rows, in: context)
            #expect(counts == [16_384, 16_384])
        }
    }

    private func blocking(_ context: ModelContext, _ happening: @escaping () -> Void) throws -> InsertedRows {
        try context.insert(
            into: Item.self, \.code, \.label,
            rows: (1...20_000).lazy.map { number in
                if number == 17_000 { happening() }
                return ("b\(number)", "x")
            }, uniquePolicy: .fail)
    }

    @Test func `a transaction within takes back its own rows only`() async throws {
        try await withShelf { _, context in
            func insertInVain() throws {
                try context.transaction {
                    try context.insert(into: Shelf.self, \.name, rows: ["in vain"])
                    throw Stop()
                }
            }
            let result = try blocking(context) { #expect(throws: Stop.self) { try insertInVain() } }
            #expect(result.insertedCount == 20_000)
            let rows = Rows(before: 17_000) {
                await #expect(throws: Stop.self) {
                    try await context.transaction {
                        try await context.insert(into: Shelf.self, \.name, rows: ["in vain"])
                        throw Stop()
                    }
                }
            }
            try await insertAll(rows, in: context)
            try expectItems(40_000, context)
            try expectShelves(0, context)
        }
    }

    @Test func `rows of two classes come in turn`() async throws {
        try await withShelf { _, context in
            let result = try blocking(context) {
                #expect(throws: Never.self) { try context.insert(into: Shelf.self, \.name, rows: ["top", "low"]) }
            }
            #expect(result.insertedCount == 20_000)
            try expectItems(20_000, context)
            try expectShelves(2, context)
        }
    }

    // MARK: What fails

    @Test func `a row that is refused is named, and not what was tried after it`() async throws {
        try await withShelf { store, context in
            try await store.database.execute("ALTER TABLE item ADD CONSTRAINT item_code_check CHECK (code <> 'n5000')")
            let refused =
                "Row 5000 of those inserted into Item: Item.code is refused by the database (constraint item_code_check). Change the "
                + "value, or leave the row out."
            for place in [30_000, 17_000] {
                // The first time nothing happens. The second time something is asked of a transaction that has failed.
                let rows = Rows(before: place) { _ = try await context.fetchCount(FetchDescriptor<Item>()) }
                let error = await #expect(throws: SwiftDataError.self) { try await insert(rows, in: context) }
                #expect(error?.message == refused)
                try expectItems(0, context)
            }
        }
    }

    @Test func `an error of what makes rows takes back those under way`() async throws {
        try await withShelf { store, context in
            let stopped = await #expect(throws: Stop.self) {
                try await insert(Rows(before: 17_000) { throw Stop() }, in: context)
            }
            #expect(stopped != nil)
            let killed = await #expect(throws: SwiftDataError.self) {
                try await insert(Rows(before: 17_000) { try await store.killConnections() }, in: context)
            }
            #expect(killed?.code == .storeFailure)
            try expectItems(0, context)
            try await insertAll(Rows(before: 0) {}, in: context)
        }
    }

    @Test func `a task that is cancelled while rows are under way leaves nothing`() async throws {
        try await withShelf { store, _ in
            let container = store.container
            let inserting = Task {
                let context = ModelContext(container)
                let rows = Rows(before: 17_000) { withUnsafeCurrentTask { $0?.cancel() } }
                return try await insert(rows, in: context).insertedCount
            }
            await #expect(throws: CancellationError.self) { try await inserting.value }
            let context = ModelContext(container)
            try expectItems(0, context)
            try await insertAll(Rows(before: 0) {}, in: context)
        }
    }

    @Test func `a race that a batch under way loses is found again`() async throws {
        try await withShelf { store, _ in
            let (other, database, container) = (ModelContext(store.container), store.database, store.container)
            var inserting: Task<InsertedRows, any Error>?
            try await other.transaction {
                // Nobody else sees the row until the transaction ends.
                try await other.execute(
                    "INSERT INTO \(table: Item.self) (pk, code, label, price, tags, token) VALUES (1, 'n7', 'theirs', 1, '{}', gen_random_uuid())"
                )
                inserting = Task {
                    try await ModelContext(container).insert(
                        into: Item.self, \.code, \.label, rows: (1...20_000).lazy.map { ("n\($0)", "ours") },
                        uniquePolicy: .upsert)
                }
                try await waitUntil {
                    try await !database.texts(
                        "SELECT pid::text FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"
                    ).isEmpty
                }
            }
            let result = try await inserting?.value
            #expect(result?.insertedCount == 19_999)
            #expect(result?.updatedCount == 1)
            try expectItems(20_000, ModelContext(container))
        }
    }
}
