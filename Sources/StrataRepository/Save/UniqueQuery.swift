import StrataModels

/// The queries that compare rows with each other and with stored ones in the columns of a unique set. The server compares, so that "equal"
/// means what the constraint means by it: `numeric` 1.0 and 1, and NULL only where the set says so.
///
/// The rows are a table `u` of arrays: a number `i`, and a column for each of the set and of its condition.
struct UniqueQuery {
    private let set: UniqueSet
    private let expression: ColumnExpression?
    private let firstParameter: Int

    /// - Parameter firstParameter: the parameter of the first array.
    init(of set: UniqueSet, firstParameter: Int = 1) {
        self.set = set
        self.firstParameter = firstParameter
        expression = set.condition?.expression
    }

    /// What follows `FROM` for the rows.
    var source: String {
        let columns = set.decidingColumns.enumerated().map { (name: "c\($0)", type: $1.transportType) }
        return RowSource.rows([(name: "i", type: .int8)] + columns, firstParameter: firstParameter)
    }

    /// A column of the rows, or of other rows `v`, in the type of the set's.
    func value(_ index: Int, of rows: String = "u") -> String {
        let column = set.decidingColumns[index]
        return column.type == column.transportType
            ? "\(rows).c\(index)" : "\(rows).c\(index)::\(column.type)"
    }

    /// Whether the set is about rows; `nil` where it is about all. Texts are compared as in their columns.
    func condition(of rows: String) -> String? {
        guard let expression else { return nil }
        let text = expression.sql { name in
            guard let index = set.decidingColumns.firstIndex(where: { $0.name == name }) else { return name }
            let isText = set.decidingColumns[index].type == .text && set.owner.tables == .own
            return isText ? "(\(value(index, of: rows)) COLLATE \"C\")" : value(index, of: rows)
        }
        return "(\(text))"
    }

    /// The same of stored rows `t`.
    private var storedCondition: String? {
        expression.map { "(\($0.sql { "t.\(SQLFragment.quoted($0))" }))" }
    }

    /// Rows that are equal to others, each with the one that wins: `min` or `max` of their numbers.
    func duplicates(winner: String) -> String {
        let values = set.columns.indices.map { set.compared(sought($0), at: $0) }
        let conditions =
            (set.nullsAreDistinct ? values.map { "\($0) IS NOT NULL" } : [])
            + [condition(of: "u")].compactMap(\.self)
        let scope = conditions.isEmpty ? "" : " WHERE \(conditions.joined(separator: " AND "))"
        return
            "SELECT d.i, d.w FROM (SELECT u.i, \(winner)(u.i) OVER (PARTITION BY \(values.joined(separator: ", "))) AS w"
            + " FROM \(source)\(scope)) AS d WHERE d.i <> d.w"
    }

    /// Whether ``matches(where:locksRows:)`` has the classes of the stored rows, as a third column.
    var hasClass: Bool { self.set.owner.hasSeveralClasses }

    /// Stored rows `t` that are equal to one of the rows, by number and key.
    ///
    /// - Parameters:
    ///   - condition: which stored rows; `nil` for all.
    ///   - locksRows: whether they are to be there, with their keys, until the transaction ends.
    ///   - readsTexts: whether the texts of the rows follow that are compared as something else (``UniqueSet/folds``).
    func matches(where condition: String?, locksRows: Bool, readsTexts: Bool = false) -> String {
        let owner = set.owner
        let key = owner.key
        var conditions = [keysByNull.map { _ in key.isEqual(to: key.value(of: "m"), of: "t") }].compactMap(\.self)
        conditions += set.columns.indices.map(isSame)
        conditions += [storedCondition, self.condition(of: "u")].compactMap(\.self)
        var columns = "u.i, \(key.value(of: "t"))"
        var tables = source + (keysByNull.map { " CROSS JOIN LATERAL (\($0)) AS m" } ?? "")
        tables += " JOIN \(owner.table.quoted) AS t ON \(conditions.joined(separator: " AND "))"
        if hasClass {
            // Without a column, the key alone says it.
            if owner.base.parent == nil || owner.classColumn == nil {
                columns += ", \(owner.storedClass(of: "t"))"
            } else {
                columns += ", \(owner.storedClass(of: "r"))"
                tables += " JOIN \(owner.root.table.quoted) AS r ON \(key.isEqual(to: key, of: "t", "r").text)"
            }
        }
        if readsTexts {
            for index in set.columns.indices where set.folds[index] != nil { columns += ", \(stored(index))" }
        }
        return "SELECT \(columns) FROM \(tables)" + (condition.map { " WHERE \($0)" } ?? "")
            // In the order of the keys: who looks for the same rows waits for the other instead of deadlocking.
            + " ORDER BY \(key.list(of: "t"))" + (locksRows ? " FOR NO KEY UPDATE OF t" : "")
    }
    private func stored(_ index: Int) -> String { set.columns[index].value(of: "t") }
    private func sought(_ index: Int) -> String {
        set.owner.asWritten(value(index), in: set.columns[index])
    }

    private func isSame(_ index: Int) -> String {
        let isSame = isEqual(index)
        return set.nullsAreDistinct || !set.columns[index].isNullable ? isSame : "(\(isSame) OR \(areNull(index)))"
    }

    private func isEqual(_ index: Int) -> String {
        guard set.folds[index] != nil else { return set.columns[index].isEqual(to: sought(index), of: "t") }
        return "\(set.compared(stored(index), at: index)) = \(set.compared(sought(index), at: index))"
    }

    /// In the words of the index, which holds what a text is compared as.
    private func areNull(_ index: Int) -> String {
        "\(set.compared(stored(index), at: index)) IS NULL AND \(sought(index)) IS NULL"
    }

    /// Up to so many columns that may be NULL are searched by both ways.
    private static let mostNullable = 3

    /// The keys of the rows that are equal where NULL equals NULL: one search for each way in which columns can be NULL, of which all but one end
    /// before they begin. The server searches no index of several columns by `t.a = u.a OR t.a IS NULL AND u.a IS NULL`, and none at all by
    /// IS NOT DISTINCT FROM. `nil` where no column may be NULL, or NULL equals nothing.
    private var keysByNull: String? {
        let nullable = Array(set.columns.indices.filter { set.columns[$0].isNullable }.prefix(Self.mostNullable))
        guard !set.nullsAreDistinct, !nullable.isEmpty else { return nil }
        let searches = (0..<(1 << nullable.count)).map { pattern in
            var conditions = set.columns.indices.map { index in
                guard let bit = nullable.firstIndex(of: index) else { return isSame(index) }
                return pattern >> bit & 1 == 1 ? areNull(index) : isEqual(index)
            }
            conditions += [storedCondition].compactMap(\.self)
            return
                "SELECT \(set.owner.key.list(of: "t")) FROM \(set.owner.table.quoted) AS t WHERE \(conditions.joined(separator: " AND "))"
        }
        return searches.joined(separator: " UNION ALL ")
    }
}
