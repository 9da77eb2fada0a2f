package import StrataClient
import StrataRepository

/// What a stage lets go by name, `.dropped(…)`, and a database has of it.
package struct AcknowledgedLoss: Sendable {
    /// `Trip.notes`, `Draft`.
    package var subject: String
    /// `value`, `row` or `link`.
    package var unit: String
    private var query: SQLFragment

    /// All of a stage, sorted. What a custom stage uses up (`.consumed`) is not lost.
    ///
    /// Throws what planning the stage throws.
    package static func all(
        from old: FrozenSchema, to new: FrozenSchema, stage: MigrationChain.Stage, schemaName: String
    ) throws(MigrationError) -> [AcknowledgedLoss] {
        let match = try SchemaCorrespondence(old: old, new: new, stage: stage)
        return Losses(match, schemaName: schemaName).all.sorted { $0.subject < $1.subject }
    }

    /// Counts, blocking the thread: one query that reads a whole table, in a transaction of its own that only reads.
    ///
    /// - Returns: `nil` where it takes more than a minute.
    package func count(on connection: PostgresConnection) throws -> Int64? {
        let statement = try query.statement(name: "count \(subject)")
        var count: Int64?
        do {
            try connection.withTransaction(readOnly: true) { _ in
                try connection.run(PostgresBatch(PostgresStatement("SET LOCAL statement_timeout = '60s'")))
                try connection.run(PostgresBatch(statement) { row in count = try row.decode(0) })
            }
        } catch let error as PostgresError where error.sqlState == "57014" {
            return nil
        }
        return count
    }

    fileprivate init(_ subject: String, _ unit: String, _ query: SQLFragment) {
        (self.subject, self.unit, self.query) = (subject, unit, query)
    }
}

/// Finds them: old properties that nothing goes on with, and classes whose rows go.
private struct Losses {
    private let match: SchemaCorrespondence
    private let flows: ColumnFlows
    private let schemaName: String

    init(_ match: SchemaCorrespondence, schemaName: String) {
        (self.match, self.schemaName) = (match, schemaName)
        flows = ColumnFlows(match)
    }

    var all: [AcknowledgedLoss] {
        match.droppedEntities.compactMap { rows(of: $0) }
            + match.old.entities.filter { !match.droppedEntities.contains($0) }.flatMap { values(of: $0) } + pairs
    }

    private func rows(of entity: FrozenEntity) -> AcknowledgedLoss? {
        guard isDropped(entity.name), let root = match.old.chain(of: entity).first else { return nil }
        var query: SQLFragment = "SELECT count(*) FROM \(TableName(schema: schemaName, name: root.table))"
        if !match.old.children(of: root).isEmpty {
            query.append(" WHERE \(identifier: ReservedColumn.discriminator) = \(bind: entity.discriminator)")
        }
        return AcknowledgedLoss(entity.name, "row", query)
    }

    private func values(of entity: FrozenEntity) -> [AcknowledgedLoss] {
        entity.columns.filter { column in
            let place = ColumnPlace(table: entity.table, column: column.column)
            return isDropped(entity.name, column.property) && !flows.isShared(place) && !flows.isFed(from: place)
        }.map { column in
            AcknowledgedLoss(
                "\(entity.name).\(column.property)", "value",
                "SELECT count(\(identifier: column.column)) FROM \(TableName(schema: schemaName, name: entity.table))")
        }
    }

    /// A table of pairs is named by one of its ends.
    private var pairs: [AcknowledgedLoss] {
        var seen: Set<String> = []
        return match.old.entities.flatMap { entity in
            entity.relationships.compactMap { relationship in
                guard case .joinTable(let table, _, _) = relationship.storage,
                    !flows.tables.values.contains(table), !flows.links.contains(where: { $0.from.table == table }),
                    isDropped(entity.name, relationship.name), seen.insert(table).inserted
                else { return nil }
                return AcknowledgedLoss(
                    "\(entity.name).\(relationship.name)", "link",
                    "SELECT count(*) FROM \(TableName(schema: schemaName, name: table))")
            }
        }
    }

    private func isDropped(_ entity: String, _ property: String? = nil) -> Bool {
        match.changes.contains {
            guard case .dropped(let subject) = $0.kind, subject.entity == entity else { return false }
            return subject.property == nil || subject.property == property
        }
    }
}
