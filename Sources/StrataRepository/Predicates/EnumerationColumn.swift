import Foundation
import StrataClient
import StrataModels

/// A property of an enum with raw values, of which only the raw value is stored.
///
/// A key path does not say what it reads. But the cases of a `CaseIterable` type can be listed, and so can what the key
/// path gives for each of them: the raw value itself, or a value that SQL can choose by the raw value.
struct EnumerationColumn {
    private let choices: [(raw: Any, value: Any)]
    private let isRawValue: Bool

    init?<Root, Value>(_ root: Root.Type, _ keyPath: KeyPath<Root, Value>) {
        guard let type = Root.self as? any (CaseIterable & RawRepresentable).Type,
            let choices = Self.choices(type, keyPath)
        else { return nil }
        self.choices = choices
        isRawValue = choices.allSatisfy { ($0.raw as? AnyHashable) == ($0.value as? AnyHashable) }
    }

    private static func choices<E: CaseIterable & RawRepresentable, Root, Value>(
        _: E.Type, _ keyPath: KeyPath<Root, Value>
    ) -> [(raw: Any, value: Any)]? {
        let cases = Array(E.allCases)
        let values = cases.compactMap { $0 as? Root }.map { $0[keyPath: keyPath] }
        guard !cases.isEmpty, values.count == cases.count else { return nil }
        return zip(cases, values).map { ($0.rawValue, $1) }
    }

    func expression(of column: SQLExpression) throws -> SQLExpression {
        if isRawValue {
            var raw = column
            raw.swiftType = nil
            return raw
        }
        var sql: SQLFragment = "CASE \(column.operand)"
        var type = PostgresType.text
        var isNullable = false
        for choice in choices {
            let raw = try CapturedValue(choice.raw, path: column.path).expression(like: nil)
            guard case .constant(let constant) = PredicateOperand(choice.value) else {
                isNullable = true
                continue
            }
            let value = try CapturedValue(constant, path: column.path).expression(like: nil)
            type = value.type
            sql.append(" WHEN \(raw.sql) THEN \(value.sql)")
        }
        sql.append(" END")
        return SQLExpression(sql: sql, type: type, nullness: isNullable ? .none : .never, requires: column.requires)
    }
}
