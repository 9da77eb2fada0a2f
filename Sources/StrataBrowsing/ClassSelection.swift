import StrataClient
import StrataRepository

/// The statement that reads objects of a class from its tables, and what its columns are.
struct ClassSelection {
    let schema: StoredSchema
    let chain: [StoredClass]
    /// What is read of the objects.
    let properties: [StoredProperty]
    /// How many characters of a value are read, or bytes of binary data.
    let limit: Int
    private let storedClass: StoredClass

    init(_ storedClass: StoredClass, in schema: StoredSchema, properties: [StoredProperty]? = nil, limit: Int) {
        self.storedClass = storedClass
        self.schema = schema
        self.limit = limit
        chain = schema.chain(of: storedClass)
        self.properties = properties ?? chain.flatMap(\.properties)
    }

    /// The columns of the key, in the table `t0`.
    var key: KeyColumns { chain[0].key }

    /// The column of a property, by the table of the class that declares it; of several columns the key that they hold, as one value.
    func column(_ property: StoredProperty) throws(BrowsingError) -> SQLFragment {
        let table = try table(of: property)
        guard property.columns.count > 1 else { return "\(table).\(identifier: property.column)" }
        let columns = property.columns.map { KeyColumns.Part(name: $0, kind: .text) }
        return (key(at: property) ?? KeyColumns(columns)).value(of: table)
    }

    /// The columns of a reference, as a key of the class that it leads to.
    private func key(at property: StoredProperty) -> KeyColumns? {
        property.destination.flatMap(schema.storedClass(named:))?.key.named(property.columns)
    }

    /// The table of the class that declares a property.
    private func table(of property: StoredProperty) throws(BrowsingError) -> SQLFragment {
        guard let place = chain.firstIndex(where: { $0.properties.contains(property) }) else {
            throw BrowsingError(.notFound, "\(storedClass.name) has no property \(property.name).")
        }
        return "t\(raw: String(place))"
    }

    /// `"trips"."trip" AS t0 JOIN "trips"."businesstrip" AS t1 ON …`; only objects of the class have a row in all of them.
    var tables: SQLFragment {
        var sql: SQLFragment = "\(table(chain[0])) AS t0"
        for (place, part) in chain.enumerated().dropFirst() {
            let alias: SQLFragment = "t\(raw: String(place))"
            sql.append(" JOIN \(table(part)) AS \(alias) ON \(part.key.isEqual(to: key, of: "t0", alias))")
            // Where classes share the table, rows of others are in it too.
            guard part.table == chain[0].table, let discriminator = chain[0].discriminator else { continue }
            let values = schema.classes.filter { schema.chain(of: $0).contains { $0.name == part.name } }.flatMap(
                \.classValues)
            let column: SQLFragment = "t0.\(identifier: discriminator)"
            sql.append(
                " AND \(column.text(ofType: schema.type(of: discriminator, in: chain[0]))) = ANY(\(bind: values))")
        }
        return sql
    }

    private func table(_ part: StoredClass) -> TableName { TableName(schema: schema.name, name: part.table) }

    /// The key as text, the class, then text and size of each property.
    func columns() throws(BrowsingError) -> SQLFragment {
        var list: [SQLFragment] = ["\(key.value(of: "t0"))::text"]
        if let discriminator = chain[0].discriminator {
            let column: SQLFragment = "t0.\(identifier: discriminator)"
            list.append(column.text(ofType: schema.type(of: discriminator, in: chain[0])))
        } else {
            list.append("(\(classByTables))::text")
        }
        for property in properties {
            let column = try column(property)
            // A key is of use as a whole only.
            if property.destination != nil {
                let key = key(at: property).flatMap { $0.isSingle ? nil : $0 }
                let text = try key?.value(of: table(of: property)) ?? column.text(ofType: property.type)
                list.append(contentsOf: [text, "0"])
                continue
            }
            let count = String(limit)
            // Of what lies out of line, only the beginning is read: neither function takes the rest from its pieces.
            switch property.type {
            case "text", "varchar":
                list.append("left(\(column), \(raw: count))")
                list.append("octet_length(\(column))")
            case "bytea":
                list.append("encode(substring(\(column) FROM 1 FOR \(raw: String(min(limit, 1000)))), 'hex')")
                list.append("octet_length(\(column))")
            default:
                let text = column.text(ofType: property.type)
                list.append("left(\(text), \(raw: count))")
                list.append("octet_length(\(text))")
            }
        }
        return list.joined(separator: ", ")
    }

    /// The class, where no column says it: that of the tables below which has the key.
    private var classByTables: SQLFragment {
        ClassByTables(name: \.name, children: schema.children).expression(of: storedClass) { part in
            "EXISTS (SELECT FROM \(table(part)) AS c WHERE \(part.key.isEqual(to: key, of: "t0", "c")))"
        }
    }

    func decode(_ row: PostgresRow) throws -> StoredObject {
        let value = try row.decodeIfPresent(1, as: String.self)
        var values: [String: StoredValue] = [:]
        for (place, property) in properties.enumerated() {
            guard let text = try row.decodeIfPresent(2 + place * 2, as: String.self) else { continue }
            let size =
                property.destination == nil ? Int(try row.decode(3 + place * 2, as: Int32.self)) : text.utf8.count
            // Bytes are shown as twice as many digits; the key of a reference is whole.
            let whole = property.type == "bytea" && property.destination == nil ? size * 2 : size
            let isCut = text.utf8.count < whole
            values[property.name] = StoredValue(text: text, size: size, isCut: isCut)
        }
        guard let key = StoredKey(try row.decode(0, as: String.self)) else {
            throw BrowsingError(.invalidValue, "An object of \(storedClass.name) has a key that is no text.")
        }
        return StoredObject(key: key, className: className(value), values: values)
    }

    /// The class that the column of classes names; the one that was asked for where it says nothing that is known.
    private func className(_ value: String?) -> String {
        guard let value else { return storedClass.name }
        return schema.classes.first {
            (chain[0].discriminator == nil ? [$0.name] : $0.classValues).contains(value)
                && schema.chain(of: $0)[0].name == chain[0].name
        }?
        .name ?? storedClass.name
    }
}

extension StoredSchema {
    /// PostgreSQL's type of a column of a class's own table.
    func type(of column: String, in storedClass: StoredClass) -> String {
        let columns = tables.first { $0.name == storedClass.table }?.columns ?? []
        return columns.first { $0.name == column }?.type ?? "text"
    }
}
