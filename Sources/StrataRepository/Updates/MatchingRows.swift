package import Foundation
package import StrataModels

/// The rows of a class that a predicate selects, for statements that change them.
package struct MatchingRows {
    let entity: EntityMapping
    /// The condition on a variable that ranges over the class; `nil` where all rows are meant.
    let condition: (TableScope, PredicateTranslator) throws -> SQLFragment?
    private let rows: TableScope.Rows
    private let translator: PredicateTranslator

    /// - Parameters:
    ///   - predicate: `nil` for all rows of the class.
    ///   - rows: those that are looked at.
    ///   - store: the store's identifier.
    package init<T: PersistentModel>(
        of entity: EntityMapping, where predicate: Predicate<T>?, _ rows: TableScope.Rows, includeSubclasses: Bool,
        mapping: StoreMapping, store: String
    ) {
        self.entity = entity
        self.rows = rows
        translator = PredicateTranslator(mapping: mapping, store: store)
        condition = { scope, translator in
            var conditions: [SQLFragment] = []
            if let predicate { conditions.append(try translator.condition(predicate, on: scope)) }
            if !includeSubclasses, let isOfClass = scope.isOfNoSubclass() { conditions.append(isOfClass) }
            return scope.selecting(
                conditions.isEmpty ? nil : conditions.map { "(\($0))" as SQLFragment }.joined(separator: " AND "))
        }
    }

    /// A variable that ranges over the class.
    func scope(_ aliases: AliasGenerator) -> TableScope { TableScope(entity, rows, aliases: aliases) }

    /// The key of each row, and ` FROM … WHERE …`.
    package func keys(_ aliases: AliasGenerator) throws -> (key: SQLFragment, source: SQLFragment) {
        let scope = scope(aliases)
        let condition = try condition(scope, translator)
        return (scope.key(), condition.map { "\(scope.from) WHERE \($0)" } ?? scope.from)
    }
}
