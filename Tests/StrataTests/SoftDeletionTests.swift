import Foundation
import Strata
import StrataClient
import StrataModelTestSupport
import StrataTestSupport
import Testing

private typealias Journey = Bin.Journey
private typealias GuidedJourney = Bin.GuidedJourney
private typealias Stage = Bin.Stage
private typealias Meal = Bin.Meal
private typealias Bill = Bin.Bill
private typealias Tag = Bin.Tag
private typealias Review = Bin.Review
private typealias Agency = Bin.Agency
private typealias Folder = Bin.Folder

/// Objects that are deleted by a date: who finds them, what goes with them, and how they come back.
@Suite struct SoftDeletionTests {
    private func withJourneys(_ body: (ModelStore, ModelContext) async throws -> Void) async throws {
        try await withModelStore(of: Schema(Bin.all)) { store in try await body(store, ModelContext(store.container)) }
    }

    /// Journeys "a" with three stages and two tags, "b" with one stage, and the guided "g".
    private func fill(_ context: ModelContext) async throws {
        let (a, b, g) = (Journey("a", price: 1), Journey("b", price: 2), GuidedJourney("g", guide: "Ann"))
        g.price = 4
        a.stages = [Stage("a1", length: 1), Stage("a2", length: 2), Stage("a3", length: 4)]
        a.stages[0].meals = [Meal("soup")]
        b.stages = [Stage("b1", length: 8)]
        let tags = [Tag("far"), Tag("near")]
        (a.tags, b.tags, g.tags) = (tags, [tags[0]], [tags[1]])
        for journey in [a, b, g] { context.insert(journey) }
        context.insert(Review("good", of: a))
        try await context.save()
    }

