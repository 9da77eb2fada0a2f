import StrataClient
import StrataRepository

extension StoreBrowser {
    /// How many characters of a value a list shows.
    static let listedCharacters = 120
    /// How many characters of a value an object shows.
    public static let shownCharacters = 20_000

    /// Objects of a class and of its subclasses that satisfy all conditions, in the order of their keys.
    ///
    /// A property of long values comes cut. Throws `notFound` for an unknown class or property, `invalidValue` for a value that is none
    /// of the property's type, `refused` for a limit that is not one from 1 to 10,000.
    ///
    /// - Parameters:
    ///   - properties: those to read; all without.
    ///   - after: the end of the page before.
    ///   - limit: how many objects at most.
    public func objects(
        of className: String, in schema: StoredSchema, where filters: [PropertyFilter] = [],
        properties: [StoredProperty]? = nil, after: PagePosition? = nil, limit: Int = 50
    ) async throws -> ObjectPage {
        try Self.require(limit, in: Self.pageSizes)
        let storedClass = try schema.requireClass(className)
        let selection = ClassSelection(
            storedClass, in: schema, properties: properties, limit: Self.listedCharacters)
        var conditions: [SQLFragment] = []
        for filter in filters { conditions.append(try selection.condition(filter)) }
        if let after { conditions.append("\(selection.key) > \(bind: try schema.rowKey(after.key, of: storedClass))") }
        let order = selection.key
        let matching = conditions
        return try await read("read objects of \(className)") { connection in
            try await Self.page(selection, matching, order: order, position: nil, limit: limit, connection)
        }
    }

    /// How many objects satisfy all conditions, counted up to `limit`. Throws `refused` for one below 1.
    public func count(
        of className: String, in schema: StoredSchema, where filters: [PropertyFilter] = [], limit: Int = 10_000
    ) async throws -> Int {
        try Self.require(limit, in: 1...Int.max)
        let selection = ClassSelection(
            try schema.requireClass(className), in: schema, properties: [], limit: Self.listedCharacters)
        var conditions: [SQLFragment] = ["TRUE"]
        for filter in filters { conditions.append(try selection.condition(filter)) }
        let condition = conditions.joined(separator: " AND ")
        return try await read("count objects of \(className)") { connection in
            try await connection.rows(
                """
                SELECT count(*) FROM (SELECT FROM \(selection.tables) WHERE \(condition) LIMIT \(raw: String(limit))) AS c
                """, "count objects"
            ) { Int(try $0.decode(0, as: Int64.self)) }[0]
        }
    }

    /// One object, with the properties of the class that it really has; `nil` where there is none of this key.
    ///
    /// - Parameter limit: how many characters of a value are read, from 1 to 1,000,000: `refused`.
    public func object(
        _ key: StoredKey, of className: String, in schema: StoredSchema, limit: Int = StoreBrowser.shownCharacters
    ) async throws -> StoredObject? {
        try Self.require(limit, in: 1...1_000_000)
        let storedClass = try schema.requireClass(className)
        guard storedClass.keyKind == key.rowKey.kind else { return nil }
        return try await read("read an object of \(className)") { connection in
            func object(_ storedClass: StoredClass, _ properties: [StoredProperty]?) async throws -> StoredObject? {
                let selection = ClassSelection(storedClass, in: schema, properties: properties, limit: limit)
                return try await connection.rows(
                    """
                    SELECT \(selection.columns()) FROM \(selection.tables) WHERE \(selection.key) = \(bind: key.rowKey)
                    """, "one object", selection.decode
                ).first
            }
            guard let found = try await object(storedClass, []) else { return nil }
            return try await object(schema.requireClass(found.className), nil)
        }
    }

