import Foundation
import StrataMigrationFiles
import StrataModels
import StrataRepository
import StrataTestSupport
import Testing

@testable import StrataMigrations

enum ConditionalUniqueModels {
    enum Plain {
        @Model class Account {
            var email: String = ""
            var deletedAt: Date?
            init() {}
        }
    }
    enum Everybody {
        @Model class Account {
            @Attribute(.unique) var email: String = ""
            var deletedAt: Date?
            init() {}
        }
    }
    enum Present {
        @Model class Account {
            #Unique<Account>([\.email]) { $0.deletedAt == nil }
            var email: String = ""
            var deletedAt: Date?
            init() {}
        }
    }
    enum Gone {
        @Model class Account {
            #Unique<Account>([\.email]) { $0.deletedAt != nil }
            var email: String = ""
            var deletedAt: Date?
            init() {}
        }
    }
    enum Renamed {
        @Model class User {
            #Unique<User>([\.mail]) { $0.goneAt == nil }
            @Attribute(originalName: "email") var mail: String = ""
            @Attribute(originalName: "deletedAt") var goneAt: Date?
            init() {}
        }
    }
    enum Early {
        @Model class Account {
            var email: String = ""
            init() {}
        }
    }

    enum Loose {
        @Model class Seat {
            #Unique<Seat>([\.row, \.number])
            var row: String?
            var number: Int = 0
            init() {}
        }
    }
    enum Strict {
        @Model class Seat {
            #Unique<Seat>([\.row, \.number], nulls: .notDistinct)
            #Unique<Seat>([\.row], nulls: .notDistinct) { $0.number > 5 }
            var row: String?
            var number: Int = 0
            init() {}
        }
    }

    enum Deferred {
        @Model class Seat {
            #Unique<Seat>([\.row, \.number], timing: .deferred)
            var row: String?
            var number: Int = 0
            init() {}
        }
    }

    static let rows = [
        """
        INSERT INTO account (pk, email, deleted_at) VALUES
            (1, 'a@x', NULL), (2, 'a@x', '2026-01-01'), (3, 'a@x', '2026-02-01'), (4, 'b@x', NULL)
        """
    ]
}

/// A unique index under a condition: planned, built without locks, compared, and its rows checked before.
@Suite("Evolution: unique under a condition") struct ConditionalUniqueMigrationTests {
    private typealias M = ConditionalUniqueModels
    private let fixture = FolderFixture()
    private var folder: MigrationFolder { fixture.folder }

