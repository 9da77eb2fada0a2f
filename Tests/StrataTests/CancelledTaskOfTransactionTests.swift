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

/// A task within a transaction that is cancelled before it saves: nothing of it was sent, and the transaction is whole.
@Suite(.timeLimit(.minutes(2))) struct CancelledTaskOfTransactionTests {
    private func withBank(_ body: (Bank, ModelStore) async throws -> Void) async throws {
        try await withModelStore(Account.self, Letter.self) { store in
            let context = ModelContext(store.container)
            context.insert(Account(10))
            try await context.save()
            try await body(Bank(modelContainer: store.container), store)
        }
    }

    private func expectOnce(_ store: ModelStore) async throws {
        #expect(try await store.database.texts("SELECT balance::text FROM account") == ["11"])
        #expect(try await store.database.texts("SELECT text FROM letter") == ["paid"])
    }

    @Test func `of what was never sent nothing is undone`() async throws {
        try await withBank { bank, store in
            try await bank.payInWithoutSending()
            try await expectOnce(store)
        }
    }
}
