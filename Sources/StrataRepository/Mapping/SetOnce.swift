import Synchronization

/// A value that is set once, before anybody asks for it, and stays: how mappings that lead to each other are tied together.
///
/// To read a part of it is two loads, and nothing is counted. To set it twice, or to ask before it is set, is a mistake of who ties them, and ends the program.
struct SetOnce<Value: Sendable>: ~Copyable, Sendable {
    private final class Box: Sendable {
        let value: Value

        init(_ value: Value) { self.value = value }
    }

    private let box = Atomic<Unmanaged<Box>?>(nil)

    /// Calls `body` with the value.
    @inline(__always)
    func read<Result>(_ body: (Value) -> Result) -> Result {
        guard let box = box.load(ordering: .acquiring) else {
            // MappingBuilder alone runs before all parts are set, and asks for none that is not: no model, row or caller leads here.
            preconditionFailure("A part of a mapping was asked for before it was known")
        }
        // Nothing takes it away: it is there as long as whoever asks.
        return box._withUnsafeGuaranteedRef { body($0.value) }
    }

    func set(_ value: Value) {
        let box = Unmanaged.passRetained(Box(value))
        let (isSet, _) = self.box.compareExchange(expected: nil, desired: box, ordering: .acquiringAndReleasing)
        // Each part is set in one place of MappingBuilder, once for each class.
        precondition(isSet, "A part of a mapping was set twice")
    }

    deinit { box.load(ordering: .acquiring)?.release() }
}
