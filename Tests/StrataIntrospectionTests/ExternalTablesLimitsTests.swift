import Foundation
import Strata
import StrataClient
import StrataIntrospection
import StrataModels
import StrataRepository
import StrataTestSupport
import Testing
import TradingModels

@Model(table: "computed_keys", keyColumn: "id")
final class ComputedKey {
    var note: String
    @Relationship(inverse: \Measure.parent) var measures: [Measure] = []

    init(note: String) { self.note = note }
}

@Model(table: "measures", keyColumn: "id")
final class Measure {
    var code: String
    var amount: Decimal
    var amounts: [Decimal] = []
    var moments: [Date] = []
    var at: Date
    @Relationship(column: "parent_id") var parent: ComputedKey

    init(code: String, amount: Decimal, at: Date, parent: ComputedKey) {
        self.code = code
        self.amount = amount
        self.at = at
        self.parent = parent
    }
}

/// Classes as introspection would write them.
enum LimitsSchema: VersionedSchema {
    static let versionIdentifier = Schema.Version(1, 0, 0)
    static var models: [any PersistentModel.Type] { [ComputedKey.self, Measure.self] }
}

/// Where tables of somebody else's are not as Strata would make them.
@Suite struct ExternalTablesLimitsTests {
    private func refuses(_ parts: String...) -> (any Error) -> Bool {
        { error in
            guard let error = error as? SwiftDataError, error.code == .unsupportedFeature else { return false }
            return parts.allSatisfy { error.message.contains($0) }
        }
    }

    private func withTables(_ body: (TestDatabase, PostgresConnection) async throws -> Void) async throws {
        try await withTestDatabase("external limits") { database in
            let connection = try await database.connect()
            defer { connection.close() }
            try await database.execute(
                "CREATE SEQUENCE s",
                "CREATE TABLE computed_keys (id bigint PRIMARY KEY DEFAULT nextval('s') * 10, note text NOT NULL)",
                """
                CREATE TABLE measures (
                    id bigserial PRIMARY KEY, code char(5) NOT NULL, amount numeric(10, 2) NOT NULL, amounts numeric(10, 2)[] NOT NULL,
                    moments timestamptz(3)[] NOT NULL, at timestamp(0) NOT NULL,
                    parent_id bigint NOT NULL REFERENCES computed_keys ON DELETE SET NULL)
                """,
                "INSERT INTO computed_keys (note) VALUES ('there')")
            try await body(database, connection)
        }
    }

    @Test func tablesOfSomebodyElseAreNotErased() async throws {
        try await IntrospectedDatabase.trading.with { database, connection in
            let container = try await database.container(of: TradingSchema.self)
            defer { container.close() }
            await #expect(performing: { try await container.erase() }, throws: refuses("external", "delete(model:)"))
            #expect(try await connection.lines("SELECT count(*)::text FROM products") == ["77"])
        }
    }

