import StrataClient
import StrataModels
import StrataRepository
import StrataTestSupport
import Testing

/// What is created is what is found.
@Suite struct InspectionTests {
    @Test(arguments: [TripModels.mapping, TypeModels.mapping, RuleModels.mapping])
    func `Created tables are inspected as they were defined`(mapping: StoreMapping) async throws {
        try await withTestDatabase { database in
            let recorder = StatementRecorder()
            let connection = try await database.connect(observer: recorder)
            defer { connection.close() }
            for statement in TableCreation.all(mapping) { try await connection.execute(statement.text) }

            recorder.reset()
            let inspection = try await connection.inspect("public", "strata", "nowhere")
            #expect(recorder.roundTrips == 1)
            #expect(inspection["public"]?.definition.sorted == DatabaseDefinition(mapping).sorted)
            #expect(inspection["strata"]?.definition.sorted == LibrarySchema.definition.sorted)
            #expect(inspection["nowhere"] == nil)

            let found = try #require(inspection["public"])
            let difference = DefinitionDifference(DatabaseDefinition(mapping), found: found)
            #expect(difference.misfits == [])
            #expect(difference.advice == [])
        }
    }

    @Test func `Tables of other programs are read as they are`() async throws {
        try await withTestDatabase { database in
            try await database.execute(
                #"CREATE DOMAIN short AS varchar(20) NOT NULL"#,
                #"CREATE SCHEMA other"#,
                #"CREATE TABLE other.thing (id integer PRIMARY KEY)"#,
                #"""
                CREATE TABLE "Odd ""name" (
                    id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY, code short, "at" timestamp(3) with time zone[],
                    twice integer GENERATED ALWAYS AS (1 + 1) STORED, thing integer REFERENCES other.thing ON DELETE RESTRICT,
                    note varchar DEFAULT 'it''s', kind text CHECK (kind IN ('it''s', 'a\b')), EXCLUDE USING btree (note WITH =),
                    CHECK (id > 0))
                """#,
                #"CREATE UNIQUE INDEX odd ON "Odd ""name" (lower(note), code) INCLUDE (id) WHERE thing > 3"#,
                #"CREATE VIEW seen AS SELECT 1"#,
                #"CREATE SEQUENCE counter START 5"#)
            let connection = try await database.connect()
            defer { connection.close() }
            let found = try await connection.inspect("public")["public"]
            let table = try #require(found?.definition.table(named: #"Odd "name"#))
            #expect(
                table.columns == [
                    ColumnDefinition(
                        name: "id", type: "integer", identity: .init(minimum: 1, maximum: 2_147_483_647, isAlways: true)
                    ),
                    ColumnDefinition(name: "code", type: "varchar(20)"),
                    ColumnDefinition(name: "at", type: "timestamptz(3)[]", isNullable: true),
                    ColumnDefinition(
                        name: "twice", type: "integer", isNullable: true, isGenerated: true,
                        generation: "(1 + 1)"),
                    ColumnDefinition(name: "thing", type: "integer", isNullable: true),
                    ColumnDefinition(
                        name: "note", type: "varchar", isNullable: true, defaultExpression: "'it''s'::character varying"
                    ),
                    ColumnDefinition(name: "kind", type: "text", isNullable: true),
                ])
            #expect(table.foreignKeys.map(\.referencedSchema) == ["other"])
            #expect(table.foreignKeys.map(\.onDelete) == [.restrict])
            #expect(
                table.checks.map(\.condition) == [
                    .expression("(id > 0)"), .isOneOf(column: "kind", values: ["it's", #"a\b"#]),
                ])
            #expect(
                table.indexes == [
                    IndexDefinition(
                        name: "odd", methodName: "btree",
                        keys: [IndexKeyDefinition("lower(note::text)"), IndexKeyDefinition("code")], included: ["id"],
                        isUnique: true, predicate: "(thing > 3)")
                ])
            #expect(found?.otherRelations["seen"] == "a view")
            #expect(found?.definition.sequences.map(\.name) == ["counter"])
        }
    }
}

extension PostgresConnection {
    func execute(_ sql: String) async throws {
        try await run(PostgresBatch(PostgresStatement(PreparedSQL(sql, isCached: false))))
    }

    func inspect(_ schemas: String...) async throws -> DatabaseInspection {
        let inspection = DatabaseInspection(schemas: schemas)
        var batch = PostgresBatch()
        try inspection.add(to: &batch)
        try await run(batch)
        return inspection
    }
}
