import Foundation
import Strata
import StrataModelTestSupport
import StrataTestSupport
import Testing

@Suite struct InsertRowsTests {
    private func withItems(line: Int = #line, _ body: (ModelStore, ModelContext) async throws -> Void) async throws {
        try await withModelStore(Item.self, Tool.self, Shelf.self, line: line) { store in
            let context = ModelContext(store.container)
            context.insert(Shelf("top"))
            context.insert(Item("a", "apple"))
            context.insert(Tool("t", "drill", power: 9))
            try await context.save()
            store.recorder.reset()
            try await body(store, ModelContext(store.container))
        }
    }

    private func labels(_ store: ModelStore) async throws -> [String: String] {
        let rows = try await ModelContext(store.container).fetch(
            FetchDescriptor<Item>(), selecting: \.code, \.label)
        return Dictionary(uniqueKeysWithValues: rows)
    }

    // MARK: Inserting

    @Test func `rows of one class go by COPY, with the author in the history`() async throws {
        try await withModelStore(Shelf.self, Item.self, Tool.self) { store in
            let context = ModelContext(store.container)
            context.author = "import"
            let before = try await store.container.currentHistoryToken()
            store.recorder.reset()
            let result = try await context.insert(into: Shelf.self, \.name, rows: ["low", "high"])
            #expect(result.insertedCount == 2)
            #expect(result.updatedCount == 0)
            #expect(result.identifiers == nil)
            #expect(
                store.recorder.statements.filter { $0.contains("COPY") } == [
                    #"COPY "public"."shelf" ("pk", "name") FROM STDIN (FORMAT binary)"#
                ])
            #expect(store.recorder.roundTrips == 3)
            #expect(!context.hasChanges)
            let names = try await context.fetch(
                FetchDescriptor<Shelf>(sortBy: [SortDescriptor(\.name)]), selecting: \.name)
            #expect(names == ["high", "low"])
            let transactions = try await context.fetchHistory(
                HistoryDescriptor(predicate: #Predicate<DefaultHistoryTransaction> { $0.token > before }))
            #expect(transactions.map(\.author) == ["import"])
            #expect(transactions.first?.changes.count == 2)
        }
    }

    @Test func `a subclass fills all its tables, and what is not named has its default`() async throws {
        try await withItems { store, context in
            let result = try await context.insert(
                into: Tool.self, \.code, \.label, \.weight, rows: [("x", "saw", 1.5), ("y", "axe", nil)],
                uniquePolicy: .fail, reportsIdentifiers: true)
            #expect(
                store.recorder.statements.filter { $0.contains("COPY") } == [
                    #"COPY "public"."item" ("pk", "class", "code", "label", "price", "tags", "token", "note", "shelf") FROM STDIN (FORMAT binary)"#,
                    #"COPY "public"."tool" ("pk", "power", "weight") FROM STDIN (FORMAT binary)"#,
                ])
            let tools = try await context.fetch(
                FetchDescriptor<Tool>(
                    predicate: #Predicate { $0.code >= "x" }, sortBy: [SortDescriptor(\.code)]))
            #expect(tools.map(\.label) == ["saw", "axe"])
            #expect(tools.map(\.weight) == [1.5, nil])
            #expect(tools.map(\.power) == [5, 5])
            #expect(tools.map(\.price) == [1, 1])
            #expect(tools.map(\.tags) == [["new"], ["new"]])
            #expect(Set(tools.map(\.token)).count == 2)
            #expect(result.identifiers == tools.map(\.persistentModelID))
        }
    }

    @Test func `a relationship is named by identifiers, and ends in memory see the rows`() async throws {
        try await withItems { store, context in
            let shelf = try #require(try await context.fetch(FetchDescriptor<Shelf>()).first)
            #expect(shelf.items.isEmpty)
            let id: PersistentIdentifier? = shelf.persistentModelID
            try await context.insert(
                into: Item.self, \.code, \.label, \.shelf?.persistentModelID,
                rows: [("x", "pear", id), ("y", "plum", nil)])
            #expect(shelf.items.map(\.code) == ["x"])
            let item = try #require(try await context.fetch(FetchDescriptor<Item>()).first { $0.code == "a" })
            let wrong = await #expect(throws: SwiftDataError.self) {
                try await context.insert(
                    into: Item.self, \.code, \.label, \.shelf?.persistentModelID,
                    rows: [("z", "fig", id), ("zz", "nut", item.persistentModelID)])
            }
            #expect(wrong?.code == .invalidIdentifier)
            #expect(wrong?.message.hasPrefix("Row 2 of those inserted into Item: Item.shelf cannot be strata:") == true)
            context.delete(shelf)
            try await context.save()
            let gone = await #expect(throws: SwiftDataError.self) {
                try await context.insert(
                    into: Item.self, \.code, \.label, \.shelf?.persistentModelID, rows: [("z", "fig", id)])
            }
            #expect(gone?.code == .modelNotFound)
            #expect(
                gone?.message
                    == "Row 1 of those inserted into Item: Item.shelf refers to an object that is not in the database. Save it "
                    + "first, or set the relationship to nil.")
            let some = await #expect(throws: SwiftDataError.self) {
                try await context.insert(
                    into: Item.self, \.code, \.label, \.shelf?.persistentModelID,
                    rows: [("v", "x", nil), ("w", "y", id)])
            }
            #expect(
                some?.message.hasPrefix("One of the rows 1 to 2 of those inserted into Item: Item.shelf refers to")
                    == true)
            #expect(try await labels(store).count == 4)
        }
    }

    private func blocking(_ context: ModelContext) throws -> InsertedRows {
        try context.insert(
            into: Item.self, \.code, \.label, rows: (0..<20_000).lazy.map { ("n\($0)", "label \($0)") },
            uniquePolicy: .fail)
    }

    @Test func `many rows go in batches, blocking and from what comes over time`() async throws {
        try await withItems { store, context in
            #expect(try blocking(context).insertedCount == 20_000)
            #expect(store.recorder.statements.filter { $0.contains("COPY") }.count == 2)
            let (stream, continuation) = AsyncStream<(String, String)>.makeStream()
            for number in 0..<9_000 { continuation.yield(("s\(number)", "stream")) }
            continuation.finish()
            let result = try await context.insert(into: Item.self, \.code, \.label, rows: stream)
            #expect(result.insertedCount == 9_000)
            #expect(try await context.fetchCount(FetchDescriptor<Item>()) == 29_002)
        }
    }

    @Test func `no rows are no round trip`() async throws {
        try await withItems { store, context in
            let result = try await context.insert(into: Shelf.self, \.name, rows: [])
            #expect(result.insertedCount == 0)
            #expect(store.recorder.statements.filter { $0.contains("COPY") }.isEmpty)
        }
    }

    // MARK: Unique values

    @Test func `an upsert writes the properties that are named, and objects in memory read them again`() async throws {
        try await withItems { store, context in
            let apple = try #require(
                try await context.fetch(FetchDescriptor<Item>(predicate: #Predicate { $0.code == "a" })).first)
            let token = apple.token
            store.recorder.reset()
            let result = try await context.insert(
                into: Item.self, \.code, \.label, \.tags,
                rows: [("b", "first", ["1"]), ("a", "avocado", ["2", "3"]), ("b", "second", [])], uniquePolicy: .upsert,
                reportsIdentifiers: true)
            #expect(result.insertedCount == 1)
            #expect(result.updatedCount == 1)
            #expect(result.identifiers?[1] == apple.persistentModelID)
            #expect(result.identifiers?[0] == result.identifiers?[2])
            let statements = store.recorder.statements.filter { $0.contains("\"item\"") || $0.contains("unnest") }
            #expect(
                statements == [
                    #"SELECT d.i, d.w FROM (SELECT u.i, min(u.i) OVER (PARTITION BY u.c0) AS w FROM unnest($1::bigint[], $2::text[]) AS u(i, c0) WHERE u.c0 IS NOT NULL) AS d WHERE d.i <> d.w"#,
                    #"SELECT u.i, t."pk", t."class" FROM unnest($1::bigint[], $2::text[]) AS u(i, c0) JOIN "public"."item" AS t ON t."code" = u.c0 ORDER BY t."pk" FOR NO KEY UPDATE OF t"#,
                    #"UPDATE "public"."item" AS t SET "label" = u.c0, "tags" = u.c1::text[] FROM (SELECT $1::bigint AS pk, $2::text AS c0, $3::text AS c1) AS u WHERE t."pk" = u.pk"#,
                    #"COPY "public"."item" ("pk", "class", "code", "label", "price", "tags", "token", "note", "shelf") FROM STDIN (FORMAT binary)"#,
                ])
            #expect(store.recorder.roundTrips == 5)
            #expect(apple.label == "avocado")
            #expect(apple.tags == ["2", "3"])
            #expect(apple.token == token)
            #expect(try await labels(store) == ["a": "avocado", "b": "second", "t": "drill"])
        }
    }

    @Test func `upserts of one form are prepared once, however many there are`() async throws {
        try await withItems { _, context in
            func upsert(_ rounds: Range<Int>) async throws -> Int {
                for round in rounds {
                    try await context.insert(
                        into: Item.self, \.code, \.label, rows: [("a", "a\(round)"), ("b", "b")], uniquePolicy: .upsert)
                }
                return try await context.fetch(Int.self, sql: "SELECT count(*) FROM pg_prepared_statements")[0]
            }
            try await context.transaction {
                // The first time one of both rows is there, then both.
                let prepared = try await upsert(0..<2)
                // The process may forget its texts meanwhile (``PreparedSQL/interned(_:)``): each is then prepared once more, and not for each round.
                #expect(try await upsert(2..<22) < prepared + 20)
            }
        }
    }

    @Test func `the policy chooses among the properties, ignores, or fails with the row`() async throws {
        try await withItems { store, context in
            let rows = [("b", "berry", Decimal(2)), ("a", "avocado", 3)]
            try await context.insert(
                into: Item.self, \.code, \.label, \.price, rows: rows, uniquePolicy: .upsert(updating: \Item.price))
            #expect(try await labels(store) == ["a": "apple", "b": "berry", "t": "drill"])
            let prices = try await context.fetch(
                FetchDescriptor<Item>(sortBy: [SortDescriptor(\.code)]), selecting: \.price)
            #expect(prices == [3, 2, 1])
            let ignored = try await context.insert(
                into: Item.self, \.code, \.label, rows: [("a", "ant"), ("c", "cat"), ("c", "cow")],
                uniquePolicy: .ignore)
            #expect(ignored.insertedCount == 1)
            #expect(ignored.updatedCount == 0)
            #expect(try await labels(store)["c"] == "cat")
            context.uniquePolicy = .fail
            let refused = await #expect(throws: SwiftDataError.self) {
                try await context.insert(
                    into: Item.self, \.code, \.label, rows: [("d", "dog"), ("e", "eel"), ("a", "x")])
            }
            #expect(refused?.code == .uniqueConstraint)
            #expect(refused?.sqlState == "23505")
            #expect(
                refused?.message
                    == "Row 3 of those inserted into Item: an object with the same Item.code is there already. Leave the row "
                    + "out, or choose a uniquePolicy that updates or ignores.")
            let otherClass = await #expect(throws: SwiftDataError.self) {
                try await context.insert(
                    into: Item.self, \.code, \.label, rows: [("d", "dog"), ("t", "tea")], uniquePolicy: .upsert)
            }
            #expect(
                otherClass?.message
                    == "Row 2 of those inserted into Item has the Item.code of a stored Tool. An object cannot change its "
                    + "class: leave the row out, or insert into Tool.")
            #expect(try await labels(store).keys.sorted() == ["a", "b", "c", "t"])
        }
    }

    @Test func `a batch that loses a race for a value finds the row that won`() async throws {
        try await withItems { store, _ in
            let other = ModelContext(store.container)
            let database = store.database
            var inserting: Task<String, any Error>?
            try await other.transaction {
                try await other.execute(
                    "INSERT INTO \(table: Item.self) (pk, code, label, price, tags, token) VALUES (1, 'b', 'theirs', 1, '{}', gen_random_uuid())"
                )
                let container = store.container
                inserting = Task {
                    let context = ModelContext(container)
                    let result = try await context.insert(
                        into: Item.self, \.code, \.label, rows: [("c", "c"), ("b", "ours")], uniquePolicy: .upsert)
                    return "\(result.insertedCount) \(result.updatedCount)"
                }
                while try await database.texts(
                    "SELECT pid::text FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"
                ).isEmpty { await Task.yield() }
            }
            #expect(try await inserting?.value == "1 1")
            #expect(try await labels(store) == ["a": "apple", "b": "ours", "c": "c", "t": "drill"])
        }
    }

    // MARK: Refusals

    @Test func `what cannot be inserted is refused before anything is sent`() async throws {
        try await withItems { store, context in
            func refusal(_ body: () async throws -> InsertedRows) async -> String {
                (await #expect(throws: SwiftDataError.self) { try await body() })?.description ?? ""
            }
            let missing = await refusal { try await context.insert(into: Item.self, \.note, rows: ["x"]) }
            #expect(
                missing
                    == "modelValidationFailure: Rows cannot be inserted into Item without Item.code, Item.label: they are required, and the "
                    + "class declares no default. Name the properties, or declare defaults.")
            let twice = await refusal { try await context.insert(into: Item.self, \.code, \.code, rows: [("x", "y")]) }
            #expect(
                twice
                    == "unsupportedKeyPath: Item.code is named twice for the rows inserted into Item. Name each property once."
            )
            let computed = await refusal {
                try await context.insert(into: Item.self, \.code, \.shout, rows: [("x", "y")])
            }
            #expect(
                computed.hasPrefix(
                    "unsupportedKeyPath: A key path to String does not lead to a stored property of Item"))
            let ephemeral = await refusal {
                try await context.insert(into: Item.self, \.code, \.scratch, rows: [("x", 1)])
            }
            #expect(
                ephemeral
                    == "unsupportedKeyPath: Item.scratch is marked .ephemeral: it has no column into which rows could be inserted."
            )
            let object = await refusal {
                try await context.insert(into: Item.self, \.code, \.label, \.shelf, rows: [("x", "y", Shelf?.none)])
            }
            #expect(object.hasSuffix(#"Name the object by its identifier: \.shelf?.persistentModelID."#))
            let policy = await refusal {
                try await context.insert(
                    into: Item.self, \.code, \.label, rows: [("x", "y")], uniquePolicy: .upsert(updating: \Item.price))
            }
            #expect(policy.contains("names Item.price, which the rows inserted into Item have no value of"))
            #expect(store.recorder.roundTrips == 0)
            context.insert(Shelf("unsaved"))
            let unsaved = await refusal { try await context.insert(into: Shelf.self, \.name, rows: ["x"]) }
            #expect(
                unsaved.hasPrefix(
                    "unsupportedFeature: Rows were not inserted into Shelf: they go into the tables at once"))
        }
    }

    @Test func `classes and relationships that rows cannot be of are refused`() async throws {
        try await withModelStore(Shape.self, Circle.self, Queue.self, Ticket.self) { store in
            let context = ModelContext(store.container)
            let abstract = await #expect(throws: SwiftDataError.self) {
                try await context.insert(into: Shape.self, \.name, rows: ["x"])
            }
            #expect(abstract?.message.hasPrefix("No rows can be inserted into Shape, which is abstract") == true)
            #expect(
                try await context.insert(into: Circle.self, \.name, \.radius, rows: [("x", 1.0)]).insertedCount == 1)
            let none: PersistentIdentifier? = nil
            let ordered = await #expect(throws: SwiftDataError.self) {
                try await context.insert(into: Ticket.self, \.number, \.queue?.persistentModelID, rows: [(1, none)])
            }
            #expect(ordered?.code == .unsupportedFeature)
            #expect(
                ordered?.message.contains("Ticket.queue cannot be named for inserted rows: Queue.tickets has an order")
                    == true)
            #expect(try await context.insert(into: Ticket.self, \.number, rows: [1, 2]).insertedCount == 2)
            try await context.transaction {
                try await context.insert(into: Circle.self, \.name, \.radius, rows: [("y", 2.0), ("z", 3)])
                #expect(try await context.fetchCount(FetchDescriptor<Shape>()) == 3)
            }
            #expect(context.historyToken != nil)
        }
    }

    @Test func `a value that cannot be stored is named with its row and property`() async throws {
        try await withItems { store, context in
            let unwritable = await #expect(throws: SwiftDataError.self) {
                try await context.insert(into: Item.self, \.code, \.label, rows: [("x", "fine"), ("y", "zero\0")])
            }
            #expect(unwritable?.code == .invalidValue)
            #expect(
                unwritable?.message.hasPrefix("Row 2 of those inserted into Item: Item.label cannot be stored: ")
                    == true)
            try await store.database.execute("ALTER TABLE item ADD CONSTRAINT item_price_check CHECK (price >= 0)")
            let rows = (0..<17_000).map { ("n\($0)", "x", Decimal($0 == 16_500 ? -1 : 1)) }
            let checked = await #expect(throws: SwiftDataError.self) {
                try await context.insert(into: Item.self, \.code, \.label, \.price, rows: rows, uniquePolicy: .fail)
            }
            #expect(checked?.code == .invalidValue)
            #expect(checked?.sqlState == "23514")
            #expect(
                checked?.message
                    == "Row 16501 of those inserted into Item: Item.price is refused by the database (constraint "
                    + "item_price_check). Change the value, or leave the row out.")
            let updated = await #expect(throws: SwiftDataError.self) {
                try await context.insert(
                    into: Item.self, \.code, \.label, \.price, rows: [("z", "new", Decimal(1)), ("a", "apple", -1)],
                    uniquePolicy: .upsert)
            }
            #expect(updated?.message.hasPrefix("Row 2 of those inserted into Item: Item.price is refused") == true)
            #expect(try await labels(store).count == 2)
        }
    }

    // MARK: Transactions

    /// 20,000 rows; before one of them something happens.
    private struct Interrupted: AsyncSequence {
        let interrupt: () async throws -> Void

        struct AsyncIterator: AsyncIteratorProtocol {
            let interrupt: () async throws -> Void
            var number = 0

            mutating func next() async throws -> (String, String)? {
                number += 1
                if number == 17_000 { try await interrupt() }
                return number > 20_000 ? nil : ("n\(number)", "x")
            }
        }

        func makeAsyncIterator() -> AsyncIterator { AsyncIterator(interrupt: interrupt) }
    }

    @Test func `rows go with the transaction around them`() async throws {
        try await withItems { store, context in
            let apple = try #require(
                try await context.fetch(FetchDescriptor<Item>(predicate: #Predicate { $0.code == "a" })).first)
            await #expect(throws: Stop.self) {
                try await context.transaction {
                    try await context.insert(
                        into: Item.self, \.code, \.label, rows: [("a", "avocado"), ("b", "berry")],
                        uniquePolicy: .upsert)
                    #expect(apple.label == "avocado")
                    #expect(try await context.fetchCount(FetchDescriptor<Item>()) == 3)
                    throw Stop()
                }
            }
            #expect(apple.label == "apple")
            #expect(try await labels(store) == ["a": "apple", "t": "drill"])
            try await context.transaction {
                context.insert(Shelf("bottom"))
                try await context.save()
                await #expect(throws: SwiftDataError.self) {
                    try await context.insert(
                        into: Item.self, \.code, \.label, rows: [("b", "berry"), ("a", "again")], uniquePolicy: .fail)
                }
                try await context.insert(into: Item.self, \.code, \.label, rows: [("c", "cherry")])
            }
            #expect(try await labels(store) == ["a": "apple", "c": "cherry", "t": "drill"])
            #expect(try await context.fetchCount(FetchDescriptor<Shelf>()) == 2)
        }
    }

    private struct Stop: Error {}

    private func interrupt(_ context: ModelContext, _ body: @escaping () async throws -> Void) async -> (any Error)? {
        await #expect(throws: (any Error).self) {
            try await context.insert(
                into: Item.self, \.code, \.label, rows: Interrupted(interrupt: body), uniquePolicy: .fail)
        }
    }

    @Test func `rows that fail to come, and sessions that end, leave nothing`() async throws {
        try await withItems { store, context in
            let stopped = await interrupt(context) { throw Stop() }
            #expect(stopped is Stop)
            #expect(try await labels(store).count == 2)
            let killed = await interrupt(context) { try await store.killConnections() }
            #expect((killed as? SwiftDataError)?.code == .storeFailure)
            #expect(try await labels(store).count == 2)
            let again = try await context.insert(into: Item.self, \.code, \.label, rows: [("b", "b")])
            #expect(again.insertedCount == 1)
        }
    }
}
