import StrataModels
import Testing

@testable import StrataMigrationFiles
@testable import StrataMigrations

/// A file says which operation each of its steps is, and an edited step is none of them any more.
@Suite("Operations in files") struct OperationDirectiveTests {
    private func script(_ example: PlannedFilesTests.Example) throws -> StageScript {
        try Evolution(example.before, example.after, changes: example.changes).scripts()[1].clean()
    }

    private func read(_ file: MigrationFile, as stem: String, changing: (String) -> String = { $0 }) throws
        -> StageScript
    {
        try StageScript(
            upText: changing(file.upText), downText: file.downText.map(changing),
            checksText: file.checksText.map(changing), stem: stem)
    }

    private func example(_ name: String) throws -> StageScript {
        try script(try #require(PlannedFilesTests.examples.first { $0.testDescription == name }))
    }

    @Test(arguments: PlannedFilesTests.examples) func `reading gives the operations back`(
        _ example: PlannedFilesTests.Example
    ) throws {
        let script = try script(example)
        #expect(script.steps.allSatisfy { $0.operation != .custom })
        let file = try MigrationFile(script)
        let found = try read(file, as: script.stem)
        #expect(found.steps == script.steps)
        #expect(found.down == script.down)
        #expect(try MigrationFile(found) == file)
    }

    @Test func `a step that somebody edited is custom, and only that one`() throws {
        let script = try example("attribute-required")
        let found = try read(MigrationFile(script), as: script.stem) {
            $0.replacing("upper(name)", with: "lower(name)")
        }
        let edited = zip(found.steps, script.steps).filter { $0.operation != $1.operation }.map(\.1.operation)
        #expect(edited == [.keepInStep, .fillColumn])
        #expect(found.steps.filter { $0.operation == .custom }.count == 2)
    }

    @Test func `white space, titles and line ends are no edits`() throws {
        let script = try example("attribute-required")
        let found = try read(MigrationFile(script), as: script.stem) {
            $0.replacing("UPDATE \"public\"", with: "update\n    \"public\"").replacing("--   fill", with: "--   give")
        }
        #expect(found.steps.map(\.operation) == script.steps.map(\.operation))
    }

    @Test func `another way of running it is an edit`() throws {
        let script = try example("attribute-required")
        let found = try read(MigrationFile(script), as: script.stem) {
            $0.replacing("lock_timeout=2s", with: "lock_timeout=9s")
        }
        #expect(Set(found.steps.filter { $0.lockTimeout == 9000 }.map(\.operation)) == [.custom])
    }

    @Test func `nobody can call a step by another name`() throws {
        let script = try example("attribute-dropped")
        let found = try read(MigrationFile(script), as: script.stem) {
            $0.replacing("operation: drop-column", with: "operation: record-history")
        }
        #expect(found.steps.filter { $0.operation == .custom }.map(\.title) == ["drop column item.note"])
    }

    @Test func `a file of an earlier release has no operations, and the same checksum`() throws {
        let script = try example("to-one-to-many")
        let file = try MigrationFile(script)
        let older = try read(file, as: script.stem, changing: OperationDirective.removed)
        #expect(older.steps.allSatisfy { $0.operation == .custom })
        #expect(older.checksum == script.checksum)
        #expect(older.steps.map(\.repeatedCheck) == script.steps.map(\.repeatedCheck))
        #expect(older.generation?.isEdited == false)
        for (one, other) in zip(file.files, try MigrationFile(older).files) {
            #expect(OperationDirective.removed(from: one.text) == other.text)
            #expect(
                try MigrationFile.checksum(of: one.text, file: one.name)
                    == MigrationFile.checksum(of: other.text, file: other.name))
        }
    }

    @Test func `an edited question is still answered by the check that was accepted`() throws {
        let script = try example("subclass-split")
        let codes = script.steps.compactMap(\.repeatedCheck)
        try #require(!codes.isEmpty)
        let found = try read(MigrationFile(script), as: script.stem) {
            $0.replacing("IS NOT NULL", with: "IS NOT  NULL AND true")
        }
        #expect(found.steps.compactMap(\.repeatedCheck) == codes)
        #expect(found.steps.filter { $0.repeatedCheck != nil }.allSatisfy { $0.operation == .custom })
    }

    @Test func `an edited stage keeps the operations of its other steps when it gets another number`() throws {
        let script = try example("attribute-required")
        var folder: [String: String] = [:]
        for (name, text) in try MigrationFile(script).files {
            folder[name] = text.replacing("upper(name)", with: "lower(name)")
        }
        let files = try StageFiles(script.stem, in: folder)
        let numbered = try files.numbered(7)
        #expect(numbered.script.steps.map(\.id).first == "7.1")
        #expect(numbered.script.steps.map(\.operation) == files.script.steps.map(\.operation))
        #expect(numbered.script.steps.filter { $0.operation == .custom }.count == 2)
        #expect(try files.numbered(7).numbered(script.number) == files)
    }
}
