import Foundation
import PlainClient

/// A connection of the C program.
final class Plain {
    let raw: OpaquePointer

    init(_ url: String) throws {
        guard let raw = plain_open(url) else { throw BenchmarkFailure.ofPlainClient }
        self.raw = raw
    }

    deinit { plain_close(raw) }

    func execute(_ statements: String...) throws {
        for sql in statements where plain_execute(raw, sql) < 0 { throw BenchmarkFailure.ofPlainClient }
    }

    func number(_ sql: String) throws -> Int { try count(plain_number(raw, sql)) }

    /// What a function returned, unless it failed.
    func count(_ result: Int64) throws -> Int {
        guard result >= 0 else { throw BenchmarkFailure.ofPlainClient }
        return Int(result)
    }

    /// Rows that stay in memory until the outcome goes.
    func outcome(_ rows: OpaquePointer?) throws -> Outcome {
        guard let rows else { throw BenchmarkFailure.ofPlainClient }
        return Outcome(count: Int(plain_count(rows)), held: PlainRows(rows))
    }
}

/// Rows that the C program has in memory.
private final class PlainRows {
    private let raw: OpaquePointer

    init(_ raw: OpaquePointer) { self.raw = raw }

    deinit { plain_release(raw) }
}

/// Texts for the C program, made once.
final class PlainTexts {
    let pointers: UnsafeMutablePointer<UnsafePointer<CChar>?>
    private let count: Int

    init(_ texts: [String]) {
        count = texts.count
        pointers = .allocate(capacity: texts.count + 1)
        for (index, text) in texts.enumerated() { pointers[index] = UnsafePointer(strdup(text)) }
        pointers[count] = nil
    }

    deinit {
        for index in 0..<count { free(UnsafeMutablePointer(mutating: pointers[index])) }
        pointers.deallocate()
    }
}

/// Why a benchmark could not go on.
struct BenchmarkFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }

    static var ofPlainClient: BenchmarkFailure { BenchmarkFailure(String(cString: plain_error())) }
}
