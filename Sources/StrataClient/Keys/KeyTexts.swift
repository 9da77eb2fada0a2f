import Synchronization

/// The texts that are keys and have no room in two words, each with a number: once a process, for as long as it lives.
///
/// A key is copied without anybody counting who has it, so nobody knows when the last is gone. Each text takes its bytes and about a
/// hundred more (decision 0047).
@usableFromInline
final class KeyTexts: Sendable {
    static let shared = KeyTexts()

    private struct Content {
        var numbers: [[UInt8]: Int64] = [:]
        var texts: [[UInt8]] = []
    }
    private let content = Mutex(Content())
    private let isExpected = Atomic(false)

    /// Whether a class has texts for keys. Without one, nobody's text is worth keeping.
    var isUsed: Bool { isExpected.load(ordering: .relaxed) }
    func use() { isExpected.store(true, ordering: .relaxed) }

    /// The number of a text: the same for the same bytes, and for no others.
    func number(of bytes: UnsafeRawBufferPointer) -> Int64 {
        let text = Array(bytes)
        return content.withLock { content in
            if let number = content.numbers[text] { return number }
            let number = Int64(content.texts.count)
            content.texts.append(text)
            content.numbers[text] = number
            return number
        }
    }

    func bytes(of number: Int64) -> [UInt8] { content.withLock { $0.texts[Int(number)] } }
}
