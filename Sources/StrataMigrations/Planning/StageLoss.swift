package import StrataClient

/// What a stage lets go, and a database has of it: why the stage has no way back.
package struct StageLoss: Sendable {
    /// `Trip.notes`, `Draft`, `the order of Trip.stops`.
    package let subject: String
    /// `value`, `row`, `link` or `position`.
    package let unit: String
    /// Whether the plan has let it go by name, `.dropped(…)`. What a custom stage uses up (`.consumed`) is not lost.
    let isByName: Bool
    /// Counts what there is, by the names of before the stage.
    let query: String

    /// Counts, blocking the thread: one query that reads a whole table, in a transaction of its own that only reads.
    ///
    /// - Returns: `nil` where it takes more than a minute.
    package func count(on connection: PostgresConnection) throws -> Int64? {
        var count: Int64?
        do {
            try connection.withTransaction(readOnly: true) { _ in
                try connection.run(PostgresBatch(PostgresStatement("SET LOCAL statement_timeout = '60s'")))
                let statement = PostgresStatement(PreparedSQL(query, isCached: false))
                try connection.run(PostgresBatch(statement) { row in count = try row.decode(0) })
            }
        } catch let error as PostgresError where error.sqlState == "57014" {
            return nil
        }
        return count
    }
}

extension MigrationPlanner {
    /// What a stage lets go by name, sorted. A table of pairs is named by one of its ends.
    ///
    /// Of a stage that the plan does not account for, as one whose files somebody has edited may be, what is found until that is seen.
    /// Throws what else planning the stage throws.
    package static func losses(
        from old: FrozenSchema, to new: FrozenSchema, stage: MigrationChain.Stage, schemaName: String
    ) throws(MigrationError) -> [StageLoss] {
        var planner = MigrationPlanner(
            try SchemaCorrespondence(old: old, new: new, stage: stage), stage: stage, schemaName: schemaName,
            name: StageName(""), recordsHistory: false)
        do { try planner.accountForEverything() } catch  where error.code == .planRefused {}
        var seen: Set<String> = []
        return planner.draft.losses.filter { $0.isByName && seen.insert($0.query).inserted }
            .sorted { $0.subject < $1.subject }
    }
}
