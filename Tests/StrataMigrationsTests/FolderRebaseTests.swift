import Foundation
import StrataMigrations
import StrataModels
import Testing

/// Two branches, each with a stage of its own, become one plan.
@Suite("Rebasing the folder of migrations")
struct FolderRebaseTests {
    private typealias Named = FolderModels.Named.Trip
    private typealias Rated = FolderModels.Rated.Trip
    private typealias Noted = FolderModels.Noted.Trip
    private typealias Budgeted = FolderModels.Budgeted.Trip
    private typealias Both = FolderModels.NotedAndBudgeted.Trip

    private func generated(_ chain: MigrationChain) throws -> FolderFixture {
        let fixture = FolderFixture()
        try fixture.folder.generate(chain, schemaName: "public")
        return fixture
    }

    /// What rebase makes is what generate would have made, and a second one has nothing to do.
    private func expectGenerated(_ fixture: FolderFixture, _ chain: MigrationChain) throws {
        #expect(try fixture.texts == generated(chain).texts)
        #expect(try fixture.folder.rebase(chain, schemaName: "public") == [])
        try fixture.folder.check(chain, schemaName: "public")
    }

    @Test("A folder in order has nothing to do")
    func nothing() throws {
        let chain = try FolderModels.chain(FolderModels.all)
        try expectGenerated(generated(chain), chain)
    }

