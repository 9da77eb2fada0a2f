import Foundation
import Strata
import StrataClient
import StrataModelTestSupport
import StrataTestSupport
import Testing

/// Relationships that lead to objects with a key of several columns, by a foreign key of as many.
@Suite struct ReferredPartTests {
    private typealias Purchase = Referred.Purchase
    private typealias Article = Referred.Article
    private typealias Line = Referred.Line
    private typealias Remark = Referred.Remark
    private typealias Refund = Referred.Refund
    private typealias Label = Referred.Label
    private typealias Photo = Referred.Photo

    /// A purchase of tea and salt, with remarks on the tea, a refund, a label and photos of it.
    private func withPurchase(_ body: (ModelStore, ModelContext) async throws -> Void) async throws {
        try await withModelStore(of: Referred.schema) { store in
            let context = ModelContext(store.container)
            let purchase = Purchase(1)
            let (tea, salt) = (Line(purchase, Article("tea"), quantity: 4), Line(purchase, Article("salt, \"fine\"")))
            context.insert(Remark("late", tea))
            context.insert(Remark("wet", tea))
            context.insert(Remark("good", salt))
            context.insert(Refund(purchase, 1, tea))
            context.insert(Refund(purchase, 2))
            tea.label = Label("fragile")
            tea.photos = [Photo("front"), Photo("back")]
            salt.substitute = tea
            tea.substitute = salt
            try await context.save()
            store.recorder.reset()
            try await body(store, ModelContext(store.container))
        }
    }

