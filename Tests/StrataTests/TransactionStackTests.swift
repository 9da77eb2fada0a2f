import Testing

@testable import StrataContext

/// Drives the state machine of a transaction by hand: no server, no task, no clock. Who waits is a number.
struct TransactionStackTests {
    private final class Block: Sendable {}

    private typealias Stack = TransactionStack<Block, [String], Int>

    // MARK: Levels

    @Test func `Without a level no transaction is open, and nobody is inside`() {
        let stack = Stack()
        #expect(!stack.isOpen)
        #expect(stack.innermost == nil)
        #expect(stack.admitting == nil)
    }

    @Test func `The outermost level is the transaction, those within are savepoints with names of their own`() {
        var stack = Stack()
        stack.enter(Block(), [])
        stack.enter(Block(), [])
        stack.enter(Block(), [])
        #expect(stack.levels.map(\.savepoint) == [nil, "strata_1", "strata_2"])
        _ = stack.pop()
        stack.enter(Block(), [])
        #expect(stack.levels.last?.savepoint == "strata_2")
    }

    @Test func `Inside is who is inside the innermost level`() {
        var stack = Stack()
        let (outer, inner) = (Block(), Block())
        stack.enter(outer, [])
        #expect(stack.admitting === outer)
        stack.enter(inner, [])
        #expect(stack.admitting !== outer)
        #expect(stack.admitting === inner)
    }

    @Test func `A level that ends admits nobody, and is still open`() {
        var stack = Stack()
        let block = Block()
        stack.enter(block, [])
        stack.close(block)
        #expect(stack.admitting == nil)
        #expect(stack.isOpen(block))
    }

    @Test func `A level that ends takes those within along`() {
        var stack = Stack()
        let (outer, inner) = (Block(), Block())
        stack.enter(outer, [])
        stack.enter(inner, [])
        stack.close(outer)
        #expect(stack.levels.map(\.isEnding) == [true, true])
    }

    @Test func `A level that is not there is closed, changed and popped without effect`() {
        var stack = Stack()
        let stranger = Block()
        stack.enter(Block(), [])
        stack.close(stranger)
        stack.change(stranger) { $0.append("changed") }
        let popped = stack.pop(through: stranger)
        #expect(popped == nil)
        #expect(stack.levels.map(\.isEnding) == [false])
        #expect(stack.levels.last?.memory == [])
    }

    @Test func `A level is rolled back with those within, the innermost first; those around it stay`() {
        var stack = Stack()
        let (outer, middle) = (Block(), Block())
        stack.enter(outer, ["outer"])
        stack.enter(middle, ["middle"])
        stack.enter(Block(), ["inner"])
        var ended: [[String]] = []
        while let level = stack.pop(through: middle) { ended.append(level.memory) }
        #expect(ended == [["inner"], ["middle"]])
        #expect(stack.levels.map(\.memory) == [["outer"]])
        #expect(stack.isOpen(outer))
        #expect(!stack.isOpen(middle))
    }

    @Test func `What a level keeps is changed alone`() {
        var stack = Stack()
        let outer = Block()
        stack.enter(outer, [])
        stack.enter(Block(), [])
        stack.change(outer) { $0.append("outer") }
        #expect(stack.levels.map(\.memory) == [["outer"], []])
    }

    @Test func `A level that could not be opened is taken out`() {
        var stack = Stack()
        let block = Block()
        stack.enter(block, [])
        stack.remove(block)
        #expect(!stack.isOpen)
    }

    // MARK: Uses

    @Test func `Whoever waits for the end goes on when the last piece of work has ended`() {
        var stack = Stack()
        stack.beginUse()
        stack.beginUse()
        #expect(stack.isInUse)
        stack.awaitEndOfUses(1)
        let (first, last) = (stack.endUse(), stack.endUse())
        #expect(first == nil)
        #expect(last == 1)
        #expect(!stack.isInUse)
    }

    @Test func `Nobody is told twice`() {
        var stack = Stack()
        stack.beginUse()
        stack.awaitEndOfUses(1)
        let first = stack.endUse()
        stack.beginUse()
        let second = stack.endUse()
        #expect([first, second] == [1, nil])
    }

    // MARK: Turns

    @Test func `The turn is taken once, and free again when it is passed on to nobody`() {
        var stack = Stack()
        let taken = [stack.takeTurn(), stack.takeTurn()]
        #expect(taken == [true, false])
        let next = stack.passTurn()
        #expect(next == nil)
        let again = stack.takeTurn()
        #expect(again)
    }

    @Test func `The turn goes to those who wait, in order, and is never free in between`() {
        var stack = Stack()
        _ = stack.takeTurn()
        stack.awaitTurn(1)
        stack.awaitTurn(2)
        let first = stack.passTurn()
        #expect(first == 1)
        #expect(stack.isTurnTaken)
        // Somebody who comes now comes after those who wait.
        let isTaken = stack.takeTurn()
        #expect(!isTaken)
        stack.awaitTurn(3)
        let (second, third) = (stack.passTurn(), stack.passTurn())
        #expect([second, third] == [2, 3])
        #expect(stack.isTurnTaken)
        let nobody = stack.passTurn()
        #expect(nobody == nil)
        #expect(!stack.isTurnTaken)
    }
}
