/// The records of a CSV file (RFC 4180) as bytes.
package struct CSVText {
    private var bytes: [UInt8] = []

    package init() {}

    /// What was appended since it was last taken.
    package mutating func take() -> [UInt8] {
        defer { bytes.removeAll() }
        return bytes
    }

    /// Appends a record. `nil` is a field without text; an empty text is in quotes.
    package mutating func append(_ fields: [String?]) {
        for (index, field) in fields.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            if let field { append(field) }
        }
        bytes += [UInt8(ascii: "\r"), UInt8(ascii: "\n")]
    }

    private mutating func append(_ field: String) {
        let needsQuotes =
            field.isEmpty
            || field.utf8.contains { byte in
                byte == UInt8(ascii: ",") || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\n")
                    || byte == UInt8(ascii: "\r")
            }
        guard needsQuotes else {
            bytes += field.utf8
            return
        }
        bytes.append(UInt8(ascii: "\""))
        for byte in field.utf8 {
            if byte == UInt8(ascii: "\"") { bytes.append(byte) }
            bytes.append(byte)
        }
        bytes.append(UInt8(ascii: "\""))
    }
}