    private func line(_ context: ModelContext, _ code: String) async throws -> Line {
        try #require(
            try await context.fetch(FetchDescriptor<Line>(predicate: #Predicate { $0.article.code == code })).first)
    }

    private func remarks(_ context: ModelContext) async throws -> [String] {
        try await context.fetch(FetchDescriptor<Remark>(sortBy: [SortDescriptor(\.text)]))
            .map { "\($0.text) \($0.line.article.code)" }
    }

    private func stored(_ store: ModelStore) async throws -> [String] {
        try await store.database.texts("SELECT text || ' ' || line_article FROM remark ORDER BY text")
    }

    // MARK: Tables

    @Test func `foreign keys have as many columns, and what is shared is not emptied`() async throws {
        try await withPurchase { store, _ in
            let constraints = try await store.database.texts(
                """
                SELECT conrelid::regclass || ': ' || pg_get_constraintdef(oid) FROM pg_constraint
                WHERE contype IN ('p', 'f', 'c', 'u') AND connamespace = 'public'::regnamespace
                    AND conrelid::regclass::text IN ('remark', 'refund', 'label', 'photo', 'line') ORDER BY 1
                """)
            let expected = [
                "label: CHECK (((purchase_id IS NULL) = (article_id IS NULL)))",
                "label: FOREIGN KEY (purchase_id, article_id) REFERENCES line(purchase, article) ON DELETE SET NULL",
                "label: PRIMARY KEY (pk)", "label: UNIQUE (purchase_id, article_id) DEFERRABLE",
                "line: CHECK (((substitute_purchase IS NULL) = (substitute_article IS NULL)))",
                "line: FOREIGN KEY (article) REFERENCES article(code) ON DELETE RESTRICT",
                "line: FOREIGN KEY (purchase) REFERENCES purchase(pk) ON DELETE CASCADE",
                "line: FOREIGN KEY (substitute_purchase, substitute_article) REFERENCES line(purchase, article) ON DELETE SET NULL",
                "line: PRIMARY KEY (purchase, article)",
                "photo: CHECK (((line_photos_purchase IS NULL) = (line_photos_article IS NULL)))",
                "photo: FOREIGN KEY (line_photos_purchase, line_photos_article) REFERENCES line(purchase, article) ON DELETE SET NULL",
                "photo: PRIMARY KEY (pk)",
                "refund: FOREIGN KEY (purchase) REFERENCES purchase(pk) ON DELETE CASCADE",
                "refund: FOREIGN KEY (purchase, article_code) REFERENCES line(purchase, article) ON DELETE SET NULL (article_code)",
                "refund: PRIMARY KEY (purchase, number)",
                "remark: FOREIGN KEY (line_purchase, line_article) REFERENCES line(purchase, article) ON DELETE CASCADE",
                "remark: PRIMARY KEY (pk)",
            ]
            #expect(constraints.filter { !$0.contains("NOT NULL") } == expected, "\(constraints)")
            #expect(
                try await store.database.texts(
                    "SELECT indexname FROM pg_indexes WHERE tablename IN ('remark', 'refund', 'label', 'photo') ORDER BY 1"
                )
                    == [
                        "label_pkey", "label_purchase_id_article_id_key",
                        "photo_line_photos_purchase_line_photos_article_idx",
                        "photo_pkey", "refund_pkey", "refund_purchase_article_code_number_idx",
                        "remark_line_purchase_line_article_idx", "remark_pkey",
                    ])
            #expect(
                try await store.database.texts(
                    "SELECT (purchase_id IS NOT NULL) || article_id FROM label UNION ALL SELECT (line_photos_purchase IS NOT NULL) || line_photos_article FROM photo"
                ) == ["truetea", "truetea", "truetea"])
            // A half of a reference is none.
            await #expect(throws: (any Error).self) {
                try await store.database.execute("UPDATE label SET article_id = NULL")
            }
            // Opened again, nothing is missing.
            try await store.reopened(Referred.schema).close()
        }
    }

    // MARK: Reading

    @Test func `a reference is one value in a row, and comes apart where it meets the columns`() async throws {
        try await withPurchase { store, context in
            #expect(try await remarks(context) == ["good salt, \"fine\"", "late tea", "wet tea"])
            #expect(
                store.recorder.statements.first == """
                    SELECT t0."pk", t0."text", (to_jsonb(t0."line_purchase") || to_jsonb(t0."line_article"))::text \
                    FROM "public"."remark" AS t0 ORDER BY t0."text" COLLATE "C" ASC, t0."pk"
                    """, "\(store.recorder.statements)")
            let fresh = ModelContext(store.container)
            let tea = try await line(fresh, "tea")
            store.recorder.reset()
            #expect(tea.remarks.map(\.text).sorted() == ["late", "wet"])
            #expect(
                store.recorder.statements.last == """
                    SELECT t0."pk", t0."text", (to_jsonb(t0."line_purchase") || to_jsonb(t0."line_article"))::text, \
                    (to_jsonb(t0."line_purchase") || to_jsonb(t0."line_article"))::text FROM "public"."remark" AS t0 \
                    WHERE (t0."line_purchase", t0."line_article") IN (SELECT * FROM unnest($1::bigint[], $2::text[]))
                    """, "\(store.recorder.statements)")
            #expect(tea.label?.text == "fragile" && tea.label?.line === tea)
            #expect(Set(tea.photos.map(\.name)) == ["front", "back"])
            #expect(tea.substitute?.substitute === tea)
            #expect(tea.refunds.map(\.number) == [1] && tea.refunds[0].line === tea)
            #expect(tea.purchase.refunds.sorted { $0.number < $1.number }.map { $0.line === tea } == [true, false])
        }
    }

    @Test func `predicates, orders, values and groups across the reference`() async throws {
        try await withPurchase { store, context in
            func texts(_ predicate: Predicate<Remark>) async throws -> [String] {
                try await context.fetch(
                    FetchDescriptor<Remark>(
                        predicate: predicate, sortBy: [SortDescriptor(\.line.quantity), SortDescriptor(\.text)])
                ).map(\.text)
            }
            #expect(try await texts(#Predicate { _ in true }) == ["good", "late", "wet"])
            #expect(
                store.recorder.statements.last?.contains(
                    #"JOIN "public"."line" AS t1 ON (t1."purchase", t1."article") = (t0."line_purchase", t0."line_article")"#
                )
                    == true, "\(store.recorder.statements)")
            #expect(try await texts(#Predicate { $0.line.quantity > 3 }) == ["late", "wet"])
            #expect(
                try await texts(#Predicate { $0.line.article.code == "tea" && $0.line.purchase.number == 1 }) == [
                    "late", "wet",
                ])
            let tea = try await line(context, "tea")
            let identifier = tea.persistentModelID
            #expect(try await texts(#Predicate { $0.line.persistentModelID == identifier }) == ["late", "wet"])
            #expect(
                store.recorder.statements.last?.contains(
                    #"WHERE (t0."line_purchase", t0."line_article") = ($1::bigint, $2::text)"#) == true,
                "\(store.recorder.statements)")
            #expect(try await texts(#Predicate { $0.line.persistentModelID != identifier }) == ["good"])
            let both: Set = [identifier, try await line(context, "salt, \"fine\"").persistentModelID]
            #expect(
                try await texts(#Predicate { both.contains($0.line.persistentModelID) }) == ["good", "late", "wet"])
            func codes(_ predicate: Predicate<Line>) async throws -> [String] {
                try await context.fetch(
                    FetchDescriptor<Line>(predicate: predicate, sortBy: [SortDescriptor(\.quantity)])
                )
                .map(\.article.code)
            }
            #expect(try await codes(#Predicate { $0.remarks.contains { $0.text == "wet" } }) == ["tea"])
            #expect(
                store.recorder.statements.contains {
                    $0.contains(#"WHERE (t0."purchase", t0."article") = (t1."line_purchase", t1."line_article")"#)
                }, "\(store.recorder.statements)")
            #expect(try await codes(#Predicate { $0.remarks.count > 1 }) == ["tea"])
            #expect(try await codes(#Predicate { $0.refunds.isEmpty }) == ["salt, \"fine\""])
            #expect(try await codes(#Predicate { $0.label?.text == "fragile" }) == ["tea"])
            #expect(try await codes(#Predicate { $0.label == nil }) == ["salt, \"fine\""])
            #expect(try await codes(#Predicate { $0.photos.contains { $0.name == "front" } }) == ["tea"])
            #expect(try await codes(#Predicate { $0.substitute?.quantity == 4 }) == ["salt, \"fine\""])
            #expect(
                try await context.fetchCount(FetchDescriptor<Refund>(predicate: #Predicate { $0.line == nil })) == 1)
            #expect(
                try await context.fetchCount(FetchDescriptor<Refund>(predicate: #Predicate { $0.line?.quantity == 4 }))
                    == 1)
            let values = try await context.fetch(
                FetchDescriptor<Remark>(sortBy: [SortDescriptor(\.text)]), selecting: \.line.persistentModelID,
                \.line.quantity)
            #expect(values.map(\.1) == [1, 4, 4] && values[1].0 == identifier)
            let groups = try await context.fetch(
                FetchDescriptor<Remark>(), selecting: .key(\.line.quantity), .count,
                orderBy: [.forward(.key(\.line.quantity))])
            #expect(groups.map(\.1) == [1, 2])
            var limited = FetchDescriptor<Remark>(sortBy: [SortDescriptor(\.text)])
            limited.groupLimit = .first(1, ofEach: .key(\.line.persistentModelID))
            #expect(try await context.fetch(limited).map(\.text) == ["good", "late"])
            var prefetching = FetchDescriptor<Remark>(sortBy: [SortDescriptor(\.text)])
            prefetching.relationshipKeyPathsForPrefetching = [\.line, \.line.remarks]
            let reader = ModelContext(store.container)
            let found = try await reader.fetch(prefetching)
            store.recorder.reset()
            #expect(found.map(\.line.quantity) == [1, 4, 4] && found[1].line.remarks.count == 2)
            #expect(store.recorder.statements.isEmpty)
        }
    }

    // MARK: Writing

    @Test func `a reference moves, is emptied, and conflicts are found`() async throws {
        try await withPurchase { store, context in
            let (tea, salt) = (try await line(context, "tea"), try await line(context, "salt, \"fine\""))
            let wet = try #require(tea.remarks.first { $0.text == "wet" })
            store.recorder.reset()
            wet.line = salt
            try await context.save()
            #expect(
                store.recorder.statements.contains {
                    $0.contains(
                        #"SET "line_purchase" = ($2::text::jsonb ->> 0)::bigint, "line_article" = ($2::text::jsonb ->> 1) WHERE t."pk" = $1::bigint AND (to_jsonb(t."line_purchase") || to_jsonb(t."line_article"))::text IS NOT DISTINCT FROM $3::text"#
                    )
                }, "\(store.recorder.statements)")
            #expect(try await stored(store) == ["good salt, \"fine\"", "late tea", "wet salt, \"fine\""])
            #expect(tea.remarks.map(\.text) == ["late"])
            let label = try #require(tea.label)
            label.line = nil
            try await context.save()
            #expect(
                try await store.database.texts(
                    "SELECT (purchase_id IS NULL)::text || (article_id IS NULL)::text FROM label") == ["truetrue"])
            salt.label = label
            let second = Label("heavy", tea)
            context.insert(second)
            try await context.save()
            // Both change hands in one save.
            (tea.label, salt.label) = (label, second)
            try await context.save()
            #expect(
                try await store.database.texts("SELECT text || ' ' || article_id FROM label ORDER BY text") == [
                    "fragile tea", "heavy salt, \"fine\"",
                ])
            tea.photos.removeAll { $0.name == "back" }
            salt.photos.append(contentsOf: [Photo("side")])
            try await context.save()
            #expect(
                try await store.database.texts(
                    "SELECT name || ' ' || coalesce(line_photos_article, '-') FROM photo ORDER BY 1")
                    == ["back -", "front tea", "side salt, \"fine\""])
            // Somebody moves it away.
            try await store.database.execute("UPDATE remark SET line_article = 'tea' WHERE text = 'wet'")
            let third = Line(tea.purchase, Article("rice"))
            wet.line = third
            let conflict = await #expect(throws: SwiftDataError.self) { try await context.save() }
            #expect(
                conflict?.code == .conflict && conflict?.message.contains("Remark.line") == true,
                "\(String(describing: conflict))")
            context.rollback()
            #expect(try await stored(store).last == "wet tea")
        }
    }

    @Test func `what two properties say of one column has to be the same`() async throws {
        try await withPurchase { store, context in
            let tea = try await line(context, "tea")
            let other = Purchase(2)
            context.insert(Line(other, try await context.model(Article.self, id: "tea")))
            context.insert(Refund(other, 1, tea))
            let refused = await #expect(throws: SwiftDataError.self) { try await context.save() }
            #expect(
                refused?.code == .modelValidationFailure
                    && refused?.message.contains(
                        "Refund.line and Refund.purchase have the column purchase in common, and say different things")
                        == true,
                "\(String(describing: refused))")
            context.rollback()
            let purchase = try await context.fetch(FetchDescriptor<Purchase>())[0]
            let refund = try #require(purchase.refunds.first { $0.number == 2 })
            refund.line = tea
            try await context.save()
            #expect(
                try await store.database.texts("SELECT number || ' ' || article_code FROM refund ORDER BY number") == [
                    "1 tea", "2 tea",
                ])
            #expect(tea.refunds.count == 2)
            refund.line = nil
            try await context.save()
            #expect(
                try await store.database.texts("SELECT count(*)::text FROM refund WHERE article_code IS NULL") == ["1"])
            let result = try await context.insert(
                into: Refund.self, \.purchase.persistentModelID, \.number, \.line?.persistentModelID,
                rows: [(purchase.persistentModelID, 3, tea.persistentModelID), (purchase.persistentModelID, 4, nil)],
                reportsIdentifiers: true)
            #expect(result.identifiers?.count == 2)
            #expect(
                try await store.database.texts(
                    "SELECT number || ' ' || coalesce(article_code, '-') FROM refund WHERE number > 2 ORDER BY number")
                    == ["3 tea", "4 -"])
            let third = Purchase(3)
            context.insert(third)
            try await context.save()
            let different = await #expect(throws: SwiftDataError.self) {
                try await context.insert(
                    into: Refund.self, \.purchase.persistentModelID, \.number, \.line?.persistentModelID,
                    rows: [(third.persistentModelID, 5, tea.persistentModelID)])
            }
            #expect(
                different?.message.contains(
                    "Row 1 of those inserted into Refund: Refund.line and Refund.purchase have the column purchase in common"
                )
                    == true, "\(String(describing: different))")
            let update = #expect(throws: SwiftDataError.self) {
                try context.update(model: Refund.self, .set(\.line, to: tea))
            }
            #expect(
                update?.message.contains("Refund.purchase has a column of its foreign key, purchase, article_code")
                    == true)
        }
    }

    @Test func `delete rules lead over the reference, in memory or not`() async throws {
        try await withPurchase { store, context in
            let tea = try await line(context, "tea")
            let known = try await context.fetch(FetchDescriptor<Refund>(sortBy: [SortDescriptor(\.number)]))
            #expect(known[0].line === tea)
            context.delete(tea)
            #expect(try await remarks(context) == ["good salt, \"fine\""])
            #expect(
                try await context.fetchCount(FetchDescriptor<Refund>(predicate: #Predicate { $0.line == nil })) == 2)
            try await context.save()
            #expect(try await stored(store) == ["good salt, \"fine\""])
            #expect(known[0].line == nil)
            #expect(
                try await store.database.texts(
                    """
                    SELECT concat_ws('|', (SELECT count(*) FROM refund WHERE article_code IS NULL), (SELECT count(*) FROM label WHERE purchase_id IS NULL),
                        (SELECT count(*) FROM photo WHERE line_photos_purchase IS NULL), (SELECT count(*) FROM line WHERE substitute_article IS NULL))
                    """) == ["2|1|2|1"])
            let fresh = ModelContext(store.container)
            try fresh.delete(model: Line.self, where: #Predicate { $0.quantity == 1 })
            #expect(try await fresh.fetchCount(FetchDescriptor<Remark>()) == 0)
            try await fresh.save()
            #expect(try await stored(store) == [])
        }
    }

    @Test func `unsaved references take part in fetches`() async throws {
        try await withPurchase { store, context in
            let (tea, salt) = (try await line(context, "tea"), try await line(context, "salt, \"fine\""))
            let wet = try #require(tea.remarks.first { $0.text == "wet" })
            wet.line = salt
            let rice = Line(tea.purchase, Article("rice"), quantity: 9)
            context.insert(Remark("new", rice))
            salt.label = tea.label
            tea.photos.removeAll { $0.name == "back" }
            func texts(_ predicate: Predicate<Remark>) async throws -> [String] {
                try await context.fetch(FetchDescriptor<Remark>(predicate: predicate, sortBy: [SortDescriptor(\.text)]))
                    .map(\.text)
            }
            let identifier = salt.persistentModelID
            #expect(try await texts(#Predicate { $0.line.persistentModelID == identifier }) == ["good", "wet"])
            #expect(try await texts(#Predicate { $0.line.quantity == 9 }) == ["new"])
            #expect(
                try await context.fetch(
                    FetchDescriptor<Line>(predicate: #Predicate { $0.remarks.count == 2 })
                ).map(\.article.code) == ["salt, \"fine\""])
            #expect(
                try await context.fetch(
                    FetchDescriptor<Line>(predicate: #Predicate { $0.label?.text == "fragile" })
                ).map(\.article.code)
                    == ["salt, \"fine\""])
            #expect(
                try await context.fetch(FetchDescriptor<Line>(predicate: #Predicate { $0.photos.count == 1 })).map(
                    \.article.code)
                    == ["tea"])
            try await context.save()
            #expect(
                try await remarks(ModelContext(store.container)) == [
                    "good salt, \"fine\"", "late tea", "new rice", "wet salt, \"fine\"",
                ])
            try context.update(model: Remark.self, where: #Predicate { $0.text == "new" }, .set(\.line, to: tea))
            #expect(try await texts(#Predicate { $0.line.article.code == "tea" }) == ["late", "new"])
            try await context.save()
            #expect(try await stored(store) == ["good salt, \"fine\"", "late tea", "new tea", "wet salt, \"fine\""])
        }
    }

    @Test func `rows without objects, and undo`() async throws {
        try await withPurchase { store, context in
            let (tea, salt) = (try await line(context, "tea"), try await line(context, "salt, \"fine\""))
            try await context.insert(
                into: Remark.self, \.text, \.line.persistentModelID,
                rows: [("a", tea.persistentModelID), ("b", salt.persistentModelID)])
            #expect(try await stored(store).prefix(2) == ["a tea", "b salt, \"fine\""])
            try await context.insert(
                into: Label.self, \.text, \.line?.persistentModelID, rows: [("c", salt.persistentModelID), ("d", nil)])
            #expect(
                try await store.database.texts(
                    "SELECT text || ' ' || coalesce(article_id, '-') FROM label ORDER BY text") == [
                        "c salt, \"fine\"", "d -", "fragile tea",
                    ])
            let undo = ModelUndoManager()
            context.undoManager = undo
            context.delete(tea)
            try await context.save()
            undo.undo()
            try await context.save()
            #expect(tea.remarks.count == 3)
            #expect(
                try await stored(store) == ["a tea", "b salt, \"fine\"", "good salt, \"fine\"", "late tea", "wet tea"])
            #expect(
                try await store.database.texts("SELECT count(*)::text FROM refund WHERE article_code = 'tea'") == ["1"])
        }
    }

    @Test func `a reference is part of what is unique: rows are found by it, and values pass between objects`()
        async throws
    {
        let schema = Schema(
            Purchase.self, Article.self, Line.self, Remark.self, Refund.self, Label.self, Photo.self,
            Referred.Stamp.self)
        try await withModelStore(of: schema) { store in
            let context = ModelContext(store.container)
            let purchase = Purchase(1)
            let (tea, salt) = (Line(purchase, Article("tea")), Line(purchase, Article("salt")))
            let (one, other) = (Referred.Stamp(tea, "k", 1), Referred.Stamp(salt, "k", 2))
            context.insert(one)
            context.insert(other)
            try await context.save()
            #expect(
                try await store.database.texts(
                    "SELECT pg_get_indexdef(indexrelid) FROM pg_index WHERE indrelid = 'stamp'::regclass AND NOT indisprimary ORDER BY 1"
                ) == [
                    "CREATE UNIQUE INDEX stamp_line_purchase_line_article_kind_key ON public.stamp USING btree (line_purchase, line_article, kind)"
                ])
            // A new object with the values of a row updates it.
            let second = ModelContext(store.container)
            let again = Referred.Stamp(try await line(second, "tea"), "k", 3)
            second.insert(again)
            #expect(try await second.fetchCount(FetchDescriptor<Referred.Stamp>()) == 2)
            try await second.save()
            func stored() async throws -> [String] {
                try await store.database.texts("SELECT line_article || ' ' || value FROM stamp ORDER BY 1")
            }
            #expect(try await stored() == ["salt 2", "tea 3"])
            try await second.insert(
                into: Referred.Stamp.self, \.line.persistentModelID, \.kind, \.value,
                rows: [(tea.persistentModelID, "k", 5), (tea.persistentModelID, "l", 6)])
            #expect(try await stored() == ["salt 2", "tea 5", "tea 6"])
            second.uniquePolicy = .fail
            second.insert(Referred.Stamp(try await line(second, "salt"), "k", 7))
            let taken = await #expect(throws: SwiftDataError.self) { try await second.save() }
            #expect(
                taken?.code == .uniqueConstraint && taken?.message.contains("Stamp.line") == true,
                "\(String(describing: taken))")
        }
    }

    // MARK: History

    @Test func `the history says which reference changed, and other contexts follow`() async throws {
        try await withPurchase { store, context in
            let follower = ModelContext(store.container)
            let known = try await follower.fetch(FetchDescriptor<Remark>(sortBy: [SortDescriptor(\.text)]))
            let tea = try await line(follower, "tea")
            #expect(Set(tea.photos.map(\.name)) == ["front", "back"])
            let token = try #require(
                try await context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>()).last
            ).token
            try await store.database.execute("UPDATE remark SET line_article = 'tea' WHERE text = 'good'")
            try await store.database.execute(
                "UPDATE photo SET line_photos_purchase = NULL, line_photos_article = NULL WHERE name = 'back'")
            try await store.database.execute("UPDATE refund SET article_code = NULL WHERE number = 1")
            let history = try await context.fetchHistory(
                HistoryDescriptor<DefaultHistoryTransaction>(predicate: #Predicate { $0.token > token }))
            let changes = history.map { transaction in
                transaction.changes.map { change -> String in
                    switch change {
                    case .update(let update as DefaultHistoryUpdate<Remark>):
                        "Remark \(update.updatedAttributes.map { $0 == \Remark.line })"
                    case .update(let update as DefaultHistoryUpdate<Line>):
                        "Line \(update.updatedAttributes.map { $0 == \Line.photos })"
                    case .update(let update as DefaultHistoryUpdate<Refund>):
                        "Refund \(update.updatedAttributes.map { $0 == \Refund.line })"
                    default: "no update"
                    }
                }
            }
            #expect(changes == [["Remark [true]"], ["Line [true]"], ["Refund [true]"]], "\(changes)")
            #expect(history[1].changes.first?.changedPersistentIdentifier == tea.persistentModelID)
            _ = try await follower.mergeHistory(after: token)
            #expect(known.map(\.line.article.code) == ["tea", "tea", "tea"])
            let reader = ModelContext(store.container)
            let read = try await line(reader, "tea")
            #expect(withExtendedLifetime(reader) { read.photos.map(\.name) } == ["front"])
            #expect(tea.refunds.isEmpty)
        }
    }

    @Test func `what no table can have is refused with what to do`() async throws {
        func findings(_ types: any PersistentModel.Type...) async -> String {
            do {
                _ = try await ModelContainer(
                    for: Schema(types), configurations: [ModelConfiguration(isStoredInMemoryOnly: true)])
                return "opened"
            } catch { return "\(error)" }
        }
        let text = await findings(Unreferred.Named.self, Unreferred.Pair.self, Unreferred.Target.self)
        for part in [
            "Named.single: it names the column pair, and the key of Pair is of several, one, other. Remedy: name as many, in that order: @Relationship(columns:)",
            "Named.few: it names 1 columns, and the key of Pair is of 2, one, other",
            "Named.twice: it names a column twice: b, b",
            "Named.plain: it names the columns c, d, and the key of Target is of one, pk. Remedy: name one: @Relationship(column:)",
            "Named.shared: the column one of its foreign key is that of Named.one, which is not bigint",
            "Named.shared: it is optional, and all columns of its foreign key, one, other, belong to other properties",
        ] { #expect(text.contains(part), "\(text)") }
        let loose = await findings(Unreferred.Loose.self, Unreferred.Distinct.self, Unreferred.Pair.self)
        for part in [
            "Loose.first: the column one of its foreign key is that of Loose.one, which may change. Remedy: share a part of the key, or the tenant",
            "Loose.third: the column c of its foreign key is that of Loose.second, which may change",
            "Distinct.pair: it is part of a #Unique with nulls: .notDistinct",
        ] { #expect(loose.contains(part), "\(loose)") }
        let part = await findings(Unreferred.Part.self, Unreferred.Pair.self)
        #expect(
            part.contains("Part.pair: it is part of the key, and the key of Pair is of several columns itself")
                && part.contains("name what these columns have, one, other"),
            "\(part)")
    }
}
