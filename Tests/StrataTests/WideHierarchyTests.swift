import Foundation
import Strata
import StrataClient
import Testing

@Model private class Beast {
    var name: String
    var keeper: Keeper?
    init(name: String) { self.name = name }
}
@Model private class Cat: Beast {
    var lives = 9
    var coat = "grey"
    var napsSince: Date?
}
@Model private class Dog: Beast {
    var tricks = 0
    var isLoud = false
    var likes: [String] = []
}
@Model private final class Fish: Beast { var depth = 0.5 }
@Model private final class Bird: Beast {
    var song: String?
    var wings = 2
}
/// Adds no column.
@Model private final class Stone: Beast {}
@Model private final class Lion: Cat { var pride = "none" }
@Model private final class Tiger: Cat { var stripes = 100 }
@Model private final class Puma: Cat { var jumps = 5.5 }
@Model private final class Poodle: Dog { var isTrimmed = true }
@Model private final class Keeper {
    var name: String
    @Relationship(inverse: \Beast.keeper) var beasts: [Beast] = []
    init(name: String) { self.name = name }
}

private enum Grade: String, Codable { case good, worn }
@Model private class Device {
    var name: String
    var note = "new"
    init(name: String) { self.name = name }
}
@Model private class Phone: Device {
    var grade: Grade
    var carrier: String
    var ring = 1
    init(name: String, grade: Grade, carrier: String) {
        self.grade = grade
        self.carrier = carrier
        super.init(name: name)
    }
}
@Model private final class Radio: Device {
    var tone: Grade
    var band = "FM"
    init(name: String, tone: Grade) {
        self.tone = tone
        super.init(name: name)
    }
}
@Model private final class Lamp: Device {
    var light: Grade
    init(name: String, light: Grade) {
        self.light = light
        super.init(name: name)
    }
}
@Model private final class Watch: Device {
    var strap: Grade
    var size = 38
    init(name: String, strap: Grade) {
        self.strap = strap
        super.init(name: name)
    }
}
@Model private final class FlipPhone: Phone { var hinges = 1 }
@Model private final class CarPhone: Phone { var seat = "left" }
@Model private final class PayPhone: Phone { var price = 0.25 }
@Model private final class SmartPhone: Phone {
    var screen: Grade
    init(name: String, screen: Grade) {
        self.screen = screen
        super.init(name: name, grade: .good, carrier: "Air")
    }
}

/// Hierarchies of many classes: their tables are not joined one by one.
@Suite struct WideHierarchyTests {
    private func withZoo(_ body: (ModelStore, ModelContext) async throws -> Void) async throws {
        try await withModelStore(
            Beast.self, Cat.self, Dog.self, Fish.self, Bird.self, Stone.self, Lion.self, Tiger.self, Puma.self,
            Poodle.self, Keeper.self
        ) { store in
            let writing = ModelContext(store.container)
            let keeper = Keeper(name: "Kim")
            writing.insert(keeper)
            let lion = Lion(name: "Leo")
            (lion.lives, lion.coat, lion.pride) = (7, "gold", "north")
            let dog = Dog(name: "Rex")
            (dog.tricks, dog.isLoud, dog.likes) = (3, true, ["bone", "ball"])
            let bird = Bird(name: "Tweety")
            bird.song = "la"
            let fish = Fish(name: "Wanda")
            fish.depth = 12.5
            let cat = Cat(name: "Tom")
            cat.napsSince = Date(timeIntervalSinceReferenceDate: 5)
            let all: [Beast] = [
                Beast(name: "Any"), lion, dog, bird, fish, cat, Stone(name: "Flint"), Tiger(name: "Shere"),
                Puma(name: "Paul"), Poodle(name: "Pippa"),
            ]
            for beast in all {
                writing.insert(beast)
                beast.keeper = keeper
            }
            try await writing.save()
            try await body(store, ModelContext(store.container))
        }
    }

