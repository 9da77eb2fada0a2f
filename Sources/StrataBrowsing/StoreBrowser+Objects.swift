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
        let order: SQLFragment = selection.key.list(of: "t0")
        if let after { conditions.append("(\(order)) > (\(try storedClass.values(of: after.key)))") }
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
        return try await read("read an object of \(className)") { connection in
            func object(_ storedClass: StoredClass, _ properties: [StoredProperty]?) async throws -> StoredObject? {
                let selection = ClassSelection(storedClass, in: schema, properties: properties, limit: limit)
                return try await connection.rows(
                    """
                    SELECT \(selection.columns()) FROM \(selection.tables) WHERE \(selection.key.isKey(key, of: "t0"))
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
        let destination = try schema.requireClass(relationship.destination)
        let label = schema.label(of: destination)
        let selection = ClassSelection(
            destination, in: schema, properties: label.map { [$0] } ?? [], limit: Self.listedCharacters)
        var conditions: [SQLFragment]
        var position: SQLFragment?
        switch relationship.storage {
        case .foreignKey(_, let holder):
            let chain = schema.chain(of: try schema.requireClass(holder))
            // The holder of the column may be a class above the destination, or below it.
            let place = selection.chain.firstIndex { $0.name == holder }
            if let place {
                conditions = [relationship.own.isKey(key, of: "t\(raw: String(place))")]
                position = relationship.position.map { "t\(raw: String(place)).\(identifier: $0)" }
            } else {
                let last = chain[chain.count - 1]
                let table = TableName(schema: schema.name, name: last.table)
                let holders: SQLFragment =
                    "SELECT \(last.key.value(of: "h")) FROM \(table) AS h WHERE \(relationship.own.isKey(key, of: "h"))"
                conditions = [selection.key.isIn(holders, of: "t0")]
            }
        case .pairs(let name, _, let other):
            let table = TableName(schema: schema.name, name: name)
            let isPair = relationship.own.isKey(key, of: "p")
            let others = selection.key.named(other)
            conditions = [
                selection.key.isIn("SELECT \(others.value(of: "p")) FROM \(table) AS p WHERE \(isPair)", of: "t0")
            ]
            let isOfObject = selection.key.isEqual(to: others, of: "p", "t0")
            position = relationship.position.map {
                "(SELECT p.\(identifier: $0) FROM \(table) AS p WHERE \(isPair) AND \(isOfObject))"
            }
        }
        let list: SQLFragment = selection.key.list(of: "t0")
        // What has no position comes last.
        let order: SQLFragment = position.map { "\($0) IS NULL, coalesce(\($0), 0), \(list)" } ?? list
        if let after {
            let end = try destination.values(of: after.key)
            let place: SQLFragment = "\(bind: after.position == nil), \(bind: after.position ?? 0), \(end)"
            conditions.append("(\(order)) > (\(position == nil ? end : place))")
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
        let condition = selection.key.isAmong(keys, of: "t0")
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

extension StoredClass {
    /// The values of a key's columns, separated by commas. Throws `invalidValue` for one that no object of the class can have.
    fileprivate func values(of key: StoredKey) throws(BrowsingError) -> SQLFragment {
        guard let value = self.key.bound(key) else {
            throw BrowsingError(.invalidValue, "\(key) is no key of \(name).")
        }
        return self.key.taken(apart: value)
    }
}

extension StoredSchema {
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
