import Foundation
import IntrospectedTrips
import Strata
import StrataClient
import StrataIntrospection
import StrataMigrations
import StrataModels
import StrataRepository
import StrataTestSupport
import Testing
import TradingModels
import UnusualModels

@Suite struct GeneratedModelsTests {
    /// The targets of these folders are compiled with this one. `STRATA_WRITE_REFERENCE=1` writes them.
    @Test(arguments: IntrospectedDatabase.allCases)
    func theFilesAreThoseOfTheDatabase(of source: IntrospectedDatabase) async throws {
        try await source.with { _, connection in
            let introspection = try Introspection(name: source.schemaName)
            if ProcessInfo.processInfo.environment["STRATA_WRITE_REFERENCE"] != nil {
                _ = try introspection.run(on: connection, into: source.folder)
            }
            let copy = FileManager.default.temporaryDirectory.appendingPathComponent(
                "introspected-\(UUID().uuidString)")
            defer { try? FileManager.default.removeItem(at: copy) }
            let first = try introspection.run(on: connection, into: copy)
            for name in first.changes.written {
                let expected = try String(contentsOf: source.folder.appendingPathComponent(name), encoding: .utf8)
                let written = try String(contentsOf: copy.appendingPathComponent(name), encoding: .utf8)
                #expect(written == expected, "\(name)")
            }
            let files = try FileManager.default.contentsOfDirectory(atPath: source.folder.path)
            #expect(files.filter { $0.hasSuffix(".swift") }.sorted() == first.changes.written)
            let second = try introspection.run(on: connection, into: copy)
            #expect(second.changes == GeneratedFolder.Changes(unchanged: first.changes.written.count))
        }
    }

    @Test func classesOfATablesOfStrataHaveNoDifference() async throws {
        try await IntrospectedDatabase.trips.with { database, connection in
            let container = try await database.container(of: IntrospectedTrips.TripsSchema.self, tables: .managed)
            defer { container.close() }
            let expected = DatabaseDefinition(StoreMapping(Schema(versionedSchema: IntrospectedTrips.TripsSchema.self)))
            let found = try await CatalogInspection.read(schemaName: "public", connection: connection)
            #expect(CatalogDifference(expected: expected, found: found).lines == [])
        }
    }

