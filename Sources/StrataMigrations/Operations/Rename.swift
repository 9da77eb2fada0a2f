/// A name that changes at the switch.
struct Rename: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        case column(table: String)
        case table, sequence, index
        case constraint(table: String)

        /// Whether no statement of a program has the name.
        var isHidden: Bool {
            switch self {
            case .column, .table, .sequence: false
            case .index, .constraint: true
            }
        }
    }

    var kind: Kind
    var from: String
    var to: String

    var inverse: Rename { Rename(kind: kind, from: to, to: from) }

    func statement(_ sql: SchemaSQL) -> String {
        let names = "\(sql.quoted(from)) TO \(sql.quoted(to))"
        return switch kind {
        case .column(let name): sql.alter(name, "RENAME COLUMN \(names)")
        case .constraint(let name): sql.alter(name, "RENAME CONSTRAINT \(names)")
        case .table: sql.alter(from, "RENAME TO \(sql.quoted(to))")
        // The server gave it a name of its own where that was taken or too long. It goes by its column, whatever it is called.
        case .sequence: "ALTER SEQUENCE IF EXISTS \(sql.table(from)) RENAME TO \(sql.quoted(to))"
        case .index: "ALTER INDEX \(sql.table(from)) RENAME TO \(sql.quoted(to))"
        }
    }
}
