import Foundation
import Logging
import Strata
import StrataClient
import StrataModelTestSupport
import StrataTestSupport
import Testing

/// Keys of several columns: of relationships and of attributes.
@Suite struct PartKeyTests {
    private typealias Purchase = Parted.Purchase
    private typealias Article = Parted.Article
    private typealias Line = Parted.Line
    private typealias Measurement = Parted.Measurement

    /// Two purchases: of tea and salt, and of tea.
    private func withPurchases(_ body: (ModelStore, ModelContext) async throws -> Void) async throws {
        try await withModelStore(of: Parted.schema) { store in
            let context = ModelContext(store.container)
            let (tea, salt) = (Article("tea", price: 3), Article("salt, \"fine\"", price: 2))
            let (first, second) = (Purchase(1), Purchase(2))
            first.lines = [Line(first, tea, quantity: 4), Line(first, salt)]
            context.insert(first)
            context.insert(second)
            context.insert(Line(second, tea, quantity: 7))
            try await context.save()
            store.recorder.reset()
            try await body(store, ModelContext(store.container))
        }
    }

    private func lines(_ context: ModelContext) async throws -> [String] {
        try await lines(context, #Predicate { _ in true })
    }

    private func lines(_ context: ModelContext, _ predicate: Predicate<Line>) async throws -> [String] {
        try await context.fetch(
            FetchDescriptor<Line>(
                predicate: predicate, sortBy: [SortDescriptor(\.purchase.number), SortDescriptor(\.article.code)])
        ).map { "\($0.purchase.number) \($0.article.code) \($0.quantity)" }
    }

    private func rows(_ store: ModelStore) async throws -> [String] {
        try await store.database.texts(
            """
            SELECT p.number || ' ' || l.article || ' ' || l.quantity FROM line l JOIN purchase p ON p.pk = l.purchase
            ORDER BY p.number, l.article
            """)
    }

    // MARK: Tables, keys and identifiers

    @Test func `the primary key has the columns of the parts, in their order`() async throws {
        try await withPurchases { store, _ in
            let constraints = try await store.database.texts(
                """
                SELECT conrelid::regclass || ': ' || pg_get_constraintdef(oid) FROM pg_constraint
                WHERE conrelid IN ('line'::regclass, 'measurement'::regclass) AND contype IN ('p', 'f') ORDER BY conname
                """)
            #expect(
                constraints == [
                    "line: FOREIGN KEY (article) REFERENCES article(code) ON DELETE RESTRICT",
                    "line: PRIMARY KEY (purchase, article)",
                    "line: FOREIGN KEY (purchase) REFERENCES purchase(pk) ON DELETE CASCADE",
                    "measurement: PRIMARY KEY (sensor, place, number)",
                ])
            // The primary key serves what asks for the purchase.
            #expect(
                try await store.database.texts(
                    "SELECT indexname FROM pg_indexes WHERE tablename = 'line' ORDER BY 1") == [
                        "line_article_idx", "line_pkey",
                    ])
        }
    }

    @Test func `what is sent names the columns, and one line one round trip`() async throws {
        try await withPurchases { store, context in
            let purchase = try #require(
                try await context.fetch(FetchDescriptor<Purchase>(sortBy: [SortDescriptor(\.number)])).first)
            let line = try await context.model(Line.self, key: purchase.persistentModelID, "tea")
            #expect(line.quantity == 4 && line.purchase === purchase)
            #expect(
                store.recorder.statements.last == """
                    SELECT (to_jsonb(t0."purchase") || to_jsonb(t0."article"))::text, t0."purchase", t0."article", t0."quantity", \
                    t0."note" FROM "public"."line" AS t0 WHERE (t0."purchase", t0."article") = \
                    (($1::text::jsonb ->> 0)::bigint, ($1::text::jsonb ->> 1))
                    """)
            store.recorder.reset()
            line.quantity = 5
            try await context.save()
            #expect(
                store.recorder.statements.contains {
                    $0.hasPrefix(
                        #"UPDATE "public"."line" AS t SET "quantity" = $2::bigint WHERE (t."purchase", t."article") = (($1::text::jsonb ->> 0)::bigint, ($1::text::jsonb ->> 1)) AND"#
                    )
                }, "\(store.recorder.statements)")
            context.delete(line)
            try await context.save()
            #expect(try await rows(store) == ["1 salt, \"fine\" 1", "2 tea 7"])
            // The index of the primary key is searched.
            for sql in [
                "INSERT INTO purchase (number) SELECT generate_series(100, 5000)",
                "INSERT INTO line (purchase, article, quantity) SELECT pk, 'tea', 1 FROM purchase WHERE number >= 100",
                "ANALYZE line",
            ] { try await store.database.execute(sql) }
            let plan = try await store.database.texts(
                """
                EXPLAIN (COSTS OFF) SELECT * FROM line AS t
                WHERE (t.purchase, t.article) IN (SELECT (k.pk::jsonb ->> 0)::bigint, (k.pk::jsonb ->> 1) FROM unnest(ARRAY['[1, "a"]']) AS k(pk))
                """)
            #expect(plan.contains { $0.contains("Index") && $0.contains("line_pkey") }, "\(plan)")
        }
    }

    @Test func `identifiers are stable from insert on, and written as the array of the parts`() async throws {
        try await withModelStore(of: Parted.schema) { store in
            let context = ModelContext(store.container)
            let sensor = try #require(UUID(uuidString: "0190163d-8694-739b-aea5-966c26f8ad91"))
            let texts = ["", "a", "o\"\\/\n\u{1}\u{7F}é", "[1, 2]", "a long, long place"]
            for (number, text) in texts.enumerated() {
                let new = Measurement(sensor, text, number - 2, value: number)
                context.insert(new)
                #expect(try await context.existingModel(Measurement.self, key: sensor, text, number - 2) === new)
            }
            let identifiers = try await context.fetch(
                FetchDescriptor<Measurement>(sortBy: [SortDescriptor(\.value)])
            ).map(\.persistentModelID)
            #expect(
                identifiers[1].description.hasSuffix(
                    "/Measurement/_~5b~220190163d-8694-739b-aea5-966c26f8ad91~22~2c~20~22a~22~2c~20-1~5d"))
            try await context.save()
            let reader = ModelContext(store.container)
            let all = try await reader.fetch(FetchDescriptor<Measurement>(sortBy: [SortDescriptor(\.value)]))
            #expect(all.map(\.persistentModelID) == identifiers && all.map(\.place) == texts)
            for (number, identifier) in identifiers.enumerated() {
                let fresh = ModelContext(store.container)
                let again = try JSONDecoder().decode(
                    PersistentIdentifier.self, from: JSONEncoder().encode(identifier))
                let found: Measurement = try #require(try await fresh.existingModel(for: again))
                #expect(found.value == number)
                #expect(
                    try PersistentIdentifier(urlPathComponent: identifier.urlPathComponent, of: Measurement.self)
                        == identifier)
                #expect(try await fresh.model(Measurement.self, key: sensor, texts[number], number - 2) === found)
            }
            #expect(try await reader.existingModel(Measurement.self, key: sensor, "a", 7) == nil)
        }
    }

    @Test func `an identifier of another form is of nobody, and parts are asked for one by one`() async throws {
        try await withPurchases { store, context in
            let identifier = try #require(try await context.fetchIdentifiers(FetchDescriptor<Line>()).first)
            let name = identifier.storeIdentifier ?? ""
            for key in ["_~5b1~5d", "_no", "_~5b1~2c~202~5d", "_~5b1~2c~22a~22~5d", "17"] {
                let wrong = try #require(PersistentIdentifier("strata:\(name)/Line/\(key)"))
                let refused = await #expect(throws: SwiftDataError.self) {
                    let _: Line? = try await context.existingModel(for: wrong)
                }
                #expect(refused?.code == .invalidIdentifier && refused?.message.contains("(bigint, text)") == true)
                #expect(throws: SwiftDataError.self) {
                    try PersistentIdentifier(urlPathComponent: wrong.urlPathComponent, of: Line.self)
                }
                #expect(try await lines(context, #Predicate { $0.persistentModelID == wrong }) == [])
            }
            for parts in [[1], [1, 2], ["tea", identifier], [identifier, "tea"]] as [[any KeyPartValue]] {
                let refused = await #expect(throws: SwiftDataError.self) {
                    if parts.count == 1 {
                        _ = try await context.existingModel(Line.self, key: parts[0])
                    } else {
                        _ = try await context.existingModel(Line.self, key: parts[0], parts[1])
                    }
                }
                #expect(
                    refused?.message.contains("a value for each of purchase, article, in this order") == true,
                    "\(String(describing: refused))")
            }
            let one = await #expect(throws: SwiftDataError.self) { _ = try await context.model(Line.self, id: 1) }
            #expect(one?.message.contains("key is of parts (#PrimaryKey), purchase, article") == true)
            let other = await #expect(throws: SwiftDataError.self) {
                _ = try await context.model(Article.self, key: "tea")
            }
            #expect(other?.message.contains("its key has one column") == true)
        }
    }

    @Test func `what cannot be such a key, or lead to one, is refused with what to do`() async throws {
        func findings(_ types: any PersistentModel.Type...) async -> String {
            do {
                _ = try await ModelContainer(
                    for: Schema(types), configurations: [ModelConfiguration(isStoredInMemoryOnly: true)])
                return "opened"
            } catch { return "\(error)" }
        }
        let cases: [(String, [String])] = [
            (
                await findings(Unparted.Optional.self),
                [
                    "Optional.target: it is part of the key and optional, and every row has a key. Remedy: declare it without ?: var target: Target",
                    "Optional.number: it is part of the key and optional",
                ]
            ),
            (
                await findings(Unparted.Typed.self),
                [
                    "Typed.rate: Double cannot be part of a key",
                    "Typed.targets: it is part of the key, and leads to many objects",
                ]
            ),
            (
                await findings(Unparted.Marked.self),
                [
                    "Marked.id: it is marked .primaryKey, and #PrimaryKey declares the key",
                    "its #Unique names the properties of its #PrimaryKey",
                ]
            ),
            (
                await findings(Unparted.Base.self, Unparted.Sub.self, Unparted.Pair.self, Unparted.Guest.self),
                [
                    "@Model(keyColumn:) names one",
                    "Sub.name: its column would be called number in the table sub, as that of the key. Remedy: give it another",
                    "Sub.pair: its column would be called pk in the table sub, as that of the key. Remedy: declare the relationship in Base, where the "
                        + "column is that of a property; or give it another",
                ]
            ),
            (
                await findings(Unparted.Pair.self, Unparted.Guest.self),
                [
                    "Pair.guests: it names the column pair, and the key of Pair is of several, one, other. Remedy: name as many, in that order",
                    "Guest.pairs: it names the columns guest, and the key of Guest is of one, pk. Remedy: name one",
                    "Guest.pairs: it names the column pair, and the key of Pair is of several, one, other. Remedy: name as many, in that order, "
                        + "at the other end, Pair.guests: @Relationship(columns:)",
                ]
            ),
            (
                await findings(Unparted.Left.self, Unparted.Right.self),
                [
                    "Left.rights: two columns of its table of pairs left_rights would be called one. Remedy: give them different names: "
                        + "@Relationship(columns:) at each end"
                ]
            ),
            (await findings(Unparted.Named.self), ["a part of its key is in the column pk"]),
        ]
        for (text, parts) in cases {
            for part in parts { #expect(text.contains(part), "\(text)") }
        }
        let both = Schema(Unkeyed.Composite.self)
        let marked = await #expect(throws: SwiftDataError.self) {
            _ = try await ModelContainer(for: both, configurations: [ModelConfiguration(isStoredInMemoryOnly: true)])
        }
        #expect(
            marked?.message.contains(#"declare #PrimaryKey<Composite>([\.first, \.second])"#) == true,
            "\(String(describing: marked))")
    }

    // MARK: New objects

    @Test func `parts come with an inverse, later in the graph, or after insert`() async throws {
        try await withModelStore(of: Parted.schema) { store in
            let context = ModelContext(store.container)
            let (tea, salt, rice) = (Article("tea"), Article("salt"), Article("rice"))
            let purchase = Purchase(1)
            let line = Line(purchase, tea)
            // Reaches the purchase and the article, which have no keys before it.
            context.insert(line)
            #expect(!line.persistentModelID.isTemporary)
            let second = Line(Purchase(9), salt, quantity: 2)
            purchase.lines.append(second)
            #expect(second.purchase === purchase)
            context.insert(second)
            #expect(try await lines(context) == ["1 salt 2", "1 tea 1"])
            context.insert(rice)
            let third = Line(purchase, rice, quantity: 3)
            context.insert(third)
            #expect(try await context.existingModel(Line.self, key: purchase.persistentModelID, "rice") === third)
            try await context.save()
            #expect(try await rows(store) == ["1 rice 3", "1 salt 2", "1 tea 1"])
            #expect(try await store.database.texts("SELECT count(*)::text FROM article") == ["3"])

            // The same key twice.
            let twin = Line(purchase, rice)
            context.insert(twin)
            let refused = await #expect(throws: SwiftDataError.self) { try await context.save() }
            #expect(refused?.message.contains("whose row another object of this context stands for") == true)
            context.rollback()
            // A part is the key from then on.
            third.article = tea
            let changed = await #expect(throws: SwiftDataError.self) { try await context.save() }
            #expect(
                changed?.message.contains("Line.article is part of the key of the object, and was changed") == true,
                "\(String(describing: changed))")
            context.rollback()
            #expect(third.article === rice)
            third.article = rice
            third.quantity = 30
            try await context.save()
            #expect(try await rows(store).first == "1 rice 30")
        }
    }

    @Test func `an object without a part is not saved`() async throws {
        try await withModelStore(of: Parted.schema) { store in
            let context = ModelContext(store.container)
            let (purchase, tea) = (Purchase(1), Article("tea"))
            let line = Line(purchase, tea)
            context.insert(line)
            try await context.save()
            let other = Line(purchase, Article("a\u{0}"))
            context.insert(other)
            let refused = await #expect(throws: SwiftDataError.self) { try await context.save() }
            #expect(refused?.code == .modelValidationFailure, "\(String(describing: refused))")
            context.rollback()
            context.insert(Measurement(UUID(), "a\u{0}", 1))
            let zero = await #expect(throws: SwiftDataError.self) { try await context.save() }
            #expect(
                zero?.message.contains("Measurement.place, which is part of its key, has no value that a row can have")
                    == true,
                "\(String(describing: zero))")
            context.rollback()
            #expect(try await store.database.texts("SELECT count(*)::text FROM line") == ["1"])
        }
    }

    @Test func `a new object with the key of a row updates it`() async throws {
        try await withPurchases { store, _ in
            let context = ModelContext(store.container)
            let purchase = try #require(
                try await context.fetch(FetchDescriptor<Purchase>(predicate: #Predicate { $0.number == 1 })).first)
            let tea = try await context.model(Article.self, id: "tea")
            let line = Line(purchase, tea, quantity: 40)
            context.insert(line)
            context.insert(Line(purchase, Article("new")))
            #expect(try await lines(context) == ["1 new 1", "1 salt, \"fine\" 1", "1 tea 40", "2 tea 7"])
            try await context.save()
            #expect(try await rows(store) == ["1 new 1", "1 salt, \"fine\" 1", "1 tea 40", "2 tea 7"])
            line.quantity = 41
            try await context.save()
            let other = ModelContext(store.container)
            other.uniquePolicy = .ignore
            let ignored = Line(
                try await other.fetch(FetchDescriptor<Purchase>(predicate: #Predicate { $0.number == 1 }))[0],
                try await other.model(Article.self, id: "tea"), quantity: 50)
            other.insert(ignored)
            try await other.save()
            #expect(ignored.quantity == 41)
            let failing = ModelContext(store.container)
            failing.uniquePolicy = .fail
            failing.insert(
                Line(
                    try await failing.fetch(FetchDescriptor<Purchase>(predicate: #Predicate { $0.number == 1 }))[0],
                    try await failing.model(Article.self, id: "tea"), quantity: 60))
            let taken = await #expect(throws: SwiftDataError.self) { try await failing.save() }
            #expect(
                taken?.code == .uniqueConstraint && taken?.message.contains("Line.purchase") == true,
                "\(String(describing: taken))")
            #expect(try await rows(store).contains("1 tea 41"))
        }
    }

    // MARK: Reading

    @Test func `predicates, orders, counts, values and groups`() async throws {
        try await withPurchases { store, context in
            #expect(try await lines(context) == ["1 salt, \"fine\" 1", "1 tea 4", "2 tea 7"])
            #expect(try await lines(context, #Predicate { $0.purchase.number == 2 }) == ["2 tea 7"])
            #expect(
                try await lines(context, #Predicate { $0.article.code == "tea" && $0.article.price > 2 }) == [
                    "1 tea 4", "2 tea 7",
                ])
            let all = try await context.fetch(FetchDescriptor<Line>())
            let (one, others) = (all[0].persistentModelID, Set(all.dropFirst().map(\.persistentModelID)))
            #expect(
                try await context.fetchCount(
                    FetchDescriptor<Line>(predicate: #Predicate { $0.persistentModelID == one })) == 1)
            #expect(
                try await context.fetchCount(
                    FetchDescriptor<Line>(predicate: #Predicate { $0.persistentModelID != one })) == 2)
            #expect(
                try await context.fetchCount(
                    FetchDescriptor<Line>(predicate: #Predicate { others.contains($0.persistentModelID) })) == 2)
            #expect(Set(try await context.fetchIdentifiers(FetchDescriptor<Line>())) == others.union([one]))
            let purchases = try await context.fetch(
                FetchDescriptor<Purchase>(
                    predicate: #Predicate { $0.lines.contains { $0.quantity > 3 && $0.article.code == "tea" } },
                    sortBy: [SortDescriptor(\.number)]))
            #expect(purchases.map(\.lines.count) == [2, 1])
            #expect(
                try await context.fetchCount(FetchDescriptor<Article>(predicate: #Predicate { $0.lines.count > 1 }))
                    == 1)
            let byKey = try await context.fetch(FetchDescriptor<Line>(sortBy: [SortDescriptor(\.persistentModelID)]))
            #expect(byKey.map(\.persistentModelID) == all.map(\.persistentModelID).sorted())
            let values = try await context.fetch(
                FetchDescriptor<Line>(sortBy: [SortDescriptor(\.quantity)]), selecting: \.persistentModelID,
                \.article.code, \.quantity)
            #expect(values.map(\.1) == ["salt, \"fine\"", "tea", "tea"] && Set(values.map(\.0)) == others.union([one]))
            let groups = try await context.fetch(
                FetchDescriptor<Line>(), selecting: .key(\.article.code), .sum(\.quantity),
                orderBy: [.forward(.key(\.article.code))])
            #expect(groups.map(\.1) == [1, 11])
            var first = FetchDescriptor<Line>(sortBy: [SortDescriptor(\.quantity, order: .reverse)])
            first.groupLimit = .first(1, ofEach: .key(\.article.code))
            #expect(try await context.fetch(first).map(\.quantity) == [7, 1])
            var prefetching = FetchDescriptor<Purchase>(sortBy: [SortDescriptor(\.number)])
            prefetching.relationshipKeyPathsForPrefetching = [\.lines]
            let reader = ModelContext(store.container)
            let prefetched = try await reader.fetch(prefetching)
            store.recorder.reset()
            #expect(prefetched.map { $0.lines.map(\.quantity).sorted() } == [[1, 4], [7]])
            #expect(store.recorder.statements.isEmpty)
            let keys = try await reader.fetch(
                Int.self, sql: "SELECT \(\Line.quantity) FROM \(Line.self) WHERE \(\Line.persistentModelID) = \(one)")
            #expect(keys == [all[0].quantity])
            let objects = try await reader.fetch(
                Line.self, sql: "SELECT \(\Line.persistentModelID) FROM \(Line.self) WHERE \(\Line.quantity) = 7")
            #expect(objects.map(\.quantity) == [7])
            var partial = FetchDescriptor<Line>(predicate: #Predicate { $0.quantity == 7 })
            partial.propertiesToFetch = [\.quantity]
            let fresh = ModelContext(store.container)
            let fault = try #require(try await fresh.fetch(partial).first)
            #expect(fault.article.code == "tea" && fault.note == nil)
        }
    }

    @Test func `pages go forth and back over all parts`() async throws {
        try await withModelStore(of: Parted.schema) { store in
            let context = ModelContext(store.container)
            let sensors = [UUID(), UUID()]
            var number = 0
            for sensor in sensors {
                for place in ["a", "b", "c, \"d\""] {
                    for count in [-1, 2, 10] {
                        context.insert(Measurement(sensor, place, count, value: number % 4))
                        number += 1
                    }
                }
            }
            try await context.save()
            for sort in [
                [], [SortDescriptor(\Measurement.value)], [SortDescriptor(\Measurement.value, order: .reverse)],
            ] {
                let descriptor = FetchDescriptor<Measurement>(sortBy: sort)
                var (seen, back): ([PersistentIdentifier], [PersistentIdentifier]) = ([], [])
                var (cursor, last): (PageCursor?, PageCursor?)
                repeat {
                    let page = try await context.fetchPage(descriptor, after: cursor, size: 4)
                    seen += page.objects.map(\.persistentModelID)
                    last = page.previous
                    cursor = try page.next.map { try PageCursor($0.text) }
                } while cursor != nil
                #expect(seen.count == 18 && Set(seen).count == 18)
                while let place = last {
                    let page = try await context.fetchPage(descriptor, before: PageCursor(place.text), size: 4)
                    back = page.objects.map(\.persistentModelID) + back
                    last = page.previous
                }
                #expect(back == seen.dropLast(seen.count - back.count) && seen.count - back.count <= 4)
            }
            store.recorder.reset()
            let page = try await context.fetchPage(FetchDescriptor<Measurement>(), after: nil, size: 5)
            _ = try await context.fetchPage(FetchDescriptor<Measurement>(), after: page.next, size: 5)
            #expect(
                store.recorder.statements.last?.contains(
                    #"WHERE (t0."sensor", t0."place" COLLATE "C", t0."number") > ($1::uuid, $2::text, $3::bigint) ORDER BY t0."sensor" ASC, t0."place" COLLATE "C" ASC, t0."number" ASC LIMIT"#
                ) == true, "\(store.recorder.statements)")
            var count = 0
            try await context.enumerate(FetchDescriptor<Measurement>(), batchSize: 4) { _ in count += 1 }
            #expect(count == 18)
            try await context.transaction {
                var descriptor = FetchDescriptor<Measurement>(predicate: #Predicate { $0.number == 2 })
                descriptor.lock = .update
                let locked = try await context.fetch(descriptor)
                #expect(locked.count == 6)
            }
        }
    }

    // MARK: Writing

    @Test func `unsaved lines, and those that go, take part in fetches`() async throws {
        try await withPurchases { store, context in
            let first = try #require(
                try await context.fetch(FetchDescriptor<Purchase>(predicate: #Predicate { $0.number == 1 })).first)
            let rice = Article("rice", price: 9)
            context.insert(Line(first, rice, quantity: 2))
            let tea = try await context.model(Line.self, key: first.persistentModelID, "tea")
            tea.quantity = 100
            #expect(try await lines(context, #Predicate { $0.quantity > 1 }) == ["1 rice 2", "1 tea 100", "2 tea 7"])
            #expect(
                try await lines(context, #Predicate { $0.purchase.number == 1 && $0.article.price == 9 }) == [
                    "1 rice 2"
                ])
            let identifier = tea.persistentModelID
            #expect(
                try await lines(context, #Predicate { $0.persistentModelID == identifier && $0.quantity == 100 }) == [
                    "1 tea 100"
                ])
            context.delete(first)
            #expect(try await lines(context) == ["2 tea 7"])
            try await context.save()
            #expect(try await rows(store) == ["2 tea 7"])
            // What has lines does not go.
            context.delete(try await context.model(Article.self, id: "tea"))
            let denied = await #expect(throws: SwiftDataError.self) { try await context.save() }
            #expect(denied?.code == .deleteDenied, "\(String(describing: denied))")
            context.rollback()
            #expect(try await rows(store) == ["2 tea 7"])
        }
    }

    @Test func `a purchase takes its lines along, in memory or not`() async throws {
        try await withPurchases { store, context in
            let line = try #require(
                try await context.fetch(FetchDescriptor<Line>(predicate: #Predicate { $0.quantity == 4 })).first)
            let loaded = ModelContext(store.container)
            loaded.delete(
                try await loaded.fetch(FetchDescriptor<Purchase>(predicate: #Predicate { $0.number == 1 }))[0])
            try await loaded.save()
            #expect(try await rows(store) == ["2 tea 7"])
            line.quantity = 8
            let gone = await #expect(throws: SwiftDataError.self) { try await context.save() }
            #expect(gone?.code == .modelNotFound && gone?.identifiers == [line.persistentModelID])
            context.rollback()
            try context.delete(model: Line.self, where: #Predicate { $0.article.code == "tea" })
            #expect(try await context.fetchCount(FetchDescriptor<Line>()) == 0)
            try await context.save()
            #expect(try await rows(store) == [])
        }
    }

    @Test func `conflicts are found, and each policy does what it says`() async throws {
        try await withPurchases { store, _ in
            for (policy, expected) in [(ConflictPolicy.throw, 10), (.overwrite, 20), (.keepStore, 10)] {
                let context = ModelContext(store.container)
                context.conflictPolicy = policy
                let all = try await context.fetch(
                    FetchDescriptor<Line>(predicate: #Predicate { $0.article.code == "tea" }))
                try await store.database.execute("UPDATE line SET quantity = 10 WHERE article = 'tea'")
                for line in all { line.quantity = 20 }
                if policy == .throw {
                    let conflict = await #expect(throws: SwiftDataError.self) { try await context.save() }
                    #expect(
                        conflict?.code == .conflict
                            && Set(conflict?.identifiers ?? []) == Set(all.map(\.persistentModelID)))
                    context.rollback()
                } else {
                    try await context.save()
                }
                #expect(
                    try await store.database.texts("SELECT DISTINCT quantity::text FROM line WHERE article = 'tea'")
                        == ["\(expected)"])
                try await store.database.execute("UPDATE line SET quantity = 4 WHERE article = 'tea'")
            }
        }
    }

    @Test func `updates by predicate and rows without objects`() async throws {
        try await withPurchases { store, context in
            let known = try await context.fetch(
                FetchDescriptor<Line>(predicate: #Predicate { $0.article.code == "tea" }))
            try context.update(
                model: Line.self, where: #Predicate { $0.article.code == "tea" }, .set(\.quantity, to: 50))
            let pending = FetchDescriptor<Line>(predicate: #Predicate { $0.quantity == 50 })
            #expect(try await context.fetchCount(pending) == 2)
            try await context.save()
            #expect(known.allSatisfy { $0.quantity == 50 })
            let refused = #expect(throws: SwiftDataError.self) {
                try context.update(model: Measurement.self, .set(\.number, to: 3))
            }
            #expect(refused?.message.contains("Measurement.number is part of the key of the objects") == true)
            let purchase = try await context.fetch(FetchDescriptor<Purchase>(predicate: #Predicate { $0.number == 2 }))[
                0]
            let result = try await context.insert(
                into: Line.self, \.purchase.persistentModelID, \.article.persistentModelID, \.quantity,
                rows: try await context.fetch(FetchDescriptor<Article>(sortBy: [SortDescriptor(\.code)])).map {
                    (purchase.persistentModelID, $0.persistentModelID, 60)
                }, reportsIdentifiers: true)
            #expect(try await rows(store) == ["1 salt, \"fine\" 1", "1 tea 50", "2 salt, \"fine\" 60", "2 tea 60"])
            let found: Line? = try await context.existingModel(for: try #require(result.identifiers?.first))
            #expect(found?.purchase === purchase && found?.quantity == 60)
            let sensor = UUID()
            try await context.insert(
                into: Measurement.self, \.sensor, \.place, \.number, \.value,
                rows: [(sensor, "x", 1, 5), (sensor, "y", 1, 6), (sensor, "x", 1, 7)])
            #expect(
                try await store.database.texts("SELECT place || value FROM measurement ORDER BY 1") == ["x7", "y6"])
        }
    }

    @Test func `undo, rollback and a transaction that fails`() async throws {
        try await withPurchases { store, context in
            let undo = ModelUndoManager()
            context.undoManager = undo
            let first = try #require(
                try await context.fetch(FetchDescriptor<Purchase>(predicate: #Predicate { $0.number == 1 })).first)
            let identifiers = Set(first.lines.map(\.persistentModelID))
            context.delete(first)
            try await context.save()
            #expect(try await rows(store) == ["2 tea 7"])
            undo.undo()
            try await context.save()
            #expect(try await rows(store) == ["1 salt, \"fine\" 1", "1 tea 4", "2 tea 7"])
            #expect(Set(first.lines.map(\.persistentModelID)) == identifiers)
            undo.redo()
            try await context.save()
            #expect(try await rows(store) == ["2 tea 7"])
            context.undoManager = nil
            let line = try await context.fetch(FetchDescriptor<Line>())[0]
            struct Stop: Error {}
            await #expect(throws: Stop.self) {
                try await context.transaction {
                    line.quantity = 70
                    context.insert(Line(line.purchase, Article("rice")))
                    try await context.save()
                    context.delete(line)
                    try await context.save()
                    throw Stop()
                }
            }
            #expect(try await rows(store) == ["2 tea 7"])
            line.quantity = 71
            context.rollback()
            #expect(line.quantity == 7)
            try await store.database.execute("UPDATE line SET quantity = 72")
            try await context.refresh([line])
            #expect(line.quantity == 72)
        }
    }

    @Test(arguments: [true, false]) func `a bulk deletion and a new object with the key of what it took`(isLoaded: Bool)
        async throws
    {
        try await withPurchases { store, context in
            let purchase = try await context.fetch(FetchDescriptor<Purchase>(predicate: #Predicate { $0.number == 1 }))[
                0]
            let old = isLoaded ? purchase.lines : []
            #expect(old.count == (isLoaded ? 2 : 0))
            try context.delete(model: Line.self, where: #Predicate { $0.purchase.number == 1 })
            guard !isLoaded else {
                // One of them is in memory: it goes first.
                try await context.save()
                #expect(purchase.lines.isEmpty)
                return
            }
            let line = Line(purchase, try await context.model(Article.self, id: "tea"), quantity: 9)
            context.insert(line)
            #expect(try await context.fetchCount(FetchDescriptor<Line>()) == 2)
            try await context.save()
            #expect(try await rows(store) == ["1 tea 9", "2 tea 7"])
            #expect(line.modelContext != nil && purchase.lines == [line])
            line.quantity = 10
            try await context.save()
            #expect(try await rows(store) == ["1 tea 10", "2 tea 7"])
            // The same of a key that is one text.
            let fresh = ModelContext(store.container)
            try fresh.delete(model: Line.self)
            try fresh.delete(model: Article.self)
            let tea = Article("tea", price: 8)
            fresh.insert(tea)
            try await fresh.save()
            tea.price = 9
            try await fresh.save()
            #expect(try await store.database.texts("SELECT code || ' ' || price FROM article") == ["tea 9"])
        }
    }

    @Test func `what is left out for its key is said by the save that leaves it out`() async throws {
        try await withModelStore(of: Parted.schema) { store in
            let context = ModelContext(store.container)
            let sensor = UUID()
            context.insert(Measurement(sensor, "x", 1, value: 1))
            let second = Measurement(sensor, "a\u{0}", 1, value: 2)
            context.insert(second)
            second.place = "x"
            // A fetch leaves it alone.
            #expect(try await context.fetchCount(FetchDescriptor<Measurement>()) == 1)
            #expect(second.modelContext != nil)
            let refused = await #expect(throws: SwiftDataError.self) { try await context.save() }
            #expect(refused?.code == .foreignObject)
            #expect(try await store.database.texts("SELECT count(*)::text FROM measurement") == ["0"])
            try await context.save()
            #expect(try await store.database.texts("SELECT value::text FROM measurement") == ["1"])
        }
    }

    @Test func `a list that a new object stands in is read again behind a rollback`() async throws {
        try await withPurchases { store, context in
            let purchase = try await context.fetch(FetchDescriptor<Purchase>(predicate: #Predicate { $0.number == 1 }))[
                0]
            let tea = try await context.model(Article.self, id: "tea")
            context.insert(Line(purchase, tea, quantity: 40))
            #expect(purchase.lines.map(\.quantity).sorted() == [1, 40])
            context.rollback()
            #expect(purchase.lines.map(\.quantity).sorted() == [1, 4])
            let line = try #require(purchase.lines.first { $0.quantity == 4 })
            line.quantity = 5
            try await context.save()
            #expect(try await rows(store).contains("1 tea 5"))
        }
    }

    @Test func `a unique value beside the key never makes two keys one`() async throws {
        try await withModelStore(of: Parted.schema) { store in
            let context = ModelContext(store.container)
            for row in [10, 9, 2] { context.insert(Parted.Ticket(row, "a", "s\(row)")) }
            try await context.save()
            // As the server orders the columns.
            #expect(
                try await store.database.texts("SELECT \"row\"::text FROM ticket ORDER BY ctid") == ["2", "9", "10"])
            context.insert(Parted.Ticket(3, "b", "s9"))
            let other = await #expect(throws: SwiftDataError.self) { try await context.save() }
            #expect(
                other?.code == .uniqueConstraint && other?.message.contains("of an object with another key") == true,
                "\(String(describing: other))")
            context.rollback()
            for rows in [[(3, "b", "s9")], [(4, "b", "t"), (5, "b", "t")]] {
                let refused = await #expect(throws: SwiftDataError.self) {
                    try await context.insert(into: Parted.Ticket.self, \.row, \.seat, \.serial, rows: rows)
                }
                #expect(
                    refused?.code == .uniqueConstraint
                        && refused?.message.contains("of an object with another key") == true,
                    "\(String(describing: refused))")
            }
            try await context.insert(
                into: Parted.Ticket.self, \.row, \.seat, \.serial, rows: [(9, "a", "u"), (3, "c", "s9")])
            #expect(
                try await store.database.texts("SELECT \"row\" || seat || ' ' || serial FROM ticket ORDER BY \"row\"")
                    == [
                        "2a s2", "3c s9", "9a u", "10a s10",
                    ])
        }
    }

    @Test func `partners and lists without an inverse`() async throws {
        try await withPurchases { store, context in
            let first = try await context.fetch(FetchDescriptor<Purchase>(predicate: #Predicate { $0.number == 1 }))[0]
            first.seal = Parted.Seal(first, 7, "red")
            first.tickets = [Parted.Ticket(1, "a", "1a"), Parted.Ticket(1, "b", "1b")]
            try await context.save()
            let reader = ModelContext(store.container)
            let again = try await reader.fetch(
                FetchDescriptor<Purchase>(predicate: #Predicate { $0.seal?.text == "red" }))
            #expect(again.map(\.number) == [1] && again[0].seal?.number == 7)
            #expect(
                try await reader.fetchCount(FetchDescriptor<Purchase>(predicate: #Predicate { $0.seal == nil })) == 1)
            #expect(Set(again[0].tickets.map(\.serial)) == ["1a", "1b"])
            again[0].tickets.removeAll { $0.serial == "1a" }
            try await reader.save()
            #expect(
                try await store.database.texts("SELECT serial FROM ticket WHERE purchase_tickets IS NOT NULL") == ["1b"]
            )
            reader.delete(again[0])
            try await reader.save()
            #expect(try await store.database.texts("SELECT count(*)::text FROM seal") == ["0"])
        }
    }

    @Test func `many unsaved objects take part in a fetch`() async throws {
        try await withModelStore(of: Parted.schema) { store in
            let context = ModelContext(store.container)
            let sensor = UUID()
            for number in 0..<130 { context.insert(Measurement(sensor, "p\(number % 7)", number, value: 1)) }
            try await context.save()
            for measurement in try await context.fetch(FetchDescriptor<Measurement>()) { measurement.value = 2 }
            for number in 130..<260 { context.insert(Measurement(sensor, "p\(number % 7)", number, value: 3)) }
            let changed = FetchDescriptor<Measurement>(predicate: #Predicate { $0.value == 2 && $0.number >= 100 })
            #expect(try await context.fetchCount(changed) == 30)
            #expect(
                try await context.fetchCount(FetchDescriptor<Measurement>(predicate: #Predicate { $0.value > 1 }))
                    == 260)
            try await context.save()
            #expect(try await store.database.texts("SELECT count(*)::text FROM measurement WHERE value > 1") == ["260"])
        }
    }

    // MARK: History and observers

    @Test func `the history has the array of the parts, and other contexts follow`() async throws {
        try await withPurchases { store, context in
            let follower = ModelContext(store.container)
            let known = try await follower.fetch(FetchDescriptor<Line>())
            let token = try #require(
                try await context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>()).last
            ).token
            for line in try await context.fetch(FetchDescriptor<Line>()) { line.quantity += 10 }
            try await context.save()
            try await store.database.execute("UPDATE line SET quantity = quantity + 1, note = 'seen'")
            let history = try await context.fetchHistory(
                HistoryDescriptor<DefaultHistoryTransaction>(predicate: #Predicate { $0.token > token }))
            #expect(history.count == 2)
            for transaction in history {
                #expect(
                    Set(transaction.changes.map(\.changedPersistentIdentifier)) == Set(known.map(\.persistentModelID)))
            }
            _ = try await follower.mergeHistory(after: token)
            #expect(known.map(\.quantity).sorted() == [12, 15, 18])
            let identifier = known[0].persistentModelID
            let about = try await context.fetchHistory(
                HistoryDescriptor<DefaultHistoryTransaction>(
                    predicate: #Predicate {
                        $0.token > token && $0.changes.contains { $0.changedPersistentIdentifier == identifier }
                    }))
            #expect(about.count == 2)
            #expect(
                try await store.database.texts(
                    """
                    SELECT DISTINCT jsonb_typeof(c.tomb -> 'key') || ' ' || (c.tomb -> 'key' ->> 1) FROM strata.history_change c
                    JOIN strata.history_entity e ON e.id = c.entity WHERE e.name = 'Line' ORDER BY 1
                    """) == ["array salt, \"fine\"", "array tea"])
            let reader = ModelContext(store.container)
            reader.delete(
                try await reader.fetch(
                    FetchDescriptor<Line>(predicate: #Predicate { $0.persistentModelID == identifier }))[0])
            try await reader.save()
            let last = try #require(try await context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>()).last)
            guard case .delete(let left as DefaultHistoryDelete<Parted.Line>)? = last.changes.first else {
                Issue.record("no deletion: \(last)")
                return
            }
            #expect(left.changedPersistentIdentifier == identifier && left.tombstone[\.note] as? String == "seen")
        }
    }

    @Test(.timeLimit(.minutes(1))) func `results that are observed follow`() async throws {
        try await withPurchases { store, context in
            let descriptor = FetchDescriptor<Line>(sortBy: [SortDescriptor(\.quantity)])
            var results: [[Int]] = []
            for try await found in store.container.results(of: descriptor) {
                results.append(found.map(\.quantity))
                guard results.count == 1 else { break }
                let all = try await context.fetch(descriptor)
                all[0].quantity = 90
                context.insert(Line(all[0].purchase, Article("rice"), quantity: 3))
                try await context.save()
            }
            #expect(results == [[1, 4, 7], [3, 4, 7, 90]])
        }
    }
}
