import Foundation
import StrataMigrationFiles
import StrataMigrations
import StrataModels
import StrataTestSupport
import Testing

@Suite("Migration files")
struct FileRoundTripTests {
    @Test("A script that was written down is read back as it was", arguments: 0..<300)
    func roundTrip(seed: UInt64) throws {
        var words = ScriptGenerator(seed: seed)
        let script = words.script()
        let file = try MigrationFile(script)
        let read = try StageScript(
            upText: file.upText, downText: file.downText, checksText: file.checksText, stem: script.stem)
        #expect(read.steps == script.steps)
        #expect(read.checks == script.checks)
        #expect(read.down == script.down)
        #expect(read.notes == script.notes)
        #expect(read == script)
        #expect(read.checksum == script.checksum)
        #expect(try MigrationFile(read) == file)
    }

    @Test("A file reads well")
    func example() throws {
        let file = try MigrationFile(ExampleScript.script)
        #expect(file.upText.hasPrefix(ExampleScript.header))
        #expect(file.upText.contains(ExampleScript.batchSection))
        #expect(file.downText == nil)
        #expect(file.checksText == ExampleScript.checksText)
    }

    @Test("Comments around statements go, several statements in one text are taken apart")
    func clean() throws {
        var script = ExampleScript.script
        script.steps = [
            MigrationStep(
                id: "1.1", phase: .expand, title: "",
                statements: ["-- why\n SELECT 1 -- one\n; SELECT 2;\n-- lint:allow L101 small\nSELECT 3 -- end"])
        ]
        script.checks = []
        let clean = try script.clean()
        #expect(clean.steps[0].statements == ["SELECT 1", "SELECT 2", "-- lint:allow L101 small\nSELECT 3"])
        let file = try MigrationFile(script)
        #expect(
            try StageScript(upText: file.upText, downText: file.downText, checksText: nil, stem: script.stem) == clean)
    }

    @Test("Comments and white space do not count; what is run and how does")
    func checksums() throws {
        let text = try MigrationFile(ExampleScript.script).upText
        let sum = try MigrationFile.checksum(of: text, file: "a")
        func changed(_ old: String, _ new: String) throws -> Bool {
            try #require(text.contains(old))
            return try MigrationFile.checksum(of: text.replacing(old, with: new), file: "a") != sum
        }
        #expect(try !changed("\n", "\r\n"))
        #expect(try !changed("\n\n", "\n-- a licence\n\n/* and more */\n"))
        #expect(try !changed("UPDATE", "update  "))
        #expect(try !changed("--   add", "--   please add"))
        #expect(try !changed("-- note: two", "-- note: three"))
        #expect(try changed("phase=expand", "phase=backfill"))
        #expect(try changed("10000", "20000"))
        #expect(try changed("-- done: SELECT", "-- done: SELECT NOT"))
        #expect(try changed("-- undo: ALTER", "-- redo: ALTER"))
        #expect(try changed("'none'", "'None'"))
        #expect(try changed("-- from: 3.0.0", "-- from: 2.0.0"))
    }

    @Test("A step's checksum changes with what is run, not with the words about it")
    func stepChecksums() throws {
        let step = ExampleScript.script.steps[1]
        var other = step
        other.title = "x"
        other.notes = ["y"]
        other.statements = step.statements.map { $0.lowercased().replacing(" ", with: " /* */\n") }
        #expect(other.checksum == step.checksum)
        for change: (inout MigrationStep) -> Void in [
            { $0.id = "4.9" }, { $0.phase = .contract }, { $0.execution = .alone }, { $0.lock = .none },
            { $0.tables = [] }, { $0.history = .off }, { $0.lockTimeout = 1 }, { $0.statementTimeout = 0 },
            { $0.statements = [] }, { $0.done = nil }, { $0.undo = [] }, { $0.index = "i" },
        ] {
            var changed = step
            change(&changed)
            #expect(changed.checksum != step.checksum)
        }
    }

    @Test(
        "What cannot be read is refused with its line",
        arguments: [
            ("phase=expand", "phase=later", MigrationError.Code.usage), ("phase=expand ", "", .usage),
            ("tx=own", "tx=batches(a)", .usage), ("lock=", "lok=", .usage), ("timeout=60s", "timeout=soon", .usage),
            ("-- to: 4.0.0", "-- to: four", .usage), ("-- step 4.2", "-- step 4.1", .integrity),
            ("-- checks: 0004_v3_v4.checks.sql", "-- checks: none", .integrity),
            ("-- schema: public\n", "", .usage),
        ])
    func unreadable(old: String, new: String, code: MigrationError.Code) throws {
        let file = try MigrationFile(ExampleScript.script)
        try #require(file.upText.contains(old))
        let error = try #require(throws: MigrationError.self) {
            try StageScript(
                upText: file.upText.replacing(old, with: new, maxReplacements: 1), downText: nil,
                checksText: file.checksText, stem: "0004_v3_v4")
        }
        #expect(error.code == code)
        #expect(error.places.first?.hasPrefix("0004_v3_v4.sql:") == true)
    }

    @Test("A file that the header names must be there")
    func missing() throws {
        let file = try MigrationFile(ExampleScript.script)
        let error = try #require(throws: MigrationError.self) {
            try StageScript(upText: file.upText, downText: nil, checksText: nil, stem: "0004_v3_v4")
        }
        #expect(error.code == .integrity)
        #expect(error.message.contains("0004_v3_v4.checks.sql is missing"))
    }
}
