import StrataClient
import StrataMigrationFiles
import StrataMigrations
import StrataModels
import StrataRepository
import StrataTestSupport
import Testing

private enum Plain {
    @Model class Note {
        var title: String = ""
        var body: String?
        init() {}
    }
}
private enum Words {
    @Model class Note {
        #Index<Note>(.fullText([\.title, \.body], language: "pg_catalog.English"))
        var title: String = ""
        var body: String?
        init() {}
    }
}
private enum Renamed {
    @Model class Note {
        #Index<Note>(.fullText([\.title, \.text], language: "english"))
        var title: String = ""
        @Attribute(originalName: "body") var text: String?
        init() {}
    }
}
private enum German {
    @Model class Note {
        #Index<Note>(.fullText([\.title, \.text], language: "german"))
        var title: String = ""
        var text: String?
        init() {}
    }
}
private enum Parts {
    @Model class Note {
        #Index<Note>(.trigram([\.title]))
        var title: String = ""
        var text: String?
        init() {}
    }
}
private enum Bare {
    @Model class Note {
        var title: String = ""
        var text: String?
        init() {}
    }
}
private enum Marked {
    @Model class Note {
        @Attribute(.spotlight) var title: String = ""
        init() {}
    }
}
private enum MarkedAndRated {
    @Model class Note {
        @Attribute(.spotlight) var title: String = ""
        var rating: Int?
        init() {}
    }
}

/// Indexes of words and of parts of texts: planned, built, written down, and found again.
@Suite struct SearchIndexTests {
    private let fixture = FolderFixture()
    private var folder: MigrationFolder { fixture.folder }

    private func drift(_ schema: FrozenSchema, _ database: TestDatabase) async throws -> [String] {
        try await database.onSession { session in
            let found = try await CatalogInspection.read(schemaName: "public", connection: session)
            return CatalogDifference(expected: schema.database, found: found).lines
        }
    }

    private func runner(_ database: TestDatabase) -> MigrationRunner {
        MigrationRunner(configuration: database.configuration, schemaName: "public")
    }

    @Test func `they are added, renamed along, changed and dropped without drift`() async throws {
        let chain = try FolderModels.chain([
            Plain.Note.self, Words.Note.self, Renamed.Note.self, German.Note.self, Parts.Note.self, Bare.Note.self,
        ])
        try folder.generate(chain, schemaName: "public")
        #expect(try fixture.text("schema/V2.json").contains("\"fulltext(english)\""))
        #expect(
            try fixture.text("0002_v1_v2.sql").contains(
                """
                CREATE INDEX CONCURRENTLY "note_title_body_idx" ON "public"."note" USING gin \
                ((to_tsvector('english'::regconfig, COALESCE("title", '') || ' ' || COALESCE("body", ''))));
                """))
        #expect(
            try fixture.text("0004_v3_v4.sql").contains("to_tsvector('german'::regconfig, "))
        #expect(
            try fixture.text("0005_v4_v5.sql").contains(
                """
                CREATE INDEX CONCURRENTLY "note_title_idx" ON "public"."note" USING gin \
                ((translate(lower(regexp_replace(normalize("title", NFD), '[\u{300}-\u{36F}]', '', 'g') COLLATE "C"), '
                """))
        try folder.check(chain, schemaName: "public")
        let scripts = try folder.contents().all
        try await withTestDatabase("search", template: .library) { database in
            let runner = runner(database)
            for (index, version) in chain.versions.enumerated() {
                if index == 4 {
                    let error = await #expect(throws: MigrationError.self) {
                        try await blocking { try runner.apply(scripts, to: index + 1) }
                    }
                    #expect(error?.remedy?.contains("run CREATE EXTENSION pg_trgm in the database") == true)
                    try await database.execute("CREATE EXTENSION pg_trgm")
                }
                try await blocking { try runner.apply(scripts, to: index + 1) }
                #expect(try await drift(version, database) == [])
                try await database.execute("INSERT INTO note (title) VALUES ('Gardens of Kyoto')")
            }
        }
    }

    @Test func `another index than the frozen one is drift`() async throws {
        let version = try FolderModels.chain([Words.Note.self]).versions[0]
        let parts = try FolderModels.chain([Parts.Note.self]).versions[0]
        try await withTestDatabase("drift", template: .library) { database in
            try await database.execute("CREATE EXTENSION pg_trgm")
            let chain = MigrationChain(versions: [version], stages: [])
            let scripts = try chain.scripts(in: "public")
            let runner = runner(database)
            try await blocking { try runner.apply(scripts) }
            #expect(try await drift(version, database) == [])
            try await database.execute("DROP INDEX note_title_body_idx")
            #expect(
                try await drift(version, database) == [
                    "+ index note.note_title_body_idx is missing: (title, body)"
                ])
            try await database.execute(
                "CREATE INDEX note_title_body_idx ON note USING gin (to_tsvector('german', COALESCE(title, '') || ' ' || COALESCE(body, '')))"
            )
            #expect(
                try await drift(version, database) == [
                    "~ index note.note_title_body_idx: the method is fulltext(german), expected fulltext(english)"
                ])
            try await database.execute("DROP INDEX note_title_body_idx")
            try await database.execute("CREATE INDEX note_title_idx ON note USING gin (title gin_trgm_ops)")
            #expect(
                try await drift(parts, database).contains(
                    "~ index note.note_title_idx: the method is gin(gin_trgm_ops), expected trigram"))
        }
    }

    @Test func `a version of before, whose spotlight had no index, goes on and gets it with the next stage`()
        async throws
    {
        var chain = try FolderModels.chain([Marked.Note.self])
        #expect(
            chain.versions[0].entities[0].indexes == [FrozenIndex(method: "fulltext(simple)", properties: ["title"])])
        var before = chain
        before.versions[0].entities[0].indexes = []
        before.versions[0].database.tables[0].indexes = []
        #expect(before.versions[0].fingerprint == chain.versions[0].fingerprint)
        #expect(FrozenSchemaDifference(from: before.versions[0], to: chain.versions[0]).isEmpty)
        try folder.generate(before, schemaName: "public")
        try folder.check(chain, schemaName: "public")
        try await withTestDatabase("spotlight", template: .library) { database in
            let runner = runner(database)
            let old = try folder.contents().all
            try await blocking { try runner.apply(old) }
            #expect(
                try await drift(chain.versions[0], database) == ["+ index note.note_title_idx is missing: (title)"])
            chain = try FolderModels.chain([Marked.Note.self, MarkedAndRated.Note.self])
            try folder.generate(chain, schemaName: "public")
            #expect(try fixture.text("0002_v1_v2.sql").contains("CREATE INDEX CONCURRENTLY \"note_title_idx\""))
            let scripts = try folder.contents().all
            try await blocking { try runner.apply(scripts) }
            #expect(try await drift(chain.versions[1], database) == [])
        }
        // A version that is written down today has the index from its beginning.
        let fresh = FolderFixture()
        try fresh.folder.generate(chain, schemaName: "public")
        #expect(try fresh.text("0001_v1.sql").contains("CREATE INDEX \"note_title_idx\""))
        #expect(!(try fresh.text("0002_v1_v2.sql").contains("CREATE INDEX")))
    }
}
