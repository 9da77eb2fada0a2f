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
