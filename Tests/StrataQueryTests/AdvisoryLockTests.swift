import Foundation
import Strata
import StrataModelTestSupport
import Testing

@Suite struct AdvisoryLockTests {
    @Test func `one at a time has a lock, until its transaction ends`() async throws {
        try await withModelStore(Voyage.self, Cruise.self, Stop.self) { store in
            let context = ModelContext(store.container)
            let other = ModelContext(store.container)
            let inside = try await context.withAdvisoryLock("nightly") {
                context.insert(Stop("kept", of: nil))
                other.insert(Stop("unsaved", of: nil))
                let taken = try await other.tryWithAdvisoryLock("nightly") { () async throws -> Int in 1 }
                #expect(taken == nil)
                // Nothing was saved, and nothing is forgotten.
                #expect(other.insertedModelsArray.count == 1)
                let another = try await other.tryWithAdvisoryLock("weekly") { () async throws -> Int in 2 }
                #expect(another == 2)
                return 3
            }
            #expect(inside == 3)
            let again = try await other.tryWithAdvisoryLock("nightly") { () async throws -> Int in 4 }
            #expect(again == 4)
            let names = try await other.fetch(FetchDescriptor<Stop>(sortBy: [SortDescriptor(\.name)])).map(\.name)
            #expect(names == ["kept", "unsaved"])
            let blocking = try {
                try context.tryWithAdvisoryLock("nightly") { try context.withAdvisoryLock("nightly") { 5 } }
            }()
            #expect(blocking == 5)
        }
    }

    @Test func `a transaction that goes on to read what was before takes no lock by name`() async throws {
        try await withModelStore(Voyage.self, Cruise.self, Stop.self) { store in
            for isolation in [IsolationLevel.repeatableRead, .serializable] {
                for waits in [true, false] {
                    let error = await #expect(throws: SwiftDataError.self) {
                        try await store.container.withContext(isolation: isolation, attempts: 1) { context in
                            if waits {
                                try await context.withAdvisoryLock("nightly") { () async throws -> Void in }
                            } else {
                                _ = try await context.tryWithAdvisoryLock("nightly") { () async throws -> Void in }
                            }
                        }
                    }
                    #expect(error?.code == .unsupportedFeature)
                    #expect(error?.message.contains("Use .readCommitted") == true)
                }
            }
            try await store.container.withContext(isolation: .readCommitted) { context in
                try await context.withAdvisoryLock("nightly") { () async throws -> Void in }
            }
        }
    }

    @Test func `a lock that another one has saves nothing of the transaction around`() async throws {
        try await withModelStore(Voyage.self, Cruise.self, Stop.self) { store in
            let (holder, context) = (ModelContext(store.container), ModelContext(store.container))
            try await holder.withAdvisoryLock("nightly") { () async throws -> Void in
                try await context.transaction {
                    context.insert(Stop("unsaved", of: nil))
                    store.recorder.reset()
                    let taken = try await context.tryWithAdvisoryLock("nightly") { () async throws -> Int in 1 }
                    #expect(taken == nil)
                    #expect(!store.recorder.statements.contains { $0.hasPrefix("INSERT") || $0.contains("unnest") })
                    #expect(context.insertedModelsArray.count == 1)
                }
            }
            #expect(try await context.fetchCount(FetchDescriptor<Stop>()) == 1)
        }
    }

    @Test func `a lock goes with an error, and is waited for`() async throws {
        struct Stopped: Error {}
        try await withModelStore(Voyage.self, Cruise.self, Stop.self) { store in
            let context = ModelContext(store.container)
            await #expect(throws: Stopped.self) {
                try await context.withAdvisoryLock("nightly") { () async throws -> Void in throw Stopped() }
            }
            let order = Shared<[Int]>([])
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<8 {
                    group.addTask {
                        let context = ModelContext(store.container)
                        try await context.withAdvisoryLock("nightly") { () async throws -> Void in
                            order.withLock { $0.append(number) }
                            _ = try await context.fetch(FetchDescriptor<Stop>())
                            order.withLock { $0.append(number) }
                        }
                    }
                }
                try await group.waitForAll()
            }
            let numbers = order.value
            #expect(numbers.count == 16)
            for index in stride(from: 0, to: 16, by: 2) { #expect(numbers[index] == numbers[index + 1]) }
        }
    }
}
