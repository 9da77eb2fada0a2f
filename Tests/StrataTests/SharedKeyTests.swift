import Foundation
import Strata
import StrataClient
import StrataModelTestSupport
import StrataModels
import StrataTestSupport
import Testing

/// Classes whose key is that of another object: `@Relationship(columns: ["id"])` beside `@Attribute(.primaryKey) var id`.
@Suite struct SharedKeyTests {
    private typealias Account = SharedKey.Account
    private typealias Profile = SharedKey.Profile
    private typealias Portrait = SharedKey.Portrait
    private typealias Country = SharedKey.Country
    private typealias Flag = SharedKey.Flag
    private typealias Team = SharedKey.Team
    private typealias Crest = SharedKey.Crest

    /// Ada with a profile and a portrait, and Bob without.
    private func withAccounts(_ body: (ModelStore, ModelContext) async throws -> Void) async throws {
        try await withModelStore(of: SharedKey.schema) { store in
            let context = ModelContext(store.container)
            let profile = Profile(Account("ada"), "counts")
            profile.handle = "@ada"
            context.insert(Portrait(profile, pixels: 64))
            context.insert(Account("bob"))
            try await context.save()
            store.recorder.reset()
            try await body(store, ModelContext(store.container))
        }
    }

    private func account(_ login: String, _ context: ModelContext) async throws -> Account {
        try #require(
            try await context.fetch(FetchDescriptor<Account>(predicate: #Predicate { $0.login == login })).first)
    }

    private func stored(_ store: ModelStore) async throws -> [String] {
        try await store.database.texts(
            """
            SELECT concat_ws(' ', login, bio, handle, pixels) FROM account LEFT JOIN profile ON profile.id = account.pk
            LEFT JOIN portrait ON portrait.profile_id = profile.id ORDER BY login
            """)
    }

    @Test func `the key is a foreign key, and nothing else is needed`() async throws {
        try await withAccounts { store, _ in
            let constraints = try await store.database.texts(
                """
                SELECT conrelid::regclass || ': ' || pg_get_constraintdef(oid) FROM pg_constraint
                WHERE contype IN ('p', 'f', 'u') AND connamespace = 'public'::regnamespace ORDER BY 1
                """)
            #expect(
                constraints == [
                    "account: PRIMARY KEY (pk)", "account: UNIQUE (login)", "country: PRIMARY KEY (code)",
                    "crest: FOREIGN KEY (id) REFERENCES team(id)", "crest: PRIMARY KEY (id)",
                    "flag: FOREIGN KEY (code) REFERENCES country(code) ON DELETE RESTRICT", "flag: PRIMARY KEY (code)",
                    "portrait: FOREIGN KEY (profile_id) REFERENCES profile(id) ON DELETE CASCADE",
                    "portrait: PRIMARY KEY (profile_id)",
                    "profile: FOREIGN KEY (id) REFERENCES account(pk) ON DELETE CASCADE", "profile: PRIMARY KEY (id)",
                    "profile: UNIQUE (handle)", "team: PRIMARY KEY (id)",
                ], "\(constraints)")
            #expect(
                try await store.database.texts(
                    "SELECT indexname FROM pg_indexes WHERE schemaname = 'public' AND tablename = 'profile' ORDER BY 1")
                    == ["profile_handle_key", "profile_pkey"])
            // Opened again, nothing is missing.
            try await store.reopened(SharedKey.schema).close()
        }
    }

    // MARK: Reading

