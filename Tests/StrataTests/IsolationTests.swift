import Dispatch
import Foundation
import Strata
import StrataTestSupport
import Synchronization
import Testing

/// What an asynchronous call does before it returns, it does in the isolation of its caller. Otherwise the actor's other calls
/// would run beside it.
@Suite(.timeLimit(.minutes(1))) struct IsolationTests {
    @Test(arguments: Reader.Work.allCases)
    fileprivate func `rows become objects, and blocks run, in the caller's isolation`(work: Reader.Work) async throws {
        try await withModelStore(Sighting.self, Photo.self) { store in
            let context = ModelContext(store.container)
            context.insert(Sighting(bird: Bird(name: "wren"), photos: [Photo(bird: Bird(name: "wren"))]))
            try await context.save()
            let reader = Reader(store.container)
            let places = Places()
            try await Places.$noting.withValue(places) { try await reader.perform(work) }
            #expect(!places.noted.isEmpty)
            #expect(places.noted.allSatisfy { $0 })
        }
    }
}

/// Where something ran, each time: on the executor of the actor under test or elsewhere.
private final class Places: Sendable {
    @TaskLocal static var noting: Places?

    private let places = Mutex<[Bool]>([])

    var noted: [Bool] { places.withLock { $0 } }

    static func note() {
        noting?.places.withLock { $0.append(NotingExecutor.isCurrent) }
    }
}

private final class NotingExecutor: SerialExecutor {
    private static let key = DispatchSpecificKey<Bool>()
    static var isCurrent: Bool { DispatchQueue.getSpecific(key: key) == true }

    private let queue = DispatchQueue(label: "noting")

    init() { queue.setSpecific(key: Self.key, value: true) }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}

private actor Reader {
    enum Work: CaseIterable {
        case fetch, load, refresh, enumerate, enumerateInTransaction, transaction, level, saveInTransaction
    }

    private nonisolated let executor = NotingExecutor()
    private let context: ModelContext

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(_ container: ModelContainer) { context = ModelContext(container) }

    func perform(_ work: Work) async throws {
        switch work {
        case .fetch: _ = try await context.fetch(FetchDescriptor<Sighting>())
        case .load: try await context.load(try await context.fetch(FetchDescriptor<Sighting>()), \.photos)
        case .refresh: try await context.refresh(try await context.fetch(FetchDescriptor<Sighting>()))
        case .enumerate: try await enumerate()
        case .enumerateInTransaction:
            try await context.transaction { () async throws -> Void in try await enumerate() }
        case .transaction:
            try await context.transaction { () async throws -> Void in
                Places.note()
                _ = try await context.fetch(FetchDescriptor<Sighting>())
                Places.note()
            }
        case .level:
            try await context.transaction { () async throws -> Void in
                try await context.transaction { () async throws -> Void in
                    _ = try await context.fetch(FetchDescriptor<Sighting>())
                    Places.note()
                }
                Places.note()
            }
        case .saveInTransaction:
            try await context.transaction { () async throws -> Void in
                context.insert(Sighting(bird: Bird(name: "robin"), photos: []))
                try await context.save()
                Places.note()
                context.insert(Sighting(bird: Bird(name: "finch"), photos: []))
            }
            Places.note()
        }
    }

    private func enumerate() async throws {
        try await context.enumerate(FetchDescriptor<Sighting>(), allowEscapingMutations: true) {
            (_: Sighting) async throws in Places.note()
        }
        Places.note()
    }
}

/// Notes where it is read and written.
private struct Bird: Codable, Equatable {
    var name: String

    init(name: String) { self.name = name }

    init(from decoder: any Decoder) throws {
        Places.note()
        name = try decoder.singleValueContainer().decode(String.self)
    }

    func encode(to encoder: any Encoder) throws {
        Places.note()
        var container = encoder.singleValueContainer()
        try container.encode(name)
    }
}

@Model private final class Sighting {
    var bird: Bird
    @Relationship(inverse: \Photo.sighting) var photos: [Photo]

    init(bird: Bird, photos: [Photo]) {
        self.bird = bird
        self.photos = photos
    }
}

@Model private final class Photo {
    var bird: Bird
    var sighting: Sighting?

    init(bird: Bird) { self.bird = bird }
}