    /// The objects that a relationship leads to, in its order where it is stored, and else by their keys. A limit may be from 1 to 10,000:
    /// `refused`.
    public func related(
        to key: StoredKey, by relationship: StoredRelationship, in schema: StoredSchema, after: PagePosition? = nil,
        limit: Int = 50
    ) async throws -> ObjectPage {
        try Self.require(limit, in: Self.pageSizes)
        guard relationship.keyKind == key.rowKey.kind else { return ObjectPage(objects: [], next: nil) }
        let destination = try schema.requireClass(relationship.destination)
        let label = schema.label(of: destination)
        let selection = ClassSelection(
            destination, in: schema, properties: label.map { [$0] } ?? [], limit: Self.listedCharacters)
        var conditions: [SQLFragment]
        var position: SQLFragment?
        switch relationship.storage {
        case .foreignKey(let column, let holder):
            let chain = schema.chain(of: try schema.requireClass(holder))
            // The holder of the column may be a class above the destination, or below it.
            let place = selection.chain.firstIndex { $0.name == holder }
            if let place {
                conditions = ["t\(raw: String(place)).\(identifier: column) = \(bind: key.rowKey)"]
                position = relationship.position.map { "t\(raw: String(place)).\(identifier: $0)" }
            } else {
                let table = TableName(schema: schema.name, name: chain[chain.count - 1].table)
                let own = chain[chain.count - 1].keyColumn
                conditions = [
                    "\(selection.key) IN (SELECT h.\(identifier: own) FROM \(table) AS h WHERE h.\(identifier: column) = \(bind: key.rowKey))"
                ]
            }
        case .pairs(let name, let own, let other):
            let table = TableName(schema: schema.name, name: name)
            conditions = [
                "\(selection.key) IN (SELECT p.\(identifier: other) FROM \(table) AS p WHERE p.\(identifier: own) = \(bind: key.rowKey))"
            ]
            position = relationship.position.map {
                "(SELECT p.\(identifier: $0) FROM \(table) AS p WHERE p.\(identifier: own) = \(bind: key.rowKey) AND p.\(identifier: other) = \(selection.key))"
            }
        }
        let order: SQLFragment
        if let position {
            order = "\(position), \(selection.key)"
            if let after {
                conditions.append(
                    "(\(position), \(selection.key)) > (\(bind: after.position ?? .min), \(bind: try schema.rowKey(after.key, of: destination)))"
                )
            }
        } else {
            order = selection.key
            if let after {
                conditions.append("\(selection.key) > \(bind: try schema.rowKey(after.key, of: destination))")
            }
        }
        let (matching, place) = (conditions, position)
        return try await read("read the objects of \(relationship.name)") { connection in
            try await Self.page(selection, matching, order: order, position: place, limit: limit, connection)
        }
    }

    /// What people call the objects that these keys are of, by key: the value of ``StoredClass/labelProperty``. Keys of no object, and
    /// objects without such a value, are missing.
    public func labels(
        of keys: Set<StoredKey>, of className: String, in schema: StoredSchema
    ) async throws -> [StoredKey: String] {
        let storedClass = try schema.requireClass(className)
        guard !keys.isEmpty, let label = schema.label(of: storedClass) else { return [:] }
        let selection = ClassSelection(storedClass, in: schema, properties: [label], limit: Self.listedCharacters)
        let kind = storedClass.keyKind
        let sought = keys.map(\.rowKey).filter { $0.kind == kind }.sorted()
        let condition: SQLFragment = "\(selection.key) = ANY(\(bind: sought, of: kind))"
        return try await read("read names of \(className)") { connection in
            let objects = try await connection.rows(
                "SELECT \(selection.columns()) FROM \(selection.tables) WHERE \(condition)", "labels", selection.decode)
            return Dictionary(
                objects.compactMap { object in object.value(of: label).text.map { (object.key, $0) } }
            ) { first, _ in first }
        }
    }

    private static func page(
        _ selection: ClassSelection, _ conditions: [SQLFragment], order: SQLFragment, position: SQLFragment?,
        limit: Int, _ connection: PostgresConnection
    ) async throws -> ObjectPage {
        let condition: SQLFragment = conditions.isEmpty ? "TRUE" : conditions.joined(separator: " AND ")
        let place: SQLFragment = position.map { "\($0)::bigint" } ?? "NULL::bigint"
        let last = 2 + selection.properties.count * 2
        let rows = try await connection.rows(
            """
            SELECT \(selection.columns()), \(place) FROM \(selection.tables) WHERE \(condition) \
            ORDER BY \(order) LIMIT \(raw: String(limit + 1))
            """, "page of objects"
        ) { row in (try selection.decode(row), try row.decodeIfPresent(last, as: Int64.self)) }
        let shown = rows.prefix(limit)
        return ObjectPage(
            objects: shown.map(\.0),
            next: rows.count > limit ? shown.last.map { PagePosition(key: $0.0.key, position: $0.1) } : nil)
    }
}

extension ClassSelection {
    func condition(_ filter: PropertyFilter) throws(BrowsingError) -> SQLFragment {
        guard let property = chain.flatMap(\.properties).last(where: { $0.name == filter.property }) else {
            throw BrowsingError(.notFound, "\(chain[chain.count - 1].name) has no property \(filter.property).")
        }
        return filter.condition(on: try column(property), type: property.type)
    }
}

extension StoredSchema {
    /// The key where a page of a class ends. Throws `invalidValue` for one that no object of the class can have.
    fileprivate func rowKey(_ key: StoredKey, of storedClass: StoredClass) throws(BrowsingError) -> RowKey {
        guard key.rowKey.kind == storedClass.keyKind else {
            throw BrowsingError(.invalidValue, "\(key) is no key of \(storedClass.name).")
        }
        return key.rowKey
    }

    /// The class of a name. Throws `notFound` where there is none.
    public func requireClass(_ className: String) throws(BrowsingError) -> StoredClass {
        guard let found = storedClass(named: className) else {
            throw BrowsingError(.notFound, "The schema \(name) has no class \(className).")
        }
        return found
    }

    /// The property by which people know the objects of a class: of the class nearest to the root that has one.
    public func label(of storedClass: StoredClass) -> StoredProperty? {
        chain(of: storedClass).lazy.compactMap(\.labelProperty).first
    }
}
