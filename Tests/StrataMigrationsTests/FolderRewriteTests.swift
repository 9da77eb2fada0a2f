import StrataMigrationFiles
import StrataMigrations
import Testing

/// Files that are not what the plan says any more, before any database has had them.
@Suite("Rewriting the newest stage")
struct FolderRewriteTests {
    private let fixture = FolderFixture()
    private var folder: MigrationFolder { fixture.folder }

    /// Three versions; what the stage to one of them declares.
    private func chain(_ changes: [SchemaChange] = [], at stage: Int = 1) throws -> MigrationChain {
        var chain = try FolderModels.chain(FolderModels.all)
        chain.stages[stage].changes = changes
        return chain
    }

    private func refusal(_ chain: MigrationChain, _ body: (MigrationChain) throws -> Void) throws -> MigrationError {
        let error = try #require(throws: MigrationError.self) { try body(chain) }
        #expect(error.code == .integrity)
        return error
    }

    /// What was rewritten is what would have been generated in the first place.
    private func expectGenerated(_ chain: MigrationChain, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let fresh = FolderFixture()
        try fresh.folder.generate(chain, schemaName: "public")
        #expect(try fixture.texts == fresh.texts, sourceLocation: sourceLocation)
        try folder.check(chain, schemaName: "public")
        let again = try folder.rewrite(chain, schemaName: "public")
        #expect(again.written == [] && again.removed == [], sourceLocation: sourceLocation)
    }

    @Test("A change that is declared after the stage was generated is refused by name, until it is rewritten")
    func declaredLater() throws {
        try folder.generate(chain(), schemaName: "public")
        let changed = try chain([.sql("ANALYZE trip", phase: .contract)])
        for body: (MigrationChain) throws -> Void in [
            { try folder.check($0, schemaName: "public") }, { try folder.generate($0, schemaName: "public") },
            { try folder.squash($0, schemaName: "public") },
        ] {
            let error = try refusal(changed, body)
            #expect(error.message.hasPrefix("0003_v2_v3.sql is not what the plan says now"))
            #expect(error.places == ["0003_v2_v3.sql:1"])
            #expect(error.remedy?.hasSuffix("if no database has version 3.0.0 yet, run generate --rewrite") == true)
        }
        let rewritten = try folder.rewrite(changed, schemaName: "public")
        #expect(rewritten.written.contains("0003_v2_v3.sql") && !rewritten.written.contains("schema/V3.json"))
        #expect(try fixture.text("0003_v2_v3.sql").contains("ANALYZE trip"))
        try expectGenerated(changed)
        #expect(try refusal(chain()) { try folder.check($0, schemaName: "public") }.places == ["0003_v2_v3.sql:1"])
    }

    @Test("The order of declarations and the white space of their SQL do not matter, the order of statements does")
    func sameDeclarations() throws {
        let rating = SchemaChange(.filled(.init("Trip", "rating"), with: "0"))
        let statements = ["ANALYZE trip", "ANALYZE"].map { SchemaChange.sql($0, phase: .contract) }
        try folder.generate(chain([rating] + statements), schemaName: "public")
        let same = [
            SchemaChange.sql("analyze  trip -- soon", phase: .contract), statements[1],
            SchemaChange(.filled(.init("Trip", "rating"), with: " 0 ")),
        ]
        try folder.check(chain(same), schemaName: "public")
        _ = try refusal(chain([rating] + statements.reversed())) { try folder.check($0, schemaName: "public") }
        _ = try refusal(chain([rating])) { try folder.check($0, schemaName: "public") }
    }

