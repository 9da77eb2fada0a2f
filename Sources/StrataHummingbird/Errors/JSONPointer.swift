#if Hummingbird
/// A place in a JSON text (RFC 6901).
enum JSONPointer {
    /// A name as a part of a pointer in a URL's fragment.
    static func escaped(_ name: String) -> String {
        var text = ""
        for byte in name.utf8 {
            switch byte {
            case UInt8(ascii: "~"): text += "~0"
            case UInt8(ascii: "/"): text += "~1"
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
                text.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                let digits = String(byte, radix: 16, uppercase: true)
                text += digits.utf8.count == 1 ? "%0\(digits)" : "%\(digits)"
            }
        }
        return text
    }

    /// `#/bucketList/2/title`, the whole text being `#`.
    static func fragment(_ path: [any CodingKey]) -> String {
        "#" + path.map { "/" + ($0.intValue.map(String.init) ?? escaped($0.stringValue)) }.joined()
    }
}
#endif