    @Test func `a stage builds the index while others work, and looks at the rows before`() throws {
        let chain = try FolderModels.chain([M.Everybody.Account.self, M.Present.Account.self])
        try folder.generate(chain, schemaName: "public")
        try folder.check(chain, schemaName: "public")
        let frozen = try fixture.text("schema/V2.json")
        #expect(frozen.contains(#""predicate": ["", "deleted_at", " IS NULL"]"#), "\(frozen)")
        #expect(try FrozenSchema(canonicalJSON: frozen, file: "V2.json") == chain.versions[1])
        let sql = try fixture.text("0002_v1_v2.sql")
        for text in [
            """
            CREATE UNIQUE INDEX CONCURRENTLY "account_email_key__new" ON "public"."account" ("email") WHERE ("deleted_at" IS NULL);
            """,
            """
            FROM (SELECT "pk", "email" AS v1 FROM "public"."account" WHERE ("deleted_at" IS NULL)) AS s
            """,
            "Account: email must be unique under its condition, and rows share values",
        ] { #expect(sql.contains(text), "\(text)\n\(sql)") }
        // The linter has nothing to say against what was planned.
        let lines = PlannedFindings(
            try folder.contents().all, before: [nil] + chain.versions.map(\.database),
            after: chain.versions.map(\.database)
        ).lines
        #expect(lines == [])
    }

    @Test func `it comes, takes a constraint's place, gives it back and goes, without drift`() async throws {
        let chain = try FolderModels.chain([
            M.Plain.Account.self, M.Present.Account.self, M.Everybody.Account.self, M.Present.Account.self,
            M.Plain.Account.self,
        ])
        try folder.generate(chain, schemaName: "public")
        let scripts = try folder.contents().all
        try await withTestDatabase("unique conditions", template: .library) { database in
            let runner = MigrationRunner(configuration: database.configuration, schemaName: "public")
            for (index, version) in chain.versions.enumerated() {
                try await blocking { try runner.apply(scripts, to: index + 1) }
                #expect(try await database.drift(version) == [], "\(version.version)")
                if index == 1 || index == 3 {
                    try await database.execute("DELETE FROM account", M.rows[0])
                    await #expect(throws: (any Error).self) {
                        try await database.execute("UPDATE account SET deleted_at = NULL WHERE pk = 2")
                    }
                    try await database.execute(
                        "DROP INDEX account_email_key",
                        "CREATE UNIQUE INDEX account_email_key ON account (email) WHERE deleted_at IS NOT NULL AND pk > 3"
                    )
                    #expect(
                        try await database.drift(version) == [
                            "~ index account.account_email_key: the predicate is ((deleted_at IS NOT NULL) AND (pk > 3)), expected (deleted_at IS NULL)"
                        ])
                    let table = try #require(version.database.table(named: "account"))
                    try await database.execute(
                        "DROP INDEX account_email_key", table.creation(of: table.indexes[0], in: "public").text,
                        "DELETE FROM account WHERE pk IN (2, 3)")
                }
            }
        }
    }

    @Test func `between two conditions both are kept, and code of both versions opens`() async throws {
        let chain = try FolderModels.chain([M.Present.Account.self, M.Gone.Account.self])
        try folder.generate(chain, schemaName: "public")
        let scripts = try folder.contents().all
        try await withTestDatabase("two conditions", template: .library) { database in
            let runner = MigrationRunner(configuration: database.configuration, schemaName: "public")
            try await blocking { try runner.apply(scripts, to: 1) }
            try await database.execute(M.rows[0])
            // Two are gone that have one address.
            let error = await #expect(throws: MigrationError.self) {
                try await blocking { try runner.apply(scripts, through: .backfill) }
            }
            #expect("\(String(describing: error))".contains("Account: email must be unique under its condition"))
            try await database.execute("DELETE FROM account WHERE pk = 3")
            try await blocking { try runner.apply(scripts, through: .backfill) }
            for version in [M.Present.Account.self, M.Gone.Account.self] as [any PersistentModel.Type] {
                let connection = try await database.connect()
                _ = try await StorePreparation.prepare(
                    StoreMapping(Schema([version])), on: connection, mode: .verifyOnly)
                connection.close()
            }
            for row in ["(8, 'b@x', NULL)", "(8, 'a@x', '2026-03-01')"] {
                await #expect(throws: (any Error).self) {
                    try await database.execute("INSERT INTO account (pk, email, deleted_at) VALUES \(row)")
                }
            }
            try await blocking { try runner.apply(scripts) }
            #expect(try await database.drift(chain.versions[1]) == [])
            try await database.execute("INSERT INTO account (pk, email, deleted_at) VALUES (8, 'b@x', NULL)")
        }
        try await Evolution([M.Gone.Account.self], [M.Present.Account.self]).run(
            seed: ["INSERT INTO account (pk, email, deleted_at) VALUES (1, 'a@x', NULL), (2, 'a@x', '2026-01-01')"],
            expecting: "SELECT count(*) FROM account", is: ["2"], returning: .whole)
    }

    @Test func `it is added to rows, and taken back`() async throws {
        try await Evolution([M.Plain.Account.self], [M.Present.Account.self]).run(
            seed: M.rows, expecting: "SELECT count(*) FROM account", is: ["4"], returning: .whole)
        try await Evolution([M.Present.Account.self], [M.Plain.Account.self]).run(
            seed: M.rows, expecting: "SELECT count(*) FROM account", is: ["4"], returning: .whole)
    }

    @Test func `class and properties are renamed under it`() async throws {
        try await Evolution(
            [M.Present.Account.self], [M.Renamed.User.self],
            changes: [.renamed(M.Present.Account.self, to: M.Renamed.User.self)]
        )
        .run(
            seed: M.rows, expecting: "SELECT pk, mail FROM \"user\" WHERE gone_at IS NULL ORDER BY pk",
            is: ["1|a@x", "4|b@x"], returning: .whole)
    }

    @Test func `rows that share values under the condition are named before anything runs`() async throws {
        try await Evolution([M.Plain.Account.self], [M.Present.Account.self]).refuse(
            seed: M.rows + ["INSERT INTO account (pk, email) VALUES (77, 'b@x')"],
            naming: "M203 Account: email must be unique under its condition, and rows share values: 1 row")
        // Where the property of the condition comes with the stage, it is `nil` in all rows.
        try await Evolution([M.Early.Account.self], [M.Present.Account.self]).refuse(
            seed: ["INSERT INTO account (pk, email) VALUES (1, 'b@x'), (2, 'b@x'), (3, 'c@x')"],
            naming: "M203 Account: email must be unique under its condition, and rows share values: 1 row")
        try await Evolution([M.Early.Account.self], [M.Present.Account.self]).run(
            seed: ["INSERT INTO account (pk, email) VALUES (1, 'b@x'), (3, 'c@x')"], returning: .whole)
    }

    @Test func `nil comes to equal nil, and nothing again`() async throws {
        let chain = try FolderModels.chain([M.Loose.Seat.self, M.Strict.Seat.self, M.Loose.Seat.self])
        try folder.generate(chain, schemaName: "public")
        let frozen = try fixture.text("schema/V2.json")
        #expect(try FrozenSchema(canonicalJSON: frozen, file: "V2.json") == chain.versions[1])
        let before = try fixture.text("schema/V1.json")
        #expect(frozen.contains("nullsNotDistinct") && !before.contains("nullsNotDistinct"))
        let sql = try fixture.text("0002_v1_v2.sql")
        for text in [
            """
            CREATE UNIQUE INDEX CONCURRENTLY "seat_row_number_key__new" ON "public"."seat" ("row", "number") NULLS NOT DISTINCT;
            """,
            """
            CREATE UNIQUE INDEX CONCURRENTLY "seat_row_key" ON "public"."seat" ("row") NULLS NOT DISTINCT WHERE ("number" > '5'::bigint);
            """,
        ] { #expect(sql.contains(text), "\(text)\n\(sql)") }
        let scripts = try folder.contents().all
        try await withTestDatabase("nulls", template: .library) { database in
            let runner = MigrationRunner(configuration: database.configuration, schemaName: "public")
            for (index, version) in chain.versions.enumerated() {
                try await blocking { try runner.apply(scripts, to: index + 1) }
                #expect(try await database.drift(version) == [], "\(version.version)")
            }
            #expect(try await database.drift(chain.versions[1]) != [])
        }
        let rows = ["INSERT INTO seat (pk, row, number) VALUES (1, NULL, 1), (2, NULL, 2), (3, 'a', 7), (4, NULL, 8)"]
        try await Evolution([M.Loose.Seat.self], [M.Strict.Seat.self]).run(
            seed: rows, expecting: "SELECT count(*) FROM seat", is: ["4"], returning: .whole)
        try await Evolution([M.Loose.Seat.self], [M.Strict.Seat.self]).refuse(
            seed: rows + ["INSERT INTO seat (pk, row, number) VALUES (5, NULL, 1)"],
            naming: "M203 Seat: row, number must be unique, and rows share values: 1 row")
    }

    @Test func `a constraint comes to be checked at COMMIT, and row by row again`() async throws {
        let chain = try FolderModels.chain([M.Loose.Seat.self, M.Deferred.Seat.self, M.Loose.Seat.self])
        try folder.generate(chain, schemaName: "public")
        let frozen = try fixture.text("schema/V2.json")
        #expect(try FrozenSchema(canonicalJSON: frozen, file: "V2.json") == chain.versions[1])
        let sql = try fixture.text("0002_v1_v2.sql")
        let added = """
            ALTER TABLE "public"."seat" ADD CONSTRAINT "seat_row_number_key__new" UNIQUE USING INDEX "seat_row_number_key__new" DEFERRABLE INITIALLY DEFERRED;
            """
        #expect(sql.contains(added), "\(sql)")
        let scripts = try folder.contents().all
        try await withTestDatabase("deferred", template: .library) { database in
            let runner = MigrationRunner(configuration: database.configuration, schemaName: "public")
            for (index, version) in chain.versions.enumerated() {
                try await blocking { try runner.apply(scripts, to: index + 1) }
                #expect(try await database.drift(version) == [], "\(version.version)")
            }
            #expect(
                try await database.drift(chain.versions[1]) == [
                    "~ unique constraint seat.seat_row_number_key: deferrable is false, expected true",
                    "~ unique constraint seat.seat_row_number_key: INITIALLY DEFERRED is none, expected true",
                ])
        }
        try await Evolution([M.Loose.Seat.self], [M.Deferred.Seat.self]).run(
            seed: ["INSERT INTO seat (pk, row, number) VALUES (1, 'a', 1), (2, 'a', 2)"],
            expecting: "SELECT count(*) FROM seat", is: ["2"], returning: .whole)
    }
}
