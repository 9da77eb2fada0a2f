import Foundation
import Strata
import StrataClient
import StrataModelTestSupport
import StrataTestSupport
import Testing

/// Texts that are unique regardless of case.
enum Directory {
    @Model class Member {
        #Unique<Member>([\.email], case: .insensitive)
        var email: String
        var name: String = ""
        init(_ email: String, _ name: String = "") { (self.email, self.name) = (email, name) }
    }

    @Model final class Leader: Member {
        var team = ""
    }

    @Model final class Badge {
        #Unique<Badge>([\.owner, \.floor, \.label], case: .insensitive, nulls: .notDistinct)
        var owner: Member?
        var floor: Int
        var label: String?
        var note: String = ""

        init(_ floor: Int, _ label: String?, _ note: String = "", owner: Member? = nil) {
            (self.owner, self.floor, self.label, self.note) = (owner, floor, label, note)
        }
    }

    @Model final class Handle {
        #Unique<Handle>([\.text], case: .insensitive) { $0.deletedAt == nil }
        var text: String
        var note: String = ""
        @Attribute(.deletionDate) var deletedAt: Date?
        init(_ text: String, _ note: String = "") { (self.text, self.note) = (text, note) }
    }

    static let all: [any PersistentModel.Type] = [Member.self, Leader.self, Badge.self, Handle.self]
}

private typealias Member = Directory.Member
private typealias Leader = Directory.Leader
private typealias Badge = Directory.Badge
private typealias Handle = Directory.Handle

/// A set in a subclass's table.
enum Cockpit {
    @Model class Person {
        var name: String
        init(name: String) { self.name = name }
    }

    @Model final class Pilot: Person {
        #Unique<Pilot>([\.callSign], case: .insensitive)
        var callSign: String
        init(_ callSign: String, _ name: String) {
            self.callSign = callSign
            super.init(name: name)
        }
    }
}

/// Of one table of somebody else's, whose check one class knows and the other does not.
enum Lobby {
    @Model(table: "visitor", keyColumn: "id") final class Visitor {
        #Unique<Visitor>([\.email], case: .insensitive) { $0.isKnown }
        var email: String
        var isKnown: Bool = true
        init(_ email: String) { self.email = email }
    }

    @Model(table: "visitor", keyColumn: "id") final class CheckedVisitor {
        #Unique<CheckedVisitor>([\.email], case: .insensitive) { $0.isKnown }
        #Check<CheckedVisitor>("address") { $0.email != "" }
        var email: String
        var isKnown: Bool = true
        init(_ email: String) { self.email = email }
    }
}

@Model private final class ExactMember {
    @Attribute(.unique) var email = ""
    init() {}
}

