import Strata
import Testing

/// A to-many relationship with many objects, edited at random from both of its ends, beside a plain array.
@Suite struct ManyMembersTests {
    private typealias Parent = Graph.Parent
    private typealias Child = Graph.Child

    @Test(arguments: 0..<12 as Range<UInt64>)
    func `edits of a to-many relationship are those of an array without duplicates`(seed: UInt64) async throws {
        try await withGraphStore { store in
            let context = store.context()
            var random = SeededGenerator(seed)
            let children = (0..<120).map { Child("c\($0)") }
            let (parent, other) = (Parent("A"), Parent("B"))
            for model in [parent, other] { context.insert(model) }
            // Few are looked through, many are looked up.
            parent.children = Array(children[..<[3, 31, 32, 33, 60, 120][Int(seed % 6)]])
            var expected = parent.children
            for step in 0..<150 {
                edit(parent, other, children, &expected, &random)
                if step.isMultiple(of: 40) { try await context.save() }
                #expect(parent.children.map(\.name) == expected.map(\.name), "step \(step)")
                let members = Set(expected.map(\.name))
                #expect(children.allSatisfy { ($0.parent === parent) == members.contains($0.name) }, "step \(step)")
            }
            try await context.save()
            let read = try #require(try await store.reader().all(Parent.self).first { $0.name == "A" })
            #expect(Set(read.children.map(\.name)) == Set(expected.map(\.name)))
        }
    }

    @Test func `what comes twice in an initializer is there once`() async throws {
        try await withGraphStore { store in
            let context = store.context()
            let (one, two) = (Child("one"), Child("two"))
            let parent = Parent("A", children: [one, one, two, one])
            context.insert(parent)
            #expect(parent.children.map(\.name) == ["one", "two"])
            parent.children = [two, one]
            #expect(one.parent === parent)
            try await context.save()
            #expect(try await store.reader().only(Parent.self).children.count == 2)
        }
    }

    @Test func `an edit in place shows what was there until it ends, also when it fails`() async throws {
        try await withGraphStore { store in
            let context = store.context()
            let parent = Parent("A")
            context.insert(parent)
            for index in 0..<50 { parent.children.append(Child("c\(index)")) }
            let before = parent.children
            // The array that is edited is another one than the one that is read meanwhile.
            parent.children.removeAll { _ in parent.children.count == 50 && before.count == 50 }
            #expect(parent.children.isEmpty)
            #expect(before.count == 50 && before.allSatisfy { $0.parent == nil })
            for child in before { parent.children.append(child) }

            struct Refusal: Error {}
            #expect(throws: Refusal.self) {
                try parent.children.withUnsafeMutableBufferPointer { children in
                    children.swapAt(0, 1)
                    throw Refusal()
                }
            }
            #expect(parent.children.map(\.name).prefix(3) == ["c1", "c0", "c2"])
            #expect(parent.children.allSatisfy { $0.parent === parent })
            // An edit of its members while it is edited is taken back by it, as with any property.
            parent.children.removeAll { child in
                child.parent = nil
                return child.name == "c7"
            }
            #expect(parent.children.count == 49 && parent.children.allSatisfy { $0.parent === parent })
            try await context.save()
            #expect(try await store.reader().all(Child.self).filter { $0.parent == nil }.map(\.name) == ["c7"])
        }
    }

    private func edit(
        _ parent: Parent, _ other: Parent, _ children: [Child], _ expected: inout [Child],
        _ random: inout SeededGenerator
    ) {
        let child = children[Int.random(in: children.indices, using: &random)]
        switch Int.random(in: 0..<12, using: &random) {
        case 0, 11:
            // In a row: from the third on in an array that is not copied.
            for child in [child]
                + children.filter({ $0.parent !== parent }).prefix(Int.random(in: 0..<6, using: &random))
            {
                parent.children.append(child)
                if !expected.contains(where: { $0 === child }) { expected.append(child) }
            }
        case 1:
            child.parent = nil
            expected.removeAll { $0 === child }
        case 2:
            child.parent = parent
            if !expected.contains(where: { $0 === child }) { expected.append(child) }
        case 3:
            other.children.append(child)
            expected.removeAll { $0 === child }
        case 4 where !expected.isEmpty:
            let index = Int.random(in: expected.indices, using: &random)
            parent.children.remove(at: index)
            expected.remove(at: index)
        case 5 where expected.count > 1:
            let (one, two) = (0, Int.random(in: expected.indices, using: &random))
            parent.children.swapAt(one, two)
            expected.swapAt(one, two)
        case 6:
            expected.shuffle(using: &random)
            parent.children = expected
        case 7:
            // An object that comes twice is there once.
            parent.children = expected + expected.prefix(2) + [child, child]
            if !expected.contains(where: { $0 === child }) { expected.append(child) }
        case 8:
            let some = children.filter { _ in Bool.random(using: &random) }
            parent.children = some
            expected = some
        case 9:
            // Out and in again: it is the last one then.
            child.parent = nil
            child.parent = parent
            expected.removeAll { $0 === child }
            expected.append(child)
        default:
            let odd = child.name.hasSuffix("1")
            parent.children.removeAll { $0.name.hasSuffix("1") == odd }
            expected.removeAll { $0.name.hasSuffix("1") == odd }
        }
    }
}
