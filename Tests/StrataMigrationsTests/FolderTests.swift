import Foundation
import StrataMigrationFiles
import StrataMigrations
import Testing

@Suite("The folder of migrations")
struct FolderTests {
    private let fixture = FolderFixture()
    private var folder: MigrationFolder { fixture.folder }

    private func chain(_ count: Int) throws -> MigrationChain {
        try FolderModels.chain(Array(FolderModels.all.prefix(count)))
    }

    @Test("What is missing is written once; a second run writes nothing")
    func generate() throws {
        let error = try #require(throws: MigrationError.self) { try folder.check(chain(2), schemaName: "public") }
        #expect(error.code == .difference)
        #expect(
            error.places == [
                "schema/V1.json", "schema/V2.json", "0001_v1.sql", "0002_v1_v2.sql", "0002_v1_v2.down.sql",
            ])
        let written = try folder.generate(chain(2), schemaName: "public")
        #expect(written == error.places + ["migrations.sum"])
        let texts = try fixture.texts
        #expect(Set(texts.keys) == Set(written))
        #expect(try folder.generate(chain(2), schemaName: "public") == [])
        try folder.check(chain(2), schemaName: "public")
        #expect(
            try folder.generate(chain(3), schemaName: "public") == [
                "schema/V3.json", "0003_v2_v3.sql", "0003_v2_v3.down.sql", "migrations.sum",
            ])
        for (name, text) in texts where name != "migrations.sum" { #expect(try fixture.text(name) == text) }
        let contents = try folder.contents()
        #expect(contents.frozen == (try chain(3).versions))
    }

    @Test("Files say what the plan says: the same scripts, the same checksums")
    func sameScripts() throws {
        try folder.generate(chain(3), schemaName: "public")
        let planned = try chain(3).scripts(in: "public")
        let scripts = try folder.contents().all
        #expect(scripts == planned)
        #expect(scripts.map(\.checksum) == planned.map(\.checksum))
    }

    @Test("A written version that was changed is refused with the field")
    func changedVersion() throws {
        try folder.generate(chain(3), schemaName: "public")
        let old = try FolderModels.chain([
            FolderModels.Named.Trip.self, FolderModels.Budgeted.Trip.self, FolderModels.Noted.Trip.self,
        ])
        let error = try #require(throws: MigrationError.self) { try folder.check(old, schemaName: "public") }
        #expect(error.code == .integrity)
        #expect(error.places.first == "schema/V2.json:1")
        #expect(error.places.contains("Trip.budget: attribute added"))
        #expect(error.places.contains("Trip.rating: attribute removed") == false)
        #expect(error.remedy?.hasPrefix("undo the change and make a new version of it; or, if no database has") == true)
        #expect(
            error.remedy?.contains("remove schema/V2.json with the stage that leads to it, and all later ones") == true)

        let newest = try FolderModels.chain([
            FolderModels.Named.Trip.self, FolderModels.Rated.Trip.self, FolderModels.NotedAndBudgeted.Trip.self,
        ])
        let refusal = try #require(throws: MigrationError.self) { try folder.generate(newest, schemaName: "public") }
        #expect(refusal.code == .integrity)
        #expect(refusal.places.first == "schema/V3.json:1")
        #expect(refusal.places.contains("Trip.budget: attribute added"))
        // What the remedy says leads out.
        #expect(refusal.remedy?.hasSuffix("if no database has version 3.0.0 yet, run generate --rewrite") == true)
        #expect(
            try folder.rewrite(newest, schemaName: "public").written == [
                "schema/V3.json", "0003_v2_v3.sql", "0003_v2_v3.down.sql", "migrations.sum",
            ])
        try folder.check(newest, schemaName: "public")
    }

    @Test("A version, a closure or a schema that the plan does not have is refused")
    func otherPlan() throws {
        try folder.generate(chain(3), schemaName: "public")
        func refusal(_ chain: MigrationChain, _ schemaName: String = "public") throws -> MigrationError {
            try #require(throws: MigrationError.self) { try folder.check(chain, schemaName: schemaName) }
        }
        let fewer = try refusal(chain(2))
        #expect(fewer.code == .integrity)
        #expect(fewer.places == ["schema/V3.json:1"])
        var closures = try chain(3)
        closures.stages[1].hasWillMigrate = true
        let unlike = try refusal(closures)
        #expect(unlike.code == .integrity)
        #expect(unlike.message == "The plan and 0003_v2_v3.sql do not agree about willMigrate.")
        #expect(unlike.remedy?.hasSuffix("run generate --rewrite") == true)
        #expect(try refusal(chain(3), "other").code == .usage)
    }

    @Test("Edits are found by file; comments are none; hash accepts what was meant")
    func edits() throws {
        try folder.generate(chain(2), schemaName: "public")
        let sql = #"ALTER TABLE "public"."trip" ADD COLUMN "rating""#
        try #require(fixture.text("0002_v1_v2.sql").contains(sql))
        try fixture.edit("0002_v1_v2.sql") { "-- a licence\n" + $0.replacing("ADD COLUMN", with: "add /* */ column") }
        _ = try folder.contents()
        #expect(try folder.hash() == [])
        try fixture.edit("0002_v1_v2.sql") {
            $0.replacing(#"column "rating""#, with: #"column if not exists "rating""#)
        }
        let error = try #require(throws: MigrationError.self) { try folder.contents() }
        #expect(error.code == .integrity)
        #expect(error.places == ["0002_v1_v2.sql:1 was edited"])
        #expect(throws: MigrationError.self) { try folder.generate(chain(3), schemaName: "public") }
        #expect(throws: MigrationError.self) { try folder.rebase(chain(2), schemaName: "public") }
        #expect(try folder.hash() == ["0002_v1_v2.sql was edited"])
        #expect(try folder.hash() == [])
        #expect(try folder.contents().scripts[1].steps[0].statements[0].contains("if not exists"))
        try folder.generate(chain(3), schemaName: "public")
    }

    @Test(
        "Missing, doubled and badly merged files are refused by name",
        arguments: [
            Damage("0002_v1_v2.sql is missing.") { try $0.remove("0002_v1_v2.sql") },
            Damage("0002_v1_v2.down.sql is missing.") { try $0.remove("0002_v1_v2.down.sql") },
            Damage("The stage with number 2 is missing.") {
                try $0.remove("0002_v1_v2.sql")
                try $0.remove("0002_v1_v2.down.sql")
            },
            Damage("0002_other.sql and 0002_v1_v2.sql have one number.", "run rebase") {
                try $0.write(
                    $0.text("0002_v1_v2.sql").replacing("0002_v1_v2", with: "0002_other"), to: "0002_other.sql")
                try $0.copy("0002_v1_v2.down.sql", to: "0002_other.down.sql")
            },
            Damage("migrations.sum holds the marks of a merge that was not finished.", "run rebase") {
                try $0.edit("migrations.sum") { "# sums\n<<<<<<< HEAD\n" + $0 + "=======\n>>>>>>> main\n" }
            },
            Damage("Line 3 of migrations.sum does not follow from the lines before it.", "run rebase") {
                try $0.edit("migrations.sum") { text in
                    var lines = text.split(separator: "\n").map(String.init)
                    lines.remove(at: 1)
                    lines.insert("", at: 1)
                    return lines.joined(separator: "\n")
                }
            },
            Damage("migrations.sum is missing.", "run generate again") { try $0.remove("migrations.sum") },
            Damage("schema/V2.json is missing", "restore it") { try $0.remove("schema/V2.json") },
            Damage("schema/V7.json holds version 2.0.0.", "restore it") {
                try $0.copy("schema/V2.json", to: "schema/V7.json")
            },
            Damage("schema/V2.json is not the version to which 0002_v1_v2.sql leads.", "rebase") {
                try $0.edit("schema/V2.json") { $0.replacing(#""rating""#, with: #""ratinh""#) }
            },
        ])
    func damage(_ damage: Damage) throws {
        try folder.generate(chain(3), schemaName: "public")
        try damage.make(fixture)
        let error = try #require(throws: MigrationError.self) { try folder.contents() }
        #expect(error.code == .integrity)
        #expect(error.message.hasPrefix(damage.message), "\(error)")
        #expect(!error.places.isEmpty)
        if let remedy = damage.remedy { #expect(error.remedy?.contains(remedy) == true, "\(error)") }
    }

    struct Damage: Sendable, CustomTestStringConvertible {
        let message: String
        let remedy: String?
        let make: @Sendable (FolderFixture) throws -> Void

        init(_ message: String, _ remedy: String? = nil, _ make: @escaping @Sendable (FolderFixture) throws -> Void) {
            (self.message, self.remedy, self.make) = (message, remedy, make)
        }

        var testDescription: String { message }
    }

    @Test("A generate that was interrupted is explained, and completed by the next one")
    func interruption() throws {
        try folder.generate(chain(2), schemaName: "public")
        let sums = try fixture.text("migrations.sum")
        try folder.generate(chain(3), schemaName: "public")
        let complete = try fixture.texts
        // Killed before the sums were written, and before the last of the files had its name.
        try fixture.write(sums, to: "migrations.sum")
        try fixture.remove("0003_v2_v3.down.sql")
        try fixture.write("half", to: ".0003_v2_v3.down.sql.unfinished")
        #expect(throws: MigrationError.self) { try folder.contents() }
        #expect(try folder.generate(chain(3), schemaName: "public").last == "migrations.sum")
        #expect(try fixture.texts == complete)

        try fixture.write(sums, to: "migrations.sum")
        let error = try #require(throws: MigrationError.self) { try folder.contents() }
        #expect(error.places.contains("0003_v2_v3.sql:1 is new"))
        #expect(error.remedy?.contains("after a generate that was interrupted run it again") == true)
        // A file that generate would not write is somebody's own.
        try fixture.edit("0003_v2_v3.sql") { $0 + "SELECT 1;\n" }
        let refusal = try #require(throws: MigrationError.self) { try folder.generate(chain(3), schemaName: "public") }
        #expect(refusal.code == .integrity)
        #expect(refusal.places == ["0003_v2_v3.sql:1 is new"])
    }

    @Test("A squashed file creates the newest version and leaves the stages alone")
    func squash() throws {
        try folder.generate(chain(3), schemaName: "public")
        let before = try fixture.texts
        #expect(try folder.squash(chain(3), schemaName: "public") == ["0003_squashed_v3.sql", "migrations.sum"])
        let squashed = try fixture.texts
        #expect(try folder.squash(chain(3), schemaName: "public") == [])
        let contents = try folder.contents()
        #expect(contents.scripts == (try chain(3).scripts(in: "public")))
        #expect(contents.squashed.map(\.stem) == ["0003_squashed_v3"])
        #expect(contents.all.map(\.stem) == ["0001_v1", "0002_v1_v2", "0003_squashed_v3", "0003_v2_v3"])
        #expect(try fixture.text("0003_squashed_v3.sql").contains("\n-- replaces: 1..3\n"))
        #expect(try folder.generate(chain(3), schemaName: "public") == [])
        // Killed before the sums were written.
        try fixture.write(before["migrations.sum"] ?? "", to: "migrations.sum")
        #expect(try folder.squash(chain(3), schemaName: "public").count == 2)
        #expect(try fixture.texts == squashed)
    }

    @Test("One stage is short enough, and what is missing comes first")
    func squashNothing() throws {
        #expect(throws: MigrationError.self) { try folder.squash(chain(2), schemaName: "public") }
        try folder.generate(chain(1), schemaName: "public")
        #expect(try folder.squash(chain(1), schemaName: "public") == [])
    }
}
