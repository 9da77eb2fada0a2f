/// A statement that may touch all rows of a table.
struct BulkChange {
    enum Extent {
        /// A range of keys.
        case range
        /// A condition, but not on the key.
        case condition
        case everything
    }

    /// The table whose rows are written.
    var table: LintName
    /// Where the rows come from, for `INSERT … SELECT`.
    var source: LintName?
    var extent: Extent

    init?(_ statement: LintStatement, in subject: LintSubject) {
        switch statement.shape {
        case .update(let table, let rest), .delete(let table, let rest):
            self.table = table
            extent = Self.extent(rest, of: table, in: subject)
        case .insertSelect(let table, let select):
            guard var index = select.index(of: "from").map({ $0 + 1 }) else { return nil }
            _ = select.skip("only", at: &index)
            guard let source = select.name(at: &index), select[index].map({ !$0.is("(") }) ?? true else { return nil }
            self.table = table
            self.source = source
            extent = Self.extent(select, of: source, in: subject)
        default: return nil
        }
    }

    var isBounded: Bool { if case .range = extent { true } else { false } }

    private static func extent(_ words: LintWords, of table: LintName, in subject: LintSubject) -> Extent {
        // The runner's range, in a condition or in a query inside of one.
        if words.words.contains(where: { $0.kind == .string && $0.text.hasPrefix("strata.batch_") }) { return .range }
        if words.has("limit") { return .range }
        guard let start = words.index(of: "where") else { return .everything }
        let condition = words.from(start + 1)
        let keys = Set(subject.old(table)?.primaryKey?.columns ?? []).union(["pk", "id", "ctid"])
        for (position, word) in condition.words.enumerated() where word.isName && keys.contains(word.text) {
            guard let comparison = condition[position + 1], let value = condition[position + 2] else { continue }
            if comparison.is("in") {
                if let list = condition.inside(from: position + 2), !list.starts("select") || list.has("limit") {
                    return .range
                }
            } else if comparison.is("between") {
                return .range
            } else if ["=", "<", "<=", ">", ">="].contains(where: comparison.is),
                value.kind == .number || value.kind == .string || value.is("any")
            {
                return .range
            }
        }
        return .condition
    }
}
