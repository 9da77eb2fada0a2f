import Foundation
package import StrataClient
package import StrataModels

/// What one fetch asks the server: planned from a descriptor, before anything is sent.
package struct FetchPlan<T: PersistentModel> {
    package let entity: EntityMapping
    private let descriptor: FetchDescriptor<T>
    private let mapping: StoreMapping
    /// The store's identifier: identifiers of other stores match none of its objects.
    private let store: String
    private let scope: TableScope
    private let condition: SQLFragment?

    /// Throws ``SwiftDataError`` for a class that is not in the schema and for what cannot be translated.
    package init(_ descriptor: FetchDescriptor<T>, mapping: StoreMapping, store: String) throws {
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
        scope = TableScope(entity, aliases: AliasGenerator())
        let scope = scope
        condition = try descriptor.predicate.map {
            try PredicateTranslator(mapping: mapping, store: store).condition($0, on: scope)
        }
    }

    /// The statement that reads the objects, and how to decode its rows.
    ///
    /// - Parameter extra: rows to read beyond the limit and before the offset, for a result that unsaved changes take part in.
    package func objects(widenedBy extra: Int? = nil) throws -> (statement: PostgresStatement, list: SelectList) {
        let list = SelectList(entity, from: scope, selection: try propertySlots().map { .named($0) } ?? .all)
        let order = try orderBy()
        var sql: SQLFragment = "SELECT \(list.fragments.joined(separator: ", ")) \(scope.from)\(whereClause)\(order)"
        if let extra {
            if let limit = descriptor.fetchLimit {
                let (rows, overflow) = limit.addingReportingOverflow((descriptor.fetchOffset ?? 0) &+ extra)
                sql.append(" LIMIT \(bind: Int64(overflow || rows < 0 ? .max : rows))")
            }
        } else {
            sql.append(limits)
        }
        return (try sql.statement(name: "fetch \(entity.name)"), list)
    }

    /// The statement that counts the objects within the descriptor's limit and offset.
    package func count() throws -> PostgresStatement {
        if descriptor.fetchLimit == nil, descriptor.fetchOffset == nil {
            return try ("SELECT count(*) \(scope.from)\(whereClause)" as SQLFragment)
                .statement(name: "count \(entity.name)")
        }
        return try ("SELECT count(*) FROM (SELECT 1 \(scope.from)\(whereClause)\(limits)) AS t" as SQLFragment)
            .statement(name: "count \(entity.name)")
    }

    /// The statement that reads keys, and the class where there may be several.
    package func identifiers() throws -> PostgresStatement {
        let key = scope.key()
        let columns = entity.children.isEmpty ? key : "\(key), \(scope.discriminator())"
        let order = try orderBy()
        return try ("SELECT \(columns) \(scope.from)\(whereClause)\(order)\(limits)" as SQLFragment)
            .statement(name: "identifiers of \(entity.name)")
    }

    private var whereClause: SQLFragment {
        condition.map { " WHERE \($0)" } ?? ""
    }

    private var limits: SQLFragment {
        var sql = SQLFragment()
        if let limit = descriptor.fetchLimit { sql.append(" LIMIT \(bind: Int64(limit))") }
        if let offset = descriptor.fetchOffset, offset > 0 { sql.append(" OFFSET \(bind: Int64(offset))") }
        return sql
    }

    /// The order asked for, then the key: pages never overlap. No order was asked for and no page is cut: none.
    private func orderBy() throws -> SQLFragment {
        var terms = try PredicateTranslator(mapping: mapping, store: store).order(descriptor.sortBy, on: scope)
        guard !terms.isEmpty || descriptor.fetchLimit != nil || descriptor.fetchOffset != nil else { return "" }
        terms.append(scope.key())
        return " ORDER BY \(terms.joined(separator: ", "))"
    }

    private func propertySlots() throws -> SlotSet? {
        guard !descriptor.propertiesToFetch.isEmpty else { return nil }
        return SlotSet(
            try descriptor.propertiesToFetch.map { keyPath in
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
