import StrataRepository

/// What is unique in a table of the new version, be it said by a constraint or by an index.
struct UniqueRule {
    let columns: [String]
    /// Which rows it is about; `nil` for all.
    let predicate: ColumnExpression?
    private let nullsNotDistinct: Bool

    init(_ unique: UniqueDefinition) {
        columns = unique.columns
        predicate = nil
        nullsNotDistinct = unique.nullsNotDistinct
    }

    init(_ index: IndexDefinition) {
        columns = index.columns
        predicate = index.predicate
        nullsNotDistinct = index.nullsNotDistinct
    }

    /// What is unique in a table.
    static func all(of table: TableDefinition) -> [UniqueRule] {
        table.uniques.map { UniqueRule($0) } + table.indexes.filter(\.isUnique).map { UniqueRule($0) }
    }

    /// `WHERE …` and a line's end, for the values that can be equal to others: empty where all can.
    func comparable(_ values: [String]) -> String {
        nullsNotDistinct ? "" : "WHERE \(values.map { "\($0) IS NOT NULL" }.joined(separator: " AND "))\n"
    }

    /// For titles.
    var scope: String { predicate == nil ? "" : " under its condition" }

    /// Which rows it is about, with something else in the place of each column: empty for all, and `nil` where a column has nothing.
    func condition(_ value: (String) -> String?) -> String? {
        guard let predicate else { return "" }
        guard predicate.columns.allSatisfy({ value($0) != nil }) else { return nil }
        return "(\(predicate.sql { value($0) ?? "NULL" }))"
    }
}
