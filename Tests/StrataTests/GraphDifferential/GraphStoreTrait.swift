import StrataTestSupport
import Testing

/// Gives the tests of a suite one store, which is closed behind the last of them.
struct GraphStoreTrait: SuiteTrait, TestScoping {
    /// The store of the suite whose test is running.
    @TaskLocal static var store: GraphTrialStore?

    func provideScope(
        for test: Test, testCase: Test.Case?, performing tests: @Sendable @concurrent () async throws -> Void
    ) async throws {
        try await withTestDatabase("findings", template: .tables(of: Yard.schema)) { database in
            let store = try await GraphTrialStore(database)
            do { try await Self.$store.withValue(store) { try await tests() } } catch {
                await store.close()
                throw error
            }
            let heard = store.warnings.count
            await store.close()
            #expect(store.warnings.dropFirst(heard) == [], "closing the store is nothing to warn of")
        }
    }
}

extension Trait where Self == GraphStoreTrait {
    /// One store for all tests of the suite, which run one after the other.
    static var onOneStore: Self { Self() }
}
