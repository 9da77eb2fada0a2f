package import StrataClient
import StrataModels

/// The columns of the key of a class's rows: one, or the parts of `#PrimaryKey`. Whoever writes a statement with a key asks here for the condition, the order and
/// the value; nobody else knows how many there are (decision 0047).
///
/// A key of parts is **one value** wherever it is carried: in a row that is read, in an array, in a subquery's column `pk`. It is the
/// JSON array of its parts, as text (``RowKey``). Only where it meets the columns it comes apart, into a comparison of rows, which the index
/// of the primary key serves.
package struct KeyColumns: Sendable, Equatable {
    package struct Part: Sendable, Equatable {
        package let name: String
        package let kind: RowKey.Kind
        /// The type of its column, where that is another than the kind's: `date` and `bytea` of what the class declares; `bpchar` and `timestamp` of
        /// what somebody else's table has. All foreign keys that lead there have the same one.
        package let columnType: String?
        /// Whether it is a name of the model; those of our own making need no quotes.
        let isQuoted: Bool

        package init(name: String, kind: RowKey.Kind, columnType: String? = nil, isQuoted: Bool = true) {
            (self.name, self.kind, self.columnType, self.isQuoted) = (name, kind, columnType, isQuoted)
        }

        /// The same in another place.
        func named(_ name: String, isQuoted: Bool = true) -> Part {
            Part(name: name, kind: kind, columnType: columnType, isQuoted: isQuoted)
        }

        /// The type that the model has for the column.
        var type: PostgresType {
            switch columnType {
            case "date": .date
            case "bytea": .bytea
            default: kind.type
            }
        }

        /// The type of the column.
        package var typeName: String { columnType ?? kind.type.description }
    }

    package let parts: [Part]
    /// Whether a key is what one column has, and not the array of parts.
    package let isSingle: Bool

    /// The columns in all tables of a hierarchy.
    ///
    /// - Parameter found: by column, the types that somebody else's table has.
    init(of descriptor: ModelDescriptor, found: [String: String] = [:]) {
        let root = descriptor.root
        let parts = root.keyParts.map { part in
            let name = Naming.column(of: part.property)
            return Part(name: name, kind: part.kind, columnType: found[name] ?? part.type)
        }
        self.init(
            parts.isEmpty ? [Part(name: Naming.keyColumn(of: descriptor), kind: descriptor.keyKind)] : parts,
            isSingle: parts.isEmpty)
    }

    private init(_ parts: [Part], isSingle: Bool) { (self.parts, self.isSingle) = (parts, isSingle) }

    /// Columns that have keys, without a model that says so: a part of a key is what cannot be one alone.
    package init(_ parts: [Part]) {
        self.init(parts, isSingle: parts.count == 1 && parts[0].columnType == nil && parts[0].kind != .date)
    }

    /// One column that has keys.
    init(_ name: String, _ kind: RowKey.Kind) { self.init([Part(name: name, kind: kind)], isSingle: true) }

    /// As many columns of another table, which hold such keys.
    package func named(_ names: [String]) -> KeyColumns {
        KeyColumns(zip(parts, names).map { $0.named($1) }, isSingle: isSingle)
    }

    package var names: [String] { parts.map(\.name) }
    /// What a key is as one value: of parts a text.
    package var kind: RowKey.Kind { isSingle ? parts[0].kind : .text }
    package var kinds: [RowKey.Kind] { parts.map(\.kind) }
    /// The column of a key that has one; the first of several.
    package var first: String { parts[0].name }
    /// For messages: `pk`, or `order, product`.
    package var description: String { names.joined(separator: ", ") }

    package func contains(_ name: String) -> Bool {
        isSingle ? parts[0].name == name : parts.contains { $0.name == name }
    }

    /// The part in this column, of a key of parts.
    func part(ofColumn name: String) -> Part? { isSingle ? nil : parts.first { $0.name == name } }

    /// The names that a subquery gives the columns: `pk`, or `pk0, pk1`.
    var carriedNames: [String] {
        isSingle ? [Naming.key] : parts.indices.map { "\(Naming.key)\($0)" }
    }

    /// The same columns under these names.
    var carried: KeyColumns {
        KeyColumns(zip(parts, carriedNames).map { $0.named($1, isQuoted: false) }, isSingle: isSingle)
    }

    /// Whether a key can be one of such rows: one of several columns has a part for each.
    package func accepts(_ key: RowKey) -> Bool { parts(of: key) != nil }

    /// What a key has in each column; `nil` where it can be the key of no such row.
    func parts(of key: RowKey) -> [RowKey]? {
        guard isSingle else { return key.parts(kinds) }
        return key.kind == parts[0].kind ? [key] : nil
    }

    /// What keys are, for messages: `uuid`, or `(bigint, text)`.
    package var typeDescription: String {
        let types = parts.map(\.typeName)
        return types.count == 1 ? types[0] : "(\(types.joined(separator: ", ")))"
    }
}
