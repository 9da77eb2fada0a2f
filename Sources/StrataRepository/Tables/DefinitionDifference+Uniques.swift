// What is unique among the rows of a table: among all, under a condition, regardless of case.
extension DefinitionDifference {
    mutating func compare(_ unique: UniqueDefinition, in table: TableDefinition, with actual: TableDefinition) {
        let columns = unique.columns.joined(separator: ", ")
        let wanted = Set(unique.columns)
        let nullsNotDistinct = unique.nullsNotDistinct
        // Only where a column may be NULL it makes a difference.
        let mayBeNull = unique.columns.contains { table.column(named: $0)?.isNullable == true }
        func isSame(_ other: Bool) -> Bool { !mayBeNull || other == nullsNotDistinct }
        let all = actual.uniques.filter { Set($0.columns) == wanted }
        let constraints = all.filter { isSame($0.nullsNotDistinct) }
        let indexes = actual.indexes.filter { $0.isUnique(of: wanted) }
        let hasIndex = indexes.contains { isSame($0.nullsNotDistinct) }
        let isRegardlessOfCase = actual.indexes.contains { index in
            index.isUnique && index.predicate == nil && Set(index.columns) == wanted
                && index.keys.contains { $0.fold == .caseless }
                && !table.indexes.contains { $0.isUnique && $0.uniqueKeys == index.uniqueKeys }
        }
        if isRegardlessOfCase, tables == .own {
            misfits.append(
                "\(table.name) (\(columns)) is unique regardless of case, the schema needs each text to equal itself alone: \(remedy) that drops the "
                    + "index of the lower case")
        } else if constraints.isEmpty, !hasIndex, !(all.isEmpty && indexes.isEmpty) {
            misfits.append(
                "the unique values of \(table.name) (\(columns)) are NULLS \(nullsNotDistinct ? "" : "NOT ")DISTINCT, the schema needs NULLS "
                    + "\(nullsNotDistinct ? "NOT " : "")DISTINCT: \(remedy) that makes the constraint anew")
        } else if constraints.isEmpty, !hasIndex, Set(actual.primaryKey?.columns ?? []) != wanted {
            misfits.append(
                "\(table.name) (\(columns)) is not unique, the schema needs it to be: write a migration that adds UNIQUE (\(columns))"
            )
        } else if !unique.isDeferrable, !hasIndex, !constraints.isEmpty, constraints.allSatisfy(\.isDeferrable) {
            misfits.append(
                "the unique constraint of \(table.name) (\(columns)) is DEFERRABLE, so ON CONFLICT cannot use it: "
                    + "write a migration that makes it NOT DEFERRABLE")
        } else if unique.isInitiallyDeferred, hasIndex || !constraints.contains(where: \.isInitiallyDeferred) {
            misfits.append(
                "the unique constraint of \(table.name) (\(columns)) is not INITIALLY DEFERRED, so rows cannot have the same values until COMMIT: "
                    + "\(remedy) that makes the constraint anew")
        } else if unique.isDeferrable, !unique.isInitiallyDeferred,
            hasIndex || constraints.contains(where: { !$0.isDeferrable })
        {
            advice.append(
                "the unique constraint of \(table.name) (\(columns)) is not DEFERRABLE: partners of a one-to-one relationship "
                    + "cannot be exchanged in one save")
        }
    }

    /// Values that are unique under a condition, or regardless of case. Whether two conditions say the same, only the server can tell: `drift` asks
    /// it.
    mutating func compare(
        unique index: IndexDefinition, in table: TableDefinition, with actual: TableDefinition
    ) {
        let place = "\(table.name) (\(index.columns.joined(separator: ", ")))"
        let wanted = Set(index.columns)
        let isPartial = index.predicate != nil
        let isCaseless = index.keys.contains { $0.fold != nil }
        let mayBeNull = index.columns.contains { table.column(named: $0)?.isNullable == true }
        let same = actual.indexes.filter {
            $0.isUnique && ($0.predicate != nil) == isPartial && $0.uniqueKeys == index.uniqueKeys
        }
        let isThere = same.contains { !mayBeNull || $0.nullsNotDistinct == index.nullsNotDistinct }
        if !isThere, !same.isEmpty {
            let (found, needed) = index.nullsNotDistinct ? ("", "NOT ") : ("NOT ", "")
            misfits.append(
                "the unique values of \(place) \(isPartial ? "under a condition" : "regardless of case") are NULLS \(found)DISTINCT, the schema needs "
                    + "NULLS \(needed)DISTINCT: \(remedy) that makes the index anew")
            return
        }
        func isOfAll(_ other: TableDefinition) -> Bool {
            other.uniques.contains { Set($0.columns) == wanted }
                || other.indexes.contains { $0.isUnique && $0.predicate == nil && Set($0.columns) == wanted }
        }
        let isTooMuch = isPartial && isOfAll(actual)
        if isThere, !isTooMuch || isOfAll(table) { return }
        let scope = isCaseless ? " regardless of case" : ""
        if isTooMuch {
            misfits.append(
                "\(place) is unique among all rows, the schema needs it\(scope) among some of them: \(remedy) that makes a unique "
                    + "index under the condition of #Unique, and drops the other")
        } else if isPartial {
            misfits.append(
                "\(place) is not unique\(scope) among the rows of a condition, the schema needs it to be: \(remedy) that makes a "
                    + "unique index\(isCaseless ? " of (\(index.keys.map(\.sql).joined(separator: ", ")))" : "") under the condition of #Unique"
            )
        } else {
            misfits.append(
                "\(place) is not unique regardless of case, the schema needs it to be: \(remedy) that makes a unique index of "
                    + "(\(index.keys.map(\.sql).joined(separator: ", ")))")
        }
    }
}
