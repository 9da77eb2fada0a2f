import Foundation
import Strata
import StrataModelTestSupport
import StrataTestSupport
import Testing

@Model private final class Account {
    var balance: Int

    init(_ balance: Int) { self.balance = balance }
}

@Model private final class Letter {
    var text: String

    init(_ text: String) { self.text = text }
}

@ModelActor private actor Bank {
    /// A task of the transaction pays in and writes a letter, and is cancelled while it saves. The transaction goes on with both.
    func payIn(cancellingIn database: TestDatabase) async throws {
        try await modelContext.transaction { () async throws -> Void in
            let saving = Task {
                try modelContext.update(model: Account.self, .add(1, to: \.balance))
                modelContext.insert(Letter("paid"))
                try await modelContext.save()
            }
            try await cancelWhenBusy(saving, in: database)
            await #expect(throws: CancellationError.self) { try await saving.value }
            try await database.execute("DELETE FROM slowness")
            let count = try await modelContext.fetchCount(FetchDescriptor<Letter>())
            #expect(count == 1, "unsaved still")
        }
    }

    /// A task of the transaction is cancelled before it sends anything. The transaction goes on.
    func payInWithoutSending() async throws {
        try await modelContext.transaction { () async throws -> Void in
            let before = try await modelContext.fetchCount(FetchDescriptor<Letter>())
            #expect(before == 0)
            let saving = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                try modelContext.update(model: Account.self, .add(1, to: \.balance))
                modelContext.insert(Letter("paid"))
                try await modelContext.save()
            }
            await #expect(throws: CancellationError.self) { try await saving.value }
        }
    }
}

/// A task within a transaction that is cancelled while it saves: what it had sent is undone, and the transaction is whole.
@Suite(.timeLimit(.minutes(2))) struct CancelledTaskOfTransactionTests {
    private func withBank(_ body: (Bank, ModelStore) async throws -> Void) async throws {
        try await withModelStore(Account.self, Letter.self) { store in
            let context = ModelContext(store.container)
            context.insert(Account(10))
            try await context.save()
            try await store.database.execute(
                "CREATE TABLE slowness (is_there boolean)", "INSERT INTO slowness VALUES (true)",
                """
                CREATE FUNCTION linger() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN \
                IF EXISTS (SELECT FROM slowness) THEN PERFORM pg_sleep(60); END IF; RETURN NEW; END $$
                """,
                "CREATE TRIGGER linger BEFORE INSERT ON letter FOR EACH ROW EXECUTE FUNCTION linger()")
            try await body(Bank(modelContainer: store.container), store)
        }
    }

    private func expectOnce(_ store: ModelStore) async throws {
        #expect(try await store.database.texts("SELECT balance::text FROM account") == ["11"])
        #expect(try await store.database.texts("SELECT text FROM letter") == ["paid"])
    }

    @Test func `what was sent before is undone, so the save at the end does it once`() async throws {
        try await withBank { bank, store in
            try await bank.payIn(cancellingIn: store.database)
            try await expectOnce(store)
        }
    }

    @Test func `of what was never sent nothing is undone`() async throws {
        try await withBank { bank, store in
            try await store.database.execute("DELETE FROM slowness")
            try await bank.payInWithoutSending()
            try await expectOnce(store)
        }
    }
}
