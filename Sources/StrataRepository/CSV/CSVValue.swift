public import Foundation
public import StrataClient
public import StrataModels

/// A value that is one field of a CSV file.
///
/// Numbers, `Bool`, texts, dates, `Data`, `UUID`, `URL`, identifiers and optionals of them are. An enumeration with raw values of such a type
/// becomes one by saying so:
///
/// ```swift
/// extension Trip.Kind: CSVValue {}
/// ```
public protocol CSVValue {
    /// The value in words of this type, for errors: `Decimal`, `date as in 2026-11-24T18:30:00Z`.
    static var csvTypeName: String { get }
    /// The text of the field; `nil` for one that is empty and stands for no value.
    var csvField: String? { get }
    /// The value of a field; `nil` where it is none. `field` is `nil` for a field without text that is not in quotes.
    init?(csvField: String?)
}

extension CSVValue {
    /// The name of the type.
    public static var csvTypeName: String { "\(Self.self)" }
}

extension CSVValue where Self: LosslessStringConvertible {
    /// The description.
    public var csvField: String? { description }
    /// What the description says.
    public init?(csvField: String?) {
        guard let csvField else { return nil }
        self.init(csvField)
    }
}

extension CSVValue where Self: RawRepresentable, RawValue: CSVValue {
    /// The raw value's field.
    public var csvField: String? { rawValue.csvField }
    /// The case with this raw value.
    public init?(csvField: String?) {
        guard let raw = RawValue(csvField: csvField) else { return nil }
        self.init(rawValue: raw)
    }
}

extension Int: CSVValue {}
extension Int8: CSVValue {}
extension Int16: CSVValue {}
extension Int32: CSVValue {}
extension Int64: CSVValue {}
extension UInt8: CSVValue {}
extension UInt16: CSVValue {}
extension UInt32: CSVValue {}
extension UInt64: CSVValue {}
extension UInt: CSVValue {}
extension Double: CSVValue {
    /// The number; `nil` for digits that are beyond its reach.
    public init?(csvField: String?) {
        guard let csvField, let value = Double(csvField), !value.isInfinite || !csvField.contains(where: \.isNumber)
        else {
            return nil
        }
        self = value
    }
}
extension Float: CSVValue {
    /// The number; `nil` for digits that are beyond its reach.
    public init?(csvField: String?) {
        guard let csvField, let value = Float(csvField), !value.isInfinite || !csvField.contains(where: \.isNumber)
        else {
            return nil
        }
        self = value
    }
}
/// `true` and `false`.
extension Bool: CSVValue {}
/// Its description.
extension PostgresRange: CSVValue {}
/// Its description.
extension PersistentIdentifier: CSVValue {
    /// The description.
    public var csvField: String? { description }
    /// What the description says.
    public init?(csvField: String?) {
        guard let csvField else { return nil }
        self.init(csvField)
    }
}

/// A field without text is the empty text, in quotes or not.
extension String: CSVValue {
    /// The text itself.
    public var csvField: String? { self }
    /// The text, which may be empty.
    public init(csvField: String?) { self = csvField ?? "" }
}

/// No value is a field without text and without quotes.
extension Optional: CSVValue where Wrapped: CSVValue {
    /// The name of the wrapped type.
    public static var csvTypeName: String { Wrapped.csvTypeName }
    /// The value's field; `nil` for none.
    public var csvField: String? { flatMap(\.csvField) }
    /// The value, or `nil` for a field without text and without quotes.
    public init?(csvField: String?) {
        guard let csvField else {
            self = .none
            return
        }
        guard let value = Wrapped(csvField: csvField) else { return nil }
        self = .some(value)
    }
}

/// `1979-08-17`.
extension CalendarDate: CSVValue {
    /// The words for errors.
    public static var csvTypeName: String { "date as in 1979-08-17" }
}
/// `09:30:00`.
extension TimeOfDay: CSVValue {
    /// The words for errors.
    public static var csvTypeName: String { "time as in 09:30:00" }
}
/// `P1Y2M3DT4H`.
extension CalendarInterval: CSVValue {
    /// The words for errors.
    public static var csvTypeName: String { "interval as in P1Y2M3DT4H" }
}

/// With a point, whatever the language of the machine is.
extension Decimal: CSVValue {
    /// The digits.
    public var csvField: String? { description }
    /// The number, or `NaN`; `nil` where anything stands behind it.
    public init?(csvField: String?) {
        if csvField == Decimal.nan.description {
            self = .nan
            return
        }
        guard let csvField, csvField.wholeMatch(of: /[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?/) != nil,
            let value = Decimal(string: csvField, locale: Locale(identifier: "en_US_POSIX"))
        else { return nil }
        self = value
    }
}

extension UUID: CSVValue {
    /// The usual 36 characters.
    public var csvField: String? { uuidString }
    /// The UUID in its usual form.
    public init?(csvField: String?) {
        guard let csvField else { return nil }
        self.init(uuidString: csvField)
    }
}

extension URL: CSVValue {
    /// The whole address.
    public var csvField: String? { absoluteString }
    /// The address.
    public init?(csvField: String?) {
        guard let csvField else { return nil }
        self.init(string: csvField)
    }
}

/// Base64.
extension Data: CSVValue {
    /// Base64 without ends of lines.
    public var csvField: String? { base64EncodedString() }
    /// What the base64 says.
    public init?(csvField: String?) {
        guard let csvField else { return nil }
        self.init(base64Encoded: csvField)
    }
}
