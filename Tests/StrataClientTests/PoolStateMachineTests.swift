import Testing

@testable import StrataClient

@Suite struct PoolStateMachineTests {
    private typealias Machine = PoolStateMachine<Int>

    private func machine(_ shared: Int, _ lane: Int = 1) -> Machine {
        Machine(maximumConnections: shared, synchronousLane: lane)
    }

    /// `#expect` cannot call what mutates the machine.
    private func expect<Value: Equatable>(
        _ actual: Value, _ expected: Value, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(actual == expected, sourceLocation: sourceLocation)
    }

    @Test func opensUntilTheLimitAndThenWaits() {
        var pool = machine(2)
        expect(pool.acquire(1, .asynchronous, purpose: "a", now: 0), .granted(.open(0)))
        expect(pool.acquire(2, .asynchronous, purpose: "b", now: 0), .granted(.open(1)))
        expect(pool.acquire(3, .asynchronous, purpose: "c", now: 0), .wait)
        #expect(pool.waiterCount == 1)
    }

    @Test func waitersAreServedInOrder() {
        var pool = machine(1)
        _ = pool.acquire(1, .asynchronous, purpose: "", now: 0)
        pool.opened(0, 100)
        _ = pool.acquire(2, .asynchronous, purpose: "", now: 0)
        _ = pool.acquire(3, .asynchronous, purpose: "", now: 0)
        expect(pool.release(0, keeping: 100, now: 5).admitted, [.init(waiter: 2, grant: .use(1, 100, idleSince: 5))])
        expect(pool.release(1, keeping: 100, now: 6).admitted, [.init(waiter: 3, grant: .use(2, 100, idleSince: 6))])
        expect(pool.release(2, keeping: 100, now: 7), .init(closes: false, admitted: []))
        #expect(pool.idleCount == 1)
    }

    @Test func nobodyOvertakesAWaiter() {
        var pool = machine(1)
        _ = pool.acquire(1, .asynchronous, purpose: "", now: 0)
        _ = pool.acquire(2, .asynchronous, purpose: "", now: 0)
        _ = pool.release(0, keeping: nil, now: 0)
        expect(pool.acquire(3, .asynchronous, purpose: "", now: 0), .wait)
    }

    @Test func aBrokenConnectionIsReplacedByTheNextInLine() {
        var pool = machine(1)
        _ = pool.acquire(1, .asynchronous, purpose: "", now: 0)
        _ = pool.acquire(2, .asynchronous, purpose: "", now: 0)
        expect(pool.release(0, keeping: nil, now: 0).admitted, [.init(waiter: 2, grant: .open(1))])
    }

    @Test func theMostRecentlyUsedConnectionIsUsedNext() {
        var pool = machine(2)
        _ = pool.acquire(1, .asynchronous, purpose: "", now: 0)
        _ = pool.acquire(2, .asynchronous, purpose: "", now: 0)
        _ = pool.release(0, keeping: 100, now: 1)
        _ = pool.release(1, keeping: 200, now: 2)
        expect(pool.acquire(3, .asynchronous, purpose: "", now: 3), .granted(.use(2, 200, idleSince: 2)))
        expect(pool.removeIdle(since: 2, orWhere: { _ in false }), [100])
        #expect(pool.idleCount == 0)
    }

    @Test func aSynchronousCallerDoesNotWaitForAsynchronousHolders() {
        var pool = machine(1, 1)
        _ = pool.acquire(1, .asynchronous, purpose: "", now: 0)
        expect(pool.acquire(2, .synchronous, purpose: "", now: 0), .granted(.open(1)))
        #expect(pool.leases[1]?.lane == .synchronous)
        // Now it may wait: for the synchronous holder.
        expect(pool.acquire(3, .synchronous, purpose: "", now: 0), .wait)
        // A waiting asynchronous caller is not served by the lane, a synchronous one is.
        _ = pool.acquire(4, .asynchronous, purpose: "", now: 0)
        expect(pool.release(1, keeping: 200, now: 1).admitted, [.init(waiter: 3, grant: .use(2, 200, idleSince: 1))])
    }

    @Test func aSynchronousCallerTakesASharedLeaseWhenNobodyWaitsForIt() {
        var pool = machine(1, 1)
        expect(pool.acquire(1, .synchronous, purpose: "", now: 0), .granted(.open(0)))
        #expect(pool.leases[0]?.lane == .shared)
        _ = pool.acquire(2, .asynchronous, purpose: "", now: 0)
        expect(pool.acquire(3, .synchronous, purpose: "", now: 0), .granted(.open(1)))
        #expect(pool.leases[1]?.lane == .synchronous)
    }

    @Test func whoGivesUpIsNotServed() {
        var pool = machine(1)
        _ = pool.acquire(1, .asynchronous, purpose: "", now: 0)
        _ = pool.acquire(2, .asynchronous, purpose: "", now: 0)
        let gaveUp = [pool.giveUp(2), pool.giveUp(2)]
        #expect(gaveUp == [true, false])
        expect(pool.release(0, keeping: nil, now: 0).admitted.isEmpty, true)
    }

    @Test func aLeaseThatIsReleasedTwiceCountsOnce() {
        var pool = machine(1)
        _ = pool.acquire(1, .asynchronous, purpose: "", now: 0)
        _ = pool.release(0, keeping: 100, now: 0)
        _ = pool.release(0, keeping: 100, now: 0)
        #expect(pool.idleCount == 1)
        _ = pool.acquire(2, .asynchronous, purpose: "", now: 0)
        expect(pool.acquire(3, .asynchronous, purpose: "", now: 0), .wait)
    }

    @Test func closingTurnsWaitersAwayAndClosesWhatComesBack() {
        var pool = machine(1)
        _ = pool.acquire(1, .asynchronous, purpose: "", now: 0)
        _ = pool.acquire(2, .asynchronous, purpose: "", now: 0)
        let (connections, waiters) = pool.close()
        #expect(connections.isEmpty && waiters == [2])
        expect(pool.acquire(3, .asynchronous, purpose: "", now: 0), .closed)
        expect(pool.release(0, keeping: 100, now: 0), .init(closes: true, admitted: []))
        #expect(pool.idleCount == 0)
    }

    /// Random events against the rules that must always hold.
    @Test func theLimitsHoldWhateverHappens() {
        var pool = machine(3, 2)
        var waiter = 0
        var nextConnection = 1000
        for step in 0..<20_000 {
            switch Int.random(in: 0..<6) {
            case 0, 1:
                waiter += 1
                _ = pool.acquire(waiter, Bool.random() ? .asynchronous : .synchronous, purpose: "", now: step)
            case 2, 3, 4:
                guard let lease = pool.leases.keys.randomElement() else { continue }
                nextConnection += 1
                let keeps = Bool.random() ? pool.leases[lease]?.connection ?? nextConnection : nil
                _ = pool.release(lease, keeping: keeps, now: step)
            default:
                _ = pool.giveUp(Int.random(in: 0...waiter))
            }
            let shared = pool.leases.values.filter { $0.lane == .shared }.count
            let lane = pool.leases.values.filter { $0.lane == .synchronous }.count
            #expect(shared <= 3 && lane <= 2)
            #expect(pool.leases.count + pool.idleCount <= 5)
            #expect(pool.leases.values.allSatisfy { $0.lane == .shared || $0.caller == .synchronous })
            #expect(shared == 3 || pool.waiterCount == 0)
        }
    }
}
