import Strata
import StrataModelTestSupport
import Testing

@testable import StrataContext
@testable import StrataModels

/// The edits of one object with marks of saves, step by step, beside what they must be. No save is sent: the state is told of each step.
@Suite struct SaveMarkTests {
    @Model final class Marked {
        var a = 0
        var b = 0
        var c = 0
        init() {}
    }

    private enum Step: CaseIterable {
        case edit, begin, finish, abandon, returnToMark
    }

    /// What an object with a row must know, written down without marks.
    private struct Expected {
        /// The values of the row, and those that a save under way writes.
        var row = [0, 0, 0]
        var written: [Int]?
        /// The edits that the save under way writes, and all others.
        var saved: Set<Int> = []
        var edited: Set<Int> = []

        var originals: [Int?] { (0..<3).map { edited.contains($0) || saved.contains($0) ? row[$0] : nil } }
    }

    private func originals(of model: Marked) -> [Int?] { (0..<3).map { value(model._$state.original(at: $0)) } }

    private func value(_ image: OriginalValue?) -> Int? {
        (image as? OriginalAttribute<ScalarCoding<Int>>)?.attribute.stored
    }

    private func set(_ slot: Int, of model: Marked, to value: Int) {
        switch slot {
        case 0: model.a = value
        case 1: model.b = value
        default: model.c = value
        }
    }

    @Test(arguments: 0..<12)
    func `edits before a save and during it are told apart`(seed: UInt64) async throws {
        try await withModelStore(Marked.self) { store in
            let context = ModelContext(store.container)
            let model = Marked()
            context.insert(model)
            try await context.save()
            let state = model._$state
            var random = SeededGenerator(seed)
            var expected = Expected()
            var taken: [String] = []
            var next = 1
            for _ in 0..<400 {
                let step = Step.allCases.randomElement(using: &random) ?? .edit
                switch step {
                case .edit:
                    let slot = Int.random(in: 0..<3, using: &random)
                    set(slot, of: model, to: next)
                    next += 1
                    expected.edited.insert(slot)
                case .begin where expected.written == nil:
                    state.beginSave()
                    expected.written = [model.a, model.b, model.c]
                    (expected.saved, expected.edited) = (expected.edited, [])
                case .finish:
                    guard let written = expected.written else { continue }
                    let before = state.finishSave()
                    #expect(Set(before.map(\.slot)) == expected.saved, "\(taken)")
                    for image in before { #expect(value(image) == expected.row[image.slot], "\(taken)") }
                    (expected.row, expected.written, expected.saved) = (written, nil, [])
                case .abandon where expected.written != nil:
                    state.abandonSave()
                    expected.edited.formUnion(expected.saved)
                    (expected.written, expected.saved) = (nil, [])
                case .returnToMark:
                    guard let written = expected.written else { continue }
                    context.unit.revertToSaveMark(model)
                    expected.edited = []
                    #expect([model.a, model.b, model.c] == written, "\(taken.suffix(12))")
                default: continue
                }
                taken.append("\(step)")
                #expect(originals(of: model) == expected.originals, "seed \(seed): \(taken.suffix(12))")
                #expect(Set(state.changedSlots.slots) == expected.edited.union(expected.saved), "\(taken.suffix(12))")
                #expect(state.originals.count >= state.changedSlots.slots.count, "\(taken.suffix(12))")
                if let mark = state.saveMark {
                    #expect(Int(mark.edits) <= state.originals.count, "\(taken.suffix(12))")
                }
            }
            if expected.written != nil { _ = state.finishSave() }
            context.rollback()
        }
    }

    @Test func `what is edited while a new object is saved is an edit of its row`() async throws {
        try await withModelStore(Marked.self) { store in
            let context = ModelContext(store.container)
            let model = Marked()
            context.insert(model)
            model.a = 1
            let state = model._$state
            #expect(originals(of: model) == [nil, nil, nil])
            state.beginSave()
            model.b = 2
            #expect(originals(of: model) == [nil, nil, nil])
            state.phase = .registered
            #expect(state.finishSave().isEmpty)
            #expect(originals(of: model) == [nil, 0, nil])
            state.phase = .inserted
            context.rollback()
        }
    }

    @Test func `edits that are forgotten take the mark along`() async throws {
        try await withModelStore(Marked.self) { store in
            let context = ModelContext(store.container)
            let model = Marked()
            context.insert(model)
            try await context.save()
            let state = model._$state
            (model.a, model.b) = (1, 1)
            state.beginSave()
            model.c = 1
            #expect(state.saveMark?.edits == 2)
            state.clearChanges()
            #expect(state.saveMark?.edits == 0)
            model.a = 2
            // Behind the mark: the save under way has written 1.
            #expect(state.finishSave().isEmpty)
            #expect(originals(of: model) == [1, nil, nil])
            context.rollback()
        }
    }
}
