import Foundation
import Strata
import Testing

@Model private class Link {
    var number: Int
    @Relationship(inverse: nil) var next: Link?
    @Relationship(inverse: nil) var below: [Link] = []

    init(_ number: Int) { self.number = number }
}

@Model private final class SpecialLink: Link {
    @Relationship(inverse: nil) var deeper: SpecialLink?
}

/// Objects that hold each other in a long chain are freed without a deep stack.
@Suite struct LongChainTests {
    private static let length = 200_000

    /// How the chain hangs together.
    enum Shape: CaseIterable {
        case fromTheEnd, fromTheBeginning, arrays, appended, ofASubclass
    }

    /// Runs `body` on a thread with this much of a stack.
    private func onThread(stackSize: Int, _ body: @escaping @Sendable () -> Bool) async -> Bool {
        await withCheckedContinuation { continuation in
            let thread = Thread { continuation.resume(returning: body()) }
            thread.stackSize = stackSize
            thread.start()
        }
    }

    /// Makes a chain and frees it. Returns whether the last object went with the first.
    private static func makeAndFree(_ shape: Shape) -> Bool {
        weak var last: Link?
        do {
            let (first, end) = make(shape)
            last = end
            guard first.number == 0, end.number == length else { return false }
        }
        return last == nil
    }

    private static func make(_ shape: Shape) -> (first: Link, last: Link) {
        switch shape {
        case .fromTheEnd:
            let last = Link(length)
            var link = last
            for number in (0..<length).reversed() {
                let previous = Link(number)
                previous.next = link
                link = previous
            }
            return (link, last)
        case .fromTheBeginning, .arrays, .appended:
            let first = Link(0)
            var link = first
            for number in 1...length {
                let next = Link(number)
                switch shape {
                case .arrays: link.below = [next]
                case .appended: link.below.append(next)
                default: link.next = next
                }
                link = next
            }
            return (first, link)
        case .ofASubclass:
            let first = SpecialLink(0)
            var link = first
            for number in 1...length {
                let next = SpecialLink(number)
                link.deeper = next
                link = next
            }
            return (first, link)
        }
    }

    @Test(arguments: Shape.allCases) func `a long chain without a context is freed`(_ shape: Shape) async {
        let isFreed = await onThread(stackSize: 512 << 10) { Self.makeAndFree(shape) }
        #expect(isFreed)
    }

    @Test(arguments: [false, true]) func `a long chain of a context is freed, with it and before it`(isSaved: Bool)
        async throws
    {
        try await withModelStore(Link.self, SpecialLink.self) { store in
            let container = store.container
            let length = 20_000
            weak var last: Link?
            let context = ModelContext(container)
            do {
                let first = Link(0)
                var link = first
                for number in 1...length {
                    let next = Link(number)
                    if number.isMultiple(of: 2) { link.next = next } else { link.below = [next] }
                    link = next
                }
                last = link
                context.insert(first)
                if isSaved { try await context.save() } else { context.rollback() }
                #expect(last?.number == length)
            }
            #expect(last == nil)
            withExtendedLifetime(context) {}
        }
    }

    @Test func `a chain that is turned round and never saved is freed with its context`() async throws {
        try await withModelStore(Link.self, SpecialLink.self) { store in
            let container = store.container
            try await Self.turnRound(ModelContext(container), length: 20_000)
        }
    }

    private static func turnRound(_ context: ModelContext, length: Int) async throws {
        let links = (0..<length).map { Link($0) }
        for number in 1..<length { links[number - 1].next = links[number] }
        context.insert(links[0])
        try await context.save()
        // The old values hold what the new ones held before.
        links[0].next = nil
        for number in 1..<length { links[number].next = links[number - 1] }
        #expect(links[length - 1].next === links[length - 2])
    }

    @Test func `what a relationship holds stays the same however it is held`() async throws {
        // Some of so many are held in another way than the others.
        let links = (0..<300).map { Link($0) }
        let owner = Link(-1)
        for link in links {
            owner.next = link
            #expect(owner.next === link)
            let other = Link(-2)
            other.below = [link]
            #expect(other.below.first === link && other.below.count == 1)
            other.below.append(owner)
            #expect(other.below.map(\.number) == [link.number, -1])
            other.below.removeAll { $0 === link }
            #expect(other.below.map(\.number) == [-1])
        }
    }
}
