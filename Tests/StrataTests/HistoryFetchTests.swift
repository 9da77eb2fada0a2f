import Foundation
import Strata
import StrataClient
import StrataTestSupport
import Testing

@Suite struct HistoryFetchTests {
    @Test func `an object of a subclass is one change, with the properties of both tables`() async throws {
        try await withChronicle { store in
            let context = ModelContext(store.container)
            let museum = Chronicle.Museum(name: "Louvre")
            context.insert(museum)
            try await context.save()
            museum.rooms = 3
            museum.note = "large"
            try await context.save()
            let key = museum.persistentModelID.description.split(separator: "/").last ?? ""
            try await store.database.execute(
                "UPDATE site SET name = 'The Louvre' WHERE pk = \(key)",
                "UPDATE museum SET rooms = 4 WHERE pk = \(key)",
                "UPDATE site SET name = name")
            context.delete(museum)
            try await context.save()
            let history = try await store.history()
            #expect(
                history.map(\.summary) == [
                    "insert Museum", "update Museum: note rooms", "update Museum: name", "update Museum: rooms",
                    "delete Museum",
                ])
            #expect(history.allSatisfy { $0.changes[0].changedPersistentIdentifier == museum.persistentModelID })
        }
    }

    @Test func `a tombstone has the preserved values of all its tables, in the properties' types`() async throws {
        try await withChronicle { store in
            let context = ModelContext(store.container)
            let museum = Chronicle.Museum(name: "Mus\u{e9}e \"X\"")
            museum.kind = .science
            museum.opened = Date(timeIntervalSince1970: 1_767_225_600.25)
            museum.address = Chronicle.Address(street: "a, \"b\"", number: 7)
            museum.tags = ["x", "y,\"z"]
            museum.price = Decimal(string: "12345678901234567890.55") ?? 0
            museum.code = UUID()
            museum.photo = Data([0, 255, 92])
            museum.height = 1.5
            museum.rooms = 9
            context.insert(museum)
            try await context.save()
            let (code, price) = (museum.code, museum.price)
            context.delete(museum)
            try await context.save()
            let last = try #require(try await store.history().last?.changes.first)
            guard case .delete(let deletion as DefaultHistoryDelete<Chronicle.Museum>) = last else {
                Issue.record("not the deletion of a museum: \(last)")
                return
            }
            let left = deletion.tombstone
            #expect(left[\.name] as? String == "Mus\u{e9}e \"X\"")
            #expect(left[\.kind] as? Chronicle.Kind == .science)
            #expect(left[\.opened] as? Date == Date(timeIntervalSince1970: 1_767_225_600.25))
            #expect(left[\.address] as? Chronicle.Address == Chronicle.Address(street: "a, \"b\"", number: 7))
            #expect(left[\.tags] as? [String] == ["x", "y,\"z"])
            #expect(left[\.price] as? Decimal == price)
            #expect(left[\.code] as? UUID == code)
            #expect(left[\.photo] as? Data == Data([0, 255, 92]))
            #expect(left[\.isOpen] as? Bool == true)
            #expect(left[\.height] as? Double == 1.5)
            #expect(left[\.rooms] == nil)
            #expect(left.map(\.property).contains(\Chronicle.Museum.name))
            #expect(left.map(\.property).count == 10)
        }
    }

    @Test(
        arguments: [
            ("INSERT INTO visit (pk, day) VALUES (1, 1)", "insert Visit"),
            ("INSERT INTO visit (pk, day) VALUES (1, 1); UPDATE visit SET day = 2 WHERE pk = 1", "insert Visit"),
            ("INSERT INTO visit (pk, day) VALUES (1, 1); DELETE FROM visit WHERE pk = 1", ""),
            ("UPDATE visit SET day = 5; DELETE FROM visit", "delete Visit"),
            ("DELETE FROM visit; INSERT INTO visit (pk, day) VALUES (77, 1)", "update Visit: day site"),
            ("UPDATE visit SET day = 5; UPDATE visit SET site = 88", "update Visit: day site"),
            (
                "INSERT INTO visit (pk, day) VALUES (1, 1); UPDATE visit SET day = 9 WHERE pk = 1; "
                    + "DELETE FROM visit WHERE pk = 1", ""
            ),
            ("UPDATE visit SET day = day", nil), ("UPDATE visit SET day = 5 WHERE FALSE", nil),
        ] as [(String, String?)])
    func `what one transaction did to a row is one change or none`(statements: String, change: String?) async throws {
        try await withChronicle { store in
            try await store.database.execute(
                "INSERT INTO site (pk, class, name, kind) VALUES (88, 'Site', 's', 'art')",
                "INSERT INTO visit (pk, day) VALUES (77, 1)")
            let before = try await store.container.currentHistoryToken()
            let connection = try await store.database.connect()
            defer { connection.close() }
            try await connection.withTransaction { connection in
                for statement in statements.split(separator: ";") {
                    try await connection.run(
                        PostgresBatch(PostgresStatement(PreparedSQL(String(statement), isCached: false))))
                }
            }
            let history = try await store.history(after: before)
            #expect(history.map(\.summary) == (change.map { [$0] } ?? []))
        }
    }

    @Test func `a transaction of the context itself is history once it is committed, and not before`() async throws {
        try await withChronicle { store in
            let context = ModelContext(store.container)
            let before = try await store.container.currentHistoryToken()
            var inside: DefaultHistoryToken?
            try await context.transaction {
                context.insert(Chronicle.Visit(day: 1))
                try await context.save()
                let page = try await context.fetchHistory(after: before)
                #expect(page.transactions.isEmpty)
                inside = page.token
                context.insert(Chronicle.Visit(day: 2))
            }
            for token in [before, try #require(inside)] {
                #expect(try await store.history(after: token).map(\.summary) == ["insert Visit, insert Visit"])
            }
            try? await context.transaction {
                context.insert(Chronicle.Visit(day: 3))
                try await context.save()
                inside = try await context.fetchHistory(after: before).token
                throw CancellationError()
            }
            context.insert(Chronicle.Visit(day: 4))
            try await context.save()
            #expect(try await store.history(after: inside).map(\.summary) == ["insert Visit"])
        }
    }

    @Test func `who made a change is recorded: the author as a claim, the login as a fact`() async throws {
        try await withChronicle { store in
            let context = ModelContext(store.container)
            context.author = "Ada"
            context.historyContext = ["request": "42", "quoted": "\"é\\"]
            context.insert(Chronicle.Visit(day: 1))
            store.recorder.reset()
            try await context.save()
            #expect(store.recorder.roundTrips == 1)
            context.author = nil
            context.historyContext = [:]
            try context.delete(model: Chronicle.Visit.self)
            try await context.save()
            try await store.database.execute("INSERT INTO visit (day) VALUES (1)")
            let history = try await store.history()
            #expect(history.map(\.author) == ["Ada", nil, nil])
            #expect(history.map(\.context) == [["request": "42", "quoted": "\"é\\"], [:], [:]])
            let process = store.container.processIdentifier
            #expect(history.map(\.processIdentifier) == [process, process, ""])
            #expect(Set(history.map(\.actor)).count == 1)
            #expect(history.allSatisfy { !$0.actor.isEmpty && $0.role == nil })
            #expect(history.allSatisfy { abs($0.timestamp.timeIntervalSinceNow) < 300 })
            #expect(history.map(\.transactionIdentifier) == history.map(\.id).sorted())
        }
    }

    @Test func `fetching is one round trip, for a blocking caller too`() async throws {
        try await withChronicle { store in
            let context = ModelContext(store.container)
            context.insert(Chronicle.Museum(name: "A"))
            try await context.save()
            for _ in 0..<2 {
                store.recorder.reset()
                let asynchronous = try await context.fetchHistory(HistoryDescriptor())
                #expect(store.recorder.roundTrips == 1)
                store.recorder.reset()
                let blocking = try fetchBlocking(context)
                #expect(store.recorder.roundTrips == 1)
                #expect(asynchronous.map(\.id) == blocking.map(\.id))
                #expect(asynchronous.map(\.summary) == ["insert Museum"])
            }
        }
    }

    private func fetchBlocking(_ context: ModelContext) throws -> Transactions {
        try context.fetchHistory(HistoryDescriptor())
    }

    @Test func `entities that the container does not know are named`() async throws {
        try await withChronicle { store in
            let context = ModelContext(store.container)
            context.insert(Chronicle.Museum(name: "A"))
            context.insert(Chronicle.Visit(day: 1))
            try await context.save()
            let readOnly = try await store.reopened(Schema(Chronicle.Visit.self, Chronicle.Site.self)) {
                configuration in
                configuration = ModelConfiguration(
                    url: configuration.url, allowsSave: false)
            }
            let history = try await ModelContext(readOnly).fetchHistory(HistoryDescriptor())
            #expect(history.map(\.summary) == ["insert Visit"])
            #expect(history.map(\.unknownEntities) == [["Museum"]])
            await readOnly.close()
        }
    }
}
