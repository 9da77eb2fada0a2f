package import Foundation
import StrataModels

/// Writes the records of a CSV file (RFC 4180), some at a time.
package final class CSVWriter {
    private let file: FileHandle
    private let target: URL
    private let temporary: URL
    private var buffer: [UInt8] = []

    private static let chunkSize = 1 << 16

    /// Begins a file beside the one that it is to become.
    package init(_ url: URL) throws {
        target = url
        temporary = url.deletingLastPathComponent().appendingPathComponent(
            ".\(url.lastPathComponent).\(UUID().uuidString)")
        do {
            try Data().write(to: temporary)
            file = try FileHandle(forWritingTo: temporary)
        } catch { throw Self.unwritable(url, error) }
    }

    /// Appends a record. `nil` is a field without text; an empty text is in quotes.
    package func append(_ fields: [String?]) throws {
        for (index, field) in fields.enumerated() {
            if index > 0 { buffer.append(UInt8(ascii: ",")) }
            if let field { append(field) }
        }
        buffer += [UInt8(ascii: "\r"), UInt8(ascii: "\n")]
        if buffer.count >= Self.chunkSize { try flush() }
    }

    private func append(_ field: String) {
        let needsQuotes =
            field.isEmpty
            || field.utf8.contains {
                [UInt8(ascii: ","), UInt8(ascii: "\""), UInt8(ascii: "\n"), UInt8(ascii: "\r")].contains($0)
            }
        guard needsQuotes else {
            buffer += field.utf8
            return
        }
        buffer.append(UInt8(ascii: "\""))
        for byte in field.utf8 {
            if byte == UInt8(ascii: "\"") { buffer.append(byte) }
            buffer.append(byte)
        }
        buffer.append(UInt8(ascii: "\""))
    }

    private func flush() throws {
        do { try file.write(contentsOf: buffer) } catch { throw Self.unwritable(target, error) }
        buffer.removeAll(keepingCapacity: true)
    }

    /// Puts the file in its place.
    package func finish() throws {
        try flush()
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

extension EntityMapping {
    /// The names of the properties to which a key path leads, for the first line of a CSV file: `owner.name`.
    package func csvName(of keyPath: AnyKeyPath) throws -> String {
        if descriptor.isIdentifier(keyPath) { return "persistentModelID" }
        let steps =
            SortPath().steps(of: keyPath, from: descriptor) ?? SortProbe.relationships(of: keyPath, from: descriptor)
        guard let steps, !steps.isEmpty else {
            throw SwiftDataError(
                .unsupportedKeyPath,
                "A key path to \(type(of: keyPath).valueType) leads to no stored property of \(name).")
        }
        return steps.map(\.name).joined(separator: ".")
    }
}
