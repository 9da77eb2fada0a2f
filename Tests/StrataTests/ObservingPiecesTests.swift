import Foundation
import Strata
import Testing

@testable import StrataContext

/// The parts of observing that need no server.
@Suite struct ObservingPiecesTests {
    @Test func `the first event fires at once, a burst fires once more at its end`() {
        let start = ContinuousClock.now
        func at(_ milliseconds: Int) -> ContinuousClock.Instant { start + .milliseconds(milliseconds) }
        var coalescer = EdgeCoalescer<ContinuousClock.Instant>(interval: .milliseconds(20))
        #expect(coalescer.event(at: at(0)) == .fire)
        #expect(coalescer.event(at: at(1)) == .startTimer(at(20)))
        #expect(coalescer.event(at: at(2)) == .nothing)
        #expect(coalescer.event(at: at(19)) == .nothing)
        coalescer.timerFired(at: at(21))
        // After the trailing one an interval is kept too.
        #expect(coalescer.event(at: at(30)) == .startTimer(at(41)))
        coalescer.timerFired(at: at(41))
        #expect(coalescer.event(at: at(61)) == .fire)
    }

    @Test func `attempts to connect again wait longer and longer, up to five seconds`() {
        var delay = ReconnectDelay()
        let pauses = (0..<12).map { _ in delay.next(random: 1) }
        #expect(pauses.prefix(3) == [.milliseconds(50), .milliseconds(100), .milliseconds(200)])
        #expect(pauses.last == .seconds(5))
        delay.reset()
        #expect(delay.next(random: 0) == .milliseconds(25))
    }

    @Test func `a wake-up between looking and waiting is not lost`() async throws {
        let signal = WakeSignal()
        let seen = signal.count
        signal.wake()
        #expect(try await signal.wait(after: seen) == .woken)
        #expect(try await signal.wait(after: signal.count, timeout: .milliseconds(5)) == .timedOut)
    }

    @Test func `everybody who waits is woken, and a closed signal keeps nobody`() async throws {
        let signal = WakeSignal()
        let outcomes = try await withThrowingTaskGroup(of: WakeSignal.Outcome.self) { group in
            for _ in 0..<100 { group.addTask { try await signal.wait(after: 0) } }
            try await Task.sleep(for: .milliseconds(20))
            signal.wake()
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes.count == 100 && outcomes.allSatisfy { $0 == .woken })
        let waiting = Task { try await signal.wait(after: signal.count) }
        try await Task.sleep(for: .milliseconds(5))
        signal.close()
        #expect(try await waiting.value == .closed)
        #expect(try await signal.wait(after: 0) == .closed)
    }

    @Test func `a cancelled task stops waiting at once`() async throws {
        let signal = WakeSignal()
        let waiting = Task { try await signal.wait(after: signal.count) }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
    }
}
