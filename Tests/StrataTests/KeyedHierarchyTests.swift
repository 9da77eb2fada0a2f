import Foundation
import Logging
import Strata
import StrataClient
import StrataModelTestSupport
import StrataTestSupport
import Testing

/// Hierarchies in tables of others without a class column: an object is of the class whose table has its key.
@Suite struct KeyedHierarchyTests {
    private func withStaff(
        _ body: (ModelStore, ModelContext) async throws -> Void
    ) async throws {
        try await withExternalTables(KeyedStaff.tables, KeyedStaff.types) {
            try await body($0, ModelContext($0.container))
        }
    }

    /// A person, a manager, an engineer and a lead, as another program writes them.
    private static let rows = [
        "INSERT INTO people (id, name, age) VALUES (1, 'ann', 30), (2, 'bob', 40), (3, 'cid', 50), (4, 'dan', 60)",
        "INSERT INTO managers VALUES (2, 7, 'east')", "INSERT INTO engineers VALUES (3, 'C', 1), (4, 'Ada', NULL)",
        "INSERT INTO leads VALUES (4, 5)", "SELECT setval('people_id_seq', 100)",
    ]

    /// What was sent, without the schema and quotes.
    private func sent(_ store: ModelStore, _ body: () async throws -> Void) async throws -> [String] {
        store.recorder.reset()
        try await body()
        return store.recorder.statements.filter { $0 != "COMMIT" && !$0.hasPrefix("BEGIN") }
            .map { $0.replacing("\"public\".", with: "").replacing("\"", with: "") }
    }

