package import Foundation
import StrataModels

/// The records of a CSV file (RFC 4180), one after the other, whatever the length of the file.
///
/// Fields in quotes may hold commas, quotes and ends of lines. Lines end with LF or CRLF.
package struct CSVReader {
    private let file: FileHandle
    /// The file's name, for errors.
    package let name: String
    private var chunk: [UInt8] = []
    private var position = 0
    /// The line of the next byte, from 1.
    private var line = 1
    /// Whether an empty line is a record: that of one field without text, where a file has one column that may be without a value.
    package var keepsEmptyLines = false

    /// One record: its fields, and where it begins.
    package struct Record {
        package var line: Int
        /// `nil` for a field without text and without quotes.
        package var fields: [String?] = []
    }

    private static let chunkSize = 1 << 16

    package init(_ url: URL) throws {
        name = url.lastPathComponent
        do { file = try FileHandle(forReadingFrom: url) } catch {
            throw SwiftDataError(.invalidValue, "\(name) cannot be read: \(error.localizedDescription)")
        }
        // The mark that some programs put before UTF-8.
        try fill()
        if chunk.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    }

    /// The next record; `nil` at the end. Empty lines are passed over, as a rule.
    ///
    /// Throws ``SwiftDataError`` with the code `invalidValue` and the line for what is no CSV.
    package mutating func next() throws -> Record? {
        while let first = try peek() {
            if !keepsEmptyLines, first == UInt8(ascii: "\n") || first == UInt8(ascii: "\r") {
                advance()
                continue
            }
            return try record()
        }
        return nil
    }

    private mutating func record() throws -> Record {
        var record = Record(line: line)
        while true {
            record.fields.append(try peek() == UInt8(ascii: "\"") ? try quoted() : try plain())
            switch try peek() {
            case UInt8(ascii: ","): advance()
            case UInt8(ascii: "\n"), nil:
                if try peek() != nil { advance() }
                return record
            default:
                throw refusal("a field in quotes is followed by something else than a comma or the end of the line")
            }
        }
    }

    private mutating func plain() throws -> String? {
        var bytes: [UInt8] = []
        while let byte = try peek(), byte != UInt8(ascii: ","), byte != UInt8(ascii: "\n") {
            guard byte != UInt8(ascii: "\"") else {
                throw refusal(
                    "there is a quote within a field that is not in quotes. Put the field in quotes, and write the quote twice"
                )
            }
            bytes.append(byte)
            advance()
        }
        if bytes.last == UInt8(ascii: "\r"), try peek() != UInt8(ascii: ",") { bytes.removeLast() }
        return bytes.isEmpty ? nil : try text(bytes)
    }

    private mutating func quoted() throws -> String {
        let start = line
        advance()
        var bytes: [UInt8] = []
        while let byte = try peek() {
            advance()
            guard byte == UInt8(ascii: "\"") else {
                bytes.append(byte)
                continue
            }
            guard try peek() == UInt8(ascii: "\"") else {
                if try peek() == UInt8(ascii: "\r") { advance() }
                return try text(bytes)
            }
            advance()
            bytes.append(byte)
        }
        throw refusal("a field that begins in line \(start) has no closing quote")
    }

    private func text(_ bytes: [UInt8]) throws -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else { throw refusal("a field is no UTF-8") }
        return text
    }

    private func refusal(_ reason: String) -> SwiftDataError {
        SwiftDataError(.invalidValue, "Line \(line) of \(name) is no CSV: \(reason).")
    }

    // MARK: Bytes

    private mutating func peek() throws -> UInt8? {
        if position == chunk.count { try fill() }
        return position < chunk.count ? chunk[position] : nil
    }

    private mutating func advance() {
        if chunk[position] == UInt8(ascii: "\n") { line += 1 }
        position += 1
    }

    private mutating func fill() throws {
        do { chunk = Array(try file.read(upToCount: Self.chunkSize) ?? Data()) } catch {
            throw SwiftDataError(.invalidValue, "\(name) cannot be read: \(error.localizedDescription)")
        }
        position = 0
    }
}
