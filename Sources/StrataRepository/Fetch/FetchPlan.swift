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
        guard descriptor.lock == nil || reading.locks else {
            throw SwiftDataError(
                .unsupportedFeature,
                "The descriptor for \(T.self) has a lock, which only fetch(_:) takes: to count, observe, enumerate or read in batches "
                    + "locks no rows. Set lock to nil.")
        }
        self.entity = entity
        self.descriptor = descriptor
        self.mapping = mapping
        self.store = store
        self.overlay = overlay
        scope = TableScope(
            entity, descriptor.includeDeleted ? .stored : .present, aliases: AliasGenerator(overlay?.top))
        let scope = scope
        slots = reading.readsObjects ? try Self.slots(descriptor.fetchedKeyPaths, of: entity) : nil
        if reading.readsObjects {
            // Predicate and order then use what is read anyway.
            scope.read(
                slots.map { SelectList.levels(below: entity, .named($0)) } ?? mapping.selectLists.levels(below: entity))
        }
        let translator = PredicateTranslator(mapping: mapping, store: store)
        let condition = scope.selecting(try descriptor.predicate.map { try translator.condition($0, on: scope) })
        self.condition =
            try descriptor.groupLimit.map {
                try $0.condition(condition, order: translator.order(of: descriptor, on: scope), translator, scope)
            } ?? condition
    }

    /// The statement that reads the objects, and how to decode its rows.
    package func objects() throws -> (statement: PostgresStatement, list: SelectList) {
        let list = selectList
        return (try statement(selecting: list.columns, "fetch \(entity.name)"), list)
    }

    private var selectList: SelectList {
        guard let slots else { return mapping.selectLists.list(entity, from: scope) }
        return SelectList(entity, from: scope, selection: .named(slots))
    }

    /// The statement that reads keys alone, without those that are known.
    package func keys(except known: [RowKey]) throws -> PostgresStatement {
        let unknown: SQLFragment? = known.isEmpty ? nil : "\(scope.key()) <> ALL(\(bind: known, of: entity.keyKind))"
        return try reading(sql(selecting: scope.key(), and: unknown), "lock \(entity.name)")
    }

    /// The statement that reads the objects with these keys that the predicate finds, and how to decode its rows.
    package func objects(among keys: [RowKey]) throws -> (statement: PostgresStatement, list: SelectList) {
        let list = selectList
        let sql = try sql(selecting: list.columns, and: scope.isKey(among: keys))
        return (try reading(sql, "fetch \(entity.name) by key"), list)
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

    /// The statement that reads one page of objects and one object more.
    package func page(_ page: PageRequest) throws -> PageStatement<SelectList> {
        let list = selectList
        let (statement, order) = try self.page(page, selecting: list.columns, order: sortTerms)
        return PageStatement(statement: statement, order: order, width: list.count, content: list)
    }

    /// The statement that reads some columns of one page and of one object more, of which the first is the key. Behind them stand the texts
    /// of the order.
    func page(
        _ page: PageRequest, selecting columns: SQLFragment, order: (TableScope) throws -> [SortTerm]
    ) throws -> (PostgresStatement, PageOrder) {
        guard descriptor.fetchLimit == nil, descriptor.fetchOffset == nil else {
            throw SwiftDataError(
                .unsupportedFeature,
                "A page of \(entity.name) was asked for by a cursor and a size, and the descriptor has a fetchLimit or fetchOffset "
                    + "too. Leave them out, or call fetchPage(_:).")
        }
        let terms = try order(scope)
        let described =
            terms.allSatisfy(\.isColumn) ? terms : try order(TableScope(entity, .stored, aliases: AliasGenerator()))
        let order = try PageOrder(terms, described: described, key: keyOrder, of: entity)
        let columns = ([columns] + order.texts).joined(separator: ", ")
        let from = scope.from
        let limit = LimitForm(of: page.size + 1).clause(for: page.size + 1)
        func rows(_ range: PageRange, and further: SQLFragment = "") -> SQLFragment {
            "SELECT \(columns)\(further) \(from)\(whereClause(and: range.condition)) ORDER BY \(range.order)\(limit)"
        }
        let ranges = try order.ranges(beyond: page.cursor, page.direction)
        guard ranges.count > 1 else { return (try statement(rows(ranges[0]), "page of \(entity.name)"), order) }
        // Each range is cut to the page's size in its own order, which then is the row's number. No column of a model has these names.
        let parts = ranges.enumerated().map { number, range in
            "(\(rows(range, and: ", \(raw: String(number)) AS \"#part\", row_number() OVER (ORDER BY \(range.order)) AS \"#place\"")))"
                as SQLFragment
        }
        let sql: SQLFragment =
            "SELECT p.* FROM (\(parts.joined(separator: " UNION ALL "))) AS p ORDER BY p.\"#part\", p.\"#place\"\(limit)"
        return (try statement(sql, "page of \(entity.name)"), order)
    }

    /// The terms of an order by the key behind those that were asked for.
    private var keyOrder: [SQLFragment] {
        guard entity.layers.count > 1, descriptor.orderBy.isEmpty, let first = descriptor.sortBy.first?.keyPath,
            let steps = SortPath().steps(of: first, from: entity.descriptor), steps.count == 1,
            let leading = steps.first
        else { return scope.keyOrder }
        return scope.keyOrder(beside: leading.slot)
    }

    private func sortTerms(on scope: TableScope) throws -> [SortTerm] {
        try PredicateTranslator(mapping: mapping, store: store).order(of: descriptor, on: scope)
    }

    private func statement(selecting columns: SQLFragment, _ name: String) throws -> PostgresStatement {
        try reading(sql(selecting: columns), name)
    }

    private func reading(_ sql: SQLFragment, _ name: String) throws -> PostgresStatement {
        entity.reading(try sql.statement(name: name, of: entity.name))
    }

    /// - Parameter further: a condition beside the descriptor's.
    private func sql(selecting columns: SQLFragment, and further: SQLFragment? = nil) throws -> SQLFragment {
        let order = try sortTerms(on: scope).map { $0.sql() }
        // An object of the class has a row in each of these tables.
        let lock = descriptor.lock?.clause(of: entity.layers.map { scope.table(of: $0) }) ?? ""
        // After all else: by then it is known what is asked of the tables, and which unsaved changes that concerns.
        let from = scope.from
        return try beneathUnsavedChanges(
            "SELECT \(columns) \(from)\(whereClause(and: further))\(orderBy(order))\(limits)\(lock)")
    }

    func statement(_ sql: SQLFragment, _ name: String) throws -> PostgresStatement {
        try reading(beneathUnsavedChanges(sql), name)
    }

    /// The same over the tables as unsaved changes make them.
    private func beneathUnsavedChanges(_ sql: SQLFragment) throws -> SQLFragment {
        guard let overlay, overlay.isUsed else { return sql }
        return "\(try overlay.with())\(sql)"
    }

    var whereClause: SQLFragment { whereClause(and: nil) }

    private func whereClause(and further: SQLFragment?) -> SQLFragment {
        switch (condition, further) {
        case (nil, nil): ""
        case (let condition?, nil): " WHERE \(condition)"
        case (nil, let further?): " WHERE \(further)"
        case (let condition?, let further?): " WHERE (\(condition)) AND \(further)"
        }
    }

    var limits: SQLFragment {
        var sql = descriptor.fetchLimit.map { LimitForm(of: $0).clause(for: $0) } ?? SQLFragment()
        if let offset = descriptor.fetchOffset, offset > 0 { sql.append(" OFFSET \(bind: Int64(offset))") }
        return sql
    }

    /// The order asked for, then the key: pages never overlap. No order was asked for, no page is cut and no unsaved changes
    /// take part: none. Where rows that others hold are left out, no order of equals is kept either, and an index on what was asked
    /// for gives the first row without a sort. Nor of equals among the nearest, unless some are passed over: an index gives them in their order only
    /// where nothing follows the distance. Pages by an offset may overlap there among equals; those by a cursor do not.
    func orderBy(_ asked: [SQLFragment]) -> SQLFragment {
        guard
            !asked.isEmpty || descriptor.fetchLimit != nil || descriptor.fetchOffset != nil || overlay?.isUsed == true
        else { return "" }
        let isNearest =
            descriptor.orderBy.count == 1 && descriptor.orderBy[0].term.isDistance && descriptor.sortBy.isEmpty
            && descriptor.fetchOffset ?? 0 == 0
        let isComplete = !asked.isEmpty && (descriptor.lock?.waiting == .skipLocked || isNearest)
        return " ORDER BY \((isComplete ? asked : asked + scope.keyOrder).joined(separator: ", "))"
    }

    private static func slots(_ keyPaths: [any PartialKeyPath<T> & Sendable], of entity: EntityMapping) throws
        -> SlotSet?
    {
        guard !keyPaths.isEmpty else { return nil }
        return SlotSet(
            try keyPaths.flatMap { keyPath -> [Int] in
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
                // Memory computes it, of these.
                return entity.generatedColumns[property.slot]?.sources.slots ?? [property.slot]
            })
    }
}
