import Foundation
import StrataModels
import StrataRepository
import Testing

@testable import StrataMigrations

/// As ``ReferredPartEvolutionTests``, with references that share the one column of a key.
@Suite("Evolution: keys that are foreign keys") struct SharedKeyEvolutionTests {
    enum Plain {
        @Model final class Account {
            var login: String
            init(_ login: String) { self.login = login }
        }
    }
    enum Loose {
        @Model final class Account {
            var login: String
            init(_ login: String) { self.login = login }
        }
        @Model final class Profile {
            @Attribute(.primaryKey) var id: Int
            var bio: String = ""
            init(_ id: Int) { self.id = id }
        }
    }
    enum Grown {
        @Model final class Account {
            var login: String
            @Relationship(deleteRule: .cascade, inverse: \Profile.account) var profile: Profile?
            init(_ login: String) { self.login = login }
        }
        @Model final class Profile {
            @Attribute(.primaryKey) var id: Int
            var bio: String = ""
            @Relationship(columns: ["id"]) var account: Account
            init(_ account: Account) { (id, self.account) = (0, account) }
        }
    }
    enum Renamed {
        @Model final class Account {
            var login: String
            @Relationship(deleteRule: .deny, inverse: \Profile.owner) var profile: Profile?
            init(_ login: String) { self.login = login }
        }
        @Model final class Profile {
            @Attribute(.primaryKey, column: "account_id") var id: Int
            var bio: String = ""
            @Relationship(columns: ["account_id"], originalName: "account") var owner: Account
            init(_ account: Account) { (id, self.owner) = (0, account) }
        }
    }

    static let plain: [any PersistentModel.Type] = [Plain.Account.self]
    static let loose: [any PersistentModel.Type] = [Loose.Account.self, Loose.Profile.self]
    static let grown: [any PersistentModel.Type] = [Grown.Account.self, Grown.Profile.self]
    static let renamed: [any PersistentModel.Type] = [Renamed.Account.self, Renamed.Profile.self]
    private static let accounts =
        "INSERT INTO account (pk, login) OVERRIDING SYSTEM VALUE SELECT n, 'a' || n FROM generate_series(1, 4) AS n"
    private static let profiles = "INSERT INTO profile (id, bio) SELECT n, 'b' || n FROM generate_series(1, 3) AS n"
    private static let pairs = "SELECT login, bio FROM account JOIN profile ON profile.id = account.pk ORDER BY 1"

