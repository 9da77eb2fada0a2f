package import StrataClient
package import StrataModels

// Of which class a row is, as a text: what the class column says, or which of the tables of subclasses have the row too.
extension EntityMapping {
    /// Whether the class of a row stands in other tables than the row. A statement that has waited for a lock of the row reads it again, but not them:
    /// what locks rows is sent twice, and what the second one reads was there when the first had its locks.
    var readsClassOfTables: Bool { hasSeveralClasses && classColumn == nil }

    /// The class of a row of the root's table.
    func storedClass(of row: String) -> String {
        guard let name = root.classColumn else {
            return root.classByTables { table in
                "EXISTS (SELECT FROM \(table.table) AS c WHERE \(table.key.isEqual(to: root.key, of: "\(raw: row)", "c")))"
            }.text
        }
        let column = "\(row).\(SQLFragment.quoted(name))"
        return root.conversion(of: name)?.reading(column) ?? column
    }

    /// The class of an object of this class or one below it.
    ///
    /// - Parameter isThere: the condition that a class's table has a row of the object.
    func classByTables(_ isThere: (EntityMapping) -> SQLFragment) -> SQLFragment {
        ClassByTables(name: \.discriminator, children: \.children).expression(of: self, where: isThere)
    }

    /// What is to be said of a row whose class the schema does not have.
    ///
    /// - Parameter text: what was read as its class; `nil` for NULL.
    package func unknownClass(_ text: String?, key: RowKey) -> SwiftDataError {
        let row = "The row of \(root.table.name) with the key \(key)"
        if root.classColumn == nil, let text {
            return SwiftDataError(
                .unknownSchema,
                "\(row) has a row in the tables of \(text), and an object is of one of these classes. Delete it from the tables of the others."
            )
        }
        let name = text.map { "\"\($0)\"" } ?? "NULL"
        return SwiftDataError(
            .unknownSchema,
            "\(row) is of the class \(name), which is not \(self.name) or a subclass in this container's schema. Name the subclass in "
                + "ModelContainer(for:), or correct the row.")
    }
}
