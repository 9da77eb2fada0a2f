package import Foundation
package import StrataModels

/// Which values are read, of objects or of groups of objects.
package struct ValueQuery {
    package let terms: [QueryTerm]
    /// By position in ``terms``, whether an average is a `Decimal`.
    let exactAverages: [Bool]
    let isDistinct: Bool
    let having: GroupCondition?
    let order: [(term: QueryTerm, order: SortOrder)]

    /// - Parameter types: of the terms' values, as the caller will read them.
    package init(
        _ terms: [QueryTerm], types: [Any.Type], isDistinct: Bool = false, having: GroupCondition? = nil,
        order: [(term: QueryTerm, order: SortOrder)] = []
    ) {
        self.terms = terms
        exactAverages = types.map { unwrappedType($0) == Decimal.self }
        self.isDistinct = isDistinct
        self.having = having
        self.order = order
    }

    /// Whether rows are groups.
    var isGrouped: Bool {
        isDistinct || having != nil || (terms + order.map(\.term)).contains { $0.role != .value }
    }

    /// What the objects of a group have in common: the keys that are selected, also those that something selected is computed of.
    var keys: [QueryTerm] {
        isDistinct ? terms.map(\.asKey) : terms.flatMap(\.leaves).filter { $0.role == .key }
    }

    /// What is computed of objects, wherever the query asks for it.
    var leaves: [QueryTerm] {
        (keys + terms + (having?.terms ?? []) + order.map(\.term)).flatMap(\.leaves)
    }
}
