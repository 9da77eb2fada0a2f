import StrataClient
import StrataModels

/// The codings that fit a type of which nothing is known before the program runs, as the choice among `_storage(of:)` is.
enum FittingCoding<V> {
    /// Of a type that PostgreSQL has.
    static var scalar: (any AttributeCoding.Type)? { coding(ScalarForm<V>.self) }
    /// Of raw values, or of an array of them.
    static var raw: (any AttributeCoding.Type)? { coding(RawForm<V>.self) ?? coding(V.self) }
    /// Of one document.
    static var document: (any AttributeCoding.Type)? { coding(DocumentForm<V>.self) }

    private static func coding(_ form: Any.Type) -> (any AttributeCoding.Type)? {
        (form as? any CodedForm.Type)?.coding
    }
}

/// A type whose constraints are met: the cast to this protocol asks for them.
private protocol CodedForm {
    static var coding: any AttributeCoding.Type { get }
}

private enum ScalarForm<V> {}
extension ScalarForm: CodedForm where V: PostgresCodable {
    static var coding: any AttributeCoding.Type { ScalarCoding<V>.self }
}

private enum RawForm<V> {}
extension RawForm: CodedForm where V: RawRepresentable, V.RawValue: PostgresCodable {
    static var coding: any AttributeCoding.Type { RawValueCoding<V>.self }
}

private enum DocumentForm<V> {}
extension DocumentForm: CodedForm where V: Codable {
    static var coding: any AttributeCoding.Type { JSONCoding<V>.self }
}

extension Array: CodedForm where Element: RawRepresentable, Element.RawValue: PostgresCodable {
    static var coding: any AttributeCoding.Type { RawValueArrayCoding<Element>.self }
}
