import Foundation
import StrataModels

/// A part of a Codable value to which a key path of a class leads: `\Trip.owner?.address.city`.
struct CodablePart: Sendable {
    /// The relationships on the way, and the property with the value.
    let steps: [any ModelProperty]
    /// The coding keys from the value down.
    let keys: [String]
    /// What stands there, as the key path gives it: an optional, where it may be missing.
    let type: Any.Type

    /// The part; `nil` for a key path that does not lead into a Codable value.
    ///
    /// Throws ``SwiftDataError`` with the code `unsupportedKeyPath` for a part that is not stored under keys of its own.
    static func named(by keyPath: AnyKeyPath, from start: ModelDescriptor) throws(SwiftDataError) -> CodablePart? {
        if let known = known(keyPath, from: start) { return known }
        let ways = DescribedPath.all(keyPath, from: start)
        guard let first = ways.first else { return nil }
        let valueType = Swift.type(of: keyPath).valueType
        let read = ways.filter(\.isStored).compactMap { way in
            SortProbe.codingKeys(of: keyPath, through: way.steps, from: start).map { (way.steps, $0) }
        }
        guard read.count == 1, let (steps, keys) = read.first else {
            let name = first.steps.last?.qualifiedName ?? start.entityName
            if let property = SortProbe.unsafe(start) {
                throw SwiftDataError(
                    .unsupportedKeyPath,
                    "\(name): it cannot be found out which coding key a key path to a part of the type \(valueType) reads, because "
                        + "\(property.qualifiedName) has nothing that can stand in for a value. Give that property a default, or write the path in an "
                        + "#Expression.")
            }
            throw SwiftDataError(
                .unsupportedKeyPath,
                "\(name): it cannot be found out which coding key a key path to a part of the type \(valueType) reads. Only stored properties, "
                    + "without observers or wrappers, that are encoded under keys of their own have a place in SQL; keep the value in a property "
                    + "of \(start.entityName), or compute it of the fetched objects.")
        }
        let part = CodablePart(steps: steps, keys: keys, type: storedType(valueType))
        found[keyPath, start] = part
        return part
    }

    /// The part in a column of documents, as a value of its type.
    ///
    /// The coding keys are names, written as constants: to the server, what is selected is then what is grouped by.
    func value(in column: SQLFragment, of property: AnyAttributeProperty) -> SQLFragment {
        let document = SQLExpression(
            sql: column, type: .jsonb, path: property.qualifiedName, swiftType: unwrappedType(property.valueType))
        let value = JSONReference(document).appending(self) { "\(raw: SQLFragment.literal($0))" }.value()
        switch (value.form, unwrappedType(type)) {
        case (.secondsSince1970, _): return "to_timestamp(\(value.sql))"
        case (.opaqueText, is UUID.Type): return "(\(value.sql))::uuid"
        case (.opaqueText, is Data.Type): return "decode(\(value.sql), 'base64')"
        default: return value.shape == .atom ? value.sql : "(\(value.sql))"
        }
    }

    /// Of what a sort descriptor sorts by, the type of the value itself.
    private static func storedType(_ type: Any.Type) -> Any.Type {
        (unwrappedType(type) as? any SortKey.Type)?.storedType ?? type
    }

    /// The part, where it was found before.
    static func known(_ keyPath: AnyKeyPath, from start: ModelDescriptor) -> CodablePart? { found[keyPath, start] }

    private static let found = KeyPathCache<CodablePart>()
}
