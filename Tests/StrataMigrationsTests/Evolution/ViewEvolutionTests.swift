import StrataClient
import StrataModels
import StrataRepository
import StrataTestSupport
import Testing

@testable import StrataMigrations

/// Views come, change and go with the tables that they read, and come back on the way back.
@Suite("Evolution: views") struct ViewEvolutionTests {
    private typealias Models = ViewModels

    static let rows = [
        "INSERT INTO trip (city, price) VALUES ('Kiel', 1), ('Kiel', 2), ('Oslo', 5)"
    ]
    private static let query = "SELECT city, trips FROM city_statistics ORDER BY 1"

    private static func note(_ type: String) -> String {
        "going back, Trip.price is converted from \(type): what was written in another form than PostgreSQL writes comes back in "
            + "that one"
    }

    private func titles(_ evolution: Evolution) throws -> [String] {
        try evolution.scripts()[1].steps.map { "\($0.phase) \($0.title)" }
    }

    private let making = Result {
        try Evolution(
            [Models.Tables.Trip.self], [Models.Counted.Trip.self, Models.Counted.CityStatistics.self])
    }

    @Test func `a view is made, and goes on the way back`() async throws {
        let evolution = try making.get()
        #expect(
            try evolution.scripts()[1].steps[0].statements == [
                """
                CREATE VIEW "public"."city_statistics" AS
                SELECT
                    v."pk"::bigint AS "pk",
                    v."city"::text COLLATE "C" AS "city",
                    v."trips"::bigint AS "trips"
                FROM (
                SELECT min("trip"."pk") AS "pk", "trip"."city" AS "city", count(*) AS "trips"
                FROM "public"."trip" WHERE "trip"."city" <> 'it''s'::text GROUP BY "trip"."city"
                ) AS v
                """,
                #"COMMENT ON VIEW "public"."city_statistics" IS '\#(evolution.after.database.views[0].mark)'"#,
            ])
        #expect(
            try titles(evolution) == [
                "backfill create view city_statistics", "contract record version 2.0.0",
            ])
        try await evolution.run(
            seed: Self.rows, expecting: Self.query, is: ["Kiel|2", "Oslo|1"], returning: .whole)
    }

    @Test func `a view goes, and comes back on the way back`() async throws {
        let evolution = try Evolution(
            [Models.Counted.Trip.self, Models.Counted.CityStatistics.self], [Models.Tables.Trip.self])
        #expect(
            try titles(evolution) == [
                "contract drop view city_statistics", "contract record version 2.0.0",
            ])
        try await evolution.run(
            seed: Self.rows, expecting: "SELECT to_regclass('city_statistics') IS NULL", is: ["true"], returning: .whole
        )
        try await evolution.runAndReturn(
            seed: Self.rows, expecting: Self.query, is: ["Kiel|2", "Oslo|1"])
    }

    @Test func `a form that code of both versions reads is there at once`() async throws {
        let evolution = try Evolution(
            [Models.Counted.Trip.self, Models.Counted.CityStatistics.self],
            [Models.Summed.Trip.self, Models.Summed.CityStatistics.self])
        #expect(
            try titles(evolution) == [
                "backfill replace view city_statistics", "contract record version 2.0.0",
            ])
        #expect(try evolution.scripts()[1].steps.neededByNewCode.isEmpty)
        try await evolution.withDatabase(seed: Self.rows) { database, runner, scripts in
            try await blocking { try runner.apply(scripts, through: .backfill) }
            #expect(try await evolution.texts(Self.query, on: database) == ["Kiel|2", "Oslo|1"])
            #expect(
                try await evolution.texts("SELECT city, paid FROM city_statistics ORDER BY 1", on: database) == [
                    "Kiel|3", "Oslo|5",
                ])
        }
        try await evolution.run(
            seed: Self.rows, expecting: "SELECT city, trips, paid FROM city_statistics ORDER BY 1",
            is: ["Kiel|2|3", "Oslo|1|5"], returning: .whole)
    }

    @Test func `the older form serves until what it reads is renamed`() async throws {
        let evolution = try Evolution(
            [Models.Counted.Trip.self, Models.Counted.CityStatistics.self],
            [Models.Renamed.Trip.self, Models.Renamed.CityStatistics.self])
        #expect(
            try titles(evolution).filter { $0.contains("view") || $0.contains("switch") } == [
                "contract drop view city_statistics", "contract switch to the names of version 2.0.0",
                "contract create view city_statistics",
            ])
        #expect(
            try evolution.scripts()[1].steps.neededByNewCode.map(\.operation) == [.switchNames, .createViews])
        try await evolution.run(
            seed: Self.rows, expecting: Self.query, is: ["Kiel|2", "Oslo|1"], returning: .whole)
    }

    @Test func `views of a column that changes its type are made again, and views of them`() async throws {
        let newer: [any PersistentModel.Type] = [
            Models.Retyped.Trip.self, Models.Retyped.CityStatistics.self, Models.Retyped.Best.self,
        ]
        try await Evolution([Models.Summed.Trip.self, Models.Summed.CityStatistics.self], newer).run(
            seed: Self.rows,
            expecting: "SELECT b.city, c.paid FROM best AS b JOIN city_statistics AS c USING (pk)", is: ["Oslo|5"],
            returning: .changed(note: Self.note("double precision")))
        try await Evolution(newer, [Models.Summed.Trip.self, Models.Summed.CityStatistics.self]).run(
            seed: Self.rows, expecting: "SELECT city, paid FROM city_statistics ORDER BY 1", is: ["Kiel|3", "Oslo|5"],
            returning: .changed(note: Self.note("bigint")))
    }

    @Test func `a view stays where a column comes that it does not read`() async throws {
        let evolution = try Evolution(
            [Models.Counted.Trip.self, Models.Counted.CityStatistics.self],
            [Models.Counted.Trip.self, Models.Counted.CityStatistics.self, Models.Grown.Guest.self])
        #expect(!(try titles(evolution)).contains { $0.contains("view") })
    }

    @Test func `a view that the server computed is kept by it, and is not on the way back`() async throws {
        let kept: [any PersistentModel.Type] = [
            Models.Kept.Trip.self, Models.Kept.CityStatistics.self, Models.Kept.Best.self,
        ]
        let evolution = try Evolution([Models.Counted.Trip.self, Models.Counted.CityStatistics.self], kept)
        #expect(
            try firstLines(evolution) == [
                "backfill create view city_statistics__new",
                #"CREATE MATERIALIZED VIEW "public"."city_statistics__new" AS"#,
                #"CREATE UNIQUE INDEX "city_statistics__new_pk_idx" ON "public"."city_statistics__new" ("pk")"#,
                #"COMMENT ON MATERIALIZED VIEW "public"."city_statistics__new" IS '\#(try mark("city_statistics", evolution))'"#,
                "backfill replace views city_statistics, best",
                #"DROP VIEW "public"."city_statistics""#,
                #"ALTER MATERIALIZED VIEW "public"."city_statistics__new" RENAME TO "city_statistics""#,
                #"ALTER INDEX "public"."city_statistics__new_pk_idx" RENAME TO "city_statistics_pk_idx""#,
                #"CREATE VIEW "public"."best" AS"#,
                #"COMMENT ON VIEW "public"."best" IS '\#(try mark("best", evolution))'"#,
            ])
        try await evolution.run(seed: Self.rows, expecting: Self.query, is: ["Kiel|2", "Oslo|1"], returning: .whole)
        let back = try Evolution(kept, [Models.Counted.Trip.self, Models.Counted.CityStatistics.self])
        #expect(
            try back.scripts()[1].steps[0].statements.prefix(2) == [
                #"DROP VIEW "public"."best""#, #"DROP MATERIALIZED VIEW "public"."city_statistics""#,
            ])
        try await back.run(seed: Self.rows, expecting: Self.query, is: ["Kiel|2", "Oslo|1"], returning: .whole)
        try await evolution.withDatabase(seed: Self.rows) { database, runner, scripts in
            try await blocking { try runner.apply(scripts) }
            try await database.onSession { session in
                let lines = try await blocking {
                    try ViewInspection(evolution.after, schemaName: "public", on: session).lines
                }
                #expect(lines.isEmpty, "\(lines)")
                let found = try await CatalogInspection.read(schemaName: "public", connection: session)
                #expect(CatalogDifference(expected: evolution.after.database, found: found).isEmpty)
            }
        }
    }

    private func mark(_ view: String, _ evolution: Evolution) throws -> String {
        try #require(evolution.after.database.view(named: view)).mark.description
    }

    /// Of the steps but the last one, which records: phase and title, then each statement's first line.
    private func firstLines(_ evolution: Evolution) throws -> [String] {
        try evolution.scripts()[1].steps.dropLast().flatMap { step in
            ["\(step.phase) \(step.title)"] + step.statements.map { String($0.prefix { $0 != "\n" }) }
        }
    }

    private static let kept: [any PersistentModel.Type] = [
        Models.Kept.Trip.self, Models.Kept.CityStatistics.self, Models.Kept.Best.self,
    ]
    private static let totalled: [any PersistentModel.Type] = [
        Models.Totalled.Trip.self, Models.Totalled.CityStatistics.self, Models.Totalled.Best.self,
    ]

    @Test func `rows that the server keeps are computed before anything is in anybody's way`() async throws {
        let evolution = try Evolution(Self.kept, Self.totalled)
        #expect(
            try firstLines(evolution) == [
                "backfill create view city_statistics__new",
                #"CREATE MATERIALIZED VIEW "public"."city_statistics__new" AS"#,
                #"CREATE UNIQUE INDEX "city_statistics__new_pk_idx" ON "public"."city_statistics__new" ("pk")"#,
                #"COMMENT ON MATERIALIZED VIEW "public"."city_statistics__new" IS '\#(try mark("city_statistics", evolution))'"#,
                "backfill replace view city_statistics",
                // The older best reads it.
                #"ALTER MATERIALIZED VIEW "public"."city_statistics" RENAME TO "city_statistics__old""#,
                #"ALTER INDEX "public"."city_statistics_pk_idx" RENAME TO "city_statistics__old_pk_idx""#,
                #"ALTER MATERIALIZED VIEW "public"."city_statistics__new" RENAME TO "city_statistics""#,
                #"ALTER INDEX "public"."city_statistics__new_pk_idx" RENAME TO "city_statistics_pk_idx""#,
                "backfill create view best__new",
                #"CREATE MATERIALIZED VIEW "public"."best__new" AS"#,
                #"CREATE UNIQUE INDEX "best__new_pk_idx" ON "public"."best__new" ("pk")"#,
                #"COMMENT ON MATERIALIZED VIEW "public"."best__new" IS '\#(try mark("best", evolution))'"#,
                "backfill replace view best",
                #"DROP VIEW "public"."best""#, #"DROP MATERIALIZED VIEW "public"."city_statistics__old""#,
                #"ALTER MATERIALIZED VIEW "public"."best__new" RENAME TO "best""#,
                #"ALTER INDEX "public"."best__new_pk_idx" RENAME TO "best_pk_idx""#,
            ])
        let steps = try evolution.scripts()[1].steps
        #expect(steps.prefix(4).map(\.statementTimeout) == [600_000, 60_000, 600_000, 60_000])
        #expect(
            steps[3].undo.map { String($0.prefix { $0 != "\n" }) }.filter { !$0.contains("INDEX") } == [
                #"ALTER MATERIALIZED VIEW "public"."best" RENAME TO "best__new""#,
                #"ALTER MATERIALIZED VIEW "public"."city_statistics" RENAME TO "city_statistics__new""#,
                #"CREATE MATERIALIZED VIEW "public"."city_statistics" AS"#,
                #"COMMENT ON MATERIALIZED VIEW "public"."city_statistics" IS '\#(evolution.before.database.views[1].mark)'"#,
                #"CREATE VIEW "public"."best" AS"#,
                #"COMMENT ON VIEW "public"."best" IS '\#(evolution.before.database.views[0].mark)'"#,
                #"ALTER MATERIALIZED VIEW "public"."city_statistics" RENAME TO "city_statistics__old""#,
                #"ALTER MATERIALIZED VIEW "public"."city_statistics__new" RENAME TO "city_statistics""#,
            ])
        try await evolution.run(
            seed: Self.rows,
            expecting: "SELECT b.city, c.paid FROM best AS b JOIN city_statistics AS c USING (pk)", is: ["Oslo|5"],
            returning: .whole)
        try await evolution.runAndUndo(
            seed: Self.rows + ["REFRESH MATERIALIZED VIEW city_statistics"], through: .backfill,
            expecting: Self.query, is: ["Kiel|2", "Oslo|1"])
        // Ended between two of the steps, it goes on with what is there; and is taken back from there.
        for last in steps.prefix(4).map(\.id) {
            let seed = Self.rows + ["REFRESH MATERIALIZED VIEW city_statistics"]
            try await evolution.withDatabase(seed: seed) { database, runner, scripts in
                struct End: Error {}
                let probe = RunnerProbe(database)
                let options = RunnerOptions(afterStep: { if $0 == last { throw End() } })
                _ = try await probe.refusal(scripts, options: options)
                let query = "SELECT b.city FROM best AS b JOIN city_statistics USING (pk)"
                #expect(try await evolution.texts(query, on: database) == [last == steps[3].id ? "Oslo" : "Kiel"])
                try await blocking { try runner.rollback(scripts[1]) }
                try await evolution.expectCatalog(evolution.before, on: database, "after \(last) was undone")
                try await blocking { try runner.apply(scripts) }
                try await evolution.expectCatalog(evolution.after, on: database, "after all")
            }
        }
    }

    @Test func `whoever reads rows that the server keeps does not wait while newer ones are computed`() async throws {
        try await Evolution(Self.kept, Self.totalled).withDatabase(seed: Self.rows) { database, _, scripts in
            // What the new form is computed from is held: it is being computed for as long.
            let holder = try await database.connect()
            defer { holder.close() }
            for sql in ["BEGIN", "LOCK TABLE trip IN ACCESS EXCLUSIVE MODE"] {
                try await holder.run(PostgresBatch(PostgresStatement(PreparedSQL(sql, isCached: false))))
            }
            let probe = RunnerProbe(database)
            let run = Task { try await probe.apply(scripts) }
            try await probe.wait { if case .stepRetry = $0 { true } else { false } }
            try await waitUntil {
                try await !database.texts(
                    "SELECT mode FROM pg_locks WHERE relation = 'public.trip'::regclass AND NOT granted"
                ).isEmpty
            }
            try await database.execute(
                "BEGIN", "SET LOCAL lock_timeout = 1", "SELECT count(*) FROM city_statistics, best", "COMMIT")
            try await holder.run(PostgresBatch(PostgresStatement("COMMIT")))
            try await run.value
        }
    }

    /// What `didMigrate` does where nothing but tables are needed of it.
    private struct Invoicing: StageClosures {
        let database: TestDatabase

        func perform(_ closure: StageClosure, stage: Int) throws {
            let connection = try PostgresConnection.connect(database.configuration)
            defer { connection.close() }
            try connection.run(
                PostgresBatch(
                    PostgresStatement("INSERT INTO invoice (city, total) SELECT city, price FROM trip WHERE city <> ''")
                ))
        }
    }

    @Test func `rows that didMigrate makes are in a view that the server keeps`() async throws {
        let plain = try Evolution(
            [Models.Tables.Trip.self],
            [Models.Invoiced.Trip.self, Models.Invoiced.Invoice.self, Models.Invoiced.InvoiceTotals.self])
        let evolution = Evolution(
            before: plain.before, after: plain.after, stage: MigrationChain.Stage(hasDidMigrate: true))
        #expect(
            try titles(evolution) == [
                "expand create table invoice", "backfill create view invoice_totals",
                "contract record history by version 2.0.0", "contract run didMigrate with version 2.0.0",
                "contract refresh view invoice_totals",
                "contract record version 2.0.0",
            ])
        #expect(!(try titles(plain).contains { $0.contains("refresh") }))
        #expect(try evolution.scripts()[1].steps.neededByNewCode.map(\.operation) == [.runClosure, .refreshViews])
        try await evolution.withDatabase(seed: Self.rows) { database, _, scripts in
            let probe = RunnerProbe(database)
            try await probe.apply(scripts, closures: Invoicing(database: database))
            #expect(
                try await evolution.texts("SELECT city, total FROM invoice_totals ORDER BY 1", on: database) == [
                    "Kiel|3", "Oslo|5",
                ])
            try await evolution.expectCatalog(evolution.after, on: database, "after")
        }
    }

    @Test func `what is taken back computes no rows for a view that goes`() async throws {
        let plain = try Evolution(
            [Models.Tables.Trip.self],
            [Models.Invoiced.Trip.self, Models.Invoiced.Invoice.self, Models.Invoiced.InvoiceTotals.self])
        let evolution = Evolution(
            before: plain.before, after: plain.after, stage: MigrationChain.Stage(hasDidMigrate: true))
        try await evolution.withDatabase(seed: Self.rows) { database, runner, scripts in
            let probe = RunnerProbe(database)
            let refresh = try #require(scripts[1].steps.first { $0.operation == .refreshViews })
            #expect(refresh.undo == [])
            struct End: Error {}
            let options = RunnerOptions(afterStep: { if $0 == refresh.id { throw End() } })
            _ = try await probe.refusal(scripts, options: options, closures: Invoicing(database: database))
            #expect(
                try await evolution.texts("SELECT city, total FROM invoice_totals ORDER BY 1", on: database) == [
                    "Kiel|3", "Oslo|5",
                ])
            // From now on no row of the view can be computed while others read.
            try await database.execute("DROP INDEX invoice_totals_pk_idx")
            try await blocking { try runner.rollback(scripts[1]) }
            try await evolution.expectCatalog(evolution.before, on: database, "after it was taken back")
            #expect(try await evolution.texts("SELECT count(*) FROM trip", on: database) == ["3"])
        }
    }

    @Test func `rows that contract changes are in a view that took the place of another`() async throws {
        let evolution = try Evolution(
            [Models.Counted.Trip.self, Models.Counted.CityStatistics.self], Self.kept,
            changes: [.sql("UPDATE public.trip SET city = 'Rome' WHERE city = 'Oslo'", phase: .contract)])
        try await evolution.withDatabase(seed: Self.rows) { database, runner, scripts in
            try await blocking { try runner.apply(scripts) }
            #expect(try await evolution.texts(Self.query, on: database) == ["Kiel|2", "Rome|1"])
            try await evolution.expectCatalog(evolution.after, on: database, "after")
        }
    }

    @Test func `an index of rows that the server keeps is missed by drift, and where a container opens`() async throws {
        let evolution = try Evolution([Models.Counted.Trip.self, Models.Counted.CityStatistics.self], Self.kept)
        try await evolution.withDatabase(seed: Self.rows) { database, runner, scripts in
            try await blocking { try runner.apply(scripts) }
            try await database.execute(
                "DROP INDEX city_statistics_pk_idx",
                // Neither serves a refresh, or makes keys unique.
                "CREATE INDEX ON city_statistics (pk)", "CREATE UNIQUE INDEX ON city_statistics (pk) WHERE trips > 0")
            try await database.onSession { session in
                let found = try await CatalogInspection.read(schemaName: "public", connection: session)
                #expect(
                    CatalogDifference(expected: evolution.after.database, found: found).lines == [
                        "~ view city_statistics: has no unique index of its key, by which it is refreshed while others read it"
                    ])
                let inspection = DatabaseInspection(schemas: ["public"])
                var batch = PostgresBatch()
                try inspection.add(to: &batch)
                try await session.run(batch)
                let difference = DefinitionDifference(
                    evolution.after.database, found: try #require(inspection["public"]))
                #expect(difference.misfits == [])
                #expect(
                    difference.advice == [
                        "view city_statistics has no unique index of its key, so it cannot be refreshed while others read it: CREATE "
                            + #"UNIQUE INDEX "city_statistics_pk_idx" ON "city_statistics" ("pk")"#
                    ])
            }
        }
    }

    @Test func `a view comes with its table`() async throws {
        let evolution = try Evolution(
            [Models.Tables.Trip.self],
            [Models.Grown.Trip.self, Models.Grown.Guest.self, Models.Grown.GuestName.self])
        #expect(
            try titles(evolution) == [
                "expand create table guest", "backfill create view guest_name", "contract record version 2.0.0",
            ])
        try await evolution.run(seed: Self.rows, returning: .whole)
    }

    @Test func `properties that are the key are in the index, and in the frozen version`() async throws {
        let counted: [any PersistentModel.Type] = [Models.Counted.Trip.self, Models.Counted.CityStatistics.self]
        let keyed: [any PersistentModel.Type] = [Models.Keyed.Trip.self, Models.Keyed.CityStatistics.self]
        let index = "SELECT indexdef FROM pg_indexes WHERE tablename = 'city_statistics'"
        let evolution = try Evolution(counted, keyed)
        #expect(
            try evolution.scripts()[1].steps.flatMap(\.statements).contains {
                $0.hasPrefix("CREATE UNIQUE INDEX") && $0.hasSuffix(#"("city", "price")"#)
            })
        func hasKey(_ version: FrozenSchema) -> Bool {
            version.canonicalJSON.filter { !$0.isWhitespace }.contains(#""key":["city","price"]"#)
        }
        #expect(hasKey(evolution.after) && !hasKey(evolution.before), "\(evolution.after.canonicalJSON)")
        #expect(
            try FrozenSchema(canonicalJSON: evolution.after.canonicalJSON, file: "V2.json") == evolution.after)
        try await evolution.run(
            seed: Self.rows, expecting: index,
            is: [
                "CREATE UNIQUE INDEX city_statistics_city_price_idx ON public.city_statistics USING btree (city, price)"
            ], returning: .whole)
        try await evolution.withDatabase(seed: Self.rows) { database, runner, scripts in
            try await blocking { try runner.apply(scripts) }
            try await database.execute("DROP INDEX city_statistics_city_price_idx")
            try await database.onSession { session in
                let inspection = DatabaseInspection(schemas: ["public"])
                var batch = PostgresBatch()
                try inspection.add(to: &batch)
                try await session.run(batch)
                let difference = DefinitionDifference(
                    evolution.after.database, found: try #require(inspection["public"]))
                #expect(
                    difference.advice == [
                        "view city_statistics has no unique index of its key, so it cannot be refreshed while others read it: CREATE "
                            + #"UNIQUE INDEX "city_statistics_city_price_idx" ON "city_statistics" ("city", "price")"#
                    ])
                let found = try await CatalogInspection.read(schemaName: "public", connection: session)
                #expect(
                    CatalogDifference(expected: evolution.after.database, found: found).lines == [
                        "~ view city_statistics: has no unique index of its key, by which it is refreshed while others read it"
                    ])
            }
        }
        try await Evolution(keyed, [Models.KeyedOtherwise.Trip.self, Models.KeyedOtherwise.CityStatistics.self]).run(
            seed: Self.rows, expecting: index,
            is: [
                "CREATE UNIQUE INDEX city_statistics_price_city_idx ON public.city_statistics USING btree (price, city)"
            ], returning: .whole)
    }

    @Test func `drift finds what somebody has made of a view`() async throws {
        let evolution = try making.get()
        try await evolution.withDatabase(seed: Self.rows) { database, runner, scripts in
            try await blocking { try runner.apply(scripts) }
            try await database.execute(
                """
                CREATE OR REPLACE VIEW city_statistics AS SELECT 1::bigint AS pk, 'Rome'::text COLLATE "C" AS city, \
                2::bigint AS trips
                """)
            try await database.onSession { session in
                let lines = try await blocking {
                    try ViewInspection(evolution.after, schemaName: "public", on: session).lines
                }
                #expect(lines.count == 1)
                #expect(lines.first?.hasPrefix("~ view city_statistics: it shows SELECT") == true, "\(lines)")
            }
            try await database.execute("DROP VIEW city_statistics")
            try await database.onSession { session in
                let found = try await CatalogInspection.read(schemaName: "public", connection: session)
                #expect(
                    CatalogDifference(expected: evolution.after.database, found: found).lines == [
                        "+ view city_statistics is missing"
                    ])
            }
        }
    }

    @Test func `a frozen version holds its views, and says nothing where there are none`() throws {
        let evolution = try making.get()
        #expect(!evolution.before.canonicalJSON.contains("views"))
        let text = evolution.after.canonicalJSON
        #expect(try FrozenSchema(canonicalJSON: text, file: "V2.json") == evolution.after)
        #expect(evolution.after.entities.map(\.name) == ["Trip"])
        #expect(
            FrozenSchemaDifference(
                from: evolution.after,
                to: try Evolution(
                    [Models.Tables.Trip.self], [Models.Summed.Trip.self, Models.Summed.CityStatistics.self]
                ).after
            ).lines.first?.hasPrefix("view city_statistics: query ") == true)
    }
}