    @Test func aChangeOfTheDatabaseIsASmallChangeOfTheFiles() async throws {
        try await IntrospectedDatabase.trading.with { _, connection in
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
                "introspected-\(UUID().uuidString)")
            defer { try? FileManager.default.removeItem(at: folder) }
            let introspection = try Introspection(name: "TradingSchema")
            _ = try introspection.run(on: connection, into: folder)
            for statement in ["ALTER TABLE suppliers ADD COLUMN phone text", "DROP TABLE shippers"] {
                try await connection.run(PostgresBatch(PostgresStatement(PreparedSQL(statement, isCached: false))))
            }
            let changes = try introspection.run(on: connection, into: folder).changes
            #expect(changes.written == ["Supplier.swift", "TradingSchema.swift"])
            #expect(changes.removed == [])
            #expect(changes.left == ["Shipper.swift"])
            // What this run has not read is not gone.
            let some = try Introspection(tables: ["suppliers"], name: "TradingSchema").run(on: connection, into: folder)
            #expect(some.changes.removed == [])
            #expect(some.changes.left.contains("Employee.swift"))
            #expect(some.lines.contains { $0.hasPrefix("left Employee.swift: ") })
            let last = try introspection.run(on: connection, into: folder, overwriting: true).changes
            #expect(last.removed == ["Shipper.swift"])
        }
    }

    @Test func aFileOfSomebodyElseStays() async throws {
        try await IntrospectedDatabase.trading.with { _, connection in
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
                "introspected-\(UUID().uuidString)")
            defer { try? FileManager.default.removeItem(at: folder) }
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let file = folder.appendingPathComponent("Product.swift")
            try Data("// by hand\n".utf8).write(to: file)
            let introspection = try Introspection(
                tables: ["product*", "suppliers", "categories"], name: "TradingSchema")
            #expect {
                try introspection.run(on: connection, into: folder)
            } throws: { error in
                "\(error)".hasPrefix("Product.swift was not written by strata introspect. Nothing was changed in")
            }
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["Product.swift"])
            let outcome = try introspection.run(on: connection, into: folder, overwriting: true)
            #expect(
                outcome.changes.written
                    == ["Category.swift", "JSONValue.swift", "Product.swift", "Supplier.swift", "TradingSchema.swift"])
            #expect(outcome.coverage.tables.total == 3)
        }
    }

    @Test func withoutTablesNothingIsWritten() async throws {
        try await IntrospectedDatabase.trading.with { _, connection in
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
                "introspected-\(UUID().uuidString)")
            #expect(throws: Introspection.Failure.self) {
                try Introspection(schemaName: "nowhere").run(on: connection, into: folder)
            }
            #expect(throws: Introspection.Failure.self) {
                try Introspection(tables: ["nothing*"]).run(on: connection, into: folder)
            }
            #expect(throws: Introspection.Failure.self) { try Introspection(name: "no name") }
            #expect(!FileManager.default.fileExists(atPath: folder.path))
        }
    }

    @Test func anEditedFileStays() async throws {
        try await IntrospectedDatabase.trading.with { _, connection in
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
                "introspected-\(UUID().uuidString)")
            defer { try? FileManager.default.removeItem(at: folder) }
            let introspection = try Introspection(tables: ["suppliers"], name: "TradingSchema")
            _ = try introspection.run(on: connection, into: folder)
            let file = folder.appendingPathComponent("Supplier.swift")
            let text = try String(contentsOf: file, encoding: .utf8)
            let edited = text.replacing("companyName", with: "company")
            try Data(edited.utf8).write(to: file)
            #expect {
                try introspection.run(on: connection, into: folder)
            } throws: { error in
                "\(error)".hasPrefix(
                    "Supplier.swift was edited since strata introspect wrote it. Nothing was changed in")
            }
            #expect(try String(contentsOf: file, encoding: .utf8) == edited)
            // With the ends of lines that git may have given them.
            try Data(edited.replacing("\n", with: "\r\n").utf8).write(to: file)
            #expect(throws: (any Error).self) { try introspection.run(on: connection, into: folder) }
            #expect(
                try introspection.run(on: connection, into: folder, overwriting: true).changes.written == [
                    "Supplier.swift"
                ])
            #expect(try String(contentsOf: file, encoding: .utf8) == text)
        }
    }

    @Test func namesThatDifferInCaseOnlyAreTwoFiles() {
        func table(_ name: String, classes: [String] = [], parent: String? = nil) -> TableDefinition {
            var table = TableDefinition(
                name: name, columns: [ColumnDefinition(name: "pk", type: .bigint)],
                primaryKey: PrimaryKeyDefinition(name: "\(name)_pk", columns: ["pk"]))
            if !classes.isEmpty {
                table.columns.append(ColumnDefinition(name: "class", type: .text))
                table.checks = [CheckDefinition(name: "classes", condition: .isOneOf(column: "class", values: classes))]
            }
            if let parent {
                table.foreignKeys = [
                    ForeignKeyDefinition(
                        name: "\(name)_fk", columns: ["pk"], referencedTable: parent, referencedColumns: ["pk"],
                        onDelete: .cascade)
                ]
            }
            return table
        }
        func names(_ tables: TableDefinition...) -> [String] {
            ModelPlan(DatabaseDescription(tables: tables.map { DatabaseDescription.Table($0) })).classes.map(\.name)
                .sorted()
        }
        #expect(names(table("mixed"), table("Mixed")) == ["Mixed", "MixedRecord"])
        // What stands in a row cannot be given another name: no hierarchy, then.
        let words = ["Animal", "Type"]
        #expect(names(table("animal", classes: words), table("type", parent: "animal")) == ["Animal", "TypeRecord"])
        let cases = ["Animal", "animal_"]
        #expect(names(table("animal", classes: cases), table("animal_", parent: "animal")).count == 2)
        #expect(
            names(table("animal", classes: ["Animal", "Cat"]), table("cat", parent: "animal")) == ["Animal", "Cat"])
    }
}