    @Test(
        "Both branches made version 3: the plan keeps one, the other becomes version 4; with a history and without",
        arguments: [true, false])
    func sameVersion(recordsHistory: Bool) throws {
        func chain(_ types: [any PersistentModel.Type]) throws -> MigrationChain {
            var chain = try FolderModels.chain(types)
            chain.recordsHistory = recordsHistory
            return chain
        }
        let ours = try generated(chain([Named.self, Rated.self, Noted.self]))
        let theirs = try generated(chain([Named.self, Rated.self, Budgeted.self]))
        let merged = try FolderFixture.merge(ours, theirs)
        let chain = try chain([Named.self, Rated.self, Noted.self, Both.self])
        let conflict = try #require(throws: MigrationError.self) { try merged.folder.contents() }
        #expect(conflict.code == .integrity)
        #expect(
            conflict.places == [
                "0003_v2_v3.down.sql:1", "0003_v2_v3.sql:1", "migrations.sum:1", "schema/V3.json:1",
            ])
        let lines = try merged.folder.rebase(chain, schemaName: "public")
        #expect(
            lines == [
                "wrote 0003_v2_v3.down.sql anew", "wrote 0003_v2_v3.sql anew", "wrote 0004_v3_v4.down.sql",
                "wrote 0004_v3_v4.sql", "wrote schema/V3.json anew", "wrote schema/V4.json", "wrote migrations.sum",
            ])
        try expectGenerated(merged, chain)
    }

    @Test("What git makes of two branches is brought in order", .enabled(if: GitRepository.isAvailable))
    func git() throws {
        let repository = try GitRepository()
        let fixture = FolderFixture(path: repository.path + "/migrations")
        try fixture.folder.generate(FolderModels.chain([Named.self, Rated.self]), schemaName: "public")
        #expect(try repository.commit())
        #expect(try repository.git("checkout", "-q", "-b", "theirs"))
        try fixture.folder.generate(FolderModels.chain([Named.self, Rated.self, Budgeted.self]), schemaName: "public")
        #expect(try repository.commit())
        #expect(try repository.git("checkout", "-q", "ours"))
        try fixture.folder.generate(FolderModels.chain([Named.self, Rated.self, Noted.self]), schemaName: "public")
        #expect(try repository.commit())
        // The conflict is meant.
        #expect(try repository.git("merge", "-q", "theirs") == false)

        let conflict = try #require(throws: MigrationError.self) { try fixture.folder.contents() }
        #expect(conflict.code == .integrity)
        #expect(conflict.places.contains { $0.hasPrefix("migrations.sum:") })
        let chain = try FolderModels.chain([Named.self, Rated.self, Noted.self, Both.self])
        try fixture.folder.rebase(chain, schemaName: "public")
        try expectGenerated(fixture, chain)
    }

    @Test("The branches made versions 3 and 4: version 4 now follows 3")
    func differentVersions() throws {
        let ours = try generated(FolderModels.chain([Named.self, Rated.self, Noted.self]))
        let theirs = try generated(FolderModels.chain([Named.self, Rated.self, Budgeted.self], numbers: [1, 2, 4]))
        let merged = try FolderFixture.merge(ours, theirs)
        let chain = try FolderModels.chain([Named.self, Rated.self, Noted.self, Both.self])
        let lines = try merged.folder.rebase(chain, schemaName: "public")
        #expect(lines.contains("removed 0003_v2_v4.sql"))
        #expect(lines.contains("wrote 0004_v3_v4.sql"))
        #expect(lines.contains("wrote schema/V4.json anew"))
        try expectGenerated(merged, chain)
    }

    @Test("Either side of the sums may have been taken")
    func takenSide() throws {
        let ours = try generated(FolderModels.chain([Named.self, Rated.self, Noted.self]))
        let theirs = try generated(FolderModels.chain([Named.self, Rated.self, Budgeted.self], numbers: [1, 2, 4]))
        let chain = try FolderModels.chain([Named.self, Rated.self, Noted.self, Both.self])
        for side in [ours, theirs] {
            let merged = try FolderFixture.merge(ours, theirs)
            try merged.write(side.text("migrations.sum"), to: "migrations.sum")
            let doubled = try #require(throws: MigrationError.self) { try merged.folder.contents() }
            #expect(doubled.message == "0003_v2_v3.sql and 0003_v2_v4.sql have one number.")
            try merged.folder.rebase(chain, schemaName: "public")
            try expectGenerated(merged, chain)
        }
    }

    @Test("A stage whose neighbours stay gets its number, and what people wrote in it stays")
    func number() throws {
        let before = try FolderModels.chain([Named.self, Rated.self, Noted.self], numbers: [1, 3, 4])
        let fixture = try generated(before)
        try fixture.edit("0003_v3_v4.sql") { "-- Reviewed by Ada.\n" + $0 }
        try fixture.edit("0003_v3_v4.sql") {
            $0.replacing(#"ADD COLUMN "notes""#, with: #"ADD COLUMN IF NOT EXISTS "notes""#)
        }
        try fixture.folder.hash()
        // A version that changes nothing but its number comes between the first two.
        let chain = try FolderModels.chain([Named.self, Named.self, Rated.self, Noted.self])
        let lines = try fixture.folder.rebase(chain, schemaName: "public")
        #expect(lines.contains("wrote 0004_v3_v4.sql"))
        #expect(lines.contains("removed 0003_v3_v4.sql"))
        #expect(lines.contains("removed 0002_v1_v3.sql"))
        let text = try fixture.text("0004_v3_v4.sql")
        #expect(text.hasPrefix("-- Reviewed by Ada.\n"))
        #expect(text.contains(#"ADD COLUMN IF NOT EXISTS "notes""#))
        #expect(!text.contains("0003_v3_v4"))
        let script = try #require(try fixture.folder.contents().scripts.last)
        #expect(script.steps.allSatisfy { $0.id.hasPrefix("4.") })
        #expect(try fixture.folder.rebase(chain, schemaName: "public") == [])
        try fixture.folder.check(chain, schemaName: "public")
    }

    @Test("A stage that has to be written anew and was edited is refused by name, and nothing is written")
    func edited() throws {
        let ours = try generated(FolderModels.chain([Named.self, Rated.self, Noted.self]))
        let theirs = try generated(FolderModels.chain([Named.self, Rated.self, Budgeted.self], numbers: [1, 2, 4]))
        try theirs.edit("0003_v2_v4.sql") { $0 + "\n-- mine\n" }
        let merged = try FolderFixture.merge(ours, theirs)
        let before = try merged.texts
        let chain = try FolderModels.chain([Named.self, Rated.self, Noted.self, Both.self])
        let error = try #require(throws: MigrationError.self) {
            try merged.folder.rebase(chain, schemaName: "public")
        }
        #expect(error.code == .integrity)
        #expect(error.places == ["0003_v2_v4.sql:1"])
        #expect(error.remedy?.contains("remove its files with schema/V4.json, run rebase") == true)
        #expect(try merged.texts == before)
        // What the remedy says leads out.
        for name in ["0003_v2_v4.sql", "0003_v2_v4.down.sql", "schema/V4.json"] { try merged.remove(name) }
        try merged.folder.rebase(chain, schemaName: "public")
        try expectGenerated(merged, chain)
    }

    @Test("A version of neither branch, one that was edited, and one that the plan lacks are refused with the fields")
    func versions() throws {
        func refusal(_ fixture: FolderFixture, _ chain: MigrationChain) throws -> MigrationError {
            let error = try #require(throws: MigrationError.self) {
                try fixture.folder.rebase(chain, schemaName: "public")
            }
            #expect(error.code == .integrity)
            return error
        }
        let ours = try generated(FolderModels.chain([Named.self, Rated.self, Noted.self]))
        let theirs = try generated(FolderModels.chain([Named.self, Rated.self, Budgeted.self]))
        let neither = try refusal(
            FolderFixture.merge(ours, theirs), FolderModels.chain([Named.self, Rated.self, Both.self]))
        #expect(neither.message == "Version 3.0.0 of the plan is that of neither branch.")
        #expect(neither.places.contains("to ours: Trip.budget: attribute added"))
        #expect(neither.places.contains("to theirs: Trip.notes: attribute added"))
        let edited = try refusal(ours, FolderModels.chain([Named.self, Rated.self, Both.self]))
        #expect(edited.places.contains("Trip.budget: attribute added"))
        let missing = try refusal(ours, FolderModels.chain([Named.self, Rated.self]))
        #expect(missing.places == ["schema/V3.json:1"])
    }

    @Test("An interrupted rebase is completed by the next one")
    func interruption() throws {
        let fixture = try generated(FolderModels.chain([Named.self, Rated.self, Noted.self], numbers: [1, 3, 4]))
        let before = try fixture.texts
        let chain = try FolderModels.chain([Named.self, Named.self, Rated.self, Noted.self])
        try fixture.folder.rebase(chain, schemaName: "public")
        // Killed before the old files were removed and the sums written.
        for (name, text) in before where !name.hasPrefix("schema/") && name != "0001_v1.sql" {
            try fixture.write(text, to: name)
        }
        try fixture.folder.rebase(chain, schemaName: "public")
        try expectGenerated(fixture, chain)
    }

    @Test("A squashed file gets the number of its version, or goes with it")
    func squashed() throws {
        let fixture = try generated(FolderModels.chain([Named.self, Rated.self], numbers: [1, 3]))
        try fixture.folder.squash(FolderModels.chain([Named.self, Rated.self], numbers: [1, 3]), schemaName: "public")
        let chain = try FolderModels.chain([Named.self, Named.self, Rated.self])
        #expect(try fixture.folder.rebase(chain, schemaName: "public").contains("wrote 0003_squashed_v3.sql"))
        #expect(try fixture.folder.contents().squashed.map(\.number) == [3])

        let ours = try generated(FolderModels.chain([Named.self, Rated.self]))
        let branch = try FolderModels.chain([Named.self, Rated.self, Budgeted.self], numbers: [1, 2, 4])
        let theirs = try generated(branch)
        try theirs.folder.squash(branch, schemaName: "public")
        let merged = try FolderFixture.merge(ours, theirs)
        let plan = try FolderModels.chain([Named.self, Rated.self, Noted.self, Both.self])
        try merged.edit("0003_squashed_v4.sql") { $0.replacing("COMMIT;", with: "SELECT 1;\nCOMMIT;") }
        let error = try #require(throws: MigrationError.self) { try merged.folder.rebase(plan, schemaName: "public") }
        #expect(error.code == .integrity)
        #expect(error.places == ["0003_squashed_v4.sql:1"])
        try merged.write(theirs.text("0003_squashed_v4.sql"), to: "0003_squashed_v4.sql")
        #expect(try merged.folder.rebase(plan, schemaName: "public").contains("removed 0003_squashed_v4.sql"))
        try expectGenerated(merged, plan)
    }
}
