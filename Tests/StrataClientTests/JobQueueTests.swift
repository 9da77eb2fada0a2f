import Testing

@testable import StrataClient

@Suite struct JobQueueTests {
    /// The queue, for expectations that change it.
    private final class Driven {
        private var queue = JobQueue<Int>()

        var count: Int { queue.count }
        func append(_ job: Int, isAwaited: Bool) -> Bool { queue.append(job, isAwaited: isAwaited) }
        func next() -> (job: Int?, mustWake: Bool) { queue.next() }
        func didWake() { queue.didWake() }
        func didLook() { queue.didLook() }
    }

    @Test func `jobs are run in their order, however many there are`() {
        let queue = Driven()
        for number in 0..<2500 { _ = queue.append(number, isAwaited: false) }
        #expect((0..<2500).allSatisfy { queue.next().job == $0 })
        #expect(queue.count == 0)
        #expect(queue.next().job == nil)
    }

    @Test func `one of those who wait is woken for a job, and only once`() {
        let queue = Driven()
        #expect(!queue.append(0, isAwaited: false))
        #expect(queue.next() == (0, false))
        for _ in 0..<2 { #expect(queue.next() == (nil, false)) }
        #expect(queue.append(1, isAwaited: false))
        #expect(!queue.append(2, isAwaited: false))
        queue.didWake()
        // There is another job, and another thread that waits.
        #expect(queue.next() == (1, true))
    }

    @Test func `who asks for jobs anyway wakes nobody for the first, but for the second`() {
        let queue = Driven()
        #expect(queue.next() == (nil, false))
        #expect(!queue.append(1, isAwaited: true))
        #expect(!queue.append(2, isAwaited: true))
        #expect(queue.next() == (1, true))
        queue.didWake()
        #expect(queue.next() == (2, false))
    }

    @Test func `a wake-up that a busy thread has seen is not lost`() {
        let queue = Driven()
        #expect(queue.next() == (nil, false))
        #expect(queue.append(1, isAwaited: false))
        // The busy one looks at the sockets and takes the event; the other one sleeps on.
        queue.didLook()
        #expect(queue.append(2, isAwaited: false))
    }
}