    private func journey(_ code: String, _ context: ModelContext, includeDeleted: Bool = false) async throws -> Journey
    {
        var descriptor = FetchDescriptor<Journey>(predicate: #Predicate { $0.code == code })
        descriptor.includeDeleted = includeDeleted
        return try #require(try await context.fetch(descriptor).first)
    }

    private func codes(_ context: ModelContext, includeDeleted: Bool = false) async throws -> [String] {
        var descriptor = FetchDescriptor<Journey>(sortBy: [SortDescriptor(\.code)])
        descriptor.includeDeleted = includeDeleted
        return try await context.fetch(descriptor).map(\.code)
    }

    private func dated(_ store: ModelStore, _ table: String, _ name: String, _ date: String = "deleted_at") async throws
        -> [String]
    {
        try await store.database.texts(
            "SELECT \(name) FROM \(table) WHERE \(date) IS NOT NULL ORDER BY 1")
    }

    // MARK: Deleting

    @Test func `deleting an object sets its date, in an update like any other`() async throws {
        try await withJourneys { store, context in
            context.insert(Tag("x"))
            context.insert(Folder("f"))
            try await context.save()
            let folder = try #require(try await context.fetch(FetchDescriptor<Folder>()).first)
            let before = Date.now.addingTimeInterval(-0.001)
            context.delete(folder)
            #expect(folder.isDeleted && context.hasChanges && folder.modelContext === context)
            let provisional = folder.deletedAt
            #expect(try await context.fetchCount(FetchDescriptor<Folder>()) == 0)
            store.recorder.reset()
            try await context.save()
            #expect(store.recorder.roundTrips == 1)
            let texts = store.recorder.statements
            #expect(texts.contains { $0.contains("UPDATE \"public\".\"folder\"") }, "\(texts)")
            #expect(!texts.contains { $0.contains("DELETE") || $0.contains("doomed") })
            #expect(folder.isDeleted && folder.modelContext === context && !context.hasChanges)
            #expect(try #require(folder.deletedAt) >= #require(provisional) && provisional! >= before)
            #expect(try await dated(store, "folder", "title") == ["f"])

            // Once more is nothing: the date stays.
            let date = folder.deletedAt
            context.delete(folder)
            #expect(!context.hasChanges && folder.deletedAt == date)
        }
    }

    @Test func `what is edited with it is saved with it, and has the same date`() async throws {
        try await withJourneys { store, context in
            try await fill(context)
            let a = try await journey("a", context)
            a.title = "called off"
            context.delete(a)
            try await context.save()
            #expect(a.changed == a.deletedAt)
            let read = try await journey("a", ModelContext(store.container), includeDeleted: true)
            #expect((read.title, read.deletedAt, read.changed) == ("called off", a.deletedAt, a.deletedAt))
        }
    }

    // MARK: Reading

    @Test func `a fetch says who is there in its text`() async throws {
        try await withJourneys { store, context in
            store.recorder.reset()
            _ = try await context.fetch(
                FetchDescriptor<Stage>(predicate: #Predicate { $0.length > 1 || $0.name == "x" }))
            var all = FetchDescriptor<Stage>()
            all.includeDeleted = true
            _ = try await context.fetch(all)
            _ = try await context.fetchCount(FetchDescriptor<GuidedJourney>())
            _ = try await context.fetchCount(FetchDescriptor<Tag>(predicate: #Predicate { $0.journeys.count > 1 }))
            #expect(
                store.recorder.statements == [
                    """
                    SELECT t0."pk", t0."name", t0."length", t0."removed_at", t0."journey" FROM "public"."stage" AS t0 \
                    WHERE (t0."length" > $1::bigint OR t0."name" = $2::text) AND t0."removed_at" IS NULL
                    """,
                    """
                    SELECT t0."pk", t0."name", t0."length", t0."removed_at", t0."journey" FROM "public"."stage" AS t0
                    """,
                    """
                    SELECT count(*) FROM "public"."guided_journey" AS t0 JOIN "public"."journey" AS t1 ON t1."pk" = t0."pk" \
                    WHERE t1."deleted_at" IS NULL
                    """,
                    """
                    SELECT count(*) FROM "public"."tag" AS t0 WHERE (SELECT count(*) FROM "public"."journey_tags" AS t1 \
                    JOIN "public"."journey" AS t2 ON t2."pk" = t1."journey_pk" WHERE (t1."tag_pk" = t0."pk") AND t2."deleted_at" IS NULL) > $1::bigint
                    """,
                ])
        }
    }

    @Test func `nothing that reads finds what is deleted, unless it asks for it`() async throws {
        try await withJourneys { store, context in
            try await fill(context)
            context.delete(try await journey("b", context))
            context.delete(try await journey("g", context))
            try await context.save()
            let own = ModelContext(store.container)
            #expect(try await codes(own) == ["a"])
            #expect(try await codes(own, includeDeleted: true) == ["a", "b", "g"])
            var all = FetchDescriptor<Journey>(sortBy: [SortDescriptor(\.code)])
            #expect(try await own.fetchCount(all) == 1)
            #expect(try await own.fetchIdentifiers(all).count == 1)
            #expect(try await own.fetchCount(FetchDescriptor<GuidedJourney>()) == 0)
            var values: [String] = try await own.fetch(all, selecting: \.code)
            #expect(values == ["a"])
            let sums: [Int?] = try await own.fetch(all, selecting: .sum(\.price))
            #expect(sums == [1])
            var seen: [String] = []
            try await own.enumerate(all) { seen.append($0.code) }
            #expect(seen == ["a"])
            #expect(try await own.fetchPage(all).totalCount == 1)
            all.fetchLimit = 5
            all.includeDeleted = true
            #expect(try await own.fetchCount(all) == 3)
            #expect(try await own.fetchIdentifiers(all).count == 3)
            values = try await own.fetch(all, selecting: \.code)
            #expect(values == ["a", "b", "g"])
            var guided = FetchDescriptor<GuidedJourney>()
            guided.includeDeleted = true
            #expect(try await own.fetch(guided).map(\.guide) == ["Ann"])

            // Lists.
            let far = try #require(
                try await own.fetch(FetchDescriptor<Tag>(predicate: #Predicate { $0.name == "far" })).first)
            #expect(far.journeys.map(\.code) == ["a"])
            #expect(
                try await own.fetchCount(
                    FetchDescriptor<Tag>(predicate: #Predicate { $0.journeys.contains { $0.code == "b" } })) == 0)
            #expect(try await own.fetchCount(FetchDescriptor<Tag>(predicate: #Predicate { $0.journeys.isEmpty })) == 0)
            var tags = FetchDescriptor<Tag>(predicate: #Predicate { $0.journeys.count == 1 })
            tags.relationshipKeyPathsForPrefetching = [\.journeys]
            let prefetched = try await ModelContext(store.container).fetch(tags)
            let lists = prefetched.map { $0.journeys.map(\.code) }
            #expect(lists == [["a"], ["a"]])
        }
    }

    @Test func `a reference leads to what is deleted, and so does an identifier`() async throws {
        try await withJourneys { store, context in
            try await fill(context)
            let a = try await journey("a", context)
            let stage = try #require(a.stages.first { $0.name == "a3" })
            context.delete(a)
            try await context.save()
            let own = ModelContext(store.container)
            let review = try #require(try await own.fetch(FetchDescriptor<Review>()).first)
            #expect(review.journey.code == "a" && review.journey.isDeleted)
            #expect((try await own.model(for: a.persistentModelID) as? Journey)?.code == "a")
            let found = try await own.fetch(FetchDescriptor<Review>(predicate: #Predicate { $0.journey.code == "a" }))
            #expect(found.count == 1)
            // The reference is saved as it was.
            review.text = "still good"
            try await own.save()
            var stages = FetchDescriptor<Stage>(predicate: #Predicate { $0.journey?.code == "a" })
            #expect(try await own.fetchCount(stages) == 0)
            stages.includeDeleted = true
            #expect(try await own.fetchCount(stages) == 3)
            #expect(stage.journey === a)
        }
    }

    @Test func `a snapshot and a live result show what is there`() async throws {
        try await withJourneys { store, context in
            try await fill(context)
            let a = try await journey("a", context)
            context.delete(a.stages[0])
            try await context.save()
            let own = ModelContext(store.container)
            let snapshots = try await own.snapshots(of: [try await journey("a", own)], including: \.stages)
            let json = String(decoding: try JSONEncoder().encode(snapshots), as: UTF8.self)
            #expect(!json.contains("\"a1\"") && json.contains("\"a2\"") && json.contains("\"a3\""), "\(json)")

            var numbers: [[String]] = []
            let long = FetchDescriptor<Journey>(
                predicate: #Predicate { $0.stages.count > 0 }, sortBy: [SortDescriptor(\.code)])
            for try await found in store.container.results(of: long) {
                numbers.append(found.map(\.code))
                switch numbers.count {
                case 1: context.delete(try #require(try await journey("b", context).stages.first))
                case 2: context.delete(a)
                default: break
                }
                if numbers.count == 3 { break }
                try await context.save()
            }
            #expect(numbers == [["a", "b"], ["a"], []])
        }
    }

    // MARK: Delete rules

    @Test func `cascade goes on softly, over rows that are not in memory, with one date`() async throws {
        try await withJourneys { store, context in
            try await fill(context)
            try await store.database.execute("UPDATE stage SET removed_at = '2001-01-01Z' WHERE name = 'a2'")
            let own = ModelContext(store.container)
            let a = try await journey("a", own)
            own.delete(a)
            store.recorder.reset()
            try await own.save()
            #expect(store.recorder.roundTrips == 1)
            let text = try #require(store.recorder.statements.first { $0.contains("RECURSIVE") })
            let beginning = """
                WITH RECURSIVE doomed(root, pk, at) AS (SELECT 4, s.pk, r."deleted_at" FROM unnest($1::bigint[]) AS s(pk) \
                JOIN "public"."journey" AS r ON r."pk" = s.pk AND r."deleted_at" IS NOT NULL \
                UNION SELECT e.root, e.pk, d.at FROM doomed AS d CROSS JOIN LATERAL (
                """
            #expect(text.hasPrefix(beginning), "\(text)")
            #expect(
                text.contains(#"FROM "public"."stage" AS t WHERE t."removed_at" IS NULL AND d.root = 4"#), "\(text)")
            #expect(text.contains(#"UPDATE "public"."meal" AS t SET "deleted_at" = d.at FROM"#), "\(text)")
            #expect(try await dated(store, "stage", "name", "removed_at") == ["a1", "a2", "a3"])
            #expect(try await dated(store, "meal", "dish") == ["soup"])
            let dates = try await store.database.texts(
                """
                SELECT DISTINCT (j.deleted_at = s.removed_at)::text || s.name FROM journey AS j JOIN stage AS s ON s.journey = j.pk
                WHERE j.code = 'a' ORDER BY 1
                """)
            #expect(dates == ["falsea2", "truea1", "truea3"])
            // Nothing was taken apart.
            #expect(try await store.database.texts("SELECT count(*)::text FROM journey_tags") == ["4"])
        }
    }

    @Test func `objects in memory that went along say so, and have left the lists`() async throws {
        try await withJourneys { store, context in
            try await fill(context)
            let a = try await journey("a", context)
            let stages = a.stages
            let tags = try await context.fetch(FetchDescriptor<Tag>(sortBy: [SortDescriptor(\.name)]))
            #expect(tags.map { $0.journeys.count } == [2, 2])
            context.delete(a)
            try await context.save()
            #expect(stages.allSatisfy { $0.removedAt == a.deletedAt && $0.isDeleted && $0.journey === a })
            #expect(tags.map { $0.journeys.map(\.code) } == [["b"], ["g"]])
            #expect(a.stages.isEmpty && a.tags.count == 2)
            #expect(!context.hasChanges)
        }
    }

    @Test func `deny is asked of what is there`() async throws {
        try await withJourneys { store, context in
            try await fill(context)
            let b = try await journey("b", context)
            b.bills = [Bill(1)]
            try await context.save()
            let own = ModelContext(store.container)
            let copy = try await journey("b", own)
            own.delete(copy)
            await #expect {
                try await own.save()
            } throws: { error in
                let error = error as? SwiftDataError
                return error?.code == .deleteDenied && "\(error!)".contains("Journey.bills has an object that stays")
            }
            #expect(copy.isDeleted && own.hasChanges)
            #expect(try await dated(store, "journey", "code") == [])
            own.delete(try #require(try await own.fetch(FetchDescriptor<Bill>()).first))
            try await own.save()
            #expect(try await dated(store, "journey", "code") == ["b"])
            #expect(try await store.database.texts("SELECT count(journey)::text FROM bill") == ["1"])
        }
    }

    @Test func `what is deleted for good takes along for good`() async throws {
        try await withJourneys { store, context in
            let agency = Agency("x")
            agency.archives = [Folder("one"), Folder("two")]
            context.insert(agency)
            try await context.save()
            context.delete(agency.archives[0])
            try await context.save()
            context.delete(agency)
            try await context.save()
            #expect(try await store.database.texts("SELECT count(*)::text FROM folder") == ["0"])
        }
    }

    @Test func `what goes along has the date of what takes it along, and not another`() async throws {
        try await withJourneys { store, context in
            try await fill(context)
            let date = Date(timeIntervalSince1970: 978_307_200)
            let a = try await journey("a", context)
            a.deletedAt = date
            try await context.save()
            #expect(a.stages.isEmpty)
            var stages = FetchDescriptor<Stage>(predicate: #Predicate { $0.removedAt == date })
            stages.includeDeleted = true
            #expect(try await context.fetchCount(stages) == 3)
            #expect(
                try await store.database.texts("SELECT dish FROM meal WHERE deleted_at = '2001-01-01Z'") == ["soup"])
        }
    }

    @Test func `rules are followed wherever the key stands, whatever it is`() async throws {
        try await withModelStore(of: Schema([Bin.Album.self, Bin.Photo.self, Bin.Frame.self])) { store in
            let context = ModelContext(store.container)
            let (one, two) = (Bin.Album("one"), Bin.Album("two"))
            let photos = ["c", "p", "q"].map { Bin.Photo($0) }
            one.cover = photos[0]
            one.photos = [photos[1]]
            two.photos = [photos[2]]
            two.frames = [Bin.Frame(1)]
            for album in [one, two] { context.insert(album) }
            try await context.save()
            let own = ModelContext(store.container)
            for album in try await own.fetch(FetchDescriptor<Bin.Album>()) { own.delete(album) }
            await #expect {
                try await own.save()
            } throws: {
                ($0 as? SwiftDataError)?.code == .deleteDenied
                    && "\($0)".contains("Album.frames has an object that stays")
            }
            for frame in try await own.fetch(FetchDescriptor<Bin.Frame>()) { own.delete(frame) }
            try await own.save()
            #expect(try await dated(store, "photo", "code") == ["c", "p", "q"])
            #expect(try await dated(store, "album", "title") == ["one", "two"])
        }
    }

    @Test func `a partner that is deleted is shown, whatever else is unsaved`() async throws {
        try await withModelStore(of: Schema([Bin.Person.self, Bin.Passport.self])) { store in
            let context = ModelContext(store.container)
            let ann = Bin.Person("Ann")
            context.insert(Bin.Passport(1, of: ann))
            context.insert(Bin.Passport(2, of: Bin.Person("Bob")))
            try await context.save()
            let own = ModelContext(store.container)
            let passports = try await own.fetch(FetchDescriptor<Bin.Passport>(sortBy: [SortDescriptor(\.number)]))
            own.delete(passports[0])
            passports[1].number = 3
            let people = try await own.fetch(FetchDescriptor<Bin.Person>(sortBy: [SortDescriptor(\.name)]))
            #expect(people.map { $0.passport?.number } == [1, 3])
            try await own.save()
            #expect(people.map { $0.passport?.number } == [1, 3])
            #expect(people[0].passport?.isDeleted == true)
        }
    }

    /// What another session has begun, and commits when somebody waits for it.
    private func besides(
        _ statement: String, _ store: ModelStore, _ work: () async throws -> Void
    ) async throws {
        let (other, watcher) = (try await store.database.connect(), try await store.database.connect())
        defer {
            other.close()
            watcher.close()
        }
        try await other.run("BEGIN", statement)
        async let committed: Void = {
            var isWaitedFor = false
            while !isWaitedFor {
                try await watcher.run(
                    PostgresBatch(
                        PostgresStatement(
                            PreparedSQL("SELECT EXISTS (SELECT FROM pg_locks WHERE NOT granted)", isCached: false))
                    ) { isWaitedFor = try $0.decode(0, as: Bool.self) })
            }
            try await other.run("COMMIT")
        }()
        try await work()
        try await committed
    }

    @Test(.timeLimit(.minutes(1))) func `who refers to an object while it is deleted is waited for`() async throws {
        try await withJourneys { store, context in
            try await fill(context)
            let b = try await journey("b", context)
            context.delete(b)
            let bill = "INSERT INTO bill (number, journey) SELECT 1, pk FROM journey WHERE code = 'b'"
            try await besides(bill, store) {
                await #expect {
                    try await context.save()
                } throws: { ($0 as? SwiftDataError)?.code == .deleteDenied }
            }
            #expect(try await dated(store, "journey", "code") == [])
        }
    }

    // MARK: Restoring, and deleting for good

    @Test func `an object without its date is there again`() async throws {
        try await withJourneys { store, context in
            try await fill(context)
            let far = try #require(
                try await context.fetch(FetchDescriptor<Tag>(predicate: #Predicate { $0.name == "far" })).first)
            let b = try await journey("b", context)
            let date = { b.deletedAt }
            context.delete(b)
            try await context.save()
            #expect(far.journeys.map(\.code) == ["a"])
            let deletion = date()
            b.deletedAt = nil
            #expect(!b.isDeleted)
            #expect(try await codes(context) == ["a", "b", "g"])
            try await context.save()
            #expect(far.journeys.map(\.code).sorted() == ["a", "b"])
            #expect(try await codes(ModelContext(store.container)) == ["a", "b", "g"])
            // And what went with it.
            #expect(b.stages.isEmpty)
            try context.update(
                model: Stage.self, where: #Predicate { $0.journey?.code == "b" && $0.removedAt == deletion },
                includeDeleted: true, .set(\.removedAt, to: nil))
            try await context.save()
            #expect(b.stages.map(\.name) == ["b1"])
        }
    }

    @Test func `permanently means the row`() async throws {
        try await withJourneys { store, context in
            try await fill(context)
            let g = try await journey("g", context)
            context.delete(g)
            try await context.save()
            context.delete(g, permanently: true)
            context.delete(try await journey("b", context), permanently: true)
            try await context.save()
            #expect(g.modelContext == nil)
            #expect(try await codes(context, includeDeleted: true) == ["a"])
            #expect(try await store.database.texts("SELECT name FROM stage ORDER BY 1") == ["a1", "a2", "a3"])
        }
    }

    @Test func `a deletion by predicate gives dates, and what is long deleted can be deleted for good`() async throws {
        try await withJourneys { store, context in
            try await fill(context)
            let a = try await journey("a", context)
            let stages = a.stages
            let b = try await journey("b", context)
            b.title = "edited"
            try context.delete(model: Journey.self, where: #Predicate { $0.price < 4 })
            #expect(try await codes(context) == ["g"])
            #expect(try await codes(context, includeDeleted: true) == ["a", "b", "g"])
            #expect(try await context.fetchCount(FetchDescriptor<Stage>()) == 0)
            try await context.save()
            #expect(try await codes(context) == ["g"])
            #expect(a.isDeleted && a.deletedAt != nil && a.deletedAt == stages[0].removedAt && a.changed == a.deletedAt)
            #expect(b.title == "edited" && a.stages.isEmpty)
            #expect(try await dated(store, "stage", "name", "removed_at") == ["a1", "a2", "a3", "b1"])

            try await store.database.execute("UPDATE journey SET deleted_at = '2001-01-01Z' WHERE code = 'b'")
            let limit = Date.now.addingTimeInterval(-30 * 24 * 3600)
            let own = ModelContext(store.container)
            try own.delete(
                model: Journey.self, where: #Predicate { $0.deletedAt.flatMap { $0 < limit } ?? false },
                permanently: true)
            try await own.save()
            #expect(try await codes(own, includeDeleted: true) == ["a", "g"])
            #expect(try await store.database.texts("SELECT name FROM stage ORDER BY 1") == ["a1", "a2", "a3"])
        }
    }

    @Test func `updates by predicate leave out what is deleted, and delete nothing`() async throws {
        try await withJourneys { store, context in
            try await fill(context)
            context.delete(try await journey("b", context))
            try await context.save()
            let update = try context.update(model: Journey.self, .add(10, to: \.price))
            let every = try context.update(model: Journey.self, includeDeleted: true, .set(\.title, to: "x"))
            try await context.save()
            #expect((update.count, every.count) == (2, 3))
            #expect(
                try await store.database.texts("SELECT code || price || title FROM journey ORDER BY 1") == [
                    "a11x", "b2x", "g14x",
                ])
            #expect {
                try context.update(model: Journey.self, .set(\.deletedAt, to: .now))
            } throws: { error in
                (error as? SwiftDataError)?.code == .unsupportedKeyPath
                    && "\(error)".contains(
                        "an update by predicate sets it to nil only, which restores them. Call delete(model:where:).")
            }
        }
    }

    // MARK: Unsaved

    @Test func `queries before the save find what they find after it`() async throws {
        try await withJourneys { store, context in
            try await fill(context)
            let a = try await journey("a", context)
            context.delete(a)
            let b = try await journey("b", context)
            b.deletedAt = .now
            func found() async throws -> [[String]] {
                var stages = FetchDescriptor<Stage>(sortBy: [SortDescriptor(\.name)])
                var meals = FetchDescriptor<Meal>()
                var result = [
                    try await codes(context), try await codes(context, includeDeleted: true),
                    try await context.fetch(stages).map(\.name), try await context.fetch(meals).map(\.dish),
                    try await context.fetch(FetchDescriptor<Tag>(predicate: #Predicate { $0.journeys.count == 1 }))
                        .map(\.name),
                    ["\(try await context.fetchCount(FetchDescriptor<Journey>()))"],
                ]
                (stages.includeDeleted, meals.includeDeleted) = (true, true)
                stages.predicate = #Predicate { $0.removedAt != nil }
                result += [
                    try await context.fetch(stages).map(\.name), try await context.fetch(meals).map(\.dish),
                ]
                return result
            }
            let before = try await found()
            #expect(
                before == [
                    ["g"], ["a", "b", "g"], [], [], ["near"], ["1"], ["a1", "a2", "a3", "b1"], ["soup"],
                ])
            try await context.save()
            #expect(try await found() == before)
        }
    }

    @Test func `rollback, a failed transaction and an undo bring an object back`() async throws {
        try await withJourneys { store, context in
            try await fill(context)
            context.undoManager = ModelUndoManager()
            let b = try await journey("b", context)
            let stage = try #require(b.stages.first)
            context.delete(b)
            context.rollback()
            #expect(!b.isDeleted && b.deletedAt == nil && !context.hasChanges)

            context.delete(b)
            context.undoManager?.undo()
            #expect(!b.isDeleted && !context.hasChanges)

            struct Failure: Error {}
            await #expect(throws: Failure.self) {
                try await context.transaction {
                    context.delete(b)
                    try await context.save()
                    throw Failure()
                }
            }
            #expect(try await dated(store, "journey", "code") == [])
            #expect(b.deletedAt == nil && b.stages.map(\.name) == ["b1"])

            context.delete(b)
            try await context.save()
            #expect(try await dated(store, "journey", "code") == ["b"])
            #expect(try await dated(store, "stage", "name", "removed_at") == ["b1"])
            #expect(stage.isDeleted && b.stages.isEmpty)
            context.undoManager?.undo()
            #expect(!b.isDeleted && !stage.isDeleted)
            try await context.save()
            #expect(try await dated(store, "journey", "code") == [])
            #expect(try await dated(store, "stage", "name", "removed_at") == [])
            #expect(b.stages.map(\.name) == ["b1"])
        }
    }

    @Test func `a deletion is in conflict as any edit, and a save that fails takes its date back`() async throws {
        try await withJourneys { store, context in
            try await fill(context)
            let (one, two) = (ModelContext(store.container), ModelContext(store.container))
            let (first, second) = (try await journey("b", one), try await journey("b", two))
            one.delete(first)
            two.delete(second)
            let provisional = second.deletedAt
            try await one.save()
            await #expect {
                try await two.save()
            } throws: { error in
                let error = error as? SwiftDataError
                return error?.code == .conflict && error?.conflicts.map(\.qualifiedName) == ["Journey.deletedAt"]
            }
            #expect(second.deletedAt == provisional)
            two.conflictPolicy = .keepStore
            try await two.save()
            // The database won, and is asked for its date.
            #expect(second.isDeleted)
            #expect(second.deletedAt == first.deletedAt)
        }
    }

    // MARK: Unique values, history, rules

    @Test func `an upsert brings back the row that it finds`() async throws {
        try await withJourneys { store, context in
            try await fill(context)
            for code in ["a", "b", "g"] { context.delete(try await journey(code, context)) }
            try await context.save()
            let own = ModelContext(store.container)
            own.uniquePolicy = .fail
            own.insert(Journey("a"))
            await #expect { try await own.save() } throws: { ($0 as? SwiftDataError)?.code == .uniqueConstraint }
            own.uniquePolicy = .upsert
            let far = try #require(
                try await own.fetch(FetchDescriptor<Tag>(predicate: #Predicate { $0.name == "far" })).first)
            #expect(far.journeys.isEmpty)
            try await own.save()
            #expect(try await codes(own) == ["a"])
            #expect(far.journeys.map(\.code) == ["a"])
            let named = ModelContext(store.container)
            named.uniquePolicy = .upsert(updating: \Journey.title)
            named.insert(Journey("b", "back"))
            try await named.save()
            #expect(try await codes(named) == ["a", "b"])
            try await named.insert(
                into: Journey.self, \.code, \.title, rows: [("a", "AA"), ("c", "C")], uniquePolicy: .upsert)
            #expect(try await codes(named) == ["a", "b", "c"])
            context.delete(try await journey("a", context))
            try await context.save()
            try await named.insert(into: Journey.self, \.code, \.title, rows: [("a", "AA")], uniquePolicy: .upsert)
            #expect(try await codes(ModelContext(store.container)) == ["a", "b", "c"])
        }
    }

    @Test func `the history has an update of the date`() async throws {
        try await withJourneys { store, context in
            try await fill(context)
            let token = context.historyToken
            context.delete(try await journey("b", context))
            try await context.save()
            let transactions = try await context.fetchHistory(
                HistoryDescriptor<DefaultHistoryTransaction>(
                    predicate: token.map { token in #Predicate { $0.token > token } }))
            let changes = transactions.flatMap(\.changes)
            #expect(changes.count == 2)
            var names: [String] = []
            for change in changes {
                guard case .update(let update) = change else {
                    Issue.record("\(change)")
                    continue
                }
                names.append(update.updatedPropertyNames.sorted().joined(separator: ","))
            }
            #expect(names.sorted() == ["changed,deletedAt", "removedAt"])
        }
    }

    @Test func `what cannot be is refused, with what to do`() async throws {
        func finding(_ types: any PersistentModel.Type...) async -> String {
            do {
                _ = try await ModelContainer(
                    for: Schema(types), configurations: [ModelConfiguration(isStoredInMemoryOnly: true)])
                return "opened"
            } catch { return "\(error)" }
        }
        #expect(
            await finding(Refused.Word.self).contains(
                "Word.gone: it is marked .deletionDate, and an object that is there has none"))
        #expect(
            await finding(Refused.Base.self, Refused.Special.self).contains("declare it in Base"))
        #expect(await finding(Refused.Twice.self).contains("and so is gone: an object is deleted once"))
        #expect(await finding(Refused.Both.self).contains(".deletionDate and .modificationDate"))
        #expect(await finding(Refused.Unique.self).contains("and is unique: rows that are there have NULL"))
        #expect(
            await finding(Refused.Owner.self, Refused.Part.self).contains(
                "Owner.parts: a Owner is deleted softly, and the rule .cascade would delete each Part for good"))
        #expect(
            await finding(Refused.Team.self, Refused.Member.self).contains(
                "Team.members: a Member is deleted softly, and minimumModelCount and maximumModelCount count rows"))
    }
}

private enum Refused {
    @Model final class Word { @Attribute(.deletionDate) var gone: String? }
    @Model class Base { var name: String = "" }
    @Model final class Special: Base { @Attribute(.deletionDate) var gone: Date? }
    @Model final class Twice {
        @Attribute(.deletionDate) var gone: Date?
        @Attribute(.deletionDate) var left: Date?
    }
    @Model final class Both { @Attribute(.deletionDate, .modificationDate) var gone: Date? }
    @Model final class Unique {
        #Unique<Unique>([\.name, \.gone])
        var name: String = ""
        @Attribute(.deletionDate) var gone: Date?
    }
    @Model final class Owner {
        @Attribute(.deletionDate) var gone: Date?
        @Relationship(deleteRule: .cascade, inverse: \Part.owner) var parts: [Part] = []
    }
    @Model final class Part { var owner: Owner? }
    @Model final class Team {
        @Relationship(maximumModelCount: 3, inverse: \Member.team) var members: [Member] = []
    }
    @Model final class Member {
        @Attribute(.deletionDate) var gone: Date?
        var team: Team?
    }
}
