import StrataClient
import StrataRepository

/// A change of one property of one object.
public struct PropertyEdit: Sendable {
    /// The object's class.
    public var className: String
    /// The object's key.
    public var key: StoredKey
    /// The property's name.
    public var property: String
    /// What was shown, as ``EditableValue/mark`` has it.
    public var mark: String
    /// The new value, as text; `nil` for NULL.
    public var value: String?

    /// A change of a property that was shown with a mark.
    public init(className: String, key: StoredKey, property: String, mark: String, value: String?) {
        self.className = className
        self.key = key
        self.property = property
        self.mark = mark
        self.value = value
    }
}

/// A whole value, with what an edit needs to find out whether it is still the one that was shown.
public struct EditableValue: Sendable, Equatable {
    /// The text; `nil` for NULL.
    public let text: String?
    /// Stands for the value: another one has another mark.
    public let mark: String
}

extension StoreBrowser {
    /// The most characters of a value that can be edited.
    public static let editableCharacters = 100_000

    /// The whole value of a property, to be edited.
    ///
    /// Throws `notFound` where there is no such object or property, `refused` for what cannot be edited: binary data, values that the
    /// server computes, and such as are longer than ``editableCharacters``.
    public func editableValue(
        of property: String, key: StoredKey, of className: String, in schema: StoredSchema
    ) async throws -> EditableValue {
        let place = try EditedColumn(property, of: className, in: schema)
        let read: SQLFragment = """
            SELECT CASE WHEN length(c.value) <= \(raw: String(Self.editableCharacters)) THEN c.value END, \
            \(SQLFragment.mark(of: "c.value")), length(c.value) FROM (SELECT \(place.text) AS value \
            FROM \(place.table) AS t WHERE \(place.isObject(key))) AS c
            """
        return try await self.read("read \(className).\(property)") { connection in
            let found = try await connection.rows(read, "value to edit") { row in
                let length = try row.decodeIfPresent(2, as: Int32.self) ?? 0
                guard length <= Self.editableCharacters else {
                    throw BrowsingError(
                        .refused,
                        "\(className).\(property) has \(length) characters here; at most \(Self.editableCharacters) can be edited."
                    )
                }
                return EditableValue(text: try row.decodeIfPresent(0), mark: try row.decode(1))
            }
            guard let value = found.first else { throw BrowsingError.noObject(key, className) }
            return value
        }
    }

    /// Stores a value, if what is stored is what was shown. The history gets the author `studio`.
    ///
    /// One transaction: the row is locked, compared and changed, or nothing happens. Throws `conflict` where somebody else has changed
    /// the property meanwhile, `invalidValue` for what is no value of its type, `refused` by a browser without `allowsEdits`, by the
    /// database's constraints, and where a trigger leaves the change out. What only models know is not looked at: the validation of a context,
    /// the least and the most of a relationship.
    public func save(_ edit: PropertyEdit, in schema: StoredSchema) async throws {
        let place = try EditedColumn(edit.property, of: edit.className, in: schema)
        let lock: SQLFragment = """
            SELECT \(SQLFragment.mark(of: place.text)) FROM \(place.table) AS t \
            WHERE \(place.isObject(edit.key)) FOR UPDATE
            """
        let value = edit.value.map { SQLFragment(typedIn: $0, place.property.type) } ?? "NULL"
        let change: SQLFragment = """
            UPDATE \(place.table) AS t SET \(identifier: place.property.column) = \(value) WHERE \(place.isObject(edit.key))
            """
        try await write("store \(edit.className).\(edit.property)") { connection in
            let marks = try await connection.rows(lock, "lock the object") { try $0.decode(0, as: String.self) }
            guard let mark = marks.first else { throw BrowsingError.noObject(edit.key, edit.className) }
            guard mark == edit.mark else {
                throw BrowsingError(
                    .conflict,
                    "\(edit.className).\(edit.property) was changed by somebody else since it was shown. Nothing was stored."
                )
            }
            try await connection.writeOneRow(change, "edit", of: edit.className)
        }
    }
}

extension SQLFragment {
    /// What somebody has typed in, which travels as text and is cast to the type of its column.
    init(typedIn text: String, _ type: String) { self = "\(bind: text)::\(raw: type.typeWithoutModifier)" }

    /// Stands for a text; NULL is no text's digest.
    static func mark(of text: SQLFragment) -> SQLFragment {
        "coalesce(pg_catalog.encode(pg_catalog.sha256(pg_catalog.convert_to(\(text), 'UTF8')), 'hex'), 'null')"
    }
}

extension BrowsingError {
    static func noObject(_ key: StoredKey, _ className: String) -> BrowsingError {
        BrowsingError(.notFound, "There is no \(className) with the key \(key) any more.")
    }

    /// A statement that was to write one row.
    static func unwritten(rows: Int) -> BrowsingError {
        BrowsingError(
            .refused,
            "The database has written \(rows == 0 ? "no row" : "\(rows) rows") where it was to write one: a trigger or a rule of the "
                + "table, or a policy, does not let it, or somebody else has deleted the row meanwhile. Nothing was changed."
        )
    }
}

extension PostgresConnection {
    /// Carries out a statement that changes or deletes one row. Throws `refused` where it has not.
    func writeOneRow(_ sql: SQLFragment, _ name: String, of className: String) async throws {
        let counts = Rows<Int>()
        var batch = PostgresBatch()
        batch.add(try sql.statement(name: name, of: className), onComplete: { counts.values.append($0) })
        try await run(batch)
        guard counts.values == [1] else { throw BrowsingError.unwritten(rows: counts.values.first ?? 0) }
    }
}

/// Where an edited property lies.
private struct EditedColumn {
    let property: StoredProperty
    let table: TableName
    private let key: KeyColumns

    init(_ name: String, of className: String, in schema: StoredSchema) throws(BrowsingError) {
        let chain = schema.chain(of: try schema.requireClass(className))
        guard let holder = chain.last(where: { $0.properties.contains { $0.name == name } }),
            let property = holder.properties.first(where: { $0.name == name })
        else { throw BrowsingError(.notFound, "\(className) has no property \(name).") }
        guard property.isEditable else {
            throw BrowsingError(.refused, "\(className).\(name) \(property.obstacle), which cannot be edited here.")
        }
        guard !schema.isOfKey(property, of: chain[0]) else {
            throw BrowsingError(.refused, "\(className).\(name) is part of the key, which is final.")
        }
        self.property = property
        table = TableName(schema: schema.name, name: holder.table)
        key = holder.key
    }

    /// The value as text.
    var text: SQLFragment {
        let column: SQLFragment = "t.\(identifier: property.column)"
        return column.text(ofType: property.type)
    }

    func isObject(_ key: StoredKey) -> SQLFragment { self.key.isKey(key, of: "t") }
}

extension StoredSchema {
    /// Whether a property of an object can be changed here: a form can hold its values, the server takes them, and it is no part of the key, which
    /// is final.
    public func isEditable(_ property: StoredProperty, of storedClass: StoredClass) -> Bool {
        property.isEditable && !isOfKey(property, of: chain(of: storedClass)[0])
    }

    fileprivate func isOfKey(_ property: StoredProperty, of root: StoredClass) -> Bool {
        !Set(property.columns).isDisjoint(with: root.keyColumns)
    }
}

extension StoredProperty {
    /// Whether a form can hold its values, and the server takes them.
    public var isEditable: Bool {
        type != "bytea" && type != "bytea[]" && !isExternal && !isGenerated && columns.count == 1
    }

    /// What it is that cannot be edited.
    var obstacle: String { columns.count > 1 ? "has several columns" : "is \(type)" }
}
