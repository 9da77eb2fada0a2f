package import Foundation
import StrataClient
package import StrataModels

extension PredicateTranslator {
    /// The whole order that a descriptor asks for: `orderBy`, then `sortBy`.
    ///
    /// Throws ``SwiftDataError`` with the code `unsupportedSortDescriptor` for what cannot be sorted by.
    package func order<T: PersistentModel>(of descriptor: FetchDescriptor<T>, on root: TableScope) throws -> [SortTerm]
    {
        try descriptor.orderBy.flatMap { try terms(by: $0, of: T.self, on: root) }
            + order(descriptor.sortBy, on: root)
    }

    private func terms<T: PersistentModel>(
        by order: QueryOrder<T>, of type: T.Type, on root: TableScope
    ) throws -> [SortTerm] {
        guard order.term.role == .value, let argument = try argument(order.term, on: root) else {
            throw SwiftDataError(
                .unsupportedSortDescriptor,
                "The orderBy of a descriptor for \(type) names a key or an aggregate, which are of groups. Sort objects by .value(…) or "
                    + ".rank(…); groups by the orderBy: of fetch(_:selecting:).")
        }
        return try argument.orderExpressions().map { SortTerm(expression: $0, order: order.order) }
    }

    /// The terms of `ORDER BY`; adds the joins they need to the scope's tables.
    ///
    /// `nil` sorts before everything, strings by bytes or folded first, enumerations by raw value. Throws ``SwiftDataError`` with the code
    /// `unsupportedSortDescriptor` for a key path that leads to no column.
    package func order<T: PersistentModel>(_ sort: [SortDescriptor<T>], on root: TableScope) throws -> [SortTerm] {
        try sort.flatMap { descriptor in
            guard let keyPath = descriptor.keyPath else {
                throw SwiftDataError(
                    .unsupportedSortDescriptor,
                    "A SortDescriptor of \(T.self) with a comparator of its own cannot be translated to SQL. Sort by key "
                        + "paths, or sort the fetched objects in memory.")
            }
            let object = ObjectReference(root)
            let terms = try terms(by: keyPath, of: object)
            return terms.map { SortTerm(expression: $0, order: descriptor.order) }
        }
    }

    /// The values by which a key path sorts: of text without case and accents, the folded text first.
    func terms(by keyPath: AnyKeyPath, of object: ObjectReference) throws -> [SQLExpression] {
        let translation = translation(object.scope.generator)
        if let (operand, _) = try translation.operand(of: keyPath, at: object) {
            guard let expression = operand.ordered else {
                throw unsupported(
                    keyPath, object, "is stored in a form that has no order", path: operand.storedPath)
            }
            return LocalizedStandardSortKey.isValue(of: keyPath) ? [expression.folded, expression] : [expression]
        }
        guard let steps = identifier(keyPath, of: object.entity.descriptor) else {
            let obstacle = SortPath.obstacle(of: keyPath, from: object.entity.descriptor)
            throw unsupported(
                keyPath, object, obstacle ?? "leads to no column: it is computed, or marked @Transient")
        }
        return try translation.argument(translation.follow(steps, from: object), nil).orderExpressions()
    }

    private func unsupported(
        _ keyPath: AnyKeyPath, _ object: ObjectReference, _ reason: String, path: String? = nil
    ) -> SwiftDataError {
        SwiftDataError(
            .unsupportedSortDescriptor,
            "\(object.path) cannot be sorted by \(path ?? "a key path to \(type(of: keyPath).valueType)"), which \(reason). Sort by a stored property, or sort the fetched "
                + "objects in memory.")
    }
}

extension PredicateOperand {
    /// The value by which it is sorted; `nil` for what has no order. A date inside of JSON goes by its seconds.
    fileprivate var ordered: SQLExpression? {
        let expression: SQLExpression
        switch self {
        case .value(let value): expression = value
        case .json(let reference): expression = reference.value()
        default: return nil
        }
        return expression.form == .plain || expression.form == .secondsSince1970 ? expression : nil
    }

    /// `Trip.address.city`, for messages.
    fileprivate var storedPath: String? {
        switch self {
        case .value(let value): value.path
        case .json(let reference): reference.description
        case .sequence(let sequence): sequence.path
        default: nil
        }
    }
}

extension SQLExpression {
    /// The value as a term of `ORDER BY`.
    func ordered(_ order: SortOrder) -> SQLFragment { SortTerm(expression: self, order: order).sql() }
}