    private func expectAll(_ beasts: [Beast], sourceLocation: SourceLocation = #_sourceLocation) throws {
        let byName = Dictionary(beasts.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        #expect(beasts.count == 10, sourceLocation: sourceLocation)
        let lion = try #require(byName["Leo"] as? Lion)
        #expect(lion.lives == 7 && lion.coat == "gold" && lion.pride == "north" && lion.napsSince == nil)
        let dog = try #require(byName["Rex"] as? Dog)
        #expect(dog.tricks == 3 && dog.isLoud && dog.likes == ["bone", "ball"])
        let bird = try #require(byName["Tweety"] as? Bird)
        #expect(bird.song == "la" && bird.wings == 2)
        #expect((byName["Wanda"] as? Fish)?.depth == 12.5)
        let cat = try #require(byName["Tom"] as? Cat)
        #expect(cat.lives == 9 && cat.coat == "grey" && cat.napsSince == Date(timeIntervalSinceReferenceDate: 5))
        #expect((byName["Shere"] as? Tiger)?.stripes == 100)
        #expect((byName["Paul"] as? Puma)?.jumps == 5.5 && (byName["Pippa"] as? Poodle)?.isTrimmed == true)
        #expect(byName["Flint"] is Stone && byName["Any"].map { type(of: $0) == Beast.self } == true)
    }

    @Test func aLevelOfSubclassesIsOneJoin() async throws {
        try await withZoo { store, context in
            try expectAll(try await context.fetch(FetchDescriptor<Beast>()))
            let sql = try #require(store.recorder.statements.last)
                .replacing("\"public\".", with: "").replacing("\"", with: "")
            #expect(
                sql == """
                    SELECT t0.pk, t0.class, t0.name, t0.keeper, t1.c0, t1.c1, t1.c2, t1.c3, t1.c4, t1.c5, \
                    t2.c0, t2.c1, t2.c2, t2.c3 FROM beast AS t0 \
                    LEFT JOIN (SELECT pk, song AS c0, wings AS c1, NULL::timestamptz AS c2, NULL::boolean AS c3, \
                    NULL::text[] AS c4, NULL::double precision AS c5 FROM bird \
                    UNION ALL SELECT pk, coat AS c0, lives AS c1, naps_since AS c2, NULL::boolean AS c3, \
                    NULL::text[] AS c4, NULL::double precision AS c5 FROM cat \
                    UNION ALL SELECT pk, NULL::text AS c0, tricks AS c1, NULL::timestamptz AS c2, is_loud AS c3, \
                    likes AS c4, NULL::double precision AS c5 FROM dog \
                    UNION ALL SELECT pk, NULL::text AS c0, NULL::bigint AS c1, NULL::timestamptz AS c2, \
                    NULL::boolean AS c3, NULL::text[] AS c4, depth AS c5 FROM fish) AS t1 ON t1.pk = t0.pk \
                    LEFT JOIN (SELECT pk, pride AS c0, NULL::double precision AS c1, NULL::bigint AS c2, \
                    NULL::boolean AS c3 FROM lion \
                    UNION ALL SELECT pk, NULL::text AS c0, jumps AS c1, NULL::bigint AS c2, NULL::boolean AS c3 FROM puma \
                    UNION ALL SELECT pk, NULL::text AS c0, NULL::double precision AS c1, stripes AS c2, \
                    NULL::boolean AS c3 FROM tiger \
                    UNION ALL SELECT pk, NULL::text AS c0, NULL::double precision AS c1, NULL::bigint AS c2, \
                    is_trimmed AS c3 FROM poodle) AS t2 ON t2.pk = t0.pk
                    """)
        }
    }

    @Test func aLevelBelowIsAnotherJoinAndFewTablesAreJoinedOneByOne() async throws {
        try await withZoo { store, context in
            let cats = try await context.fetch(FetchDescriptor<Cat>(sortBy: [SortDescriptor(\.name)]))
            #expect(cats.map(\.name) == ["Leo", "Paul", "Shere", "Tom"])
            #expect((cats[0] as? Lion)?.pride == "north" && (cats[2] as? Tiger)?.stripes == 100)
            let sql = try #require(store.recorder.statements.last)
            #expect(!sql.contains("UNION ALL"))
        }
    }

