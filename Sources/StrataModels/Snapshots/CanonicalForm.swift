import Foundation

/// What a value says of itself, as bytes that equal values have in common: in every process, and whatever they were made of.
///
/// JSON is no such form. Sets and dictionaries are written in the order in which they lie in memory, which is another one for each object
/// (dictionaries whose keys are no text or number are lists in JSON), and -0.0 and zeros at a number's end are written as they are.
/// What a type writes in a list by its own `encode(to:)` is in the order in which it writes it.
struct CanonicalForm: EncodedTree, Comparable {
    private(set) var bytes: [UInt8]

    /// - Throws: what the value's `encode(to:)` throws.
    init(of value: some Encodable) throws { bytes = try TreeEncoder<CanonicalForm>.tree(of: value).bytes }

    /// Every form ends where it ends, so that what follows another cannot be taken for a part of it.
    private init(_ kind: Kind, count: Int = 0) {
        bytes = [kind.rawValue]
        withUnsafeBytes(of: UInt64(count).littleEndian) { bytes += $0 }
    }

    private enum Kind: UInt8 { case null, bool, number, text, list, object, members }

    private init(_ kind: Kind, _ text: some StringProtocol) {
        self.init(kind, count: text.utf8.count)
        bytes += Array(text.utf8)
    }

    private init(_ kind: Kind, _ elements: [CanonicalForm]) {
        self.init(kind, count: elements.count)
        for element in elements { bytes += element.bytes }
    }

    static func < (lhs: CanonicalForm, rhs: CanonicalForm) -> Bool { lhs.bytes.lexicographicallyPrecedes(rhs.bytes) }

    // MARK: Trees

    static var null: CanonicalForm { CanonicalForm(.null) }

    static func list(_ elements: [CanonicalForm]) -> CanonicalForm { CanonicalForm(.list, elements) }

    static func object(_ fields: [String: CanonicalForm]) -> CanonicalForm {
        let sorted = fields.map { (CanonicalForm(.text, $0), $1) }.sorted { $0.0 < $1.0 }
        var form = CanonicalForm(.object, count: fields.count)
        for (name, value) in sorted { form.bytes += name.bytes + value.bytes }
        return form
    }

    static func leaf(_ value: some Encodable) throws -> CanonicalForm? {
        switch value {
        case let text as String: CanonicalForm(.text, text)
        case let bool as Bool: CanonicalForm(.bool, bool ? "1" : "0")
        case let number as any FixedWidthInteger: CanonicalForm(.number, String(describing: number))
        case let number as any BinaryFloatingPoint: CanonicalForm(.number, text(of: number))
        case let number as Decimal: CanonicalForm(.number, text(of: number))
        // As the document has them: moments and places are what `JSONForm` makes of them.
        case let date as Date: CanonicalForm(.number, text(of: date.timeIntervalSince1970))
        case let url as URL: CanonicalForm(.text, url.absoluteString)
        case let data as Data: CanonicalForm(.text, data.base64EncodedString())
        case let collection as any CollectionInAnyOrder: CanonicalForm(.members, try collection.forms().sorted())
        default: nil
        }
    }

    /// Zero has a sign that no comparison sees, and that `jsonb` does not keep.
    private static func text(of number: some BinaryFloatingPoint) -> String { number == 0 ? "0" : "\(number)" }

    /// Without zeros at its end.
    private static func text(of number: Decimal) -> Substring {
        var text = number.description[...]
        guard text.contains(".") else { return text }
        while text.last == "0" { text.removeLast() }
        if text.last == "." { text.removeLast() }
        return text
    }
}

/// A collection whose elements come in an order that says nothing.
private protocol CollectionInAnyOrder {
    func forms() throws -> [CanonicalForm]
}

extension Set: CollectionInAnyOrder where Element: Encodable {
    fileprivate func forms() throws -> [CanonicalForm] { try map { try CanonicalForm(of: $0) } }
}

extension Dictionary: CollectionInAnyOrder where Key: Encodable, Value: Encodable {
    fileprivate func forms() throws -> [CanonicalForm] {
        try map { .list([try CanonicalForm(of: $0), try CanonicalForm(of: $1)]) }
    }
}
