import StrataRepository

/// What is unique in a table of the new version, be it said by a constraint or by an index.
struct UniqueRule {
    let keys: [IndexKeyDefinition]
    /// Which rows it is about; `nil` for all.
    let predicate: ColumnExpression?
    private let nullsNotDistinct: Bool

    init(_ unique: UniqueDefinition) {
        keys = unique.columns.map { IndexKeyDefinition($0) }
        predicate = nil
        nullsNotDistinct = unique.nullsNotDistinct
    }

    init(_ index: IndexDefinition) {
        keys = index.keys
        predicate = index.predicate
        nullsNotDistinct = index.nullsNotDistinct
    }

    var columns: [String] { keys.map(\.column) }

    /// Whether texts are equal that differ in case.
    var isCaseless: Bool { keys.contains { $0.fold != nil } }

    /// What is compared of the value of each column.
    func compared(_ values: [String]) -> [String] {
        zip(keys, values).map { $0.fold == nil ? $1 : CaselessText.fold($1) }
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
    var scope: String { (isCaseless ? " regardless of case" : "") + (predicate == nil ? "" : " under its condition") }

    /// Which rows it is about, with something else in the place of each column: empty for all, and `nil` where a column has nothing.
    func condition(_ value: (String) -> String?) -> String? {
        guard let predicate else { return "" }
        guard predicate.columns.allSatisfy({ value($0) != nil }) else { return nil }
        return "(\(predicate.sql { value($0) ?? "NULL" }))"
    }
}