    @Test func predicatesOrdersPagesAndUnsavedChangesReachIntoSubclasses() async throws {
        try await withZoo { store, context in
            let loud = try await context.fetch(
                FetchDescriptor<Beast>(predicate: #Predicate { ($0 as? Dog)?.isLoud == true || $0.name == "Tom" }))
            #expect(Set(loud.map(\.name)) == ["Rex", "Tom"])
            var page = FetchDescriptor<Beast>(sortBy: [SortDescriptor(\.name)])
            page.fetchLimit = 4
            page.fetchOffset = 2
            #expect(try await context.fetch(page).map(\.name) == ["Leo", "Paul", "Pippa", "Rex"])

            let editing = ModelContext(store.container)
            let tom = try #require(
                try await editing.fetch(FetchDescriptor<Cat>(predicate: #Predicate { $0.name == "Tom" })).first)
            tom.lives = 1
            tom.name = "Thomas"
            let eel = Fish(name: "Eel")
            eel.depth = 40
            editing.insert(eel)
            let deep = try await editing.fetch(
                FetchDescriptor<Beast>(
                    predicate: #Predicate { ($0 as? Fish)?.depth ?? 0 > 10 || ($0 as? Cat)?.lives ?? 9 < 8 },
                    sortBy: [SortDescriptor(\.name)]))
            #expect(deep.map(\.name) == ["Eel", "Leo", "Thomas", "Wanda"])
            #expect((deep.last as? Fish)?.depth == 12.5 && (deep[1] as? Lion)?.coat == "gold")
        }
    }

    @Test func relationshipsKeysAndBatchesReadTheSame() async throws {
        try await withZoo { store, context in
            let keeper = try #require(try await context.fetch(FetchDescriptor<Keeper>()).first)
            try await context.load([keeper], \.beasts)
            try expectAll(keeper.beasts)
            let identifiers = keeper.beasts.map(\.persistentModelID)
            var known: [Beast] = []
            let byKeys = ModelContext(store.container)
            for identifier in identifiers {
                known.append(try #require(try await byKeys.model(for: identifier) as? Beast))
            }
            try expectAll(known)
            var streamed: [Beast] = []
            let streaming = ModelContext(store.container)
            try await streaming.enumerate(FetchDescriptor<Beast>(), batchSize: 3) { streamed.append($0) }
            try expectAll(streamed)
        }
    }

    @Test func partlyFetchedObjectsLoadTheRest() async throws {
        try await withZoo { _, context in
            var descriptor = FetchDescriptor<Beast>()
            descriptor.propertiesToFetch = [\.name]
            let beasts = try await context.fetch(descriptor)
            try expectAll(beasts)
        }
    }

    // MARK: Predicates

    private func lastSQL(_ store: ModelStore) throws -> String {
        try #require(store.recorder.statements.last).replacing("\"public\".", with: "").replacing("\"", with: "")
    }

    /// What the server does with the latest statement.
    private func plan(of sql: String, _ store: ModelStore) async throws -> String {
        let connection = try await store.database.connect()
        defer { connection.close() }
        var lines: [String] = []
        let explain = PostgresStatement(PreparedSQL("EXPLAIN (COSTS OFF) \(sql)", isCached: false))
        try await connection.run(PostgresBatch(explain) { lines.append(try $0.decode(0, as: String.self)) })
        return lines.joined(separator: "\n")
    }

    @Test func aPredicateOnASubclassUsesTheColumnOfTheLevel() async throws {
        try await withZoo { store, context in
            let loud = try await context.fetch(
                FetchDescriptor<Beast>(predicate: #Predicate { ($0 as? Dog)?.isLoud == true }))
            #expect(loud.map(\.name) == ["Rex"] && (loud.first as? Dog)?.tricks == 3)
            let sql = try lastSQL(store)
            #expect(
                sql == """
                    SELECT t0.pk, t0.class, t0.name, t0.keeper, t1.c0, t1.c1, t1.c2, t1.c3, t1.c4, t1.c5, \
                    t2.c0, t2.c1, t2.c2, t2.c3 FROM beast AS t0 \
                    LEFT JOIN (SELECT pk, song AS c0, wings AS c1, NULL::timestamptz AS c2, NULL::boolean AS c3, \
                    NULL::text[] AS c4, NULL::double precision AS c5, NULL::boolean AS d0 FROM bird \
                    UNION ALL SELECT pk, coat AS c0, lives AS c1, naps_since AS c2, NULL::boolean AS c3, \
                    NULL::text[] AS c4, NULL::double precision AS c5, NULL::boolean AS d0 FROM cat \
                    UNION ALL SELECT pk, NULL::text AS c0, tricks AS c1, NULL::timestamptz AS c2, is_loud AS c3, \
                    likes AS c4, NULL::double precision AS c5, is_loud AS d0 FROM dog \
                    UNION ALL SELECT pk, NULL::text AS c0, NULL::bigint AS c1, NULL::timestamptz AS c2, \
                    NULL::boolean AS c3, NULL::text[] AS c4, depth AS c5, NULL::boolean AS d0 FROM fish) AS t1 \
                    ON t1.pk = t0.pk \
                    LEFT JOIN (SELECT pk, pride AS c0, NULL::double precision AS c1, NULL::bigint AS c2, \
                    NULL::boolean AS c3 FROM lion \
                    UNION ALL SELECT pk, NULL::text AS c0, jumps AS c1, NULL::bigint AS c2, NULL::boolean AS c3 FROM puma \
                    UNION ALL SELECT pk, NULL::text AS c0, NULL::double precision AS c1, stripes AS c2, \
                    NULL::boolean AS c3 FROM tiger \
                    UNION ALL SELECT pk, NULL::text AS c0, NULL::double precision AS c1, NULL::bigint AS c2, \
                    is_trimmed AS c3 FROM poodle) AS t2 ON t2.pk = t0.pk \
                    WHERE t1.d0
                    """)
            // The server reads no table of the level but the one that can have such rows.
            let plan = try await plan(of: try #require(store.recorder.statements.last), store)
            #expect(plan.contains(" on dog") && !plan.contains(" on cat") && !plan.contains(" on bird"), "\(plan)")

            // What is counted is not read: there the one table is joined.
            let count = try await context.fetchCount(
                FetchDescriptor<Beast>(predicate: #Predicate { ($0 as? Dog)?.isLoud == true }))
            #expect(count == 1)
            #expect(
                try lastSQL(store)
                    == "SELECT count(*) FROM beast AS t0 LEFT JOIN dog AS t1 ON t1.pk = t0.pk WHERE t1.is_loud")
        }
    }

    @Test func columnsThatDecideShareNoPlace() async throws {
        try await withZoo { store, context in
            // A bird with two wings is no cat with two lives, and the other way round.
            let few = 2
            let birds = try await context.fetch(
                FetchDescriptor<Beast>(predicate: #Predicate { ($0 as? Bird)?.wings == few }))
            #expect(birds.map(\.name) == ["Tweety"])
            let cats = try await context.fetch(
                FetchDescriptor<Beast>(predicate: #Predicate { ($0 as? Cat)?.lives == few }))
            #expect(cats.isEmpty)
            let both = try await context.fetch(
                FetchDescriptor<Beast>(
                    predicate: #Predicate {
                        ($0 as? Cat)?.lives == 9 && ($0 as? Cat)?.coat == "grey" || ($0 as? Dog)?.tricks == 3
                            || ($0 as? Lion)?.pride == "north"
                    }, sortBy: [SortDescriptor(\.name)]))
            #expect(both.map(\.name) == ["Leo", "Paul", "Rex", "Shere", "Tom"])
            let sql = try lastSQL(store)
            #expect(
                sql.contains(
                    "WHERE (t1.d0 = $1::bigint AND t1.d1 = $2::text) OR t1.d2 = $3::bigint OR t2.d0 = $4::text"))
            #expect(sql.matches(of: /JOIN/).count == 2)
            let notLoud = try await context.fetch(
                FetchDescriptor<Beast>(
                    predicate: #Predicate { ($0 as? Dog)?.isLoud != true && ($0 as? Cat)?.napsSince == nil },
                    sortBy: [SortDescriptor(\.name)]))
            #expect(notLoud.map(\.name) == ["Any", "Flint", "Leo", "Paul", "Pippa", "Shere", "Tweety", "Wanda"])
        }
    }

    @Test func unsavedChangesDecideAndStoredValuesAreRead() async throws {
        try await withZoo { store, context in
            let rex = try #require(
                try await context.fetch(FetchDescriptor<Dog>(predicate: #Predicate { $0.name == "Rex" })).first)
            rex.tricks = 8
            let many = FetchDescriptor<Beast>(predicate: #Predicate { ($0 as? Dog)?.tricks ?? 0 > 5 })
            #expect(try await context.fetch(many).first === rex)
            #expect(rex.tricks == 8 && rex.likes == ["bone", "ball"])
            #expect(try await ModelContext(store.container).fetch(many).isEmpty)
            rex.tricks = 0
            #expect(try await context.fetch(many).isEmpty)
        }
    }

    // MARK: Partial fetches

    @Test func aPartialFetchReadsOfALevelWhatNoGetterCanDoWithout() async throws {
        try await withModelStore(
            Device.self, Phone.self, Radio.self, Lamp.self, Watch.self, FlipPhone.self, CarPhone.self, PayPhone.self,
            SmartPhone.self
        ) { store in
            let writing = ModelContext(store.container)
            let watch = Watch(name: "w", strap: .worn)
            watch.size = 42
            let pay = PayPhone(name: "p", grade: .worn, carrier: "Line")
            pay.price = 2
            let all: [Device] = [
                Device(name: "d"), Radio(name: "r", tone: .worn), Lamp(name: "l", light: .worn), watch, pay,
                SmartPhone(name: "s", screen: .worn), CarPhone(name: "c", grade: .good, carrier: "Car"),
            ]
            for device in all { writing.insert(device) }
            try await writing.save()

            let context = ModelContext(store.container)
            var names = FetchDescriptor<Device>(sortBy: [SortDescriptor(\.name)])
            names.propertiesToFetch = [\.name]
            let devices = try await context.fetch(names)
            let sql = try lastSQL(store)
            #expect(
                sql == """
                    SELECT t0.pk, t0.class, t0.name, t1.screen, t2.c0 FROM device AS t0 \
                    LEFT JOIN smart_phone AS t1 ON t1.pk = t0.pk \
                    LEFT JOIN (SELECT pk, light AS c0 FROM lamp UNION ALL SELECT pk, grade AS c0 FROM phone \
                    UNION ALL SELECT pk, tone AS c0 FROM radio UNION ALL SELECT pk, strap AS c0 FROM watch) AS t2 \
                    ON t2.pk = t0.pk ORDER BY t0.name COLLATE C ASC, t0.pk
                    """)
            #expect(devices.map(\.name) == ["c", "d", "l", "p", "r", "s", "w"])
            store.recorder.reset()
            #expect((devices[2] as? Lamp)?.light == .worn && (devices[6] as? Watch)?.strap == .worn)
            #expect((devices[3] as? Phone)?.grade == .worn && (devices[5] as? SmartPhone)?.screen == .worn)
            #expect(store.recorder.roundTrips == 0)
            #expect((devices[6] as? Watch)?.size == 42 && (devices[3] as? PayPhone)?.price == 2)
            #expect((devices[0] as? Phone)?.carrier == "Car" && devices[1].note == "new")
        }
    }

    @Test func aPartialFetchNamesPropertiesOfAClassWithALevelBelow() async throws {
        try await withModelStore(
            Device.self, Phone.self, Radio.self, Lamp.self, Watch.self, FlipPhone.self, CarPhone.self, PayPhone.self,
            SmartPhone.self
        ) { store in
            let writing = ModelContext(store.container)
            let pay = PayPhone(name: "p", grade: .worn, carrier: "Line")
            pay.price = 2
            for phone in [pay, SmartPhone(name: "s", screen: .worn)] as [Phone] { writing.insert(phone) }
            try await writing.save()

            let context = ModelContext(store.container)
            var carriers = FetchDescriptor<Phone>(
                predicate: #Predicate {
                    ($0 as? PayPhone)?.price == 2 || ($0 as? CarPhone)?.seat == "left" || $0.name == "s"
                },
                sortBy: [SortDescriptor(\.name)])
            carriers.propertiesToFetch = [\.carrier]
            let phones = try await context.fetch(carriers)
            let sql = try lastSQL(store)
            // Only one table of the level has something that must be read, so it is joined as the others are that decide.
            #expect(!sql.contains("UNION ALL"), "\(sql)")
            #expect(phones.map(\.carrier) == ["Line", "Air"])
            #expect((phones[1] as? SmartPhone)?.screen == .worn)
            #expect((phones[0] as? PayPhone)?.price == 2 && phones[1].name == "s" && phones[0].ring == 1)
        }
    }

    // MARK: Columns of another type

    struct Altered: Sendable, CustomTestStringConvertible {
        let table: String
        let column: String
        let type: String
        let property: String
        let needs: String
        var testDescription: String { "\(table).\(column) \(type)" }
    }

    @Test(arguments: [
        // The type of what is sent changes.
        Altered(table: "cat", column: "lives", type: "double precision", property: "Cat.lives", needs: "bigint"),
        Altered(table: "bird", column: "wings", type: "numeric", property: "Bird.wings", needs: "bigint"),
        Altered(table: "dog", column: "is_loud", type: "text", property: "Dog.isLoud", needs: "boolean"),
        // The server refuses the statement.
        Altered(table: "dog", column: "tricks", type: "text", property: "Dog.tricks", needs: "bigint"),
        Altered(table: "cat", column: "naps_since", type: "text", property: "Cat.napsSince", needs: "timestamptz"),
        Altered(table: "lion", column: "pride", type: "bytea", property: "Lion.pride", needs: "text"),
    ])
    func aColumnOfALevelThatHasAnotherTypeIsNamed(_ altered: Altered) async throws {
        try await withZoo { store, _ in
            let reader = ModelContext(store.container)
            let beasts = try await reader.fetch(FetchDescriptor<Beast>())
            let partial = ModelContext(store.container)
            var keepers = FetchDescriptor<Keeper>()
            let keeper = try #require(try await partial.fetch(keepers).first)
            keepers.relationshipKeyPathsForPrefetching = [\.beasts]
            let name = altered.column
            let value = altered.type == "bytea" ? "''" : altered.type == "text" ? "\(name)::text" : name
            try await store.database.execute(
                "ALTER TABLE \(altered.table) ALTER \(name) TYPE \(altered.type) USING \(value)")
            let sentence =
                "Column \(altered.table).\(name) is \(altered.type) in the database, but \(altered.property) needs "
                + "\(altered.needs)."
            func expectNamed(_ what: String, _ body: () async throws -> Void) async {
                let error = await #expect(throws: SwiftDataError.self, "\(what)") { try await body() }
                #expect(error?.code == .storeDoesNotFit, "\(what): \(String(describing: error))")
                #expect(error?.message.hasPrefix(sentence) == true, "\(what): \(String(describing: error))")
            }
            for context in [reader, ModelContext(store.container)] {
                await expectNamed("fetch") { _ = try await context.fetch(FetchDescriptor<Beast>()) }
                await expectNamed("blocking fetch") {
                    func blocking() throws { _ = try context.fetch(FetchDescriptor<Beast>()) }
                    try blocking()
                }
                await expectNamed("enumerate") { try await context.enumerate(FetchDescriptor<Beast>()) { _ in } }
                await expectNamed("prefetch") { _ = try await context.fetch(keepers) }
                await expectNamed("transaction") {
                    try await context.transaction { _ = try await context.fetch(FetchDescriptor<Beast>()) }
                }
                #expect(try await context.fetchCount(FetchDescriptor<Beast>()) == 10)
            }
            await expectNamed("refresh") { try await reader.refresh(beasts) }
            // A getter cannot throw.
            #expect(keeper.beasts.isEmpty)
            let later = await #expect(throws: SwiftDataError.self) { try await partial.save() }
            #expect(later?.code == .unfulfilledFault, "\(String(describing: later))")
            #expect(later?.message.contains(sentence) == true, "\(String(describing: later))")
            // Those below are not concerned by what stands beside them.
            if altered.table == "lion" {
                #expect(try await ModelContext(store.container).fetch(FetchDescriptor<Dog>()).count == 2)
            }
        }
    }

    /// What the catalog is asked after the server has refused.
    @Test func aColumnOfADomainOverADomainIsNotTakenForOneOfAnotherType() async throws {
        try await withZoo { store, _ in
            try await store.database.execute(
                "CREATE DOMAIN amount AS bigint", "CREATE DOMAIN small_amount AS amount CHECK (VALUE < 1000)",
                "ALTER TABLE cat ALTER lives TYPE small_amount", "ALTER TABLE bird ALTER wings TYPE amount",
                "ALTER TABLE dog ALTER tricks TYPE text USING tricks::text")
            let context = ModelContext(store.container)
            let error = await #expect(throws: SwiftDataError.self) {
                _ = try await context.fetch(FetchDescriptor<Beast>())
            }
            #expect(error?.code == .storeDoesNotFit, "\(String(describing: error))")
            #expect(error?.message.contains("dog.tricks") == true, "\(String(describing: error))")
            #expect(error?.message.contains("lives") == false, "\(String(describing: error))")
            try await store.database.execute("ALTER TABLE dog ALTER tricks TYPE small_amount USING tricks::bigint")
            try expectAll(try await ModelContext(store.container).fetch(FetchDescriptor<Beast>()))
            _ = try await store.reopened(
                Schema(
                    Beast.self, Cat.self, Dog.self, Fish.self, Bird.self, Stone.self, Lion.self, Tiger.self,
                    Puma.self, Poodle.self, Keeper.self))
        }
    }

    /// The values are those of the type that the property needs; only opening tells.
    @Test func aColumnThatTheServerBringsToTheTypeOfTheOthersIsReadAndRefusedAtOpening() async throws {
        try await withZoo { store, context in
            try await store.database.execute(
                "ALTER TABLE cat ALTER lives TYPE integer", "ALTER TABLE bird ALTER song TYPE varchar(20)",
                "ALTER TABLE fish ALTER depth TYPE real")
            try expectAll(try await context.fetch(FetchDescriptor<Beast>()))
            let opening = await #expect(throws: SwiftDataError.self) {
                try await store.reopened(
                    Schema(
                        Beast.self, Cat.self, Dog.self, Fish.self, Bird.self, Stone.self, Lion.self, Tiger.self,
                        Puma.self, Poodle.self, Keeper.self))
            }
            #expect(opening?.code == .storeDoesNotFit)
            #expect(opening?.message.contains("Cat.lives") == true, "\(String(describing: opening))")
            #expect(opening?.message.contains("Fish.depth") == true, "\(String(describing: opening))")
        }
    }
}
