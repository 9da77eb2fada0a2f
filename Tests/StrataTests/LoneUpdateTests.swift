import Foundation
import Logging
import Strata
import StrataClient
import StrataTestSupport
import Testing

/// The save of one changed object, which has a way of its own through the planning.
@MainActor @Suite struct LoneUpdateTests {
    private func withStore(
        recordsHistory: Bool = false, _ body: (GraphStore) async throws -> Void
    ) async throws {
        try await withModelStore(of: Graph.schema, "lone update", recordsHistory: recordsHistory) { store in
            try await body(GraphStore(store))
        }
    }

    /// Saves, and returns what was sent for it.
    private func statements(of context: ModelContext, in store: GraphStore) async throws -> [String] {
        store.recorder.reset()
        try await context.save()
        return store.recorder.statements
    }

    /// A car whose change to "mine" the context could not save, because another context had saved "theirs".
    private func carInConflict(
        in context: ModelContext, with other: ModelContext, of store: GraphStore
    ) async throws -> Graph.Car {
        try await store.save(Graph.Car("old"))
        let (mine, theirs) = (try await context.only(Graph.Car.self), try await other.only(Graph.Car.self))
        theirs.name = "theirs"
        try await other.save()
        mine.name = "mine"
        await expectError(.conflict) { try await context.save() }
        #expect(mine.name == "mine" && mine.hasChanges && context.hasChanges)
        return mine
    }

    @Test(.timeLimit(.minutes(1))) func `what is edited while it is written is written by the next`() async throws {
        try await withStore { store in
            try await store.save(Graph.Parent("a"))
            let context = store.context()
            let parent = try await context.only(Graph.Parent.self)
            parent.name = "x"
            let held = try await HeldTable.hold("parent", in: store)
            store.recorder.reset()
            let saving = Task { try await context.save() }
            try await held.isWaitedFor()
            #expect(store.recorder.statements.count == 1 && store.recorder.statements[0].hasPrefix("UPDATE"))
            parent.name = "y"
            parent.note = "n"
            try await held.letGo()
            try await saving.value
            let between = try await store.reader().only(Graph.Parent.self)
            #expect(between.name == "x" && between.note == nil)
            #expect(parent.name == "y" && parent.note == "n" && parent.hasChanges)
            let second = try await statements(of: context, in: store)
            #expect(second.count == 1, "\(second)")
            let after = try await store.reader().only(Graph.Parent.self)
            #expect(after.name == "y" && after.note == "n")
            #expect(!context.hasChanges)
        }
    }

    @Test(.timeLimit(.minutes(1))) func `what is edited back while it is written is written by the next`() async throws
    {
        try await withStore { store in
            try await store.save(Graph.Parent("a"))
            let context = store.context()
            let parent = try await context.only(Graph.Parent.self)
            parent.name = "x"
            let held = try await HeldTable.hold("parent", in: store)
            let saving = Task { try await context.save() }
            try await held.isWaitedFor()
            parent.name = "a"
            try await held.letGo()
            try await saving.value
            try await context.save()
            #expect(try await store.reader().only(Graph.Parent.self).name == "a")
        }
    }

    @Test func `an object of a subclass of which only columns of the base changed is one update`() async throws {
        try await withStore { store in
            let car = Graph.Car("old")
            car.seats = 7
            try await store.save(car)
            let context = store.context()
            let read = try await context.only(Graph.Car.self)
            read.name = "new"
            let sent = try await statements(of: context, in: store)
            #expect(sent.count == 1 && sent[0].contains("\"vehicle\"") && !sent[0].contains("\"car\""), "\(sent)")
            let again = try await store.reader().only(Graph.Vehicle.self)
            #expect(again.name == "new" && (again as? Graph.Car)?.seats == 7)
            read.seats = 2
            let own = try await statements(of: context, in: store)
            #expect(own.count == 1 && own[0].contains("\"car\"") && !own[0].contains("\"vehicle\""), "\(own)")
            #expect(try await store.reader().only(Graph.Car.self).seats == 2)
        }
    }