    @Test("An older stage is refused as well, and never rewritten")
    func olderStage() throws {
        try folder.generate(chain(), schemaName: "public")
        let before = try fixture.texts
        let changed = try chain([.sql("ANALYZE trip", phase: .contract)], at: 0)
        for body: (MigrationChain) throws -> Void in [
            { try folder.check($0, schemaName: "public") }, { try folder.rewrite($0, schemaName: "public") },
        ] {
            let error = try refusal(changed, body)
            #expect(error.places == ["0002_v1_v2.sql:1"])
            #expect(
                error.remedy?.contains("remove schema/V2.json with the stage that leads to it, and all later") == true)
        }
        #expect(try fixture.texts == before)
        for name in before.keys where name.hasPrefix("0002") || name.hasPrefix("0003") { try fixture.remove(name) }
        for name in ["schema/V2.json", "schema/V3.json"] { try fixture.remove(name) }
        try folder.hash()
        try folder.generate(changed, schemaName: "public")
        try expectGenerated(changed)
    }

    @Test(
        "Files that were edited by hand are not rewritten, be it a comment",
        arguments: [("0003_v2_v3.sql", "-- lint:allow L101 small\n"), ("0003_v2_v3.down.sql", "SELECT 1;\n")])
    func edited(file: String, text: String) throws {
        try folder.generate(chain(), schemaName: "public")
        try fixture.edit(file) { $0 + text }
        try folder.hash()
        try folder.check(chain(), schemaName: "public")
        let before = try fixture.texts
        let changed = try chain([.sql("ANALYZE trip", phase: .contract)])
        for chain in [changed, try chain()] {
            let error = try refusal(chain) { try folder.rewrite($0, schemaName: "public") }
            #expect(error.message == "0003_v2_v3.sql was edited by hand, and is not written anew.")
            #expect(error.remedy?.contains("keep a copy") == true)
        }
        #expect(try fixture.texts == before)
    }

    @Test("Line ends are no edit, and a file without the line is somebody's own")
    func ownFiles() throws {
        try folder.generate(chain(), schemaName: "public")
        for name in ["0003_v2_v3.sql", "0003_v2_v3.down.sql"] {
            try fixture.edit(name) { $0.replacing("\n", with: "\r\n") }
        }
        let changed = try chain([.sql("ANALYZE trip", phase: .contract)])
        try folder.rewrite(changed, schemaName: "public")
        try expectGenerated(changed)

        try fixture.edit("0003_v2_v3.sql") {
            $0.split(separator: "\n", omittingEmptySubsequences: false).filter { !$0.hasPrefix("-- generated: ") }
                .joined(separator: "\n")
        }
        try folder.hash()
        try folder.check(chain(), schemaName: "public")
        _ = try refusal(chain()) { try folder.rewrite($0, schemaName: "public") }
    }

    @Test("Nothing that is missing, and nothing of another plan, keeps rewrite from its work or hides behind it")
    func otherFiles() throws {
        #expect(try folder.rewrite(chain(), schemaName: "public").written.last == "migrations.sum")
        try expectGenerated(chain())
        try fixture.edit("0002_v1_v2.sql") { $0 + "SELECT 1;\n" }
        _ = try refusal(chain()) { try folder.rewrite($0, schemaName: "public") }
    }

    @Test("A rewrite that was interrupted is completed by the next one")
    func interruption() throws {
        try folder.generate(chain(), schemaName: "public")
        let sums = try fixture.text("migrations.sum")
        let changed = try chain([.sql("ANALYZE trip", phase: .contract)])
        try folder.rewrite(changed, schemaName: "public")
        // Killed before the sums were written.
        try fixture.write(sums, to: "migrations.sum")
        _ = try refusal(changed) { try folder.check($0, schemaName: "public") }
        #expect(try folder.rewrite(changed, schemaName: "public").written == ["migrations.sum"])
        try expectGenerated(changed)
    }

    @Test("A squashed file to the rewritten version is named")
    func squashed() throws {
        try folder.generate(chain(), schemaName: "public")
        try folder.squash(chain(), schemaName: "public")
        let changed = try chain([.sql("ANALYZE trip", phase: .contract)])
        let error = try refusal(changed) { try folder.rewrite($0, schemaName: "public") }
        #expect(error.message == "0003_squashed_v3.sql stands for the stage that would be written anew.")
        #expect(error.remedy == "remove it, run hash, generate --rewrite and squash")
        try fixture.remove("0003_squashed_v3.sql")
        try folder.hash()
        try folder.rewrite(changed, schemaName: "public")
        try expectGenerated(changed)
    }
}
