import Foundation
import Strata

/// Classes whose key is that of another object too: by columns that the key has, and a relationship reads.
enum SharedKey {
    static let schema = Schema(
        Account.self, Profile.self, Portrait.self, Country.self, Flag.self, Team.self, Crest.self)

    @Model final class Account {
        @Attribute(.unique) var login: String
        @Relationship(deleteRule: .cascade, inverse: \Profile.account) var profile: Profile?
        init(_ login: String) { self.login = login }
    }

    /// The key follows from the account, which has none before it is inserted.
    @Model final class Profile {
        @Attribute(.primaryKey) var id = 0
        @Relationship(columns: ["id"]) var account: Account
        var bio: String
        @Attribute(.unique) var handle: String?
        @Relationship(deleteRule: .cascade, inverse: \Portrait.profile) var portrait: Portrait?
        init(_ account: Account, _ bio: String = "") {
            self.account = account
            self.bio = bio
        }
    }

    /// The same key once more.
    @Model final class Portrait {
        @Attribute(.primaryKey, column: "profile_id") var id = 0
        @Relationship(columns: ["profile_id"]) var profile: Profile
        var pixels: Int
        init(_ profile: Profile, pixels: Int) {
            self.profile = profile
            self.pixels = pixels
        }
    }

    @Model final class Country {
        @Attribute(.primaryKey) var code: String
        @Relationship(deleteRule: .deny, inverse: \Flag.country) var flag: Flag?
        init(_ code: String) { self.code = code }
    }

    @Model final class Flag {
        @Attribute(.primaryKey) var code: String
        var colors: Int
        @Relationship(columns: ["code"]) var country: Country
        init(_ country: Country, colors: Int) {
            self.country = country
            self.code = country.code
            self.colors = colors
        }
    }

    static let hierarchy = Schema(Owner.self, Asset.self, Car.self, Deed.self)

    @Model final class Owner {
        @Relationship(deleteRule: .cascade, inverse: \Asset.owner) var asset: Asset?
        init() {}
    }

    @Model class Asset {
        @Attribute(.primaryKey) var id = 0
        @Relationship(columns: ["id"]) var owner: Owner
        init(_ owner: Owner) { self.owner = owner }
    }

    @Model final class Car: Asset {
        var doors: Int
        init(_ owner: Owner, doors: Int) {
            self.doors = doors
            super.init(owner)
        }
    }

    @Model final class Deed {
        @Attribute(.primaryKey) var id = 0
        @Relationship(columns: ["id"], inverse: nil) var owner: Owner
        @Relationship(columns: ["id"], inverse: nil) var witness: Owner
        init(_ owner: Owner, witness: Owner) { (self.owner, self.witness) = (owner, witness) }
    }

    @Model final class Team {
        @Attribute(.primaryKey) var id: UUID = UUID.v7()
        @Relationship(inverse: \Crest.team) var crest: Crest?
        init() {}
    }

    @Model final class Crest {
        @Attribute(.primaryKey) var id: UUID
        @Relationship(columns: ["id"]) var team: Team
        init(_ team: Team, id: UUID? = nil) {
            self.team = team
            self.id = id ?? team.id
        }
    }
}

/// References by the column of a key that no table can have.
enum Unshared {
    @Model final class Account {
        init() {}
    }
    /// No property has the key.
    @Model(keyColumn: "id") final class Keyless {
        @Relationship(columns: ["id"], inverse: nil) var account: Account
        init(_ account: Account) { self.account = account }
    }
    @Model final class Loose {
        @Attribute(.primaryKey) var id: Int
        var number = 0
        @Relationship(columns: ["id"], inverse: nil) var optional: Account?
        @Relationship(columns: ["number"], inverse: nil) var changing: Account
        @Relationship(column: "other", columns: ["id"], inverse: nil) var both: Account
        init(_ account: Account) {
            (id, changing, both) = (1, account, account)
        }
    }
    @Model final class Owner {
        @Relationship(deleteRule: .cascade, inverse: \Twice.first) var first: Twice?
        @Relationship(inverse: \Twice.second) var second: Twice?
        init() {}
    }
    @Model final class Twice {
        @Attribute(.primaryKey) var id: Int
        @Relationship(columns: ["id"]) var first: Owner
        @Relationship(columns: ["id"]) var second: Owner
        init(_ owner: Owner) { (id, first, second) = (0, owner, owner) }
    }
    @Model final class Kinds {
        @Attribute(.primaryKey) var id: String
        @Relationship(columns: ["id"], inverse: nil) var account: Account
        init(_ account: Account) { (id, self.account) = ("", account) }
    }
    /// A list of one is a column as any other.
    @Model final class Single {
        @Relationship(columns: ["account_number"], inverse: nil) var account: Account?
        @Relationship(columns: ["owner"], inverse: nil) var accounts: [Account] = []
        init() {}
    }
}
