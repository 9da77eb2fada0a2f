import Foundation
import Strata
import StrataModelTestSupport
import StrataTestSupport
import Testing
import WorkQueue

/// What a job has left behind: one for each time that it was done.
@Model final class Receipt {
    var payload: String
    init(_ payload: String) { self.payload = payload }
}

@Suite struct WorkQueueTests {
    private func withQueue(jobs: Int, _ body: (ModelStore, WorkQueue) async throws -> Void) async throws {
        try await withModelStore(Job.self, Receipt.self, connections: 10) { store in
            let context = ModelContext(store.container)
            for number in 0..<jobs {
                context.insert(Job("job \(number)", createdAt: Date(timeIntervalSince1970: Double(number))))
            }
            try await context.save()
            try await body(store, WorkQueue(store.container))
        }
    }

    /// Every job was done once, and is finished.
    private func expectAllDoneOnce(_ count: Int, in store: ModelStore) async throws {
        let context = ModelContext(store.container)
        let receipts = try await context.fetch(FetchDescriptor<Receipt>()).map(\.payload)
        #expect(receipts.count == count)
        #expect(Set(receipts) == Set((0..<count).map { "job \($0)" }))
        let open = try await context.fetchCount(FetchDescriptor<Job>(predicate: #Predicate { $0.finishedAt == nil }))
        #expect(open == 0)
    }

    @Test func `workers do every job once, and none waits for another`() async throws {
        try await withQueue(jobs: 120) { store, queue in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<6 {
                    group.addTask { try await queue.workOff { job, context in context.insert(Receipt(job.payload)) } }
                }
                try await group.waitForAll()
            }
            try await expectAllDoneOnce(120, in: store)
        }
    }

    @Test func `workers whose sessions the server ends do every job once`() async throws {
        try await withQueue(jobs: 120) { store, queue in
            let done = Shared(0)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<6 {
                    group.addTask {
                        // Who dies too often in a row begins anew, as a process would.
                        while true {
                            do {
                                try await queue.workOff { job, context in
                                    context.insert(Receipt(job.payload))
                                    let number = done.withLock { count in
                                        count += 1
                                        return count
                                    }
                                    if number % 12 == 0 { try await store.killConnections() }
                                }
                                return
                            } catch let error as SwiftDataError where error.isRetryable { continue }
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(done.value > 120)
            try await expectAllDoneOnce(120, in: store)
        }
    }

    @Test func `a job whose work fails is there for the next worker`() async throws {
        struct Failed: Error {}
        try await withQueue(jobs: 1) { store, queue in
            await #expect(throws: Failed.self) {
                _ = try await queue.workOnce { job, context in
                    context.insert(Receipt(job.payload))
                    throw Failed()
                }
            }
            let isDone = try await queue.workOnce { job, context in context.insert(Receipt(job.payload)) }
            #expect(isDone)
            try await expectAllDoneOnce(1, in: store)
        }
    }
}
