package import StrataClient

/// A place in the order of a fetch, from which its next or previous page is read.
///
/// ```swift
/// let page = try await context.fetchPage(descriptor, after: request.cursor, size: 50)
/// response.next = page.next
/// ```
///
/// It holds the last object's key and what that object is sorted by, so a page is found by an index however deep it lies, and
/// objects that come or go elsewhere move no page. It is encoded as one text of letters, digits, `-` and `_`, fit for a URL. The
/// text is checked and not encrypted: who has it can read the values that the order is made of.
public struct PageCursor: Hashable, Sendable {
    /// Which class and order the place belongs to.
    package let order: UInt64
    /// What the server writes for each term of the order; `nil` for `NULL`.
    package let values: [String?]
    package let key: RowKey
    /// Where the place is, seen from the key: right behind it (`1`) or right before it (`-1`), where there is no key for that, as with texts.
    package let side: Int8

    package init(order: UInt64, values: [String?], key: RowKey, side: Int8 = 0) {
        self.order = order
        self.values = values
        self.key = key
        self.side = side
    }

    /// The place right behind this one in an order that ends with the key (`1`), or right before it (`-1`).
    package func moved(by step: Int8) -> PageCursor {
        key.isText
            ? PageCursor(order: order, values: values, key: key, side: step)
            : PageCursor(order: order, values: values, key: key.moved(by: Int64(step)))
    }

    /// The number of an order, which differs where its description does.
    package static func number(ofOrder description: String) -> UInt64 { checksum(Array(description.utf8)) }
}

extension PageCursor: CustomStringConvertible {
    /// The cursor as text, for a URL or a body.
    public var text: String {
        // A key of another kind takes more bytes: which, the version says.
        var bytes = [Self.version(of: key.kind)]
        Self.append(order, to: &bytes)
        let ofKey = key.postgresBytes
        if key.isText {
            bytes.append(UInt8(bitPattern: side))
            Self.append(UInt64(ofKey.count), to: &bytes)
        }
        bytes += ofKey
        for value in values {
            guard let value else {
                Self.append(UInt64.max, to: &bytes)
                continue
            }
            Self.append(UInt64(value.utf8.count), to: &bytes)
            bytes += value.utf8
        }
        Self.append(Self.checksum(bytes), to: &bytes)
        return Self.base64(bytes)
    }

    /// The same as ``text``.
    public var description: String { text }

    /// The cursor that ``text`` has written.
    ///
    /// Nothing is sent. Whether it belongs to the order of a fetch, that fetch says.
    /// - Throws: ``SwiftDataError`` with the code `invalidPageCursor` for any other text.
    public init(_ text: String) throws {
        guard let cursor = Self.read(text) else {
            throw SwiftDataError(
                .invalidPageCursor,
                "A text is not a page cursor: it was cut, changed, or is from somewhere else. Begin with the first page.",
                details: "It is \(String(text.prefix(200)).debugDescription).")
        }
        self = cursor
    }

    private static func version(of kind: RowKey.Kind) -> UInt8 {
        switch kind {
        case .integer: 1
        case .uuid: 2
        case .text: 3
        // No key by itself.
        case .date: 4
        }
    }

    private static func read(_ text: String) -> PageCursor? {
        guard var rest = bytes(ofBase64: text).map({ $0[...] }), rest.count > 8 else { return nil }
        let written = rest.dropLast(8)
        rest = rest.suffix(8)
        guard number(&rest) == checksum(Array(written)) else { return nil }
        rest = written
        guard let version = rest.popFirst(),
            let kind = [RowKey.Kind.integer, .uuid, .text].first(where: { self.version(of: $0) == version }),
            let order = number(&rest)
        else { return nil }
        var side: Int8 = 0
        if kind == .text {
            guard let written = rest.popFirst(), (-1...1).contains(Int8(bitPattern: written)) else { return nil }
            side = Int8(bitPattern: written)
        }
        guard let key = key(kind, &rest) else { return nil }
        var values: [String?] = []
        while !rest.isEmpty {
            guard let length = number(&rest) else { return nil }
            if length == .max {
                values.append(nil)
                continue
            }
            guard length <= UInt64(rest.count),
                let value = String(validating: rest.prefix(Int(length)), as: UTF8.self)
            else { return nil }
            values.append(value)
            rest = rest.dropFirst(Int(length))
        }
        return PageCursor(order: order, values: values, key: key, side: side)
    }

    private static func key(_ kind: RowKey.Kind, _ bytes: inout ArraySlice<UInt8>) -> RowKey? {
        let width: UInt64? =
            switch kind {
            case .integer, .date: 8
            case .uuid: 16
            case .text: number(&bytes)
            }
        guard let width, width <= UInt64(bytes.count) else { return nil }
        let written = Array(bytes.prefix(Int(width)))
        bytes = bytes.dropFirst(Int(width))
        guard kind == .text else { return written.withUnsafeBytes { RowKey(bytesOfValue: $0) } }
        return String(validating: written, as: UTF8.self).flatMap { RowKey(foreign: $0) }
    }

    private static func append(_ number: UInt64, to bytes: inout [UInt8]) {
        for shift in stride(from: 56, through: 0, by: -8) { bytes.append(UInt8(truncatingIfNeeded: number >> shift)) }
    }

    private static func number(_ bytes: inout ArraySlice<UInt8>) -> UInt64? {
        guard bytes.count >= 8 else { return nil }
        defer { bytes = bytes.dropFirst(8) }
        return bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// FNV-1a: finds what was cut or mistyped.
    private static func checksum(_ bytes: [UInt8]) -> UInt64 {
        bytes.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }
}

extension PageCursor: Codable {
    /// Reads the cursor's ``text``.
    ///
    /// - Throws: ``SwiftDataError`` with the code `invalidPageCursor` for any other text; `DecodingError` where there is none.
    public init(from decoder: any Decoder) throws {
        try self.init(decoder.singleValueContainer().decode(String.self))
    }

    /// Writes the cursor's ``text``.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}

/// Base 64 for URLs (RFC 4648, section 5), without padding.
extension PageCursor {
    private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    private static func base64(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let number = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
            for digit in 0...group.count { text.append(digits[number >> (18 - 6 * digit) & 63]) }
        }
        return String(decoding: text, as: UTF8.self)
    }

    private static func bytes(ofBase64 text: String) -> [UInt8]? {
        var bytes: [UInt8] = []
        let characters = Array(text.utf8)
        for start in stride(from: 0, to: characters.count, by: 4) {
            let group = characters[start..<min(start + 4, characters.count)]
            guard group.count > 1 else { return nil }
            var number = 0
            for character in group {
                guard let digit = digits.firstIndex(of: character) else { return nil }
                number = number << 6 | digit
            }
            number <<= 6 * (4 - group.count)
            for byte in 0..<(group.count - 1) { bytes.append(UInt8(truncatingIfNeeded: number >> (16 - 8 * byte))) }
        }
        return bytes
    }
}
