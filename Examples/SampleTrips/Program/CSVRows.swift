import Foundation

/// The rows of a CSV file, one after the other, whatever the length of the file: fields in quotes may hold commas, quotes and ends of
/// lines (RFC 4180).
struct CSVRows {
    private let file: FileHandle
    private var chunk = Data()
    private var position = 0

    init(_ url: URL) throws { file = try FileHandle(forReadingFrom: url) }

    mutating func next() -> [String]? {
        var row: [String] = []
        var field: [UInt8] = []
        var isQuoted = false
        var wasQuote = false
        while let byte = nextByte() {
            switch byte {
            case UInt8(ascii: "\"") where isQuoted && !wasQuote: wasQuote = true
            case UInt8(ascii: "\"") where isQuoted:
                field.append(byte)
                wasQuote = false
            case UInt8(ascii: "\"") where field.isEmpty: isQuoted = true
            case UInt8(ascii: ",") where !isQuoted || wasQuote:
                row.append(String(decoding: field, as: UTF8.self))
                (field, isQuoted, wasQuote) = ([], false, false)
            case UInt8(ascii: "\n") where !isQuoted || wasQuote:
                return row + [String(decoding: field, as: UTF8.self)]
            case UInt8(ascii: "\r") where !isQuoted || wasQuote: continue
            default: field.append(byte)
            }
        }
        return row.isEmpty && field.isEmpty ? nil : row + [String(decoding: field, as: UTF8.self)]
    }

    /// The next rows, fewer at the end of the file.
    mutating func next(_ count: Int) -> [[String]] {
        var rows: [[String]] = []
        while rows.count < count, let row = next() { rows.append(row) }
        return rows
    }

    private mutating func nextByte() -> UInt8? {
        if position == chunk.count {
            chunk = (try? file.read(upToCount: 1 << 16)) ?? Data()
            position = 0
            guard !chunk.isEmpty else { return nil }
        }
        defer { position += 1 }
        return chunk[chunk.startIndex + position]
    }
}
