import StrataModels

/// Takes the records of a CSV file (RFC 4180) out of its bytes, as they come.
///
/// Fields in quotes may hold commas, quotes and ends of lines. Lines end with LF or CRLF.
struct CSVParser {
    /// The file's name, for errors.
    let name: String
    /// Whether an empty line is a record: that of one field without text, where a file has one column that may be without a value.
    var keepsEmptyLines = false
    private var bytes: [UInt8] = []
    private var position = 0
    /// The line of the next byte, from 1.
    private var line = 1
    /// Whether the first bytes were looked at.
    private var isBegun = false
    /// Whether no bytes come any more.
    private var isComplete = false

    enum Outcome {
        case record(CSVRecord)
        /// The next record ends behind the bytes that are there.
        case incomplete
        case end
    }

    /// A record goes on behind the bytes that are there.
    private struct Incomplete: Error {}

    private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

    init(_ name: String) { self.name = name }

    /// How many bytes are to be read next: as many again as a record has so far, so that each is looked at a few times at most.
    var wanted: Int { max(1 << 16, bytes.count - position) }

    /// Takes the next bytes of the file; none says that it ends here.
    mutating func append(_ more: [UInt8]) {
        guard !more.isEmpty else {
            isComplete = true
            return
        }
        bytes.removeSubrange(..<position)
        position = 0
        bytes += more
    }

    /// The next record. Empty lines are passed over, as a rule.
    ///
    /// Throws ``SwiftDataError`` with the code `invalidValue` and the line for what is no CSV.
    mutating func next() throws -> Outcome {
        if !isBegun {
            guard isComplete || bytes.count >= Self.mark.count else { return .incomplete }
            isBegun = true
            // Some programs put the mark before UTF-8.
            if bytes.starts(with: Self.mark) { position = Self.mark.count }
        }
        let start = (position, line)
        do {
            while let first = try peek() {
                if !keepsEmptyLines, first == UInt8(ascii: "\n") || first == UInt8(ascii: "\r") {
                    advance()
                    continue
                }
                return .record(try record())
            }
            return .end
        } catch is Incomplete {
            (position, line) = start
            return .incomplete
        }
    }

    private mutating func record() throws -> CSVRecord {
        var record = CSVRecord(line: line)
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
        let start = position
        while let byte = try peek(), byte != UInt8(ascii: ","), byte != UInt8(ascii: "\n") {
            guard byte != UInt8(ascii: "\"") else {
                throw refusal(
                    "there is a quote within a field that is not in quotes. Put the field in quotes, and write the quote twice"
                )
            }
            advance()
        }
        var field = bytes[start..<position]
        if field.last == UInt8(ascii: "\r"), try peek() != UInt8(ascii: ",") { field.removeLast() }
        return field.isEmpty ? nil : try text(field)
    }

    private mutating func quoted() throws -> String {
        let opening = line
        advance()
        var field: [UInt8] = []
        while let byte = try peek() {
            advance()
            guard byte == UInt8(ascii: "\"") else {
                field.append(byte)
                continue
            }
            guard try peek() == UInt8(ascii: "\"") else {
                if try peek() == UInt8(ascii: "\r") { advance() }
                return try text(field[...])
            }
            advance()
            field.append(byte)
        }
        throw refusal("a field that begins in line \(opening) has no closing quote")
    }

    private func text(_ bytes: ArraySlice<UInt8>) throws -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else { throw refusal("a field is no UTF-8") }
        return text
    }

    private func refusal(_ reason: String) -> SwiftDataError {
        SwiftDataError(.invalidValue, "Line \(line) of \(name) is no CSV: \(reason).")
    }

    // MARK: Bytes

    /// The next byte; `nil` at the end of the file.
    private func peek() throws -> UInt8? {
        if position < bytes.count { return bytes[position] }
        guard isComplete else { throw Incomplete() }
        return nil
    }

    private mutating func advance() {
        if bytes[position] == UInt8(ascii: "\n") { line += 1 }
        position += 1
    }
}
