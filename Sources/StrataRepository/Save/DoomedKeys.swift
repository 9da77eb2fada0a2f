import StrataClient
import StrataModels

/// The keys of rows that go, in a statement that follows delete rules through several hierarchies: one column of the query `doomed`, or,
/// where keys are of several kinds, a column for each kind.
package struct DoomedKeys {
    private let kinds: [RowKey.Kind]

    init(_ kinds: [RowKey.Kind]) {
        var known: [RowKey.Kind] = []
        for kind in [.integer, .uuid, .text] as [RowKey.Kind] where kinds.contains(kind) { known.append(kind) }
        self.kinds = known.isEmpty ? [.integer] : known
    }

    /// The column of keys of a kind.
    func column(of kind: RowKey.Kind) -> String { kind == kinds[0] ? "pk" : "\(kind)_pk" }

    /// The columns, separated by commas.
    func columns(_ prefix: String = "") -> String {
        kinds.map { prefix + column(of: $0) }.joined(separator: ", ")
    }

    /// The value of each column for a key of a kind.
    ///
    /// The columns of a recursive query have one collation (manual, 42P21): the one that gives way to that of any column with which a key is
    /// compared (manual, 24.2.2), so that this column's index is searched.
    func values(_ key: String, _ kind: RowKey.Kind) -> String {
        kinds.map { $0 == kind ? key + collation(of: kind) : "NULL::\($0.type)" }.joined(separator: ", ")
    }

    func values(_ key: SQLFragment, _ kind: RowKey.Kind) -> SQLFragment {
        kinds.map { $0 == kind ? "\(key)\(raw: collation(of: kind))" : "NULL::\(raw: $0.type.description)" }
            .joined(separator: ", ")
    }

    private func collation(of kind: RowKey.Kind) -> String { kind == .text ? "::text COLLATE \"default\"" : "" }

    /// Whether a row of `doomed` is the one of a hierarchy that has this key.
    func isRow(_ alias: String, of root: EntityMapping, _ key: String) -> String {
        "\(alias).root = \(root.index) AND \(alias).\(column(of: root.keyKind)) = \(key)"
    }

    func isRow(_ alias: String, of root: EntityMapping, _ key: SQLFragment) -> SQLFragment {
        "\(raw: alias).root = \(raw: String(root.index)) AND \(raw: alias).\(raw: column(of: root.keyKind)) = \(key)"
    }

    /// A text that is no key, so that the server fails with it, as what stands in the columns.
    func failing(_ text: String) -> String {
        values(kinds[0] == .text ? "(\(text))::bigint::text" : "(\(text))::\(kinds[0].type)", kinds[0])
    }

    /// Rows of a hierarchy with these keys.
    func seed(of root: EntityMapping, _ keys: [RowKey]) -> SQLFragment {
        let rows = unnested(keys, of: root.keyKind, as: "s(pk)")
        return "SELECT \(raw: String(root.index)), \(values("s.pk" as SQLFragment, root.keyKind)) FROM \(rows)"
    }
}