    @Test func aFetchAsksTheTablesForTheClass() async throws {
        try await withStaff { store, context in
            try await store.database.execute(Self.rows)
            let all = try await sent(store) {
                let people = try await context.fetch(
                    FetchDescriptor<KeyedStaff.Person>(sortBy: [SortDescriptor(\.name)]))
                #expect(
                    people.map(\.line) == [
                        "person ann 30 -", "manager bob 40 - 7 east", "engineer cid 50 - C 1 []",
                        "lead dan 60 - Ada -1 5",
                    ])
            }
            #expect(
                all.first == """
                    SELECT t0.id, coalesce(nullif(concat_ws(' and ', CASE WHEN t1.id IS NOT NULL THEN CASE WHEN t2.id IS NOT NULL THEN 'Lead' ELSE 'Engineer' END END, \
                    CASE WHEN t3.id IS NOT NULL THEN 'Manager' END), ''), 'Person'), t0.name, t0.age, t0.team, t1.language, t1.level, t2.reports, t3.budget, t3.office \
                    FROM people AS t0 LEFT JOIN engineers AS t1 ON t1.id = t0.id LEFT JOIN leads AS t2 ON t2.id = t0.id LEFT JOIN managers AS t3 ON t3.id = t0.id \
                    ORDER BY t0.name COLLATE C ASC, t0.id
                    """)
            let engineers = try await sent(store) {
                let engineers = try await ModelContext(store.container).fetch(
                    FetchDescriptor<KeyedStaff.Engineer>(predicate: #Predicate { $0.level == nil }))
                #expect(engineers.map { "\(type(of: $0))" } == ["Lead"])
            }
            #expect(
                engineers.first == """
                    SELECT t0.id, CASE WHEN t1.id IS NOT NULL THEN 'Lead' ELSE 'Engineer' END, t2.name, t2.age, t2.team, t0.language, t0.level, t1.reports \
                    FROM engineers AS t0 LEFT JOIN leads AS t1 ON t1.id = t0.id JOIN people AS t2 ON t2.id = t0.id WHERE t0.level IS NULL
                    """)
            let managers = try await sent(store) { _ = try await context.fetch(FetchDescriptor<KeyedStaff.Manager>()) }
            #expect(
                managers == [
                    "SELECT t0.id, t1.name, t1.age, t1.team, t0.budget, t0.office FROM managers AS t0 JOIN people AS t1 ON t1.id = t0.id"
                ])
            let count = try await sent(store) {
                let engineers = try await context.fetchCount(FetchDescriptor<KeyedStaff.Engineer>())
                #expect(engineers == 2)
            }
            #expect(count == ["SELECT count(*) FROM engineers AS t0"])
            let noManager = try await sent(store) {
                let isNone = #Predicate<KeyedStaff.Person> { !($0 is KeyedStaff.Manager) && $0.age > 1 }
                let others = try await context.fetchCount(FetchDescriptor(predicate: isNone))
                #expect(others == 3)
            }
            #expect(
                noManager == [
                    "SELECT count(*) FROM people AS t0 LEFT JOIN managers AS t1 ON t1.id = t0.id WHERE t1.id IS NULL AND t0.age > $1::bigint"
                ])
            let identifiers = try await sent(store) {
                let found = try await context.fetchIdentifiers(
                    FetchDescriptor<KeyedStaff.Person>(sortBy: [SortDescriptor(\.name)]))
                #expect(found.map(\.entityName) == ["Person", "Manager", "Engineer", "Lead"])
            }
            #expect(identifiers.first?.hasPrefix("SELECT t0.id, coalesce(nullif(concat_ws(") == true)
        }
    }

    @Test func aFetchByKeyAndAPrefetchTellClasses() async throws {
        try await withStaff { store, context in
            try await store.database.execute(Self.rows)
            try await store.database.execute([
                "INSERT INTO teams VALUES (1, 'north')", "UPDATE people SET team = 1 WHERE id > 1",
                "INSERT INTO tickets VALUES (1, 'cold', 4)",
            ])
            let tickets = try await context.fetch(FetchDescriptor<KeyedStaff.Ticket>())
            #expect(tickets.first?.engineer?.line == "lead dan 60 north Ada -1 5")
            let teams = try await context.fetch(FetchDescriptor<KeyedStaff.Team>())
            #expect(teams.first?.members.map { "\(type(of: $0))" } == ["Manager", "Engineer", "Lead"])
            let names = try await context.fetch(
                FetchDescriptor<KeyedStaff.Ticket>(predicate: #Predicate { $0.engineer is KeyedStaff.Lead }))
            #expect(names.count == 1)
        }
    }

    /// Groups, values, locked rows and pages read the class where an object, or its identifier, is asked for.
    @Test func valuesGroupsAndLockedRowsTellClasses() async throws {
        try await withStaff { store, context in
            try await store.database.execute(Self.rows)
            try await store.database.execute([
                "INSERT INTO tickets VALUES (1, 'a', 4), (2, 'b', 4), (3, 'c', 3), (4, 'd', NULL)"
            ])
            let byName = FetchDescriptor<KeyedStaff.Person>(sortBy: [SortDescriptor(\.name)])
            let rows = try await context.fetch(byName, selecting: \.persistentModelID, \.age)
            #expect(rows.map(\.0.entityName) == ["Person", "Manager", "Engineer", "Lead"])
            let people = try await context.fetch(byName)
            #expect(rows.map(\.0) == people.map(\.persistentModelID))
            let byTitle = FetchDescriptor<KeyedStaff.Ticket>(sortBy: [SortDescriptor(\.title)])
            let engineers = try await context.fetch(byTitle, selecting: \.engineer?.persistentModelID)
            #expect(engineers.map { $0?.entityName } == ["Lead", "Lead", "Engineer", nil])
            #expect(try await context.fetchSum(FetchDescriptor<KeyedStaff.Engineer>(), of: \.age) == 110)
            var locked = byName
            locked.lock = .update
            let other = ModelContext(store.container)
            try await other.transaction {
                let people = try await other.fetch(locked)
                #expect(people.map { "\(type(of: $0))" } == ["Person", "Manager", "Engineer", "Lead"])
            }
            let page = try await context.fetchPage(byName, size: 3)
            #expect(page.objects.map { "\(type(of: $0))" } == ["Person", "Manager", "Engineer"])
        }
    }

    @Test func rowsOfAClassAreCountedChangedAndDeletedByPredicate() async throws {
        try await withStaff { store, context in
            try await store.database.execute(Self.rows)
            let updated = try await sent(store) {
                let update = try context.update(
                    model: KeyedStaff.Engineer.self, includeSubclasses: false, .set(\.language, to: "D"))
                try await context.save()
                #expect(update.count == 1)
            }
            #expect(
                updated.contains { $0.contains("WHERE (t1.id IS NULL)") || $0.contains("WHERE t1.id IS NULL") },
                "\(updated)")
            #expect(try await store.database.texts("SELECT language FROM engineers ORDER BY id") == ["D", "Ada"])
            try context.delete(model: KeyedStaff.Person.self, includeSubclasses: false)
            try await context.save()
            #expect(try await store.database.texts("SELECT name FROM people ORDER BY id") == ["bob", "cid", "dan"])
            try context.delete(model: KeyedStaff.Lead.self)
            try await context.save()
            #expect(try await store.database.texts("SELECT name FROM people ORDER BY id") == ["bob", "cid"])
        }
    }

    @Test func anObjectIsWrittenIntoTheTablesOfItsClasses() async throws {
        try await withStaff { store, context in
            let lead = KeyedStaff.Lead("eve")
            context.insert(lead)
            let inserted = try await sent(store) { try await context.save() }
            #expect(
                inserted.filter { $0.hasPrefix("INSERT") }.map { $0.prefix { $0 != ")" } } == [
                    "INSERT INTO people (id, name, age, team", "INSERT INTO engineers (id, language, level",
                    "INSERT INTO leads (id, reports",
                ], "\(inserted)")
            context.delete(lead)
            let deleted = try await sent(store) { try await context.save() }
            #expect(deleted.filter { $0.contains("DELETE") }.count == 1)
            for table in ["people", "engineers", "leads"] {
                #expect(try await store.database.texts("SELECT id::text FROM \(table)") == [])
            }
        }
    }

    /// Hibernate and Django delete the rows themselves: their foreign keys refuse.
    @Test(arguments: ["REFERENCES people", "", "REFERENCES people ON DELETE CASCADE"])
    func rowsThatNoForeignKeyDeletesAreDeleted(_ reference: String) async throws {
        let tables = [
            "CREATE TABLE people (id bigint PRIMARY KEY GENERATED BY DEFAULT AS IDENTITY, name text NOT NULL)",
            "CREATE TABLE managers (id bigint PRIMARY KEY \(reference), budget bigint NOT NULL)",
            "INSERT INTO people (name) VALUES ('ann'), ('bob'), ('cid')",
            "INSERT INTO managers VALUES (1, 5), (2, 6), (3, 7)",
        ]
        try await withExternalTables(tables, [LeanStaff.Person.self, LeanStaff.Manager.self]) { store in
            let context = ModelContext(store.container)
            let managers = try await context.fetch(FetchDescriptor<LeanStaff.Manager>(sortBy: [SortDescriptor(\.name)]))
            context.delete(managers[0])
            try await context.save()
            #expect(try await store.database.texts("SELECT id::text FROM managers ORDER BY 1") == ["2", "3"])
            try context.delete(model: LeanStaff.Person.self, where: #Predicate { $0.name == "bob" })
            try await context.save()
            #expect(try await store.database.texts("SELECT id::text FROM managers") == ["3"])
            #expect(try await store.database.texts("SELECT id::text FROM people") == ["3"])
        }
    }

    @Test func aChangeOfClassIsRowsThatComeAndGo() async throws {
        try await withStaff { store, context in
            try await store.database.execute(Self.rows)
            let people = try await context.fetch(FetchDescriptor<KeyedStaff.Person>(sortBy: [SortDescriptor(\.name)]))
            let changes = try await sent(store) {
                _ = try await context.convert(people[3], to: KeyedStaff.Manager.self) { $0.budget = 1 }
            }
            #expect(
                changes.dropFirst().prefix(2) == [
                    "SELECT 1 FROM people AS t WHERE t.id = $1 FOR UPDATE",
                    """
                    SELECT 1 FROM people AS t WHERE t.id = $1 AND coalesce(nullif(concat_ws(' and ', \
                    CASE WHEN EXISTS (SELECT FROM engineers AS c WHERE c.id = t.id) THEN \
                    CASE WHEN EXISTS (SELECT FROM leads AS c WHERE c.id = t.id) THEN 'Lead' ELSE 'Engineer' END END, \
                    CASE WHEN EXISTS (SELECT FROM managers AS c WHERE c.id = t.id) THEN 'Manager' END), ''), 'Person') = $2::text \
                    HAVING 1 / count(*)::int = 0
                    """,
                ])
            #expect(
                changes.filter { $0.hasPrefix("DELETE") || $0.hasPrefix("INSERT") }.map { $0.prefix(23) } == [
                    "DELETE FROM leads WHERE", "DELETE FROM engineers W", "INSERT INTO managers (i",
                ], "\(changes)")
            #expect(
                try await ModelContext(store.container).fetch(
                    FetchDescriptor<KeyedStaff.Manager>(sortBy: [SortDescriptor(\.name)])
                )
                .map(\.line) == ["manager bob 40 - 7 east", "manager dan 60 - 1 -"])
        }
    }

    /// The one who comes second waits for the root's row, and then finds another class: else the row would be in two sister tables.
    @Test func ofTwoChangesOfAClassOneIsAConflict() async throws {
        try await withStaff { store, context in
            try await store.database.execute(Self.rows)
            let other = ModelContext(store.container)
            let byName = FetchDescriptor<KeyedStaff.Person>(predicate: #Predicate { $0.name == "ann" })
            let mine = try #require(try await context.fetch(byName).first)
            let theirs = try #require(try await other.fetch(byName).first)
            _ = try await other.convert(theirs, to: KeyedStaff.Engineer.self)
            let error = await #expect(throws: SwiftDataError.self) {
                _ = try await context.convert(mine, to: KeyedStaff.Manager.self) { $0.budget = 1 }
            }
            #expect(error?.code == .conflict)
            #expect(error?.message.contains("is an object of another class in the database by now") == true)
            #expect(try await store.database.texts("SELECT id::text FROM managers WHERE id = 1") == [])
        }
    }

    @Test func twoChangesOfAClassAtOnceAreOne() async throws {
        try await withStaff { store, _ in
            try await store.database.execute(Self.rows)
            let container = store.container
            let codes = try await withThrowingTaskGroup(of: SwiftDataError.Code?.self) { group in
                for place in 0..<8 {
                    group.addTask {
                        let context = ModelContext(container)
                        let found = try await context.fetch(
                            FetchDescriptor<KeyedStaff.Person>(predicate: #Predicate { $0.name == "ann" }))
                        guard let person = found.first, type(of: person) == KeyedStaff.Person.self else { return nil }
                        do {
                            if place % 2 == 0 {
                                _ = try await context.convert(person, to: KeyedStaff.Engineer.self)
                            } else {
                                _ = try await context.convert(person, to: KeyedStaff.Manager.self) { $0.budget = 1 }
                            }
                            return nil
                        } catch let error as SwiftDataError { return error.code }
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(Set(codes.compactMap { $0 }).subtracting([.conflict, .modelNotFound]).isEmpty, "\(codes)")
            let rows = try await store.database.texts(
                "SELECT id::text FROM managers WHERE id = 1 UNION ALL SELECT id::text FROM engineers WHERE id = 1")
            #expect(rows == ["1"])
        }
    }

    @Test func aRowInTablesOfSistersIsAnErrorOfItsReader() async throws {
        try await withStaff { store, context in
            try await store.database.execute(Self.rows + ["INSERT INTO managers VALUES (4, 1, NULL)"])
            let text =
                "The row of people with the key 4 has a row in the tables of Lead and Manager, and an object is of one of these classes. "
                + "Delete it from the tables of the others."
            let fetch = await #expect(throws: SwiftDataError.self) {
                _ = try await context.fetch(FetchDescriptor<KeyedStaff.Person>())
            }
            #expect(fetch?.code == .unknownSchema && fetch?.message == text)
            let identifiers = await #expect(throws: SwiftDataError.self) {
                _ = try await context.fetchIdentifiers(FetchDescriptor<KeyedStaff.Person>())
            }
            #expect(identifiers?.code == .unknownSchema && identifiers?.message == text)
            // Who asks for one of the classes asks one of the tables.
            #expect(try await context.fetch(FetchDescriptor<KeyedStaff.Engineer>()).count == 2)
            #expect(try await context.fetchCount(FetchDescriptor<KeyedStaff.Person>()) == 4)
        }
    }

    @Test func anUpsertThatMeetsARowOfASisterClassIsRefused() async throws {
        try await withStaff { store, context in
            try await store.database.execute(Self.rows)
            context.insert(KeyedStaff.Manager("cid", budget: 2))
            let error = await #expect(throws: SwiftDataError.self) { try await context.save() }
            #expect(error?.code == .uniqueConstraint)
            #expect(
                error?.message.contains("A new Manager has the Person.name of a stored Engineer.") == true,
                "\(String(describing: error))")
            context.rollback()
            let manager = KeyedStaff.Manager("bob", budget: 2)
            context.insert(manager)
            try await context.save()
            #expect(try await store.database.texts("SELECT id || ' ' || budget FROM managers") == ["2 2"])
        }
    }

    /// Who waits for the root's row reads of the tables what was there before it waited; what it reads of them behind the lock is right.
    @Test func anUpsertThatWaitedSeesTheClassOfNow() async throws {
        try await withStaff { store, context in
            try await store.database.execute(Self.rows)
            let holder = try await store.database.connect()
            defer { holder.close() }
            func hold(_ sql: String) async throws {
                try await holder.run(PostgresBatch(PostgresStatement(PreparedSQL(sql, isCached: false))) { _ in })
            }
            try await hold("BEGIN")
            try await hold("SELECT 1 FROM people WHERE id = 1 FOR UPDATE")
            try await hold("INSERT INTO engineers VALUES (1, 'C', 1)")
            let container = store.container
            async let failure = { () async -> SwiftDataError? in
                let context = ModelContext(container)
                context.insert(KeyedStaff.Person("ann"))
                do {
                    try await context.save()
                    return nil
                } catch { return error as? SwiftDataError }
            }()
            try await waitUntil {
                try await store.database.texts(
                    "SELECT count(*)::text FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
                ) == ["1"]
            }
            try await hold("COMMIT")
            let error = await failure
            #expect(error?.code == .uniqueConstraint, "\(String(describing: error))")
            #expect(error?.message.contains("of a stored Engineer") == true)
        }
    }

    @Test func whatDoesNotFitTogetherIsAFinding() async throws {
        let own = await #expect(throws: SwiftDataError.self) {
            try await withModelStore(of: Schema(KeyedStaff.types)) { _ in }
        }
        #expect(
            own?.message.contains(
                "Person: its inheritance is .joinedTablesWithoutClassColumn, which is for tables of another program")
                == true,
            "\(String(describing: own))")
        let named = await #expect(throws: SwiftDataError.self) {
            try await withExternalTables([], [TwiceNamed.Base.self, TwiceNamed.Sub.self]) { _ in }
        }
        #expect(
            named?.message.contains(
                "Base: it has the classColumn kind, and inheritance: .joinedTablesWithoutClassColumn says that there is none"
            ) == true)
        #expect(named?.message.contains("Sub: it has a discriminator, and no column in which it could stand") == true)
    }
}

private enum TwiceNamed {
    @Model(classColumn: "kind", inheritance: .joinedTablesWithoutClassColumn) class Base {
        var name: String = ""
        init() {}
    }
    @Model(discriminator: "s") final class Sub: Base { var size: Int = 0 }
}

private enum LeanStaff {
    @Model(table: "people", keyColumn: "id", inheritance: .joinedTablesWithoutClassColumn) class Person {
        var name: String
        init(_ name: String) { self.name = name }
    }
    @Model(table: "managers") final class Manager: Person { var budget: Int = 0 }
}
