import StrataClient
import StrataRepository

extension StoreBrowser {
    /// Stands for an object as it is stored now, for ``delete(_:of:mark:in:)``: when any of its properties changes, it changes. `nil` where there is no
    /// object of this key.
    public func mark(of key: Int64, of className: String, in schema: StoredSchema) async throws -> String? {
        let whole = WholeObject(try schema.requireClass(className), in: schema)
        return try await read("read an object of \(className)") { connection in
            try await connection.rows(whole.mark(of: key), "mark of an object") { try $0.decode(0, as: String.self) }
                .first
        }
    }

    /// Deletes an object, if it is what was shown. The history gets the author `studio`.
    ///
    /// One transaction. What refers to the object follows the foreign keys, which have the rules of the models' relationships: it goes with it, refers to
    /// nothing, or forbids the deletion (`refused`). Throws `conflict` where somebody else has changed the object meanwhile, and `refused` by a
    /// browser without `allowsEdits` and where a trigger keeps the row.
    /// - Parameters:
    ///   - className: the class that the object really has, as ``StoredObject/className``.
    ///   - mark: what ``mark(of:of:in:)`` said when the object was shown.
    public func delete(_ key: Int64, of className: String, mark: String, in schema: StoredSchema) async throws {
        let whole = WholeObject(try schema.requireClass(className), in: schema)
        try await write("delete an object of \(className)") { connection in
            let marks = try await connection.rows(whole.mark(of: key, locks: true), "lock the object") {
                try $0.decode(0, as: String.self)
            }
            guard let now = marks.first else { throw BrowsingError.noObject(key, className) }
            guard now == mark else {
                throw BrowsingError(
                    .conflict, "This \(className) was changed by somebody else since it was shown. Nothing was deleted."
                )
            }
            try await connection.writeOneRow(whole.deletion(of: key), "delete", of: className)
        }
    }
}

/// All rows of one object.
private struct WholeObject {
    private let selection: ClassSelection
    private let root: TableName
    private let keyColumn: String

    init(_ storedClass: StoredClass, in schema: StoredSchema) {
        selection = ClassSelection(storedClass, in: schema, properties: [], limit: 0)
        root = TableName(schema: schema.name, name: selection.chain[0].table)
        keyColumn = selection.chain[0].keyColumn
    }

    func mark(of key: Int64, locks: Bool = false) -> SQLFragment {
        // By the output functions of rows and columns: a cast would be somebody's function.
        let rows = selection.chain.indices.map { "pg_catalog.format('%s', t\(raw: String($0)).*)" as SQLFragment }
        let text = rows.joined(separator: " || ")
        var sql: SQLFragment =
            "SELECT \(SQLFragment.mark(of: text)) FROM \(selection.tables) WHERE \(selection.key) = \(bind: key)"
        if locks { sql.append(raw: " FOR UPDATE") }
        return sql
    }

    /// The rows of subclasses go by their foreign keys.
    func deletion(of key: Int64) -> SQLFragment {
        "DELETE FROM \(root) WHERE \(identifier: keyColumn) = \(bind: key)"
    }
}
