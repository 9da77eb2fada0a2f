import Foundation
import StrataClient
import StrataModels

/// The elements of an array inside of JSON, or the keys or values of a dictionary.
struct JSONSequence {
    /// How JSON holds the elements.
    enum Kind {
        /// `[…]`
        case list
        /// `{…}`, with keys of this type.
        case dictionary(Any.Type)
        /// The keys of `{…}`, of this type.
        case keys(Any.Type)
        /// The values of `{…}`.
        case values
    }

    private let reference: JSONReference
    private let kind: Kind
    private let element: Any.Type

    /// `nil` for a type whose form in JSON is not known.
    init?(_ reference: JSONReference) {
        guard let type = reference.type as? any JSONCollectionType.Type else { return nil }
        self.init(reference, type.jsonKind, of: type.jsonElementType)
    }

    init(_ reference: JSONReference, _ kind: Kind, of element: Any.Type) {
        self.reference = reference
        self.kind = kind
        self.element = element
    }

    private var document: SQLFragment { reference.document }
    private var isList: Bool { if case .list = kind { true } else { false } }

    /// `FROM … WHERE …`: the elements for which `filter` holds.
    func rows(
        _ translation: Translation, _ filter: (PredicateOperand) throws -> SQLExpression
    ) throws -> SQLFragment {
        let alias = translation.aliases.alias()
        switch kind {
        case .list:
            let condition = try filter(value("\(alias).v"))
            return "FROM jsonb_array_elements(\(document)) AS \(alias)(v) WHERE \(condition.sql)"
        case .values:
            let condition = try filter(value("\(alias).v"))
            return "FROM jsonb_each(\(document)) AS \(alias)(k, v) WHERE \(condition.sql)"
        case .keys(let type):
            let condition = try filter(key("\(alias).k", type, translation))
            return "FROM jsonb_object_keys(\(document)) AS \(alias)(k) WHERE \(condition.sql)"
        case .dictionary:
            throw translation.unsupported(
                "the pairs of \(reference), a dictionary,", "look a key up, or ask its keys or values")
        }
    }

    /// How many elements there are.
    func count(in translation: Translation) -> SQLExpression {
        let sql: SQLFragment =
            isList
            ? "jsonb_array_length(\(document))::bigint"
            : "(SELECT count(*) FROM jsonb_object_keys(\(document)) AS \(translation.aliases.alias()))"
        return SQLExpression(
            sql: sql, type: .int8, requires: isList ? reference.requires : [], path: reference.description)
    }

    var isEmpty: SQLExpression {
        let sql: SQLFragment = isList ? "jsonb_array_length(\(document)) = 0" : "\(document) = '{}'::jsonb"
        return .condition(sql, requires: reference.requires)
    }

    var isNotEmpty: SQLExpression {
        let sql: SQLFragment = isList ? "jsonb_array_length(\(document)) > 0" : "\(document) <> '{}'::jsonb"
        return .condition(sql, requires: reference.requires)
    }

    /// Whether a captured element is there, in a form for which an index over the document is of use; `nil` where only a
    /// look at every element tells.
    func contains(_ element: PredicateOperand) throws -> SQLExpression? {
        guard case .constant(let value) = element, Self.isExact(value) else { return nil }
        switch kind {
        case .list:
            // An array contains a part that is text, a whole number or a truth value where one of its elements is it.
            guard let item = try? CapturedValue(value, path: reference.description).document() else { return nil }
            let list = PostgresJSONB(json: Data("[".utf8) + item.json + Data("]".utf8))
            return .condition("\(document) @> \(bind: list)", requires: reference.requires)
        case .keys where value is String:
            guard let key = value as? String else { return nil }
            return .condition("\(document) ? \(bind: key)", requires: reference.requires)
        case .keys, .values, .dictionary: return nil
        }
    }

    /// Whether JSON has one form for a value, which is no document itself.
    private static func isExact(_ value: Any) -> Bool {
        switch value {
        case let text as String: !text.utf8.contains(0)
        case is Bool, is any FixedWidthInteger: true
        default: (value as? any RawRepresentable).map { isExact($0.rawValue) } ?? false
        }
    }

    private func value(_ column: SQLFragment) -> PredicateOperand {
        .json(JSONReference(element: column, of: element, description: reference.description))
    }

    private func key(_ column: SQLFragment, _ type: Any.Type, _ translation: Translation) throws -> PredicateOperand {
        switch type {
        case is String.Type: return .value(SQLExpression(sql: column, type: .text, path: reference.description))
        case is Int.Type:
            return .value(SQLExpression(sql: "\(column)::bigint", type: .int8, path: reference.description))
        default:
            throw translation.unsupported("the keys of \(reference), which are of type \(type),", "look a key up")
        }
    }
}
