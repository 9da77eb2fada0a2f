import StrataClient
import StrataModels

/// Renders `INSERT … SELECT … FROM unnest(…)`: one array a column, so that the text is the same for any number of rows but one.
/// COPY was measured to be no faster at 10,000 rows, and it cannot share a flush with other statements.
enum InsertStatement {
    /// - Parameter tables: one table, or several that refer to each other in a circle; of a table that classes share, the rows of each.
    ///   Those go into one statement, because
    ///   "foreign keys are checked at the end of the statement" (manual, CREATE TABLE, NOT DEFERRABLE constraints that are
    ///   not checks of rows).
    static func render(_ tables: [TableRows]) throws -> SaveStatement {
        var text = ""
        var parameters = PostgresParameters()
        for (index, rows) in tables.enumerated() {
            if tables.count > 1 {
                let isLast = index == tables.count - 1
                if index == 0 { text += "WITH " }
                if isLast { text += " " } else { text += (index == 0 ? "" : ", ") + "t\(index) AS (" }
                try append(rows, to: &text, &parameters)
                if !isLast { text += ")" }
            } else {
                try append(rows, to: &text, &parameters)
            }
        }
        let names = tables.map(\.owner.table.name).joined(separator: ", ")
        return SaveStatement(
            kind: .insert(tables.map(\.owner)), text: text, parameters: parameters, name: "save: insert \(names)",
            rows: tables.filter { $0.owner.base.parent == nil }.reduce(0) { $0 + $1.count })
    }

    /// Rows with unique values go in in the order of those: saves that insert the same values in different orders then wait for
    /// each other instead of deadlocking.
    private static func order(of rows: TableRows) -> String {
        // Rows of other classes of the table have NULL there, and the order of theirs.
        let sets = rows.owner.base.tableClasses.compactMap(\.ownUniqueSets.first)
        let values = rows.columns.indices.compactMap { index -> String? in
            let column = rows.columns[index]
            let place = sets.lazy.compactMap { set in
                set.columns.firstIndex { $0.name == column.name }.map { (set: set, index: $0) }
            }.first
            guard let place else { return nil }
            if place.set.folds[place.index] != nil { return place.set.compared("u.c\(index)", at: place.index) }
            // Any order will do that is the same for everybody: that of bytes is the quickest.
            if column.transport == .text { return "u.c\(index) COLLATE \"C\"" }
            return column.type == column.transport ? "u.c\(index)" : "u.c\(index)::\(column.type)"
        }
        return values.isEmpty ? "" : " ORDER BY \(values.joined(separator: ", "))"
    }

    private static func append(_ rows: TableRows, to text: inout String, _ parameters: inout PostgresParameters) throws
    {
        let written = rows.columns.enumerated().flatMap { index, column in
            let value = column.type == column.transport ? "u.c\(index)" : "u.c\(index)::\(column.type)"
            // One of several columns is converted where it comes apart.
            if column.column?.foreignKey != nil { return column.assignments(value) }
            return column.assignments(rows.owner.asWritten(value, named: column.name))
        }
        let names = written.map(\.name).joined(separator: ", ")
        let source = try RowSource.append(
            rows.columns.indices.map { ("c\($0)", rows.buffers[rows.first + $0]) }, to: &parameters)
        text +=
            "INSERT INTO \(rows.owner.table.target) (\(names))\(rows.owner.overriding) SELECT \(written.map(\.value).joined(separator: ", "))"
            + " FROM \(source)" + (rows.count == 1 ? "" : order(of: rows))
    }
}

extension EntityMapping {
    /// An identity of somebody else's table may be GENERATED ALWAYS: the keys are its own, from its sequence, so it takes them all the same.
    var overriding: String { tables == .external && base.parent == nil ? " OVERRIDING SYSTEM VALUE" : "" }
}

extension TableName {
    /// Where rows are read, changed and deleted.
    var quoted: String { (isAlone ? "ONLY " : "") + target }
    /// Where rows are inserted: always into this table.
    var target: String { SQLFragment.quoted(schema) + "." + SQLFragment.quoted(name) }
}
