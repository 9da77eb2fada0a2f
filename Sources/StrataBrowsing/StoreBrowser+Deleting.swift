import StrataClient
import StrataRepository

extension StoreBrowser {
    /// Stands for an object as it is stored now, for ``delete(_:of:mark:in:)``: when any of its properties changes, it changes. `nil` where there is no
    /// object of this key.
    public func mark(of key: StoredKey, of className: String, in schema: StoredSchema) async throws -> String? {
        let whole = WholeObject(try schema.requireClass(className), in: schema)
        return try await read("read an object of \(className)") { connection in
            try await connection.rows(whole.mark(of: key), "mark of an object") { try $0.decode(0, as: String.self) }
                .first
        }
    }

    /// Deletes an object, if it is what was shown. The history gets the author `studio`.
    ///
    /// One transaction. What becomes of others is what ``StoredRelationship/whenDeleted`` and ``StoredProperty/whenDeleted`` say, of all that
    /// goes along as well: by the models' rules where the program has the models or migrations have recorded them, and else by the
    /// foreign keys. Throws `refused` where something that stays forbids it, where a trigger keeps a row, and by a browser without `allowsEdits`; `conflict` where somebody else has
    /// changed the object meanwhile. The least number of objects of a relationship is not looked at.
    /// - Parameters:
    ///   - className: the class that the object really has, as ``StoredObject/className``.
    ///   - mark: what ``mark(of:of:in:)`` said when the object was shown.
    public func delete(_ key: StoredKey, of className: String, mark: String, in schema: StoredSchema) async throws {
        let storedClass = try schema.requireClass(className)
        let whole = WholeObject(storedClass, in: schema)
        let deletion = StoredDeletion(of: key, storedClass, in: schema)
        if let unseen = deletion.unseen {
            throw BrowsingError(
                .refused,
                "\(unseen) leads to objects that are not shown here, as their keys are no numbers, UUIDs or texts, and they would go along or "
                    + "forbid it. Delete it in the program.")
        }
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
            if let obstacles = deletion.obstacles {
                // The object's row is locked: nobody refers to it anew.
                let found = try await connection.rows(obstacles, "what forbids a deletion") { row in
                    (name: try row.decode(0, as: String.self), count: try row.decode(1, as: Int64.self))
                }
                guard found.isEmpty else { throw BrowsingError(forbidding: found) }
            }
            let kept = try await connection.rows(deletion.statement, "delete") { try $0.decode(0, as: Int.self) }
            guard kept == [0] else { throw BrowsingError.unwritten(rows: 0) }
        }
    }
}

/// All rows of one object.
private struct WholeObject {
    private let selection: ClassSelection

    init(_ storedClass: StoredClass, in schema: StoredSchema) {
        selection = ClassSelection(storedClass, in: schema, properties: [], limit: 0)
    }

    func mark(of key: StoredKey, locks: Bool = false) -> SQLFragment {
        // By the output functions of rows and columns: a cast would be somebody's function.
        let rows = selection.chain.indices.map { "pg_catalog.format('%s', t\(raw: String($0)).*)" as SQLFragment }
        let text = rows.joined(separator: " || ")
        var sql: SQLFragment =
            "SELECT \(SQLFragment.mark(of: text)) FROM \(selection.tables) WHERE \(selection.key.isKey(key, of: "t0"))"
        if locks { sql.append(raw: " FOR UPDATE") }
        return sql
    }
}

extension BrowsingError {
    /// For relationships that lead to objects that stay.
    fileprivate init(forbidding found: [(name: String, count: Int64)]) {
        let places = found.map { "\($0.name) leads to \($0.count == 1 ? "an object" : "\($0.count) objects")" }
        self.init(
            .refused,
            "There must be none, and \(places.joined(separator: "; ")). Nothing was deleted. Take them away or delete them before."
        )
    }
}
