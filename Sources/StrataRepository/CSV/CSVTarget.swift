package import Foundation
import StrataModels

/// A CSV file that is being written, beside the one that it is to become. Each function blocks this thread.
package final class CSVTarget: Sendable {
    private let file: FileHandle
    private let target: URL
    private let temporary: URL

    /// Throws ``SwiftDataError`` with the code `storeFailure` where there can be no such file; so do all functions.
    package init(_ url: URL) throws {
        target = url
        temporary = url.deletingLastPathComponent().appendingPathComponent(
            ".\(url.lastPathComponent).\(UUID().uuidString)")
        do {
            try Data().write(to: temporary)
            file = try FileHandle(forWritingTo: temporary)
        } catch { throw Self.unwritable(url, error) }
    }

    /// Appends bytes.
    package func write(_ bytes: [UInt8]) throws {
        do { try file.write(contentsOf: bytes) } catch { throw Self.unwritable(target, error) }
    }

    /// Puts the file in its place.
    package func finish() throws {
        do {
            try file.close()
            // In one step: there is always a whole file.
            guard rename(temporary.path, target.path) == 0 else {
                throw CocoaError(
                    .fileWriteUnknown, userInfo: [NSLocalizedDescriptionKey: String(cString: strerror(errno))])
            }
        } catch { throw Self.unwritable(target, error) }
    }

    /// Leaves nothing behind.
    package func discard() {
        try? file.close()
        try? FileManager.default.removeItem(at: temporary)
    }

    private static func unwritable(_ url: URL, _ error: any Error) -> SwiftDataError {
        SwiftDataError(.storeFailure, "\(url.lastPathComponent) cannot be written: \(error.localizedDescription)")
    }
}
