import Foundation
import Strata

/// Prints what the program does, and counts what did not turn out as expected.
final class Report {
    private(set) var checks = 0
    private(set) var failures: [String] = []

    func section(_ title: String) {
        write("\n\(title)\n\(String(repeating: "─", count: title.count))")
    }

    /// A line of the program's own output.
    func show(_ text: String) {
        write("  \(text)")
    }

    func expect(_ condition: Bool, _ what: String) {
        checks += 1
        write("  \(condition ? "✓" : "✗") \(what)")
        if !condition { failures.append(what) }
    }

    /// Writes a line at once, so that those of the log stand where they belong, in a file too.
    func write(_ line: String) {
        FileHandle.standardOutput.write(Data("\(line)\n".utf8))
    }

    /// Expects the work to fail with this code, and prints the error as a log would hold it.
    func expect(_ code: SwiftDataError.Code, _ what: String, from work: () async throws -> Void) async {
        do {
            try await work()
            expect(false, "\(what): \(code), but nothing was thrown")
        } catch {
            expect(code ~= error, what)
            show("  \(error)")
        }
    }
}
