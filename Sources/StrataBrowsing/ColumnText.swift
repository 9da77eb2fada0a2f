import StrataRepository

extension SQLFragment {
    /// The value of a column as the output function of its type writes it; NULL for NULL.
    ///
    /// `::text` runs the cast that the owner of a type may have made for it (manual, CREATE CAST), in the name of whoever looks. The server's own
    /// types have no such casts, and theirs to `text` is what people know: `true`, not `t`.
    func text(ofType type: String) -> SQLFragment {
        type.isServersOwn
            ? "\(self)::text"
            // Not IS NOT NULL, which asks a row for each of its fields.
            : "CASE WHEN \(self) IS DISTINCT FROM NULL THEN pg_catalog.format('%s', \(self)) END"
    }
}

extension String {
    /// Whether the type of this name is one of the server's. Others come with their schema, as the catalogs are read with no other in the path.
    var isServersOwn: Bool { !contains(".") }
}