    @Test func `a reference by the key is read, loaded and prefetched both ways`() async throws {
        try await withAccounts { store, context in
            let profile = try #require(try await context.fetch(FetchDescriptor<Profile>()).first)
            #expect(
                store.recorder.statements == [
                    #"SELECT t0."id", t0."id", t0."bio", t0."handle" FROM "public"."profile" AS t0"#
                ], "\(store.recorder.statements)")
            store.recorder.reset()
            #expect(profile.account.login == "ada" && profile.account.profile === profile)
            #expect(
                store.recorder.statements.first == """
                    SELECT t0."pk", t0."login" FROM "public"."account" AS t0 WHERE t0."pk" = ANY($1::bigint[])
                    """, "\(store.recorder.statements)")
            let fresh = ModelContext(store.container)
            let ada = try await account("ada", fresh)
            store.recorder.reset()
            #expect(ada.profile?.bio == "counts")
            #expect(
                store.recorder.statements == [
                    """
                    SELECT t0."id", t0."id", t0."bio", t0."handle", t0."id" FROM "public"."profile" AS t0 \
                    WHERE t0."id" = ANY($1::bigint[])
                    """
                ], "\(store.recorder.statements)")
            #expect(ada.profile?.portrait?.pixels == 64 && ada.profile?.portrait?.id == ada.profile?.id)
            #expect(try await account("bob", fresh).profile == nil)

            var descriptor = FetchDescriptor<Account>(sortBy: [SortDescriptor(\.login)])
            descriptor.relationshipKeyPathsForPrefetching = [\.profile, \.profile?.portrait]
            let reader = ModelContext(store.container)
            let accounts = try await reader.fetch(descriptor)
            store.recorder.reset()
            #expect(accounts.map { $0.profile?.portrait?.pixels } == [64, nil])
            #expect(store.recorder.statements == [], "\(store.recorder.statements)")
        }
    }

    @Test func `predicates, orders and values across it`() async throws {
        try await withAccounts { store, context in
            func logins(_ predicate: Predicate<Account>) async throws -> [String] {
                try await context.fetch(
                    FetchDescriptor<Account>(predicate: predicate, sortBy: [SortDescriptor(\.login)])
                )
                .map(\.login)
            }
            #expect(try await logins(#Predicate { $0.profile?.bio == "counts" }) == ["ada"])
            #expect(
                store.recorder.statements.last == """
                    SELECT t0."pk", t0."login" FROM "public"."account" AS t0 LEFT JOIN "public"."profile" AS t1 \
                    ON t1."id" = t0."pk" WHERE t1."bio" = $1::text ORDER BY t0."login" COLLATE "C" ASC, t0."pk"
                    """, "\(store.recorder.statements)")
            #expect(try await logins(#Predicate { $0.profile == nil }) == ["bob"])
            #expect(try await logins(#Predicate { $0.profile?.portrait?.pixels == 64 }) == ["ada"])
            func bios(_ predicate: Predicate<Profile>) async throws -> [String] {
                try await context.fetch(
                    FetchDescriptor<Profile>(predicate: predicate, sortBy: [SortDescriptor(\.account.login)])
                ).map(\.bio)
            }
            #expect(try await bios(#Predicate { $0.account.login == "ada" }) == ["counts"])
            #expect(
                store.recorder.statements.last == """
                    SELECT t0."id", t0."id", t0."bio", t0."handle" FROM "public"."profile" AS t0 \
                    JOIN "public"."account" AS t1 ON t1."pk" = t0."id" WHERE t1."login" = $1::text \
                    ORDER BY t1."login" COLLATE "C" ASC, t0."id"
                    """, "\(store.recorder.statements)")
            let ada = try await account("ada", context)
            let identifier = ada.persistentModelID
            #expect(try await bios(#Predicate { $0.account.persistentModelID == identifier }) == ["counts"])
            #expect(try await bios(#Predicate { $0.account.persistentModelID != identifier }) == [])
            let values = try await context.fetch(
                FetchDescriptor<Profile>(), selecting: \.id, \.account.login, \.account.persistentModelID)
            #expect(values.map(\.1) == ["ada"] && values.map(\.2) == [identifier])
            // By hand the relationship is the column that it has.
            let numbers = try await context.fetch(
                Int.self, sql: "SELECT \(\Profile.account) FROM \(Profile.self) WHERE \(\Profile.bio) = \("counts")")
            #expect(numbers.map { Int64($0) } == [identifier.key.integer])
        }
    }

    // MARK: Writing

    @Test func `a new object gets the key of the one that it leads to, in one save`() async throws {
        try await withAccounts { store, context in
            let eve = Account("eve")
            let profile = Profile(eve, "listens")
            // In any order: the account has its key first.
            context.insert(Portrait(profile, pixels: 16))
            #expect(profile.id > 0 && profile.persistentModelID.key == eve.persistentModelID.key)
            #expect(profile.portrait?.id == profile.id && eve.profile === profile)
            let listening = try await context.fetch(
                FetchDescriptor<Account>(predicate: #Predicate { $0.profile?.portrait?.pixels == 16 }))
            #expect(listening.map(\.login) == ["eve"])
            store.recorder.reset()
            try await context.save()
            let inserts = store.recorder.statements.filter { $0.contains("INSERT") }
            #expect(inserts.count == 3, "\(store.recorder.statements)")
            #expect(
                inserts[0].contains(#"INTO "public"."account" ("pk", "login")"#)
                    && inserts[1].contains(#"INTO "public"."profile" ("id", "bio", "handle")"#)
                    && inserts[2].contains(#"INTO "public"."portrait" ("profile_id", "pixels")"#), "\(inserts)")
            #expect(try await stored(store) == ["ada counts @ada 64", "bob", "eve listens 16"])
            // To one that is there.
            let bob = try await account("bob", context)
            bob.profile = Profile(bob, "builds")
            try await context.save()
            #expect(try await stored(store)[1] == "bob builds")
            // A text and a UUID are what the initializer says.
            context.insert(Flag(Country("de"), colors: 3))
            let team = Team()
            context.insert(Crest(team))
            try await context.save()
            #expect(
                try await store.database.texts("SELECT flag.code || colors FROM flag JOIN country USING (code)") == [
                    "de3"
                ])
            #expect(
                try await store.database.texts("SELECT id::text FROM crest") == [team.id.uuidString.lowercased()])
        }
    }

    @Test func `what a property holds that nobody has set is no key`() async throws {
        try await withAccounts { store, context in
            let flag = Flag(Country("fr"), colors: 3)
            flag.code = ""
            let team = Team()
            let crest = Crest(team, id: UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)))
            context.insert(flag)
            context.insert(crest)
            #expect(flag.code == "fr" && crest.id == team.id)
            // A number that came with an account goes with it.
            let (bob, eve) = (try await account("bob", context), Account("eve"))
            let profile = Profile(bob)
            context.insert(profile)
            #expect(profile.id > 0)
            context.delete(profile)
            try await context.save()
            #expect(profile.id == 0)
            profile.account = eve
            context.insert(profile)
            try await context.save()
            #expect(profile.persistentModelID.key == eve.persistentModelID.key)
            #expect(try await stored(store) == ["ada counts @ada 64", "bob", "eve "])
            #expect(
                try await store.database.texts("SELECT code || id::text FROM flag, crest") == [
                    "fr\(team.id.uuidString.lowercased())"
                ])
        }
    }

    @Test func `a hierarchy has the key of another class, and two references share one`() async throws {
        try await withModelStore(of: SharedKey.hierarchy) { store in
            let context = ModelContext(store.container)
            let owner = SharedKey.Owner()
            context.insert(SharedKey.Car(owner, doors: 5))
            try await context.save()
            let reader = ModelContext(store.container)
            let asset = try #require(try await reader.fetch(FetchDescriptor<SharedKey.Asset>()).first)
            #expect((asset as? SharedKey.Car)?.doors == 5 && asset.owner.asset === asset)
            #expect(
                try await store.database.texts(
                    "SELECT conname FROM pg_constraint WHERE contype = 'f' AND conrelid = 'car'::regclass")
                    == ["car_id_fkey"])
            let (first, other) = (SharedKey.Owner(), SharedKey.Owner())
            context.insert(other)
            context.insert(SharedKey.Deed(first, witness: other))
            let refused = await #expect(throws: SwiftDataError.self) { try await context.save() }
            #expect(
                refused?.message.contains("Deed.witness and Deed.id have the column id in common") == true,
                "\(String(describing: refused))")
            context.rollback()
            let third = SharedKey.Owner()
            context.insert(SharedKey.Deed(third, witness: third))
            try await context.save()
            #expect(try await store.database.texts("SELECT count(*)::text FROM deed") == ["1"])
        }
    }

    @Test func `an object that leads to one with another key is refused`() async throws {
        try await withAccounts { store, context in
            let (ada, bob) = (try await account("ada", context), try await account("bob", context))
            let profile = try #require(ada.profile)
            profile.account = bob
            let moved = await #expect(throws: SwiftDataError.self) { try await context.save() }
            #expect(
                moved?.code == .modelValidationFailure
                    && moved?.message.contains(
                        "Profile.account and Profile.id have the column id in common, which is the key and final from insert on, and the object at "
                            + "account has another key. Set account back; or insert a new object for the other one, and delete this one."
                    )
                        == true,
                "\(String(describing: moved))")
            context.rollback()
            #expect(profile.account === ada)
            context.insert(Crest(Team(), id: UUID()))
            let other = await #expect(throws: SwiftDataError.self) { try await context.save() }
            #expect(
                other?.message.contains("Crest.team and Crest.id have the column id in common") == true,
                "\(String(describing: other))")
            context.rollback()
            // One that is left out has taken nobody's place.
            context.insert(Profile(ada, "again"))
            let twin = await #expect(throws: SwiftDataError.self) { try await context.save() }
            #expect(twin?.code == .foreignObject, "\(String(describing: twin))")
            #expect(ada.profile === profile && profile.account === ada)
            bob.login = "bobby"
            try await context.save()
            bob.login = "bob"
            try await context.save()
            // Nobody can be without: it is deleted, or keeps what it has.
            ada.profile = nil
            let emptied = await #expect(throws: SwiftDataError.self) { try await context.save() }
            #expect(
                emptied?.message.contains(
                    "Profile.account cannot be saved: it is required and has no value. Set it, or delete the object too."
                )
                    == true, "\(String(describing: emptied))")
            context.rollback()
            bob.profile = profile
            await #expect(throws: SwiftDataError.self) { try await context.save() }
            context.rollback()
            #expect(ada.profile === profile)
            let update = #expect(throws: SwiftDataError.self) {
                try context.update(model: Profile.self, .set(\.account, to: bob))
            }
            #expect(
                update?.message.contains("Profile.id has a column of its foreign key, id") == true,
                "\(String(describing: update))")
            #expect(try await stored(store) == ["ada counts @ada 64", "bob"])
        }
    }

    @Test func `a new object that would take the key of another row is refused`() async throws {
        try await withAccounts { store, context in
            // The new account turns out to be Ada's row, with Ada's key.
            context.insert(Profile(Account("ada"), "again"))
            let moved = await #expect(throws: SwiftDataError.self) { try await context.save() }
            #expect(
                moved?.code == .uniqueConstraint
                    && moved?.message.contains("has a new Account for Profile.account, which is part of its key")
                        == true,
                "\(String(describing: moved))")
            context.rollback()
            let profile = Profile(try await account("bob", context), "builds")
            profile.handle = "@ada"
            context.insert(profile)
            let taken = await #expect(throws: SwiftDataError.self) { try await context.save() }
            #expect(
                taken?.code == .uniqueConstraint
                    && taken?.message.contains(
                        "A new Profile has a unique value of an object with another key. Its key is Profile.id, and is final"
                    )
                        == true,
                "\(String(describing: taken))")
            context.rollback()
            #expect(try await stored(store) == ["ada counts @ada 64", "bob"])
        }
    }

    @Test func `delete rules lead over it, and undo brings all back`() async throws {
        try await withAccounts { store, context in
            let undo = ModelUndoManager()
            context.undoManager = undo
            let ada = try await account("ada", context)
            context.delete(ada)
            #expect(try await context.fetchCount(FetchDescriptor<Profile>()) == 0)
            try await context.save()
            #expect(try await stored(store) == ["bob"])
            #expect(try await store.database.texts("SELECT count(*)::text FROM portrait") == ["0"])
            undo.undo()
            try await context.save()
            #expect(try await stored(store) == ["ada counts @ada 64", "bob"])
            #expect(ada.profile?.portrait?.pixels == 64)

            let fresh = ModelContext(store.container)
            let flag = Flag(Country("de"), colors: 3)
            fresh.insert(flag)
            let crest = Crest(Team())
            fresh.insert(crest)
            try await fresh.save()
            fresh.delete(flag.country)
            let denied = await #expect(throws: SwiftDataError.self) { try await fresh.save() }
            #expect(denied?.code == .deleteDenied, "\(String(describing: denied))")
            fresh.rollback()
            fresh.delete(crest.team)
            let required = await #expect(throws: SwiftDataError.self) { try await fresh.save() }
            #expect(required?.message.contains("Crest.team") == true, "\(String(describing: required))")
            fresh.rollback()
            try fresh.delete(model: Account.self, where: #Predicate { $0.profile?.bio == "counts" })
            #expect(try await fresh.fetchCount(FetchDescriptor<Portrait>()) == 0)
            try await fresh.save()
            #expect(try await stored(store) == ["bob"])
        }
    }

    @Test func `rows without objects, and the history`() async throws {
        try await withAccounts { store, context in
            let bob = try await account("bob", context)
            let key = try #require(bob.persistentModelID.key.integer.map { Int($0) })
            try await context.insert(
                into: Profile.self, \.id, \.account.persistentModelID, \.bio,
                rows: [(key, bob.persistentModelID, "row")])
            #expect(try await stored(store)[1] == "bob row")
            let different = await #expect(throws: SwiftDataError.self) {
                try await context.insert(
                    into: Profile.self, \.id, \.account.persistentModelID, \.bio,
                    rows: [(key + 1, bob.persistentModelID, "row")])
            }
            #expect(
                different?.message.contains(
                    "Row 1 of those inserted into Profile: Profile.account and Profile.id have the column id in common")
                    == true, "\(String(describing: different))")
            let history = try await context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>())
            let change = try #require(history.last?.changes.last)
            let profile = try #require(bob.profile)
            #expect(change.changedPersistentIdentifier == profile.persistentModelID)
            profile.bio = "told"
            try await context.save()
            let update = try await context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>()).last?.changes
                .last
            guard case .update(let update as DefaultHistoryUpdate<Profile>) = update else {
                Issue.record("\(String(describing: update))")
                return
            }
            #expect(update.updatedAttributes.map { $0 == \Profile.bio } == [true])
        }
    }

    // MARK: Schemas

    @Test func `what no table can have is refused with what to do`() async throws {
        func findings(_ types: any PersistentModel.Type...) async -> String {
            do {
                _ = try await ModelContainer(
                    for: Schema(types), configurations: [ModelConfiguration(isStoredInMemoryOnly: true)])
                return "opened"
            } catch { return "\(error)" }
        }
        let text = await findings(
            Unshared.Account.self, Unshared.Keyless.self, Unshared.Loose.self, Unshared.Kinds.self,
            Unshared.Single.self,
            Unshared.Owner.self, Unshared.Twice.self)
        for part in [
            "Twice.second: it leads to the same objects as Twice.first, by the same columns, and their deletion does something else",
            "Keyless.account: its column would be called id in the table keyless, as that of the key. Remedy: let a property of Keyless have the key, @Attribute(.primaryKey)",
            "Loose.optional: it is optional, and all columns of its foreign key, id, belong to other properties",
            "Loose.changing: the column number of its foreign key is that of Loose.number, which may change",
            "Loose.both: it names the column other, and a list of columns",
            "Kinds.account: the column id of its foreign key is that of Kinds.id, which is not bigint",
            "Single.accounts: it names the columns owner, and the key of Single is of one, pk",
        ] { #expect(text.contains(part), "\(part)\n\(text)") }
        #expect(!text.contains("Single.account:"), "\(text)")
    }
}
