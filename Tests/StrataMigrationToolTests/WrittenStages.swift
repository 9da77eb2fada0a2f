import StrataMigrationTool
import StrataMigrations
import StrataModels
import StrataRepository

/// Two stages by hand, with their frozen schemas: a table, then a column that not all data allows.
enum WrittenStages {
    static let first = FrozenSchema(
        version: Schema.Version(1, 0, 0), entities: [], database: DatabaseDefinition(tables: [table(columns: [])]))
    static let second = FrozenSchema(
        version: Schema.Version(2, 0, 0), entities: [],
        database: DatabaseDefinition(tables: [
            table(columns: [ColumnDefinition(name: "rating", type: "bigint", isNullable: true)])
        ]))

    static let project = MigrationProject(
        chain: { MigrationChain(versions: [first, second], stages: [.init()]) })

    /// A directory with the files of both.
    static func folder() throws -> ProjectFolder {
        try ProjectFolder([creation, rating], versions: [first, second])
    }

    private static func table(columns: [ColumnDefinition]) -> TableDefinition {
        TableDefinition(
            name: "trip",
            columns: [
                ColumnDefinition(name: "pk", type: "bigint"),
                ColumnDefinition(name: "name", type: "text", isNullable: true),
            ] + columns,
            primaryKey: PrimaryKeyDefinition(name: "trip_pkey", columns: ["pk"]))
    }

    static let creation = StageScript(
        number: 1, name: "v1", from: nil, to: version(first), schemaName: "public",
        steps: [
            MigrationStep(
                id: "1.1", phase: .expand, title: "create table trip",
                statements: [
                    "CREATE TABLE public.trip (pk bigint CONSTRAINT trip_pkey PRIMARY KEY, name text)"
                ]),
            recording(first, stage: "0001_v1", id: "1.2"),
        ], down: .none(reason: "it would drop trip with all its rows"))

    static let rating = StageScript(
        number: 2, name: "v1_v2", from: version(first), to: version(second), schemaName: "public",
        checks: [
            DataCheck(
                code: "M204", title: "Trip.name is empty", remedy: "give the trips names",
                query: "SELECT pk::text, name FROM public.trip WHERE name = ''")
        ],
        steps: [
            MigrationStep(
                id: "2.1", phase: .expand, title: "add column trip.rating", lock: .accessExclusive, tables: ["trip"],
                statements: ["ALTER TABLE public.trip ADD COLUMN rating bigint"],
                undo: ["ALTER TABLE public.trip DROP COLUMN rating"], notes: ["a note"]),
            recording(second, stage: "0002_v1_v2", id: "2.2"),
        ],
        down: .steps(
            [
                MigrationStep(
                    id: "2.1", phase: .contract, title: "drop column trip.rating",
                    statements: ["ALTER TABLE public.trip DROP COLUMN rating"])
            ], checks: []))

    private static func version(_ schema: FrozenSchema) -> StageScript.Version {
        StageScript.Version(schema.version, fingerprint: schema.fingerprint)
    }

    private static func recording(_ schema: FrozenSchema, stage: String, id: String) -> MigrationStep {
        MigrationStep(
            id: id, phase: .contract, title: "record version \(schema.version)",
            statements: [
                """
                INSERT INTO "strata"."schema_version" (schema_name, version, fingerprint, stage) \
                VALUES ('public', '\(schema.version)', '\(schema.fingerprint)', '\(stage)')
                """
            ])
    }
}
