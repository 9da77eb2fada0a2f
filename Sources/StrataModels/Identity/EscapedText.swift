import StrataClient

/// Texts as identifiers write them: in letters and digits of ASCII and `-_~`.
enum EscapedText {
    /// Bytes that are neither letters, digits, `-` nor `_` as `~` and two hexadecimal digits.
    static func escaped(_ text: String) -> String {
        var escaped = ""
        for byte in text.utf8 {
            if isPlain(byte) {
                escaped.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                escaped += "~" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
            }
        }
        return escaped
    }

    static func unescaped(_ text: Substring) -> String? {
        var bytes: [UInt8] = []
        var rest = Substring(text).utf8
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "~") {
                guard rest.count >= 2, let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
                else {
                    return nil
                }
                rest = rest.dropFirst(2)
                bytes.append(value)
            } else {
                guard isPlain(byte) else { return nil }
                bytes.append(byte)
            }
        }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}

extension RowKey {
    /// The key as identifiers write it: digits, a UUID, or `_` with an escaped text, as no number and no UUID begins.
    var identifierText: String { text.map { "_" + EscapedText.escaped($0) } ?? description }

    /// Reads what ``identifierText`` writes, and a UUID in any letters.
    init?(identifierText written: Substring) {
        guard written.utf8.first == UInt8(ascii: "_") else {
            self.init(numberOrUUID: written)
            return
        }
        // One key, one text; whatever else comes is not kept.
        guard let text = EscapedText.unescaped(written.dropFirst()),
            EscapedText.escaped(text).utf8.elementsEqual(written.dropFirst().utf8)
        else { return nil }
        self.init(foreign: text)
    }
}
