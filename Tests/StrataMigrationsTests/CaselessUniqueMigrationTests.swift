import Foundation
import StrataClient
import StrataMigrationFiles
import StrataModels
import StrataRepository
import StrataTestSupport
import Testing

@testable import StrataMigrations

enum CaselessUniqueModels {
    enum Plain {
        @Model class Account {
            var email: String = ""
            var team: String?
            init() {}
        }
    }
    enum Sensitive {
        @Model class Account {
            @Attribute(.unique) var email: String = ""
            var team: String?
            init() {}
        }
    }
    enum Insensitive {
        @Model class Account {
            #Unique<Account>([\.email], case: .insensitive)
            var email: String = ""
            var team: String?
            init() {}
        }
    }
    enum InTeam {
        @Model class Account {
            #Unique<Account>([\.team, \.email], case: .insensitive, nulls: .notDistinct) { $0.email != "" }
            var email: String = ""
            var team: String?
            init() {}
        }
    }
    enum Renamed {
        @Model class User {
            #Unique<User>([\.mail], case: .insensitive)
            @Attribute(originalName: "email") var mail: String = ""
            var team: String?
            init() {}
        }
    }
    enum Grown {
        @Model class Account {
            var email: String = ""
            var team: String?
            init() {}
        }
        @Model class Handle {
            #Unique<Handle>([\.text], case: .insensitive)
            var text: String = ""
            init() {}
        }
    }

    static let rows = [
        "INSERT INTO account (pk, email, team) VALUES (1, 'A@x', 'one'), (2, 'b@x', NULL), (3, 'c@x', 'ONE')"
    ]
}

/// A unique index of the lower case: planned, built without locks, compared, and its rows checked before.
@Suite("Evolution: unique regardless of case", .enabled(if: TestServer.hasICU, "a server built with ICU"))
struct CaselessUniqueMigrationTests {
    private typealias M = CaselessUniqueModels
    private let fixture = FolderFixture()
    private var folder: MigrationFolder { fixture.folder }

    @Test func `a stage builds the index while others work, and looks at the server and the rows before`() throws {
        let chain = try FolderModels.chain([M.Sensitive.Account.self, M.Insensitive.Account.self])
        try folder.generate(chain, schemaName: "public")
        try folder.check(chain, schemaName: "public")
        let frozen = try fixture.text("schema/V2.json")
        #expect(frozen.contains(#""isCaseless": true"#), "\(frozen)")
        #expect(try FrozenSchema(canonicalJSON: frozen, file: "V2.json") == chain.versions[1])
        let sql = try fixture.text("0002_v1_v2.sql")
        for text in [
            """
            CREATE UNIQUE INDEX CONCURRENTLY "account_email_key__new" ON "public"."account" ((lower("email" COLLATE "und-x-icu") COLLATE "C"));
            """,
            """
            FROM (SELECT "pk", (lower("email" COLLATE "und-x-icu") COLLATE "C") AS v1 FROM "public"."account") AS s
            """,
            "Account: email must be unique regardless of case, and rows share values",
            "account.email: unique regardless of case, by a collation that the database does not have",
        ] { #expect(sql.contains(text), "\(text)\n\(sql)") }
        let lines = PlannedFindings(
            try folder.contents().all, before: [nil] + chain.versions.map(\.database),
            after: chain.versions.map(\.database)
        ).lines
        #expect(lines == [])
    }

    @Test func `it comes, takes a constraint's place, changes and goes, without drift`() async throws {
        let chain = try FolderModels.chain([
            M.Plain.Account.self, M.Insensitive.Account.self, M.Sensitive.Account.self, M.Insensitive.Account.self,
            M.InTeam.Account.self, M.Plain.Account.self,
        ])
        try folder.generate(chain, schemaName: "public")
        let scripts = try folder.contents().all
        try await withTestDatabase("unique regardless of case", template: .library) { database in
            let runner = MigrationRunner(configuration: database.configuration, schemaName: "public")
            for (index, version) in chain.versions.enumerated() {
                try await blocking { try runner.apply(scripts, to: index + 1) }
                #expect(try await database.drift(version) == [], "\(version.version)")
                guard index == 1 else { continue }
                try await database.execute(M.rows)
                await #expect(throws: (any Error).self) {
                    try await database.execute("UPDATE account SET email = 'a@X' WHERE pk = 2")
                }
                // Whoever made it otherwise is told.
                for other in ["lower(email)", "email"] {
                    try await database.execute(
                        "DROP INDEX account_email_key",
                        "CREATE UNIQUE INDEX account_email_key ON account (\(other))")
                    let lines = try await database.drift(version)
                    #expect(lines.contains { $0.contains("account_email_key") }, "\(other): \(lines)")
                }
                let table = try #require(version.database.table(named: "account"))
                try await database.execute(
                    "DROP INDEX account_email_key", table.creation(of: table.indexes[0], in: "public").text,
                    "DELETE FROM account")
            }
        }
    }

