import Foundation
package import StrataClient
package import StrataModels

/// What one fetch asks the server: planned from a descriptor, before anything is sent.
package struct FetchPlan<T: PersistentModel> {
    package let entity: EntityMapping
    let descriptor: FetchDescriptor<T>
    let mapping: StoreMapping
    /// The store's identifier: identifiers of other stores match none of its objects.
    let store: String
    let scope: TableScope
    private let condition: SQLFragment?
    let overlay: PendingOverlay?
    /// The properties to read; `nil` for all.
    private let slots: SlotSet?

    /// Throws ``SwiftDataError`` for a class that is not in the schema and for what cannot be translated.
    ///
    /// - Parameters:
    ///   - overlay: unsaved changes that take part; one for this plan alone.
    ///   - reading: what is read of the rows.
    package init(
        _ descriptor: FetchDescriptor<T>, mapping: StoreMapping, store: String, overlay: PendingOverlay? = nil,
        reading: FetchReading
    ) throws {
        guard let entity = mapping.entity(for: T.self) else {
            throw SwiftDataError(
                .unknownSchema,
                "\(T.self) is not part of this container's schema. Name it in ModelContainer(for:).")
        }
        if let limit = descriptor.fetchLimit, limit < 0 {
            throw SwiftDataError(.unsupportedFeature, "fetchLimit is \(limit); it cannot be negative.")
        }
        if let offset = descriptor.fetchOffset, offset < 0 {
            throw SwiftDataError(.unsupportedFeature, "fetchOffset is \(offset); it cannot be negative.")
        }
        self.entity = entity
        self.descriptor = descriptor
        self.mapping = mapping
        self.store = store
        self.overlay = overlay
        scope = TableScope(entity, aliases: AliasGenerator(overlay?.top))
        let scope = scope
        slots = reading == .objects ? try Self.slots(descriptor.propertiesToFetch, of: entity) : nil
        if reading == .objects {
            // Predicate and order then use what is read anyway.
            scope.read(
                slots.map { SelectList.levels(below: entity, .named($0)) } ?? mapping.selectLists.levels(below: entity))
        }
        condition = try descriptor.predicate.map {
            try PredicateTranslator(mapping: mapping, store: store).condition($0, on: scope)
        }
    }

    /// The statement that reads the objects, and how to decode its rows.
    package func objects() throws -> (statement: PostgresStatement, list: SelectList) {
        let list =
            if let slots {
                SelectList(entity, from: scope, selection: .named(slots))
            } else {
                mapping.selectLists.list(entity, from: scope)
            }
        return (try statement(selecting: list.columns, "fetch \(entity.name)"), list)
    }

    /// The statement that counts the objects within the descriptor's limit and offset.
    package func count() throws -> PostgresStatement {
        if descriptor.fetchLimit == nil, descriptor.fetchOffset == nil {
            return try statement("SELECT count(*) \(scope.from)\(whereClause)", "count \(entity.name)")
        }
        return try statement(
            "SELECT count(*) FROM (SELECT 1 \(scope.from)\(whereClause)\(limits)) AS t", "count \(entity.name)")
    }

    /// The statement that reads keys, and the class where there may be several.
    package func identifiers() throws -> PostgresStatement {
        let key = scope.key()
        let columns = entity.children.isEmpty ? key : "\(key), \(scope.discriminator())"
        return try statement(selecting: columns, "identifiers of \(entity.name)")
    }

    private func statement(selecting columns: SQLFragment, _ name: String) throws -> PostgresStatement {
        let order = try PredicateTranslator(mapping: mapping, store: store).order(descriptor.sortBy, on: scope)
        // After all else: by then it is known what is asked of the tables, and which unsaved changes that concerns.
        let from = scope.from
        return try statement("SELECT \(columns) \(from)\(whereClause)\(orderBy(order))\(limits)", name)
    }

    func statement(_ sql: SQLFragment, _ name: String) throws -> PostgresStatement {
        guard let overlay, overlay.isUsed else { return try sql.statement(name: name) }
        return try ("\(try overlay.with())\(sql)" as SQLFragment).statement(name: name)
    }

    var whereClause: SQLFragment {
        condition.map { " WHERE \($0)" } ?? ""
    }

    /// A limit of a page's size stands in the text: the server plans by it, and would plan anew each time for one that it gets
    /// as a parameter (manual, PREPARE).
    var limits: SQLFragment {
        var sql = SQLFragment()
        if let limit = descriptor.fetchLimit {
            sql.append((0...1000).contains(limit) ? " LIMIT \(raw: String(limit))" : " LIMIT \(bind: Int64(limit))")
        }
        if let offset = descriptor.fetchOffset, offset > 0 { sql.append(" OFFSET \(bind: Int64(offset))") }
        return sql
    }

    /// The order asked for, then the key: pages never overlap. No order was asked for, no page is cut and no unsaved changes
    /// take part: none.
    func orderBy(_ asked: [SQLFragment]) -> SQLFragment {
        guard
            !asked.isEmpty || descriptor.fetchLimit != nil || descriptor.fetchOffset != nil || overlay?.isUsed == true
        else { return "" }
        return " ORDER BY \((asked + [scope.key()]).joined(separator: ", "))"
    }

    private static func slots(_ keyPaths: [PartialKeyPath<T>], of entity: EntityMapping) throws -> SlotSet? {
        guard !keyPaths.isEmpty else { return nil }
        return SlotSet(
            try keyPaths.map { keyPath in
                guard let property = entity.descriptor.property(for: keyPath) else {
                    throw SwiftDataError(
                        .unsupportedKeyPath,
                        "propertiesToFetch names \(keyPath), which is no stored property of \(entity.name).")
                }
                if property is RelationshipProperty, entity.columns[property.slot] == nil {
                    throw SwiftDataError(
                        .unsupportedKeyPath,
                        "propertiesToFetch names the relationship \(property.qualifiedName); name it in "
                            + "relationshipKeyPathsForPrefetching.")
                }
                return property.slot
            })
    }
}