    @Test func aSequenceThatIsComputedWithGivesNoKeys() async throws {
        try await withTables { database, connection in
            let container = try await database.container(of: LimitsSchema.self)
            defer { container.close() }
            let context = ModelContext(container)
            context.insert(ComputedKey(note: "new"))
            await #expect(
                performing: { try await context.save() },
                throws: refuses("computed_keys.id has neither a sequence nor an identity"))
            #expect(try await connection.lines("SELECT last_value::text FROM s") == ["1"])
            let description = try #require(try DatabaseDescription.read(schemaName: "public", connection: connection))
            let gaps = ModelPlan(description).gaps.filter { $0.column == "id" }
            #expect(gaps.map(\.table) == ["computed_keys"])
            #expect(gaps.allSatisfy { $0.reason.contains("is not a sequence's next value as it is") })
        }
    }

    @Test(arguments: [
        ("nextval('s'::regclass)", true), (#"nextval('"it''s"'::regclass)"#, true),
        ("(nextval('s'::regclass) * 10)", false), ("nextval(('s'::text)::regclass)", false),
        ("(nextval('a'::regclass) + nextval('b'::regclass))", false), ("f('nextval')", false),
        ("nextval('a'::regclass) || nextval('b'::regclass)", false),
    ])
    func onlyTheNextValueItselfIsAKey(expression: String, isOne: Bool) {
        let column = ColumnDefinition(name: "id", type: .bigint, defaultExpression: expression)
        #expect(column.isNumberedBySequence == isOne)
    }

    @Test func rowsWithoutObjectsNeedKeysOfTheirWidth() async throws {
        try await IntrospectedDatabase.trading.with { database, connection in
            let container = try await database.container(of: TradingSchema.self)
            defer { container.close() }
            let context = ModelContext(container)
            await #expect(
                performing: {
                    try await context.insert(into: Supplier.self, \.companyName, rows: ["A", "B"])
                }, throws: refuses("suppliers.supplier_id is integer", "Insert objects"))
            let employee = try #require(try await context.fetch(FetchDescriptor<Employee>()).first)
            let rows = [(employee.persistentModelID, Decimal(99))]
            try await context.insert(
                into: Order.self, \.seller.persistentModelID, \.freight, rows: rows.map { ($0.0, Optional($0.1)) })
            #expect(try await connection.lines("SELECT count(*)::text FROM orders WHERE freight = 99") == ["1"])
        }
    }

    @Test func behindAPoolerMomentsWithoutTimeZoneNeedUTC() async throws {
        try await IntrospectedDatabase.trading.with { database, connection in
            let name = try await connection.lines("SELECT current_database()::text")[0]
            try await database.execute("ALTER DATABASE \"\(name)\" SET timezone = 'Europe/Berlin'")
            await #expect(
                performing: {
                    _ = try await database.container(of: TradingSchema.self) { $0.preparedStatements = .unnamed }
                }, throws: refuses("employees.left_at", "Europe/Berlin", "SET timezone = 'UTC'"))
            // Sessions of its own are set.
            await (try await database.container(of: TradingSchema.self)).close()
            try await database.execute("ALTER DATABASE \"\(name)\" SET timezone = 'UTC'")
            let container = try await database.container(of: TradingSchema.self) { $0.preparedStatements = .unnamed }
            await container.close()
        }
    }

    /// Opening takes lists with limits, and SET NULL of a column that may not be NULL, which the server refuses.
    @Test(arguments: [false, true])
    func whatTheServerRoundsIsNoConflict(keepsStore: Bool) async throws {
        try await withTables { database, connection in
            let container = try await database.container(of: LimitsSchema.self)
            defer { container.close() }
            let context = ModelContext(container)
            if keepsStore { context.conflictPolicy = .keepStore }
            let parent = try #require(try await context.fetch(FetchDescriptor<ComputedKey>()).first)
            let measures = (1...2).map { number in
                Measure(
                    code: "a\(number)", amount: Decimal(string: "1.239") ?? 0,
                    at: Date(timeIntervalSince1970: 1_700_000_000.4), parent: parent)
            }
            for measure in measures {
                context.insert(measure)
                measure.amounts = [Decimal(string: "2.345") ?? 0]
            }
            try await context.save()
            for round in 1...2 {
                for measure in measures {
                    measure.code += "\(round)"
                    measure.amount += Decimal(string: "1.001") ?? 0
                    measure.amounts.append(Decimal(string: "7.777") ?? 0)
                    measure.at = measure.at.addingTimeInterval(1.3)
                }
                try await context.save()
                // One alone has another statement.
                measures[0].amount += 1
                try await context.save()
            }
            #expect(
                try await connection.lines(
                    "SELECT rtrim(code::text) || ' ' || amount || ' ' || amounts::text FROM measures ORDER BY id")
                    == ["a112 5.24 {2.35,7.78,7.78}", "a212 3.24 {2.35,7.78,7.78}"])
            let again = ModelContext(container)
            let read = try #require(try await again.fetch(FetchDescriptor<Measure>()).first { $0.amount < 5 })
            #expect(read.code == "a212 ")
            read.code = "b"
            try await again.save()
            // A text that is too long is refused as before, and not cut.
            read.code = "too long"
            await #expect(throws: SwiftDataError.self) { try await again.save() }
            again.rollback()
            again.delete(try #require(try await again.fetch(FetchDescriptor<ComputedKey>()).first))
            await #expect(throws: SwiftDataError.self) { try await again.save() }
            #expect(try await connection.lines("SELECT rtrim(code::text) FROM measures ORDER BY id") == ["a112", "b"])
        }
    }

    /// Each makes one row that no object can be.
    @Test(arguments: [
        ("UPDATE measures SET amounts = '{1,NULL}'", "Measure.amounts of the Measure with the key 1"),
        ("UPDATE measures SET amount = 'Infinity'", "Measure.amount of the Measure with the key 1"),
        (
            "UPDATE measures SET amount = ('1' || repeat('0', 200) || '1')::numeric",
            "Measure.amount of the Measure with the key 1"
        ),
        ("UPDATE measures SET parent_id = 0", "Measure.parent of the Measure with the key 1"),
        ("UPDATE measures SET id = 0", "no object of Measure can have it"),
        ("UPDATE measures SET id = -7", "(-7, in id)"),
    ])
    func aRowThatIsNoObjectIsSaid(change: String, message: String) async throws {
        try await withTables { database, connection in
            try await database.execute(
                "ALTER TABLE measures ALTER COLUMN amount TYPE numeric",
                "ALTER TABLE measures DROP CONSTRAINT measures_parent_id_fkey",
                "INSERT INTO measures (code, amount, amounts, moments, at, parent_id) SELECT 'a', 1, '{}', '{}', now(), id FROM computed_keys",
                change)
            let container = try await database.container(of: LimitsSchema.self)
            defer { container.close() }
            await #expect {
                _ = try await ModelContext(container).fetch(FetchDescriptor<Measure>())
            } throws: { error in
                guard let error = error as? SwiftDataError, error.code == .invalidValue else { return false }
                return error.message.contains(message)
            }
        }
    }

    @Test func aSequenceThatWasMadeAnewIsFound() async throws {
        try await IntrospectedDatabase.trading.with { database, connection in
            let container = try await database.container(of: TradingSchema.self)
            defer { container.close() }
            let context = ModelContext(container)
            context.insert(Supplier(companyName: "before"))
            try await context.save()
            try await database.execute(
                "ALTER TABLE suppliers ALTER COLUMN supplier_id DROP DEFAULT",
                "DROP SEQUENCE suppliers_supplier_id_seq",
                "CREATE SEQUENCE others START 500",
                "ALTER TABLE suppliers ALTER COLUMN supplier_id SET DEFAULT nextval('others')")
            // More than were reserved.
            for number in 1...20 { context.insert(Supplier(companyName: "after \(number)")) }
            try await context.save()
            #expect(try await connection.lines("SELECT (max(supplier_id) >= 500)::text FROM suppliers") == ["true"])
            try await database.execute(
                "ALTER TABLE suppliers ALTER COLUMN supplier_id DROP DEFAULT", "DROP SEQUENCE others")
            for number in 1...600 { context.insert(Supplier(companyName: "none \(number)")) }
            await #expect(
                performing: { try await context.save() },
                throws: refuses("suppliers.supplier_id has neither a sequence nor an identity"))
        }
    }

    /// The order of texts is that of their bytes, with unsaved changes and without, whatever the column's collation is.
    @Test(.enabled(if: TestServer.hasICU, "a server built with ICU"))
    func textsAreSortedByTheirBytes() async throws {
        try await withTables { database, connection in
            try await database.execute(
                "ALTER TABLE computed_keys ALTER COLUMN note TYPE text COLLATE \"en-x-icu\"",
                "INSERT INTO computed_keys (note) VALUES ('b'), ('B'), ('a'), ('A')")
            let container = try await database.container(of: LimitsSchema.self)
            defer { container.close() }
            let context = ModelContext(container)
            let sorted = FetchDescriptor<ComputedKey>(sortBy: [SortDescriptor(\.note)])
            #expect(try await context.fetch(sorted).map(\.note) == ["A", "B", "a", "b", "there"])
            try #require(try await context.fetch(sorted).last).note = "Z"
            #expect(try await context.fetch(sorted).map(\.note) == ["A", "B", "Z", "a", "b"])
            let letter = "a"
            let later = FetchDescriptor<ComputedKey>(
                predicate: #Predicate { $0.note < letter }, sortBy: [SortDescriptor(\.note)])
            #expect(try await context.fetch(later).map(\.note) == ["A", "B", "Z"])
        }
    }

    @Test func linksAndClassesThatMayBeNullAreNone() {
        func table(_ name: String, _ columns: [ColumnDefinition] = [], key: Bool = true) -> TableDefinition {
            TableDefinition(
                name: name,
                columns: (key
                    ? [ColumnDefinition(name: "pk", type: .bigint, identity: .init(minimum: 1, maximum: 9))] : [])
                    + columns,
                primaryKey: key ? PrimaryKeyDefinition(name: "\(name)_pk", columns: ["pk"]) : nil)
        }
        func plan(isNullable: Bool) -> ModelPlan {
            func reference(_ column: String, _ target: String) -> ForeignKeyDefinition {
                ForeignKeyDefinition(
                    name: "\(column)_\(target)", columns: [column], referencedTable: target,
                    referencedColumns: ["pk"], onDelete: .cascade)
            }
            var animal = table("animal", [ColumnDefinition(name: "class", type: .text, isNullable: isNullable)])
            animal.checks = [
                CheckDefinition(name: "classes", condition: .isOneOf(column: "class", values: ["Animal", "Cat"]))
            ]
            var cat = table("cat")
            cat.foreignKeys = [reference("pk", "animal")]
            var links = table(
                "links",
                [
                    ColumnDefinition(name: "a", type: .bigint, isNullable: isNullable),
                    ColumnDefinition(name: "b", type: .bigint, isNullable: isNullable),
                ], key: false)
            links.uniques = [UniqueDefinition(name: "both", columns: ["a", "b"])]
            links.foreignKeys = [reference("a", "animal"), reference("b", "owner")]
            let tables = [animal, cat, links, table("owner")].map { DatabaseDescription.Table($0) }
            return ModelPlan(DatabaseDescription(tables: tables))
        }
        let (required, nullable) = (plan(isNullable: false), plan(isNullable: true))
        #expect(required.classes.first { $0.name == "Cat" }?.superclass == "Animal")
        #expect(required.classes.first { $0.name == "Owner" }?.properties.count == 1)
        #expect(nullable.classes.first { $0.name == "Cat" }?.superclass == nil)
        #expect(nullable.classes.first { $0.name == "Owner" }?.properties.isEmpty == true)
        #expect(nullable.gaps.contains { $0.table == "links" && $0.reason.hasPrefix("no class") })
    }
}
