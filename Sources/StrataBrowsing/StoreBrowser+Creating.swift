import Foundation
import StrataClient
import StrataModels
import StrataRepository

/// What a new object has at one property.
public struct InitialValue: Sendable, Equatable {
    /// Where the value comes from.
    public enum Source: Sendable, Equatable {
        /// From this text, as the database reads it.
        case text(String)
        /// NULL.
        case null
    }

    /// The property's name.
    public var property: String
    /// Where its value comes from.
    public var source: Source

    /// What a new object has at a property.
    public init(property: String, source: Source) {
        self.property = property
        self.source = source
    }
}

extension StoreBrowser {
    /// Makes an object, and returns its key. Properties that are not named have the default of their column. The history gets the
    /// author `studio`.
    ///
    /// One transaction with a row for each table of the class: one where its superclasses share it. Throws `notFound` for a class or property that is not there, `invalidValue`
    /// for what is no value of its type, `refused` for an abstract class, for what cannot be edited, by a browser without `allowsEdits`, by
    /// the database's constraints, and where a trigger leaves a row out. What only models know is not looked at: defaults that are Swift code,
    /// the validation of a context, the least and the most of a relationship.
    ///
    /// - Parameter key: needed where ``StoredSchema/asksForKey(of:)`` says so.
    public func create(
        _ values: [InitialValue], key: StoredKey? = nil, of className: String, in schema: StoredSchema
    ) async throws -> StoredKey {
        let storedClass = try schema.requireClass(className)
        guard !storedClass.isAbstract else {
            throw BrowsingError(.refused, "\(className) is abstract. Make an object of one of its subclasses.")
        }
        let chain = schema.chain(of: storedClass)
        for value in values {
            guard let property = chain.flatMap(\.properties).last(where: { $0.name == value.property }) else {
                throw BrowsingError(.notFound, "\(className) has no property \(value.property).")
            }
            guard property.isEditable else {
                throw BrowsingError(
                    .refused, "\(className).\(property.name) \(property.obstacle), which cannot be edited here.")
            }
        }
        var marks: [(column: String, value: SQLFragment)] = []
        if let column = chain[0].discriminator {
            guard let value = storedClass.classValues.first else {
                throw BrowsingError(.refused, "The database does not say how rows of \(className) are marked.")
            }
            marks.append((column, SQLFragment(typedIn: value, schema.type(of: column, in: chain[0]))))
        }
        let key = try chain[0].keyOfNewRow(key, of: className)
        // What properties say of the key's columns is said once.
        let named = Set(values.map(\.property))
        let said = Set(chain[0].properties.filter { named.contains($0.name) }.flatMap(\.columns))
        if let key { marks += chain[0].key.parts(of: key).filter { !said.contains($0.column) } }
        let discriminator = marks
        let rows = NewRow.rows(of: chain, values)
        return try await write("make an object of \(className)") { connection in
            let key = try await connection.insert(rows[0].insertion(in: schema, discriminator), "new object")
            for row in rows.dropFirst() {
                let part = row.insertion(in: schema, row.storedClass.key.parts(of: key))
                _ = try await connection.insert(part, "part of a new object")
            }
            return key
        }
    }
}

extension StoredSchema {
    /// Whether a new object of the class needs a key from who makes it: one that neither the database gives, nor properties hold, nor is a UUID, of
    /// which there is always a new one.
    public func asksForKey(of storedClass: StoredClass) -> Bool { chain(of: storedClass)[0].asksForKey }
}

extension StoredClass {
    fileprivate var asksForKey: Bool { !givesKeys && key.kind != .uuid && !holdsKey }

    /// Whether the columns of the key are properties' too, as those of a key of several are, and a form can hold their values.
    private var holdsKey: Bool {
        Set(properties.filter(\.isEditable).map(\.column)).isSuperset(of: keyColumns)
    }

    /// The key that a new row of the root is written with; `nil` where its columns get theirs in another way.
    fileprivate func keyOfNewRow(_ given: StoredKey?, of className: String) throws(BrowsingError) -> StoredKey? {
        if let given {
            guard key.bound(given) != nil else {
                throw BrowsingError(.invalidValue, "\(given) is no key of \(className).")
            }
            return given
        }
        guard !asksForKey else {
            throw BrowsingError(
                .refused,
                "An object of \(className) gets its key from the application: give one, make the object there, or give \(table).\(key.first) a "
                    + "default.")
        }
        return givesKeys || holdsKey ? nil : StoredKey(UUID.v7())
    }
}

extension PostgresConnection {
    /// Inserts one row, and returns its key. Throws `refused` where it is not there then.
    fileprivate func insert(_ sql: SQLFragment, _ name: String) async throws -> StoredKey {
        let keys = try await rows(sql, name) { StoredKey(try $0.decode(0, as: String.self)) }
        guard let key = keys.first ?? nil, keys.count == 1 else { throw BrowsingError.unwritten(rows: keys.count) }
        return key
    }
}

/// The row of a new object in the table of one of its classes, or of several that share it.
private struct NewRow {
    let storedClass: StoredClass
    private var cells: [(column: String, value: SQLFragment)] = []

    /// One for each table, superclasses first.
    static func rows(of chain: [StoredClass], _ values: [InitialValue]) -> [NewRow] {
        chain.reduce(into: []) { rows, part in
            if rows.last?.storedClass.table != part.table { rows.append(NewRow(part)) }
            rows[rows.count - 1].add(values, of: part)
        }
    }

    private init(_ storedClass: StoredClass) { self.storedClass = storedClass }

    private mutating func add(_ values: [InitialValue], of storedClass: StoredClass) {
        for value in values {
            guard let property = storedClass.properties.last(where: { $0.name == value.property }) else { continue }
            switch value.source {
            case .null: cells.append((property.column, "NULL"))
            case .text(let text): cells.append((property.column, SQLFragment(typedIn: text, property.type)))
            }
        }
    }

    /// The statement, which returns the key.
    func insertion(in schema: StoredSchema, _ more: [(column: String, value: SQLFragment)]) -> SQLFragment {
        let cells = more + cells
        var sql: SQLFragment = "INSERT INTO \(TableName(schema: schema.name, name: storedClass.table))"
        if cells.isEmpty {
            sql.append(raw: " DEFAULT VALUES")
        } else {
            let columns = cells.map { "\(identifier: $0.column)" as SQLFragment }.joined(separator: ", ")
            let values = cells.map(\.value).joined(separator: ", ")
            sql.append(" (\(columns)) VALUES (\(values))")
        }
        sql.append(" RETURNING \(storedClass.key.value())::text")
        return sql
    }
}
