package import Foundation
import StrataClient
package import StrataModels

/// Writes predicates and sort orders as SQL that means exactly what they mean in memory, or throws.
package struct PredicateTranslator {
    let mapping: StoreMapping
    let store: String?
    private let trace: DependencyTrace?
    private let purpose: TableTextPurpose?

    /// - Parameter store: the identifier of the store; identifiers of other stores are equal to none of its objects. `nil`
    ///   when any may be.
    package init(mapping: StoreMapping, store: String? = nil) {
        self.init(mapping: mapping, store: store, trace: nil)
    }

    /// - Parameters:
    ///   - trace: notes which properties and relationships are asked for.
    ///   - purpose: of what stands in a table, what it is for.
    init(mapping: StoreMapping, store: String?, trace: DependencyTrace?, purpose: TableTextPurpose? = nil) {
        self.purpose = purpose
        self.mapping = mapping
        self.store = store
        self.trace = trace
    }

    func translation(_ aliases: AliasGenerator) -> Translation {
        Translation(mapping: mapping, store: store, aliases: aliases, trace: trace, purpose: purpose)
    }

    /// The condition that a predicate puts on `root`; adds the joins it needs to the scope's tables.
    ///
    /// Throws ``SwiftDataError`` with the code `unsupportedPredicate` or `unsupportedKeyPath`, which says what cannot be
    /// translated, where, and what to do; `invalidValue` for a captured value that cannot be sent.
    package func condition<T: PersistentModel>(_ predicate: Predicate<T>, on root: TableScope) throws -> SQLFragment {
        try expression(predicate, on: root).bounded.sql
    }

    /// The same with what is known of it.
    func expression<T: PersistentModel>(_ predicate: Predicate<T>, on root: TableScope) throws -> SQLExpression {
        let translation = translation(root.generator)
        do {
            return try translation.with(predicate.variable, as: .object(ObjectReference(root))) {
                try translation.condition(predicate.expression)
            }
        } catch let error as SwiftDataError {
            guard let source = translation.source else { throw error }
            throw SwiftDataError(error.code, "\(error.message) The predicate: \(source)")
        } catch let error as PostgresError {
            let place = translation.source.map { " The predicate: \($0)" } ?? ""
            throw SwiftDataError(
                .invalidValue,
                "The predicate compares with a value that the database cannot hold, so no row has it: \(error.message)\(place)",
                underlying: error)
        }
    }
}