    @Test func `an attribute that has no column is no update, and does not hinder one`() async throws {
        try await withStore { store in
            try await store.save(Graph.Photo("p"))
            let context = store.context()
            let photo = try await context.only(Graph.Photo.self)
            photo.isSelected = true
            #expect(context.hasChanges)
            let none = try await statements(of: context, in: store)
            #expect(none == [])
            #expect(!context.hasChanges && photo.isSelected)
            photo.isSelected = false
            photo.title = "q"
            let sent = try await statements(of: context, in: store)
            #expect(sent.count == 1 && sent[0].hasPrefix("UPDATE"), "\(sent)")
            #expect(try await store.reader().only(Graph.Photo.self).title == "q")
        }
    }

    @Test func `a conflict of one object is found, and its changes are kept`() async throws {
        try await withStore { store in
            let (context, other) = (store.context(), store.context())
            _ = try await carInConflict(in: context, with: other, of: store)
        }
    }

    @Test func `with a history it is one transaction without BEGIN and COMMIT, with who writes and where`()
        async throws
    {
        try await withStore(recordsHistory: true) { store in
            try await store.save(Graph.Parent("a"))
            let context = store.context()
            let parent = try await context.only(Graph.Parent.self)
            context.author = "Ann"
            context.historyContext = ["request": "7"]
            parent.name = "x"
            let sent = try await statements(of: context, in: store)
            #expect(
                sent.map { $0.replacing("\"", with: "") } == [
                    "SELECT set_config('strata.author', $1, true), set_config('strata.context', $2, true), "
                        + "set_config('strata.process', $3, true)",
                    """
                    UPDATE public.parent AS t SET name = $2::text WHERE t.pk = $1::bigint \
                    AND t.name IS NOT DISTINCT FROM $3::text RETURNING pg_current_snapshot(), \
                    (SELECT st.generation FROM strata.store AS st WHERE st.schema_name = $4), \
                    pg_current_xact_id_if_assigned()
                    """,
                ])
            let token = try #require(context.historyToken)
            let all = try await context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>())
            let last = try #require(all.last)
            #expect(all.count == 2 && last.author == "Ann" && last.context == ["request": "7"])
            #expect(last.processIdentifier == store.container.processIdentifier && last.changes.count == 1)
            var later = HistoryDescriptor<DefaultHistoryTransaction>()
            later.predicate = #Predicate { $0.token > token }
            #expect(try await context.fetchHistory(later).isEmpty)
            // What the statement said of its transaction holds no longer.
            try await store.database.execute("UPDATE parent SET note = 'by hand'")
            let byHand = try await context.fetchHistory(later)
            #expect(byHand.count == 1 && byHand.first?.author == nil && byHand.first?.changes.count == 1)
        }
    }

    @Test func `with a history, a conflict is found, nothing is recorded, and the next save goes on`() async throws {
        try await withStore(recordsHistory: true) { store in
            let (context, other) = (store.context(), store.context())
            _ = try await carInConflict(in: context, with: other, of: store)
            #expect(context.historyToken == nil)
            #expect(try await other.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>()).count == 2)
            context.conflictPolicy = .overwrite
            try await context.save()
            #expect(try await store.reader().only(Graph.Car.self).name == "mine")
            #expect(try await other.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>()).count == 3)
        }
    }

    @Test func `without a history it says who writes, for triggers of others`() async throws {
        try await withStore { store in
            try await store.save(Graph.Parent("a"))
            try await store.database.execute(
                """
                CREATE FUNCTION note_author() RETURNS trigger LANGUAGE plpgsql AS
                $$ BEGIN NEW.note := current_setting('strata.author', true); RETURN NEW; END $$
                """,
                "CREATE TRIGGER note_author BEFORE UPDATE ON parent FOR EACH ROW EXECUTE FUNCTION note_author()",
                """
                CREATE FUNCTION need_author() RETURNS trigger LANGUAGE plpgsql AS
                $$ BEGIN
                    IF coalesce(current_setting('strata.author', true), '') = '' THEN RAISE 'who?'; END IF;
                    RETURN NULL;
                END $$
                """,
                "CREATE TRIGGER need_author BEFORE UPDATE ON parent FOR EACH STATEMENT EXECUTE FUNCTION need_author()")
            let context = store.context()
            let parent = try await context.only(Graph.Parent.self)
            context.author = "Ann"
            parent.name = "x"
            #expect(try await statements(of: context, in: store).count == 2)
            #expect(try await store.reader().only(Graph.Parent.self).note == "Ann")
        }
    }

    /// A save of "mine" that waits for a row to which somebody else has just written "theirs".
    private func savingWhileTheRowIsHeld(
        _ policy: ConflictPolicy, _ check: (GraphStore, ModelContext, Task<Void, any Error>) async throws -> Void
    ) async throws {
        try await withStore(recordsHistory: true) { store in
            try await store.save(Graph.Parent("a"))
            let context = store.context()
            context.conflictPolicy = policy
            context.author = "me"
            let parent = try await context.only(Graph.Parent.self)
            parent.name = "mine"
            let other = try await store.database.connect()
            defer { other.close() }
            try await other.run("BEGIN", "UPDATE parent SET name = 'theirs'")
            let saving = Task { try await context.save() }
            try await store.database.execute(
                """
                DO $$ BEGIN
                    WHILE NOT EXISTS (SELECT FROM pg_stat_activity
                        WHERE datname = current_database() AND wait_event_type = 'Lock')
                    LOOP
                        PERFORM pg_sleep(0.01);
                        PERFORM pg_stat_clear_snapshot();
                    END LOOP;
                END $$
                """)
            try await other.run("COMMIT")
            try await check(store, context, saving)
        }
    }

    @Test(.timeLimit(.minutes(1))) func `with a history, what it has waited for is a conflict`() async throws {
        try await savingWhileTheRowIsHeld(.throw) { store, context, saving in
            await expectError(.conflict) { try await saving.value }
            #expect(context.hasChanges && context.historyToken == nil)
            let stored = try await store.reader().only(Graph.Parent.self)
            #expect(stored.name == "theirs")
        }
    }

    @Test(.timeLimit(.minutes(1))) func `with a history, what it has waited for comes after its place`() async throws {
        try await savingWhileTheRowIsHeld(.overwrite) { store, context, saving in
            try await saving.value
            #expect(try await store.reader().only(Graph.Parent.self).name == "mine")
            // The statement had begun before the other transaction ended.
            let token = try #require(context.historyToken)
            var later = HistoryDescriptor<DefaultHistoryTransaction>()
            later.predicate = #Predicate { $0.token > token }
            let transactions = try await context.fetchHistory(later)
            #expect(transactions.count == 1 && transactions.first?.author == nil)
        }
    }

    /// What stands in its way only when the transaction ends, without a statement that says COMMIT.
    @Test(arguments: [false, true]) func `what is refused at its end is not saved`(recordsHistory: Bool) async throws {
        try await withStore(recordsHistory: recordsHistory) { store in
            try await store.save(Graph.Parent("a"))
            try await store.database.execute(
                """
                CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
                $$ BEGIN RAISE 'not today' USING ERRCODE = 'ZZ001'; END $$
                """,
                "CREATE CONSTRAINT TRIGGER refuse AFTER UPDATE ON parent DEFERRABLE INITIALLY DEFERRED "
                    + "FOR EACH ROW EXECUTE FUNCTION refuse()")
            let context = store.context()
            let parent = try await context.only(Graph.Parent.self)
            parent.name = "x"
            for _ in 0..<2 {
                let error = await #expect(throws: SwiftDataError.self) { try await context.save() }
                #expect(error?.sqlState == "ZZ001", "\(String(describing: error))")
                #expect(parent.hasChanges && parent.name == "x" && context.historyToken == nil)
                #expect(try await store.reader().only(Graph.Parent.self).name == "a")
            }
            func blocking() throws {
                let error = #expect(throws: SwiftDataError.self) { try context.save() }
                #expect(error?.sqlState == "ZZ001", "\(String(describing: error))")
            }
            try blocking()
            try await store.database.execute("DROP TRIGGER refuse ON parent")
            try await context.save()
            #expect(try await store.reader().only(Graph.Parent.self).name == "x")
        }
    }
}
