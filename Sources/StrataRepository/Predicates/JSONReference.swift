import Foundation
import StrataClient
import StrataModels

/// A Codable value that is stored as JSON, or a part of it.
struct JSONReference: CustomStringConvertible {
    /// The column with the document.
    private let column: SQLExpression
    /// The coding keys from the document down, as text in SQL.
    private let keys: [SQLFragment]
    /// Whether the document is an element of a larger one: its type tells then how SQL compares it.
    private let isElement: Bool
    /// What stands here, without its optional.
    let type: Any.Type
    var isOptional: Bool
    /// See ``SQLExpression/requires``.
    var requires: Set<Int>
    let description: String

    init(_ column: SQLExpression) {
        self.init(
            column: column, keys: [], isElement: false, type: column.swiftType ?? Any.self,
            isOptional: column.isNullable, requires: column.requires, description: column.path)
    }

    /// An element of an array, or a value of a dictionary, in a column of its own.
    init(element: SQLFragment, of type: Any.Type, description: String) {
        self.init(
            column: SQLExpression(sql: element, type: .jsonb), keys: [], isElement: true, type: unwrappedType(type),
            isOptional: type is any OptionalValue.Type, requires: [], description: description)
    }

    private init(
        column: SQLExpression, keys: [SQLFragment], isElement: Bool, type: Any.Type, isOptional: Bool,
        requires: Set<Int>, description: String
    ) {
        self.column = column
        self.keys = keys
        self.isElement = isElement
        self.type = type
        self.isOptional = isOptional
        self.requires = requires
        self.description = description
    }

    /// Whether `nil` may stand here.
    var isNullable: Bool { isOptional }

    func presence() throws -> SQLExpression {
        .condition("\(document) IS NOT NULL", opposite: "\(document) IS NULL")
    }

    /// The part that a key path names.
    func appending<Root, Value>(_ keyPath: KeyPath<Root, Value>) throws -> JSONReference {
        guard let part = try CodingPath.keys(of: keyPath) else {
            throw SwiftDataError(
                .unsupportedKeyPath,
                "\(description): it cannot be found out which coding key of \(Root.self) a property of type \(Value.self) reads. "
                    + "Only stored properties, without observers or wrappers, that \(Root.self) encodes under keys of their own can be "
                    + "used in a predicate; keep the value in a property of the model, or filter the fetched objects in memory."
            )
        }
        return JSONReference(
            column: column, keys: keys + part.map { "\(bind: $0)" }, isElement: isElement,
            type: unwrappedType(Value.self), isOptional: Value.self is any OptionalValue.Type, requires: requires,
            description: ([description] + part).joined(separator: "."))
    }

    /// The part that a key path of the class names.
    ///
    /// - Parameter key: how a coding key is written in SQL.
    func appending(_ part: CodablePart, key: (String) -> SQLFragment = { "\(bind: $0)" }) -> JSONReference {
        JSONReference(
            column: column, keys: keys + part.keys.map(key), isElement: isElement, type: unwrappedType(part.type),
            isOptional: isOptional || part.type is any OptionalValue.Type, requires: requires,
            description: ([description] + part.keys).joined(separator: "."))
    }

    /// The value under a key of a dictionary, or at a place of an array, which may be missing.
    ///
    /// - Parameter key: text in SQL.
    func value(at key: SQLFragment, of type: Any.Type, requires: Set<Int> = [], name: String) -> JSONReference {
        JSONReference(
            column: column, keys: keys + [key], isElement: isElement, type: unwrappedType(type), isOptional: true,
            requires: self.requires.union(requires), description: description + name)
    }

    /// The part as a value of a type that SQL can compare.
    func value() -> SQLExpression {
        var result = SQLExpression(
            sql: document, type: .jsonb, nullness: isNullable ? .none : .never, form: .json, requires: requires,
            path: description, swiftType: type)
        guard isElement || !keys.isEmpty else { return result }
        func cast(_ type: PostgresType, _ form: SQLExpression.Form = .plain) -> SQLExpression {
            result.sql = type == .text ? "\(text)" : "(\(text))::\(raw: type.description)"
            result.shape = type == .text ? .comparison : .atom
            result.type = type
            result.form = form
            result.mayBeNaN = false
            return result
        }
        switch type {
        case is Date.Type: return cast(.float8, .secondsSince1970)
        case is UUID.Type, is Data.Type, is URL.Type: return cast(.text, .opaqueText)
        default:
            if let type = (type as? any PostgresCodable.Type)?.postgresType { return scalar(type, cast) ?? result }
            if let type = (type as? any RawRepresentable.Type)?.rawColumnType { return scalar(type, cast) ?? result }
            return result
        }
    }

    private func scalar(
        _ type: PostgresType, _ cast: (PostgresType, SQLExpression.Form) -> SQLExpression
    ) -> SQLExpression? {
        switch type {
        case .text, .bool, .int2, .int4, .int8, .float4, .float8, .numeric: cast(type, .plain)
        default: nil
        }
    }

    private var path: SQLFragment { keys.joined(separator: ", ") }

    private var text: SQLFragment {
        keys.isEmpty ? "\(column.operand) #>> '{}'" : "\(column.operand) #>> ARRAY[\(path)]"
    }

    /// The part as a document. JSON's null is no value in Swift.
    var document: SQLFragment {
        guard keys.isEmpty else { return "NULLIF(\(column.operand) #> ARRAY[\(path)], 'null'::jsonb)" }
        return isElement && isOptional ? "NULLIF(\(column.operand), 'null'::jsonb)" : column.operand
    }
}
