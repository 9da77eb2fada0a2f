import Foundation
import Observation
import Strata
import Synchronization

/// An actor with a context and an observer of it, and a bell that rings when the observer shows something else.
actor ObservingDesk<SectionTitle: Hashable & SendableMetatype> {
    let context: ModelContext
    private(set) var observer: ResultsObserver<Live.Thing, SectionTitle>?
    private let news = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    private let announcements = Shared(0)

    init(_ container: ModelContainer) {
        context = ModelContext(container)
    }

    /// Begins to observe.
    func begin(
        _ make:
            @Sendable (ModelContext, isolated ObservingDesk) async throws -> ResultsObserver<Live.Thing, SectionTitle>
    ) async throws {
        observer = try await make(context, self)
        track()
    }

    /// The observer.
    func present() throws -> ResultsObserver<Live.Thing, SectionTitle> {
        guard let observer else { throw Stop() }
        return observer
    }

    /// Lets go of the observer.
    func end() { observer = nil }

    fileprivate func track() {
        guard let observer else { return }
        withObservationTracking {
            _ = (observer.results, observer.sections, observer.fetchError)
        } onChange: { [weak self, announcements, bell = news.continuation] in
            announcements.withLock { $0 += 1 }
            bell.yield()
            // The observer changes on this actor only.
            self?.assumeIsolated { $0.track() }
        }
    }

    /// How often the observer showed something else.
    var changes: Int { announcements.value }

    /// What the observer shows.
    var lines: [String] { observer?.results.map(Live.line) ?? [] }
    /// The names of the things that it shows.
    var names: [String] { observer?.results.map(\.name) ?? [] }
    /// The titles and names in its sections.
    var sections: [String] {
        (observer?.sections).map { $0.map { "\($0.title): \($0.map(\.name).joined(separator: " "))" } } ?? []
    }
    var failure: SwiftDataError.Code? { (observer?.fetchError as? SwiftDataError)?.code }

    /// What a fetch by the actor's context returns.
    func fetched() async throws -> [String] {
        guard let observer else { return [] }
        return try await context.fetch(observer.fetchDescriptor).map(Live.line)
    }

    /// Works with the context, and awaits nothing.
    func edit<Result: Sendable>(_ body: @Sendable (ModelContext) throws -> Result) throws -> Result {
        try body(context)
    }

    /// Works with the context.
    func work<Result: Sendable>(
        _ body: @Sendable (ModelContext, isolated ObservingDesk) async throws -> Result
    ) async throws -> Result { try await body(context, self) }

    /// Returns when the condition holds.
    func wait(until condition: @Sendable (isolated ObservingDesk) -> Bool) async throws {
        var rings = news.stream.makeAsyncIterator()
        while !condition(self) {
            guard await rings.next() != nil else { throw CancellationError() }
        }
    }
}

extension ModelContext {
    /// The thing with a name.
    func thing(_ name: String) throws -> Live.Thing {
        let things = try fetch(FetchDescriptor<Live.Thing>(predicate: #Predicate { $0.name == name }))
        guard let thing = things.first else { throw SwiftDataError(.modelNotFound, "There is no \(name).") }
        return thing
    }
}

/// Runs `body` with a store that has things named a, b and c in bucket 0, and d in bucket 1.
func withThings(_ body: (ModelStore) async throws -> Void) async throws {
    try await withModelStore(Live.Thing.self, Live.Special.self, Live.Owner.self) { store in
        let context = ModelContext(store.container)
        let owner = Live.Owner(name: "owner")
        context.insert(owner)
        for (rank, name) in ["a", "b", "c", "d"].enumerated() {
            let thing = Live.Thing(bucket: name == "d" ? 1 : 0, rank: rank, name: name)
            if name == "a" { thing.owner = owner }
            context.insert(thing)
        }
        try await context.save()
        store.recorder.reset()
        try await body(store)
    }
}