    @Test func `it is added to rows, renamed, and taken back`() async throws {
        for (before, after) in [
            (M.Plain.Account.self as any PersistentModel.Type, M.Insensitive.Account.self as any PersistentModel.Type),
            (M.Sensitive.Account.self, M.Insensitive.Account.self),
            (M.Insensitive.Account.self, M.Sensitive.Account.self),
            (M.Insensitive.Account.self, M.InTeam.Account.self),
        ] {
            try await Evolution([before], [after]).run(
                seed: M.rows, expecting: "SELECT count(*) FROM account", is: ["3"], returning: .whole)
        }
        try await Evolution(
            [M.Insensitive.Account.self], [M.Renamed.User.self],
            changes: [.renamed(M.Insensitive.Account.self, to: M.Renamed.User.self)]
        )
        .run(
            seed: M.rows, expecting: "SELECT mail FROM \"user\" ORDER BY pk", is: ["A@x", "b@x", "c@x"],
            returning: .whole)
    }

    @Test func `old code, which tells cases apart, meets the index while the stage is under way`() async throws {
        let evolution = try Evolution([M.Sensitive.Account.self], [M.Insensitive.Account.self])
        // Before the index is there, old code may write what the check did not find: it is asked again before the phase, which goes on when it is mended.
        try await evolution.withDatabase(seed: M.rows) { database, runner, scripts in
            try await blocking { try runner.apply(scripts, through: .expand) }
            try await database.execute("INSERT INTO account (pk, email) VALUES (4, 'a@X'), (5, 'd@x')")
            let error = await #expect(throws: MigrationError.self) {
                try await blocking { try runner.apply(scripts, through: .backfill) }
            }
            let text = error.map { "\($0)" } ?? ""
            #expect(
                text.contains("M203 Account: email must be unique regardless of case, and rows share values"), "\(text)"
            )
            try await database.execute("UPDATE account SET email = 'e@x' WHERE pk = 4")
            try await blocking { try runner.apply(scripts, through: .backfill) }
            // From here on both codes are refused, and what differs in more than its case is not.
            let refusal = await #expect(throws: PostgresError.self) {
                try await database.execute("INSERT INTO account (pk, email) VALUES (6, 'D@x')")
            }
            #expect(refusal?.sqlState == "23505")
            try await database.execute("UPDATE account SET email = 'D@X' WHERE email = 'd@x'")
            try await blocking { try runner.apply(scripts) }
            try await evolution.expectCatalog(evolution.after, on: database, "after contract")
            #expect(
                try await database.texts("SELECT email FROM account ORDER BY pk") == [
                    "A@x", "b@x", "c@x", "e@x", "D@X",
                ])
        }
        // And the other way: new code, which does not, is not held by the older index any more when old code has gone.
        let back = try Evolution([M.Insensitive.Account.self], [M.Sensitive.Account.self])
        try await back.withDatabase(seed: M.rows) { database, runner, scripts in
            try await blocking { try runner.apply(scripts, through: .backfill) }
            let refusal = await #expect(throws: PostgresError.self) {
                try await database.execute("INSERT INTO account (pk, email) VALUES (6, 'a@X')")
            }
            #expect(refusal?.sqlState == "23505")
            try await blocking { try runner.apply(scripts) }
            try await database.execute("INSERT INTO account (pk, email) VALUES (6, 'a@X')")
        }
    }

    @Test func `rows that share texts are named before anything runs`() async throws {
        try await Evolution([M.Sensitive.Account.self], [M.Insensitive.Account.self]).refuse(
            seed: M.rows + ["INSERT INTO account (pk, email) VALUES (77, 'a@X'), (78, 'B@X')"],
            naming: "M203 Account: email must be unique regardless of case, and rows share values: 2 rows\n")
        try await Evolution([M.Plain.Account.self], [M.InTeam.Account.self]).refuse(
            seed: M.rows + ["INSERT INTO account (pk, email) VALUES (77, 'a@X'), (78, 'B@X')"],
            naming:
                "M203 Account: team, email must be unique regardless of case under its condition, and rows share values: 1 row"
        )
    }

    @Test func `a server without ICU is found out before a stage begins`() async throws {
        let scripts = [
            try Evolution([M.Plain.Account.self], [M.Insensitive.Account.self]).scripts(),
            try Evolution([M.Plain.Account.self], [M.Grown.Account.self, M.Grown.Handle.self]).scripts(),
            try Evolution(
                [M.Grown.Account.self, M.Grown.Handle.self], [M.Sensitive.Account.self, M.Grown.Handle.self]
            ).scripts(),
        ]
        for (number, scripts) in scripts.enumerated() {
            try await withTestDatabase("no ICU", template: .library) { database in
                let runner = MigrationRunner(configuration: database.configuration, schemaName: "public")
                if number < 2 { try await blocking { try runner.apply(scripts, to: 1) } }
                try await database.execute(#"DROP COLLATION pg_catalog."und-x-icu""#)
                let error = await #expect(throws: MigrationError.self) {
                    try await blocking { try runner.apply(scripts) }
                }
                let text = error.map { "\($0)" } ?? ""
                #expect(error?.code == .preflightRefused, "\(text)")
                let place = number == 0 ? "account.email" : "handle.text"
                #expect(
                    text.contains(
                        "M208 \(place): unique regardless of case, by a collation that the database does not have: 1 row"
                    ),
                    "\(text)")
                #expect(text.contains("pg_import_system_collations"), "\(text)")
            }
        }
    }
}
