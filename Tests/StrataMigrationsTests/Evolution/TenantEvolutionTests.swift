import StrataClient
import StrataModels
import StrataTestSupport
import Testing

@testable import StrataMigrations
@testable import StrataRepository

/// Tables whose rows become those of tenants, and are everybody's again.
@Suite struct TenantEvolutionTests {
    private static let filled: [SchemaChange] = [
        .filled(\TenantModels.Divided.Item.tenant, with: "'acme'"),
        .filled(\TenantModels.Divided.Label.tenant, with: "'acme'"),
    ]

    @Test func `policies go first of all that contract does, and come last`() throws {
        let stage = try Evolution(TenantModels.shared, TenantModels.divided, changes: Self.filled).scripts()[1]
        let contract = stage.steps.filter { $0.phase == .contract }
        #expect(
            contract.first?.statements == [
                #"ALTER TABLE "public"."note" NO FORCE ROW LEVEL SECURITY"#,
                #"ALTER TABLE "public"."note" DISABLE ROW LEVEL SECURITY"#,
                #"DROP POLICY IF EXISTS "strata_tenant" ON "public"."note""#,
            ])
        let tenant = "NULLIF(current_setting('strata.tenant'::text, true), ''::text)"
        #expect(
            contract.suffix(7).dropLast().flatMap(\.statements).filter { !$0.contains("ROW LEVEL") } == [
                """
                SELECT "pk"::text, 'no tenant' FROM "public"."item"
                WHERE "tenant" IS NULL OR "tenant" = ''
                """,
                """
                SELECT "pk"::text, 'no tenant' FROM "public"."label"
                WHERE "tenant" IS NULL OR "tenant" = ''
                """,
                #"CREATE POLICY "strata_tenant" ON "public"."gadget" USING (EXISTS (SELECT FROM "public"."item" AS r WHERE r."pk" = "gadget"."pk"))"#,
                #"CREATE POLICY "strata_tenant" ON "public"."item" USING ("tenant" = \#(tenant))"#,
                #"CREATE POLICY "strata_tenant" ON "public"."item_labels" USING (EXISTS (SELECT FROM "public"."item" AS r WHERE r."pk" = "item_labels"."item_pk"))"#
                    + #" WITH CHECK (EXISTS (SELECT FROM "public"."item" AS r WHERE r."pk" = "item_labels"."item_pk")"#
                    + #" AND EXISTS (SELECT FROM "public"."label" AS r WHERE r."pk" = "item_labels"."label_pk"))"#,
                #"CREATE POLICY "strata_tenant" ON "public"."label" USING ("tenant" = \#(tenant))"#,
            ])
        #expect(stage.steps.neededByNewCode.contains { $0.operation == .addPolicy })
    }

    @Test func `rows that are there are whose the stage says, and everybody's on the way back`() async throws {
        try await Evolution(TenantModels.shared, TenantModels.divided, changes: Self.filled).run(
            seed: TenantModels.rows,
            expecting: "SELECT tenant || name FROM item UNION ALL SELECT tenant || text FROM label ORDER BY 1",
            is: ["acmea", "acmeb", "acmex"], returning: .whole)
    }

    @Test func `a default names nobody, so it fills no row`() async throws {
        try await Evolution(TenantModels.shared, TenantModels.divided).refuse(
            seed: TenantModels.rows, naming: "Item.tenant")
    }

    @Test func `rows that name no tenant are not hidden from everybody`() async throws {
        let evolution = try Evolution(
            TenantModels.divided, TenantModels.shared,
            changes: [.dropped(\TenantModels.Divided.Item.tenant), .dropped(\TenantModels.Divided.Label.tenant)])
        try await evolution.withDatabase(seed: ["INSERT INTO note (pk, tenant, text) VALUES (1, '', 'n')"]) {
            database, runner, scripts in
            let error = await #expect(throws: MigrationError.self) { try await blocking { try runner.apply(scripts) } }
            #expect(
                "\(error.map { "\($0)" } ?? "")".contains("rows of note name a tenant"), "\(String(describing: error))")
        }
    }

    /// The owner is bound by policies that are forced, and would have changed no row and seen no duplicate.
    @Test func `the runner sees the rows of all tenants, or is refused`() async throws {
        let evolution = try Evolution(
            TenantModels.divided, TenantModels.shared,
            changes: [.dropped(\TenantModels.Divided.Item.tenant), .dropped(\TenantModels.Divided.Label.tenant)])
        let seed = [
            "INSERT INTO item (pk, class, tenant, name) VALUES (1, 'Item', 'acme', 'a'), (2, 'Item', 'beta', 'b')"
        ]
        try await evolution.withDatabase(seed: seed) { database, _, scripts in
            let role = "row_runner_\(UInt32.random(in: 0 ... .max))"
            let tables = try await database.texts(
                "SELECT format('%I.%I', schemaname, tablename) FROM pg_tables WHERE schemaname IN ('public', 'strata')")
            try await database.execute(
                ["CREATE ROLE \(role) LOGIN", #"ALTER DATABASE "\#(database.name)" OWNER TO \#(role)"#]
                    + ["public", "strata"].map { "ALTER SCHEMA \($0) OWNER TO \(role)" }
                    + tables.map { "ALTER TABLE \($0) OWNER TO \(role)" }
                    + [
                        "GRANT ALL ON ALL SEQUENCES IN SCHEMA strata TO \(role)",
                        "GRANT ALL ON ALL FUNCTIONS IN SCHEMA strata TO \(role)",
                    ])
            var configuration = database.configuration
            configuration.options["user"] = role
            let runner = MigrationRunner(configuration: configuration, schemaName: "public")
            let error = await #expect(throws: MigrationError.self) { try await blocking { try runner.apply(scripts) } }
            let text = "\(error.map { "\($0)" } ?? "")"
            #expect(text.contains("query would be affected by row-level security policy for table \"item\""), "\(text)")
            #expect(text.contains("run it as a superuser or as a role with BYPASSRLS"), "\(text)")
            #expect(try await database.texts("SELECT tenant FROM item ORDER BY 1") == ["acme", "beta"])
            try await database.execute(
                #"ALTER DATABASE "\#(database.name)" OWNER TO CURRENT_USER"#,
                "REASSIGN OWNED BY \(role) TO CURRENT_USER",
                "DROP OWNED BY \(role)", "DROP ROLE \(role)")
        }
    }

    /// Where another policy follows, no role that is bound sees a row between the two.
    @Test func `a policy that is replaced hides the rows until the new one is made`() throws {
        let stage = try Evolution(
            TenantModels.named, TenantModels.numbered,
            changes: [
                .converted(\TenantModels.Numbered.Item.tenant, using: "tenant::bigint")
            ]
        ).scripts()[1]
        let policies = stage.steps.filter { [.dropPolicy, .addPolicy].contains($0.operation) }
        #expect(policies.map(\.title) == ["hide the rows of item", "keep the tenants of item apart"])
        #expect(policies[0].statements == [#"DROP POLICY IF EXISTS "strata_tenant" ON "public"."item""#])
        #expect(policies[1].undo == policies[0].statements)
    }

    @Test(arguments: [true, false]) func `a tenant of another type, and the property itself that goes`(isRetyped: Bool)
        async throws
    {
        let evolution =
            isRetyped
            ? try Evolution(
                TenantModels.named, TenantModels.numbered,
                changes: [.converted(\TenantModels.Numbered.Item.tenant, using: "tenant::bigint")])
            : try Evolution(
                TenantModels.named, TenantModels.nameless, changes: [.dropped(\TenantModels.Named.Item.tenant)])
        try await evolution.run(
            seed: [
                "INSERT INTO item (pk, class, tenant, name) VALUES (1, 'Item', '7', 'a'), (2, 'Gadget', '8', 'b')",
                "INSERT INTO gadget (pk, power) VALUES (2, 5)",
            ], expecting: "SELECT name FROM item ORDER BY 1", is: ["a", "b"], returning: .asPlanned)
    }

    /// What people change of a policy, drift says.
    @Test(arguments: [
        ("ALTER TABLE item NO FORCE ROW LEVEL SECURITY", "~ table item: the policy of tenants is "),
        ("DROP POLICY strata_tenant ON gadget", "~ table gadget: the policy of tenants is none, expected "),
        ("CREATE POLICY mine ON label USING (true)", "~ table label: the policy of tenants is "),
        ("ALTER POLICY strata_tenant ON item USING (true)", "~ table item: the policy of tenants is "),
        (
            "ALTER POLICY strata_tenant ON gadget USING (EXISTS (SELECT FROM item AS r WHERE r.pk = gadget.pk OR true))",
            "~ table gadget: the policy of tenants is "
        ),
        ("CREATE POLICY mine ON label AS RESTRICTIVE USING (text <> '')", ""),
    ]) func drift(_ statement: String, _ line: String) async throws {
        let evolution = try Evolution(TenantModels.divided, TenantModels.divided)
        try await evolution.withDatabase { database, _, _ in
            try await database.execute(statement)
            let found = try await database.onSession {
                try await CatalogInspection.read(schemaName: "public", connection: $0)
            }
            let lines = CatalogDifference(expected: evolution.before.database, found: found).lines
            #expect(lines.isEmpty == line.isEmpty, "\(lines)")
            #expect(line.isEmpty || lines.contains { $0.hasPrefix(line) }, "\(lines)")
        }
    }
}
