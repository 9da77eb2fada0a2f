import Foundation

/// Random words from the operating system, drawn 32 at a time: a system call for each costs four times what else an identifier takes.
///
/// A process that forks without executing another program would draw what its parent draws; Swift's runtime allows no such fork.
struct RandomWords {
    private var words: [UInt64] = []

    mutating func next() -> UInt64 {
        if words.isEmpty { words = Self.drawn() }
        return words.removeLast()
    }

    private static func drawn() -> [UInt64] {
        let count = 32
        let words = [UInt64](unsafeUninitializedCapacity: count) { buffer, filled in
            // At most 256 bytes, and then never interrupted (getentropy(3)).
            guard let start = buffer.baseAddress else { return }
            filled = getentropy(start, count * MemoryLayout<UInt64>.stride) == 0 ? count : 0
        }
        return words.isEmpty ? [UInt64.random(in: .min ... .max)] : words
    }
}
