import Foundation
import StrataClient
import StrataModels

/// The parts of a Codable value that an update by predicate sets, where it does not set the whole one.
struct DocumentParts {
    private struct Part {
        /// The coding key.
        let key: String
        /// What stands there then, as a document; `nil` for no key.
        let value: SQLFragment?
    }

    private let attribute: AnyAttributeProperty
    private var parts: [Part]

    /// Throws ``SwiftDataError`` for what is no value, for one that cannot be stored, and for a part that may not be where it is to be set.
    init(_ part: CodablePart, _ source: UpdateSource, of attribute: AnyAttributeProperty) throws {
        let name = ([attribute.qualifiedName] + part.keys).joined(separator: ".")
        func unsupported(_ reason: String) -> SwiftDataError {
            SwiftDataError(
                .unsupportedKeyPath,
                "\(name) is a part of a Codable value, \(reason). Fetch the objects and change them.")
        }
        guard case .value(let value) = source else {
            throw unsupported(
                "which an update by predicate sets to a value, and to nothing that is computed or read elsewhere")
        }
        // `jsonb_set` leaves a document alone, without a word, where the parents of a key are missing.
        guard let key = part.keys.first, part.keys.count == 1 else {
            throw unsupported(
                "and lies within another part, which rows that were written by an older form of the type may lack. An update by predicate sets "
                    + "parts that stand in the value itself")
        }
        self.attribute = attribute
        if let document = try Self.document(value, name) {
            parts = [Part(key: key, value: document)]
        } else {
            guard let writesNull = CodingPath.writesNull(under: key, in: attribute.valueType) else {
                throw unsupported("of which it cannot be found out how its type writes nil")
            }
            parts = [Part(key: key, value: writesNull ? "'null'::jsonb" : nil)]
        }
    }

    /// These and other parts of the same value; `nil` where two of them are the same.
    func with(_ other: DocumentParts) -> DocumentParts? {
        guard !parts.contains(where: { part in other.parts.contains { $0.key == part.key } }) else { return nil }
        var result = self
        result.parts += other.parts
        return result
    }

    /// The document with its new parts.
    func value(_ scope: TableScope, _ translator: PredicateTranslator) throws -> SQLFragment {
        // As a value that the update looks at.
        let whole = QueryTerm(.keyPath(attribute.keyPath), .value)
        guard case .expression(let document, _)? = try translator.argument(whole, on: scope) else {
            throw translator.translation(scope.generator).unsupported("a part of \(attribute.qualifiedName)")
        }
        return parts.reduce(document.operand) { document, part in
            guard let value = part.value else { return "(\(document) - \(bind: part.key))" }
            return "jsonb_set(\(document), ARRAY[\(bind: part.key)], \(value))"
        }
    }

    private static func document(_ value: Any, _ name: String) throws -> SQLFragment? {
        guard case .constant(let value) = PredicateOperand(value) else { return nil }
        var parameters = PostgresParameters()
        do throws(PostgresError) {
            guard let value = value as? any Codable else {
                throw PostgresError(.encoding, "\(type(of: value)) is not Codable")
            }
            try append(value, to: &parameters)
        } catch {
            throw SwiftDataError(
                .invalidValue, "\(name) was to get a value that cannot be stored: \(error.message)", underlying: error)
        }
        var sql = SQLFragment()
        if let bytes = parameters.bytes(at: 0) { sql.append(raw: bytes, of: .jsonb) }
        return sql
    }

    private static func append<Value: Codable>(
        _ value: Value, to parameters: inout PostgresParameters
    ) throws(PostgresError) { try JSONCoding<Value>.append(value, to: &parameters) }
}
