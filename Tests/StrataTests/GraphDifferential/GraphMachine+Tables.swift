import Strata
import StrataClient
import StrataRepository

/// Rows, read and written by plain SQL, as another program would.
extension GraphMachine {
    func writeElsewhere(_ step: GraphStep, _ key: (Int) -> RowKey?) throws {
        switch step {
        case .update(let number, let attribute, let value):
            guard let key = key(number) else { return }
            for kind in GraphKind.allCases where kind.ownAttributes.contains(attribute) {
                try run(
                    "UPDATE \"\(kind.rawValue)\" SET \"\(attribute.rawValue)\" = \(literal(value)) WHERE \"pk\"::text = \(literal(.key(key)))"
                )
            }
        case .move(let number, let reference, let target):
            guard let pk = key(number) else { return }
            let value = target.flatMap(key).map { literal(.key($0)) } ?? "NULL"
            try run(
                "UPDATE \"\(reference.holder.rawValue)\" SET \"\(reference.column)\" = \(value) WHERE \"pk\"::text = \(literal(.key(pk)))"
            )
        case .erase(let number):
            guard let key = key(number) else { return }
            for kind in GraphKind.allCases where kind.superkind == nil {
                try run("DELETE FROM \"\(kind.rawValue)\" WHERE \"pk\"::text = \(literal(.key(key)))")
            }
        default: break
        }
    }

    /// Nothing is left of what was before.
    func emptyTables() throws {
        let tables = GraphKind.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
        try run("TRUNCATE \(tables) CASCADE")
    }

    /// All rows, but for their numbers' sake sorted by nothing.
    func tables() throws -> [RowKey: GraphRow] {
        var rows: [RowKey: GraphRow] = [:]
        var batch = PostgresBatch()
        for kind in GraphKind.allCases where kind.superkind == nil {
            let family = kind.family
            let attributes = family.flatMap { member in member.ownAttributes.map { (member, $0) } }
            let references = GraphReference.allCases.filter { $0.holder.isKind(of: kind) }
            var columns = ["t.\"pk\"", family.count > 1 ? "t.\"class\"" : "'\(kind.rawValue)'", "t.\"number\""]
            columns += attributes.map { "\(alias($0.0, kind)).\"\($0.1.rawValue)\"::text" }
            columns += references.map { "\(alias($0.holder, kind)).\"\($0.column)\"" }
            let joins = family.dropFirst().map {
                " LEFT JOIN \"\($0.rawValue)\" AS \(alias($0, kind)) ON \(alias($0, kind)).\"pk\" = t.\"pk\""
            }
            let text = "SELECT \(columns.joined(separator: ", ")) FROM \"\(kind.rawValue)\" AS t\(joins.joined())"
            batch.add(
                PostgresStatement(text, name: "tables"),
                onRow: { row in
                    let name = try row.decode(1, as: String.self)
                    let kind = GraphKind(rawValue: name.lowercased())!
                    var value = GraphRow(kind: kind, number: try row.decode(2, as: Int.self))
                    for (index, (_, attribute)) in attributes.enumerated() where kind.attributes.contains(attribute) {
                        let text = try row.decodeIfPresent(3 + index, as: String.self)
                        value[attribute] = text.map { attribute.isNumber ? .number(Int($0)!) : .text($0) } ?? .empty
                    }
                    for (index, reference) in references.enumerated() where kind.references.contains(reference) {
                        value[reference] =
                            row.isNull(3 + attributes.count + index) ? nil : row.anyKey(3 + attributes.count + index)
                    }
                    rows[row.anyKey(0)] = value
                })
        }
        try other.run(batch)
        return rows
    }

    /// Who is at each ordered end, as the rows say.
    func orders() throws -> [ReferenceContext.End: [RowKey]] {
        var orders: [ReferenceContext.End: [RowKey]] = [:]
        var batch = PostgresBatch()
        for reference in GraphReference.allCases where reference.isOrdered {
            let (table, column) = (reference.holder.rawValue, reference.column)
            let position = "\(reference.inverse)_position"
            let text =
                "SELECT \"pk\", \"\(column)\" FROM \"\(table)\" WHERE \"\(column)\" IS NOT NULL ORDER BY \"\(position)\", \"pk\""
            batch.add(
                PostgresStatement(text, name: "orders"),
                onRow: { row in
                    let end = ReferenceContext.End(
                        owner: row.anyKey(1), reference: reference)
                    orders[end, default: []].append(row.anyKey(0))
                })
        }
        try other.run(batch)
        return orders
    }

    /// The sites that badges were given to.
    func gifts() throws -> [RowKey: RowKey] {
        var gifts: [RowKey: RowKey] = [:]
        var batch = PostgresBatch()
        batch.add(
            PostgresStatement(
                "SELECT \"pk\", \"site_keys\" FROM \"badge\" WHERE \"site_keys\" IS NOT NULL", name: "gifts"),
            onRow: { row in gifts[row.anyKey(0)] = row.anyKey(1) })
        try other.run(batch)
        return gifts
    }

    /// The rows of the table of pairs.
    func pairs() throws -> Set<GraphPair> {
        var pairs: Set<GraphPair> = []
        var batch = PostgresBatch()
        batch.add(
            PostgresStatement("SELECT \"person_pk\", \"skill_pk\" FROM \"person_skills\"", name: "pairs"),
            onRow: { row in
                pairs.insert(
                    GraphPair(person: row.anyKey(0), skill: row.anyKey(1)))
            })
        try other.run(batch)
        return pairs
    }

    private func alias(_ kind: GraphKind, _ root: GraphKind) -> String { kind == root ? "t" : kind.rawValue }

    private func literal(_ value: GraphValue) -> String {
        switch value {
        case .empty: "NULL"
        case .text(let text): "'\(text)'"
        case .number(let number): "\(number)"
        case .key(let key): SQLFragment.literal(key.description)
        }
    }

    private func run(_ sql: String) throws {
        try other.run(PostgresBatch(PostgresStatement(PreparedSQL(sql, isCached: false))))
    }
}

extension PostgresRow {
    /// The key in a column, of any kind.
    fileprivate func anyKey(_ column: Int) -> RowKey {
        key(column, columnType(column) == PostgresType.text.oid ? .text : .integer)
    }
}