/// What is unique regardless of case: the server says which texts are equal, and saves ask it.
@Suite(.enabled(if: TestServer.hasICU, "a server built with ICU")) struct CaselessUniqueTests {
    private func withDirectory(
        configure: (inout ModelConfiguration) -> Void = { _ in },
        _ body: (ModelStore, ModelContext) async throws -> Void
    ) async throws {
        try await withModelStore(of: Schema(Directory.all), configure: configure) { store in
            try await body(store, ModelContext(store.container))
        }
    }

    private func members(_ store: ModelStore) async throws -> [String] {
        try await store.database.texts("SELECT email || ' ' || name FROM member ORDER BY 1")
    }

    private func badges(_ store: ModelStore) async throws -> [String] {
        try await store.database.texts("SELECT concat_ws(' ', floor, coalesce(label, '-'), note) FROM badge ORDER BY 1")
    }

    private func handles(_ store: ModelStore) async throws -> [String] {
        try await store.database.texts(
            "SELECT concat_ws(' ', text, note, CASE WHEN deleted_at IS NOT NULL THEN 'deleted' END) FROM handle ORDER BY 1"
        )
    }

    // MARK: New objects

    @Test func `a new object takes over the row whose text differs in case, by the index`() async throws {
        try await withDirectory { store, context in
            let first = Member("Ann@Example.org", "first")
            context.insert(first)
            try await context.save()
            store.recorder.reset()
            let second = Member("ann@example.ORG", "second")
            context.insert(second)
            try await context.save()
            #expect(second.persistentModelID == first.persistentModelID)
            #expect(store.recorder.roundTrips == 2)
            #expect(try await members(store) == ["ann@example.ORG second"])
            let find = try #require(store.recorder.statements.first { $0.contains("FOR NO KEY UPDATE") })
            #expect(
                find
                    == #"SELECT u.i, t."pk", t."class" FROM unnest($1::bigint[], $2::text[]) AS u(i, c0) JOIN "public"."member" AS t "#
                    + #"ON (lower(t."email" COLLATE "und-x-icu") COLLATE "C") = (lower(u.c0 COLLATE "und-x-icu") COLLATE "C") "#
                    + #"WHERE t."pk" <> ALL ($3::bigint[]) ORDER BY t."pk" FOR NO KEY UPDATE OF t"#)
            // The index serves what a save asks.
            try await store.database.execute(
                "INSERT INTO member (email, name) SELECT 'Member' || n, '' FROM generate_series(1, 5000) AS n",
                "ANALYZE member")
            let plan = try await store.database.texts(
                "EXPLAIN (COSTS OFF) "
                    + find.replacing("$1", with: "ARRAY[0, 1]").replacing("$2", with: "ARRAY['MEMBER7', 'member8']")
                    .replacing("$3", with: "'{}'"))
            #expect(plan.contains { $0.contains("Index Scan using member_email_key on member t") }, "\(plan)")
            // Equality, and parts of the text, are what they always were.
            let exact = try await context.fetch(
                FetchDescriptor<Member>(predicate: #Predicate { $0.email == "Ann@Example.org" }))
            #expect(exact.isEmpty)
            let lower = try await context.fetch(
                FetchDescriptor<Member>(predicate: #Predicate { $0.email.lowercased() == "ann@example.org" }))
            #expect(lower == [second])
        }
    }

    @Test func `new objects meet each other, and subclasses share the set`() async throws {
        try await withDirectory { store, context in
            for member in [Member("a@x", "one"), Member("A@X", "two"), Leader("b@x", "three"), Member("ß", "four")] {
                context.insert(member)
            }
            let pending = try await context.fetch(FetchDescriptor<Member>(sortBy: [SortDescriptor(\.name)]))
            #expect(pending.map(\.name) == ["four", "three", "two"])
            try await context.save()
            // ẞ is a capital ß; SS is none, and no letter of Turkish.
            for (text, name) in [("ẞ", "five"), ("SS", "six"), ("ı", "seven"), ("I", "eight")] {
                context.insert(Member(text, name))
            }
            try await context.save()
            #expect(
                try await members(store) == ["A@X two", "I eight", "SS six", "b@x three", "ı seven", "ẞ five"].sorted())
            context.insert(Member("B@x"))
            let error = await #expect(throws: SwiftDataError.self) { try await context.save() }
            #expect(
                error?.message
                    == "A new Member has the Member.email of a stored Leader. An object cannot change its class: delete the "
                    + "stored one first, or change it instead.")
        }
    }

    @Test func `each policy does with the row what it does with equal texts`() async throws {
        try await withDirectory { store, context in
            context.insert(Member("a@x", "one"))
            try await context.save()
            context.uniquePolicy = .ignore
            let ignored = Member("A@x", "two")
            context.insert(ignored)
            try await context.save()
            #expect(ignored.email == "a@x" && ignored.name == "one")
            context.uniquePolicy = .upsert(updating: \Member.name)
            let named = Member("A@X", "three")
            context.insert(named)
            try await context.save()
            #expect(named === ignored || named.email == "a@x")
            #expect(try await members(store) == ["a@x three"])
            context.uniquePolicy = .fail
            context.insert(Member("A@X", "four"))
            let error = await #expect(throws: SwiftDataError.self) { try await context.save() }
            #expect(error?.code == .uniqueConstraint)
            #expect(
                error?.message
                    == "Another object has the same Member.email, regardless of case. Change the value, or fetch that object and change it."
            )
            #expect((error?.underlying as? PostgresError)?.sqlState == "23505")
        }
    }

    @Test func `the rest of the set is compared as it is, and nil with nil`() async throws {
        try await withDirectory { store, context in
            let ann = Member("ann")
            for badge in [
                Badge(1, "a", "1"), Badge(2, "A", "2"), Badge(1, nil, "3"), Badge(1, "A", "4"), Badge(1, nil, "5"),
                Badge(1, "a", "6", owner: ann),
            ] { context.insert(badge) }
            try await context.save()
            #expect(try await badges(store) == ["1 - 5", "1 A 4", "1 a 6", "2 A 2"])
            // Who the owner is turns out on the way.
            context.insert(Badge(1, "A", "7", owner: Member("ANN")))
            context.insert(Badge(1, nil, "8"))
            try await context.save()
            #expect(try await badges(store) == ["1 - 8", "1 A 4", "1 A 7", "2 A 2"])
        }
    }

    @Test func `under a condition: the handle of a deleted one is free again`() async throws {
        try await withDirectory { store, context in
            let first = Handle("Ann", "first")
            context.insert(first)
            try await context.save()
            context.delete(first)
            context.insert(Handle("ANN", "second"))
            try await context.save()
            context.insert(Handle("aNN", "third"))
            try await context.save()
            #expect(try await handles(store) == ["Ann first deleted", "aNN third"])
            first.deletedAt = nil
            let error = await #expect(throws: SwiftDataError.self) { try await context.save() }
            #expect(error?.message.hasPrefix("Another object has the same Handle.text, regardless of case.") == true)
            context.rollback()
            let refused = await #expect(throws: SwiftDataError.self) {
                try context.update(
                    model: Handle.self, where: #Predicate { $0.note == "first" }, includeDeleted: true,
                    .set(\.deletedAt, to: nil))
                try await context.save()
            }
            #expect(refused?.code == .uniqueConstraint)
        }
    }

    // MARK: Values that pass between objects

    @Test func `texts are exchanged in other letters, and one that changes its case alone is not parked`() async throws
    {
        try await withDirectory { store, context in
            let texts = ["a@x", "b@x", "c@x", "straße", "\u{212A}", "ΣΑΣ", "i\u{307}", "ſ"]
            let members = texts.map { Member($0) }
            for member in members { context.insert(member) }
            try await context.save()
            store.recorder.reset()
            members[0].email = "A@X"
            members[1].email = "d@x"
            try await context.save()
            #expect(store.recorder.roundTrips == 1)
            #expect(!store.recorder.statements.contains { $0.contains("strata parks") })
            #expect(store.recorder.statements.filter { $0.hasPrefix("UPDATE") }.count <= 2)
            // Each takes what the one before it has, in other letters.
            let others = ["a@X", "D@X", "C@x", "STRAẞE", "K", "σας", "İ", "S"]
            for (index, member) in members.enumerated() { member.email = others[(index + 1) % others.count] }
            try await context.save()
            let stored = try await store.database.texts("SELECT email FROM member ORDER BY pk")
            #expect(stored == others.indices.map { others[($0 + 1) % others.count] })
            // The history has one change of each.
            let changes = try await context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>())
            #expect(changes.last?.changes.count == members.count)
        }
    }

    @Test func `texts beyond ASCII that nobody takes are not parked`() async throws {
        try await withDirectory { store, context in
            let members = [Member("jörg@x"), Member("zoë@x")]
            for member in members { context.insert(member) }
            try await context.save()
            store.recorder.reset()
            (members[0].email, members[1].email) = ("jürg@x", "noë@x")
            try await context.save()
            #expect(store.recorder.statements.filter { $0.contains("UPDATE") }.count == 1)
            // Between texts of another script it cannot be told, so these are.
            (members[0].email, members[1].email) = ("Ωμέγα", "άλφα")
            try await context.save()
            (members[0].email, members[1].email) = ("ΆΛΦΑ", "ωμέγα")
            try await context.save()
            #expect(try await store.database.texts("SELECT email FROM member ORDER BY pk") == ["ΆΛΦΑ", "ωμέγα"])
        }
    }

    @Test func `a text that changes its case and leaves the condition in one save makes room`() async throws {
        try await withDirectory { store, context in
            let handles = [Handle("Ann", "1"), Handle("Bob", "2")]
            for handle in handles { context.insert(handle) }
            try await context.save()
            (handles[0].text, handles[0].deletedAt, handles[1].text) = ("ANN", .now, "aNN")
            try await context.save()
            #expect(try await self.handles(store) == ["ANN 1 deleted", "aNN 2"])
            // Two members of a set, of which one is compared as it is.
            let badges = [Badge(1, "a", "1"), Badge(2, "B", "2")]
            for badge in badges { context.insert(badge) }
            try await context.save()
            (badges[0].floor, badges[0].label, badges[1].floor, badges[1].label) = (2, "b", 1, "A")
            try await context.save()
            #expect(try await self.badges(store) == ["1 A 2", "2 b 1"])
        }
    }

    @Test func `nil that equals nil is searched in the index`() async throws {
        try await withDirectory { store, context in
            context.insert(Badge(1, nil, "1"))
            try await context.save()
            let find = try #require(store.recorder.statements.last { $0.contains("FOR NO KEY UPDATE") })
            let words = #"(lower(t."label" COLLATE "und-x-icu") COLLATE "C") IS NULL AND u.c2 IS NULL"#
            #expect(find.contains(words), "\(find)")
        }
    }

    @Test func `a race is a lost race too while a constraint of the text as it is stands beside the index`()
        async throws
    {
        try await withDirectory { store, _ in
            try await store.database.execute(
                "DROP INDEX member_email_key", "ALTER TABLE member ADD CONSTRAINT older UNIQUE (email)",
                #"CREATE UNIQUE INDEX member_email_key ON member ((lower(email COLLATE "und-x-icu") COLLATE "C"))"#)
            let container = store.container
            try await withThrowingTaskGroup(of: Void.self) { group in
                for writer in 0..<4 {
                    group.addTask {
                        for round in 0..<25 {
                            let context = ModelContext(container)
                            context.insert(Member("\(round)@x", "\(writer)"))
                            context.insert(Member("\(round)@X", "\(writer)"))
                            try await context.save()
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await store.database.texts("SELECT count(*)::text FROM member") == ["25"])
        }
    }

    @Test(arguments: [ConflictPolicy.throw, .overwrite, .keepStore])
    func `a new object takes what a changed one leaves, in other letters`(policy: ConflictPolicy) async throws {
        try await withDirectory { store, context in
            context.conflictPolicy = policy
            let first = Member("Ann", "first")
            context.insert(first)
            try await context.save()
            first.email = "Eve"
            context.insert(Member("ANN", "second"))
            try await context.save()
            #expect(try await members(store) == ["ANN second", "Eve first"])
            // What a changed object is about to have stands in no row yet.
            first.email = "Joe"
            context.insert(Member("JOE", "third"))
            let error = await #expect(throws: SwiftDataError.self) { try await context.save() }
            #expect(
                error?.message.hasPrefix("A new Member has the Member.email of an object with unsaved changes.") == true
            )
        }
    }

    @Test func `a row that others have changed keeps its text, and a new object takes it over`() async throws {
        try await withDirectory { store, context in
            context.conflictPolicy = .keepStore
            let first = Member("Ann", "first")
            context.insert(first)
            try await context.save()
            // Others change its case alone: that is a change.
            try await store.database.execute("UPDATE member SET email = 'ANN'")
            first.email = "Eve"
            let second = Member("ann", "second")
            context.insert(second)
            try await context.save()
            #expect(second.persistentModelID == first.persistentModelID)
            #expect(try await members(store) == ["ann second"])
        }
    }

    @Test func `a row of a subclass that others have changed keeps its text, and a new object takes it over`()
        async throws
    {
        try await withModelStore(Cockpit.Person.self, Cockpit.Pilot.self) { store in
            let context = ModelContext(store.container)
            context.conflictPolicy = .keepStore
            let first = Cockpit.Pilot("Ann", "first")
            context.insert(first)
            try await context.save()
            try await store.database.execute("UPDATE pilot SET call_sign = 'ANN'")
            first.callSign = "Eve"
            let second = Cockpit.Pilot("ann", "second")
            context.insert(second)
            try await context.save()
            #expect(second.persistentModelID == first.persistentModelID)
            let pilots = "SELECT call_sign || ' ' || name FROM pilot JOIN person USING (pk)"
            #expect(try await store.database.texts(pilots) == ["ann second"])
        }
    }

    @Test func `an update by predicate that would make texts equal says how they are compared`() async throws {
        try await withDirectory { store, context in
            for text in ["a@x", "b@x"] { context.insert(Member(text)) }
            try await context.save()
            try context.update(model: Member.self, .set(\.email, to: "A@X"))
            let error = await #expect(throws: SwiftDataError.self) { try await context.save() }
            #expect(
                error?.message
                    == "An update of Member by predicate, which sets Member.email, was refused: several objects would have the "
                    + "same unique value, regardless of case. Set a value that differs, or name fewer objects.")
        }
    }

    // MARK: Tables of others

    @Test func `rows of an external table with a check are found, and do not exchange their texts`() async throws {
        try await withTestDatabase("external case") { database in
            try await database.execute(
                """
                CREATE TABLE visitor (id bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
                    email varchar(40) NOT NULL CONSTRAINT address CHECK (email LIKE '%@%'), is_known boolean NOT NULL)
                """,
                #"CREATE UNIQUE INDEX ON visitor ((lower(email COLLATE "und-x-icu") COLLATE "C")) WHERE is_known"#,
                "INSERT INTO visitor (email, is_known) VALUES ('Ann@x', true), ('Bob@x', true), ('ANN@X', false)")
            func exchange<T: PersistentModel>(
                _ type: T.Type, _ email: ReferenceWritableKeyPath<T, String>, _ make: (String) -> T
            ) async throws -> SwiftDataError? {
                var configuration = ModelConfiguration(url: try #require(database.foundationURL))
                configuration.tables = .external
                let container = try await ModelContainer(for: Schema(type), configurations: [configuration])
                defer { container.close() }
                let context = ModelContext(container)
                // The row whose text differs in case is taken over.
                context.insert(make("bob@X"))
                try await context.save()
                let visitors = try await context.fetch(FetchDescriptor<T>()).filter {
                    ["Ann@x", "bob@X"].contains($0[keyPath: email])
                }
                #expect(visitors.count == 2)
                let texts = visitors.map { $0[keyPath: email] }
                visitors[0][keyPath: email] = texts[1].uppercased()
                visitors[1][keyPath: email] = texts[0].lowercased()
                do { try await context.save() } catch let error as SwiftDataError { return error }
                return nil
            }
            let unknown = try await exchange(Lobby.Visitor.self, \.email) { Lobby.Visitor($0) }
            let known = try await exchange(Lobby.CheckedVisitor.self, \.email) { Lobby.CheckedVisitor($0) }
            // The value in between is none that the check takes. Where the class knows of a check, there is none, and the rows meet.
            #expect(unknown?.code == .invalidValue, "\(String(describing: unknown))")
            #expect(known?.code == .uniqueConstraint, "\(String(describing: known))")
            #expect(known?.message.hasPrefix("Another object has the same") == true)
            #expect(known?.message.contains(", regardless of case.") == true)
            #expect(
                try await database.texts("SELECT email FROM visitor ORDER BY id") == ["Ann@x", "bob@X", "ANN@X"])
        }
    }

    // MARK: Rows without objects

    @Test func `rows without objects find the rows, and each other`() async throws {
        try await withDirectory { store, context in
            context.insert(Member("a@x", "one"))
            try await context.save()
            let result = try await context.insert(
                into: Member.self, \.email, \.name, rows: [("A@x", "two"), ("b@x", "three"), ("B@X", "four")],
                uniquePolicy: .upsert)
            #expect(result.insertedCount == 1)
            // What a row is found by is written too: its case may be another.
            #expect(try await members(store) == ["A@x two", "B@X four"])
            try await context.insert(
                into: Member.self, \.email, \.name, rows: [("a@X", "five"), ("c@x", "six")], uniquePolicy: .ignore)
            #expect(try await members(store) == ["A@x two", "B@X four", "c@x six"])
            let error = await #expect(throws: SwiftDataError.self) {
                try await context.insert(
                    into: Member.self, \.email, \.name, rows: [("d@x", ""), ("C@X", "")], uniquePolicy: .fail)
            }
            #expect(error?.code == .uniqueConstraint)
            #expect(
                error?.message.contains("an object with the same Member.email, regardless of case, is there already.")
                    == true, "\(String(describing: error))")
        }
    }

    // MARK: All letters

    /// Every letter that has a case, and some of which Swift and ICU do not say the same.
    private static let letters: [String] = {
        var texts: [String] = []
        for scalar in (0...0x1FFFF).lazy.compactMap(Unicode.Scalar.init) {
            let properties = scalar.properties
            let text = String(scalar)
            let forms = [text, properties.lowercaseMapping, properties.uppercaseMapping, properties.titlecaseMapping]
            if Set(forms).count > 1 { texts += forms }
        }
        texts += [
            "ΑΣ", "ας", "ασ", "ΑΣΑ", "İ", "i\u{307}", "I", "i", "ı", "ſ", "s", "S", "\u{212A}", "k", "K", "ﬀ", "FF",
        ]
        var seen: Set<[UInt8]> = []
        return texts.filter { seen.insert(Array($0.utf8)).inserted }
    }()

    @Test func `every letter: what the server takes for equal is one row, and is exchanged`() async throws {
        try await withDirectory { store, context in
            let texts = Self.letters
            let list = texts.map { "'\($0)'" }.joined(separator: ", ")
            let folds = try await store.database.texts(
                """
                SELECT lower('x' || t COLLATE "und-x-icu") COLLATE "C" FROM unnest(ARRAY[\(list)]) WITH ORDINALITY AS u (t, i) ORDER BY i
                """)
            #expect(texts.count > 2800 && folds.count == texts.count)
            for (index, text) in texts.enumerated() { context.insert(Member("x" + text, "\(index)")) }
            try await context.save()
            // Of those that are equal the last one stays. The server compares bytes, and so do these.
            var last: [[UInt8]: Int] = [:]
            for (index, fold) in folds.enumerated() { last[Array(fold.utf8)] = index }
            let names = try await store.database.texts("SELECT name FROM member ORDER BY name::int")
            #expect(names == last.values.sorted().map { "\($0)" })
            #expect(last.count < texts.count * 2 / 3)
            // Two for each pair of equal letters, which change places in each other's letters.
            try await store.database.execute("DELETE FROM member")
            let second = ModelContext(store.container)
            let pairs = folds.indices.compactMap { index in
                last[Array(folds[index].utf8)].flatMap { $0 == index ? nil : (texts[index], texts[$0], index) }
            }
            var members: [(Member, Member)] = []
            for (one, _, index) in pairs {
                let pair = (Member("\(index) a\(one)"), Member("\(index) b\(one)"))
                second.insert(pair.0)
                second.insert(pair.1)
                members.append(pair)
            }
            try await second.save()
            for ((_, other, index), pair) in zip(pairs, members) {
                (pair.0.email, pair.1.email) = ("\(index) B\(other)", "\(index) A\(other)")
            }
            try await second.save()
            #expect(
                try await store.database.texts("SELECT count(*)::text FROM member WHERE email ~ ' [AB]'") == [
                    "\(2 * pairs.count)"
                ])
        }
    }

    // MARK: Databases

    private func refusal(_ store: ModelStore) async -> String {
        let error = await #expect(throws: (any Error).self) { try await store.reopened(Schema(Directory.all)) }
        return error.map { "\($0)" } ?? ""
    }

    @Test func `a database without the index is not opened`() async throws {
        try await withDirectory { store, _ in
            let database = store.database
            try await database.execute("DROP INDEX member_email_key")
            let expected =
                #"member (email) is not unique regardless of case, the schema needs it to be: write a migration that makes a unique index of "#
                + #"((lower("email" COLLATE "und-x-icu") COLLATE "C"))"#
            for other in [
                "SELECT 1", "CREATE UNIQUE INDEX other ON member (email)",
                "CREATE UNIQUE INDEX other2 ON member (lower(email))",
                #"CREATE UNIQUE INDEX other3 ON member (lower(email COLLATE "und-x-icu"))"#,
            ] {
                try await database.execute(other)
                let text = await refusal(store)
                #expect(text.contains(expected), "\(other): \(text)")
            }
            // Whatever it is called, and beside whatever.
            try await database.execute(
                #"CREATE UNIQUE INDEX mine ON member ((lower(email COLLATE "und-x-icu") COLLATE "C"))"#)
            await (try store.reopened(Schema(Directory.all))).close()
            try await database.execute(
                "DROP INDEX handle_text_key",
                #"CREATE UNIQUE INDEX handle_text_key ON handle ((lower(text COLLATE "und-x-icu") COLLATE "C"))"#)
            let text = await refusal(store)
            #expect(
                text.contains(
                    "handle (text) is unique among all rows, the schema needs it regardless of case among some of them"),
                "\(text)")
        }
    }

    @Test func `a database that is unique beyond what the class says is not opened`() async throws {
        try await withModelStore(ExactMember.self) { store in
            try await store.database.execute(
                #"CREATE UNIQUE INDEX ON exact_member ((lower(email COLLATE "und-x-icu") COLLATE "C"))"#)
            let error = await #expect(throws: (any Error).self) { try await store.reopened(Schema(ExactMember.self)) }
            #expect(
                "\(String(describing: error))".contains(
                    "exact_member (email) is unique regardless of case, the schema needs each text to equal itself alone: "
                ),
                "\(String(describing: error))")
        }
    }

    @Test func `an index that others have made does not look like a race`() async throws {
        try await withDirectory { store, context in
            try await store.database.execute(
                #"CREATE UNIQUE INDEX ON member ((lower(name COLLATE "und-x-icu") COLLATE "C"))"#)
            context.insert(Member("a@x", "Ann"))
            try await context.save()
            store.recorder.reset()
            context.insert(Member("b@x", "ANN"))
            let error = await #expect(throws: SwiftDataError.self) { try await context.save() }
            #expect(error?.message.hasPrefix("Another object has the same Member.name, regardless of case.") == true)
            #expect(store.recorder.statements.filter { $0.hasPrefix("INSERT") }.count == 1)
        }
    }

    @Test func `a database that has lost the collations of ICU`() async throws {
        try await withTestDatabase("no ICU") { database in
            try await database.execute(#"DROP COLLATION pg_catalog."und-x-icu""#)
            let error = await #expect(throws: SwiftDataError.self) {
                try await ModelContainer(
                    for: Schema(Directory.all),
                    configurations: [ModelConfiguration(url: try #require(database.foundationURL))])
            }
            #expect(error?.code == .storeDoesNotFit)
            #expect(
                error?.message.contains(
                    "The tables cannot be made: what is unique in Badge, Handle, Member is so regardless of case, and the database has no collation und-x-icu."
                ) == true, "\(String(describing: error))")
        }
    }

    @Test func `several writers of one text in many cases`() async throws {
        try await withDirectory { store, _ in
            let container = store.container
            try await withThrowingTaskGroup(of: Void.self) { group in
                for writer in 0..<4 {
                    group.addTask {
                        var random = SeededGenerator(UInt64(writer))
                        for round in 0..<25 {
                            let context = ModelContext(container)
                            for _ in 0..<3 {
                                let text = "\("abc".randomElement(using: &random) ?? "a")@x"
                                let isUpper = Bool.random(using: &random)
                                context.insert(Member(isUpper ? text.uppercased() : text, "\(writer) \(round)"))
                            }
                            try await context.save()
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(
                try await store.database.texts("SELECT lower(email) FROM member ORDER BY 1") == ["a@x", "b@x", "c@x"])
        }
    }
}
