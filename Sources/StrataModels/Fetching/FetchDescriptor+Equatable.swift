extension FetchDescriptor: Equatable {
    /// Descriptors are equal when they are sure to ask for the same: the same predicate, orders, limits, properties, relationships
    /// and lock.
    ///
    /// Predicates are equal when they are the same expression over the same values: `$0.a == 1 && $0.b == 2` equals another
    /// predicate of that text, wherever it was written, and is not equal to `$0.b == 2 && $0.a == 1`. A captured value has to be
    /// `Equatable` or `Encodable`, as nearly all are, to equal another one. Compares in memory, without I/O; it costs more
    /// than comparing numbers.
    public static func == (lhs: FetchDescriptor, rhs: FetchDescriptor) -> Bool {
        lhs.fetchLimit == rhs.fetchLimit && lhs.fetchOffset == rhs.fetchOffset
            && lhs.includePendingChanges == rhs.includePendingChanges && lhs.includeDeleted == rhs.includeDeleted
            && lhs.sortBy == rhs.sortBy
            && lhs.propertiesToFetch == rhs.propertiesToFetch && lhs.lock == rhs.lock
            && lhs.relationshipKeyPathsForPrefetching == rhs.relationshipKeyPathsForPrefetching
            && lhs.orderBy == rhs.orderBy && lhs.groupLimit == rhs.groupLimit
            && PredicateEquality.areEqual(lhs.predicate, rhs.predicate)
    }
}