    @Test func `from nothing, and frozen`() throws {
        let evolution = try Evolution(Self.grown, Self.grown)
        let statements = try evolution.scripts()[0].steps.flatMap(\.statements)
        let table = try #require(statements.first { $0.contains(#"CREATE TABLE "public"."profile""#) })
        #expect(
            table.contains(#"FOREIGN KEY ("id") REFERENCES "public"."account" ("pk") ON DELETE CASCADE"#),
            "\(statements)")
        #expect(
            !statements.contains { $0.contains("profile_id_key") || $0.contains("profile_id_idx") }, "\(statements)")
        let again = try evolution.scripts()[1].steps.filter {
            ![.recordVersion, .recordHistory].contains($0.operation)
        }
        #expect(again.map(\.title) == [], "\(again.flatMap(\.statements))")
        let frozen = try FrozenSchema(freezing: Schema(Self.grown, version: .init(1, 0, 0)))
        let profile = try #require(frozen.entity(named: "Profile"))
        #expect(profile.relationships.map(\.columns) == [["id"]] && profile.relationships.map(\.owned) == [[]])
        #expect(try JSONDecoder().decode(FrozenSchema.self, from: JSONEncoder().encode(frozen)) == frozen)
    }

    @Test func `a class comes whose key is that of rows that are there`() async throws {
        try await Evolution(Self.plain, Self.grown).run(
            seed: [Self.accounts], expecting: "SELECT count(*)::text FROM profile", is: ["0"], returning: .asPlanned)
    }

    @Test func `a key becomes a foreign key, and is one no more`() async throws {
        try await Evolution(Self.loose, Self.grown).run(
            seed: [Self.accounts, Self.profiles], expecting: Self.pairs, is: ["a1|b1", "a2|b2", "a3|b3"],
            returning: .asPlanned)
        try await Evolution(
            Self.grown, Self.loose, changes: [.dropped(\Grown.Profile.account), .dropped(\Grown.Account.profile)]
        ).run(
            seed: [Self.accounts, Self.profiles], expecting: Self.pairs, is: ["a1|b1", "a2|b2", "a3|b3"],
            returning: .asPlanned)
    }

    @Test func `rows whose key is nobody's are said before anything is done`() async throws {
        try await Evolution(Self.loose, Self.grown).withDatabase(
            seed: [Self.accounts, Self.profiles, "INSERT INTO profile (id, bio) VALUES (99, 'orphan')"]
        ) { database, runner, scripts in
            let error = await #expect(throws: (any Error).self) { try await blocking { try runner.apply(scripts) } }
            let text = "\(String(describing: error))"
            #expect(
                text.contains("Profile.account: rows refer to what does not exist") && text.contains("99")
                    && text.contains("delete these rows, whose key it is, or store what they refer to"), "\(text)")
            let keys = try await database.texts(
                "SELECT conname FROM pg_constraint WHERE conrelid = 'profile'::regclass AND contype = 'f'")
            #expect(keys == [])
        }
    }

    enum Held {
        @Model class Account {
            var login: String = ""
            @Relationship(deleteRule: .cascade, inverse: \Profile.account) var profile: Profile?
            init() {}
        }
        @Model final class Premium: Account {
            var points: Int = 0
        }
        @Model final class Profile {
            @Attribute(.primaryKey) var id: Int
            @Relationship(columns: ["id"]) var account: Account
            init(_ account: Account) { (id, self.account) = (0, account) }
        }
    }
    enum Left {
        @Model class Account {
            var login: String = ""
            @Relationship(deleteRule: .cascade, inverse: \Profile.account) var profile: Profile?
            init() {}
        }
        @Model final class Profile {
            @Attribute(.primaryKey) var id: Int
            @Relationship(columns: ["id"]) var account: Account
            init(_ account: Account) { (id, self.account) = (0, account) }
        }
    }

    @Test func `a subclass that goes does not take along what has the key of its rows`() throws {
        let held: [any PersistentModel.Type] = [Held.Account.self, Held.Premium.self, Held.Profile.self]
        let left: [any PersistentModel.Type] = [Left.Account.self, Left.Profile.self]
        let scripts = try Evolution(held, left, changes: [.dropped(Held.Premium.self)]).scripts()
        #expect(
            scripts[1].checks.contains { $0.code == "M303" && $0.title.contains("Premium is dropped") },
            "\(scripts[1].checks)")
    }

    @Test func `the key is renamed, with the reference by it and its rule`() async throws {
        try await Evolution(Self.grown, Self.renamed).run(
            seed: [Self.accounts, Self.profiles],
            expecting: """
                SELECT login, bio, (SELECT string_agg(pg_get_constraintdef(oid), '; ') FROM pg_constraint
                    WHERE conrelid = 'profile'::regclass AND contype = 'f')
                FROM account JOIN profile ON profile.account_id = account.pk ORDER BY 1
                """,
            is: ["a1", "a2", "a3"].enumerated().map {
                "\($1)|b\($0 + 1)|FOREIGN KEY (account_id) REFERENCES account(pk) ON DELETE RESTRICT"
            }, returning: .asPlanned)
    }

    @Test func `the class goes`() async throws {
        try await Evolution(
            Self.grown, Self.plain, changes: [.dropped(Grown.Profile.self), .dropped(\Grown.Account.profile)]
        ).run(
            seed: [Self.accounts, Self.profiles], expecting: "SELECT count(*)::text FROM account", is: ["4"],
            returning: .asPlanned)
    }
}
