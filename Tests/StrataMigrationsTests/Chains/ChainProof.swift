import Foundation
import StrataClient
import StrataModels
import StrataRepository
import StrataTestSupport
import Testing

@testable import StrataMigrationFiles
@testable import StrataMigrations

/// Shows that all ways to the newest version of a chain lead to the same database, and that no object is lost on any.
struct ChainProof: Sendable {
    let chain: Chain
    let scripts: [StageScript]
    /// Named in every message, so that a failure can be run again.
    let title: Comment

    init(_ chain: Chain, title: String) throws {
        self.chain = chain
        scripts = try chain.scripts()
        self.title = Comment(rawValue: "\(title): \(chain.titles.joined(separator: " → "))")
    }

    private var newest: Int { chain.versions.count - 1 }

    /// - Returns: the catalogs that all other ways must lead to.
    func stepwise() async throws -> CatalogInspection {
        try await withTestDatabase("stepwise", template: .library) { database in
            for index in chain.versions.indices {
                try await apply(scripts, to: index + 1, on: database)
                if index == 0 { try await insert(0, into: database) }
                try await expectObjects(index, in: database, "version \(index + 1)")
                try await expectCatalog(index, in: database, "version \(index + 1)")
            }
            return try await inspect(database)
        }
    }

    /// What was planned is what a linter accepts.
    func lint() {
        let before = [nil] + chain.versions.map(\.database)
        let lines = PlannedFindings(scripts, before: before, after: chain.versions.map(\.database)).lines
        #expect(lines == [], title)
    }

    /// One script that makes the newest version at once: the same catalogs.
    func squashed(_ expected: CatalogInspection) async throws {
        try await withTestDatabase("squashed", template: .library) { database in
            try await apply(try chain.squashed(newest), on: database)
            expectEqual(try await inspect(database), expected, "squashed")
        }
    }

    /// The tables that a store of the newest classes makes in an empty database: the same catalogs.
    func fresh(_ expected: CatalogInspection) async throws {
        try await withTestDatabase("fresh") { database in
            let connection = try await database.connect()
            defer { connection.close() }
            _ = try await StorePreparation.prepare(
                StoreMapping(Schema(chain.types)), on: connection, mode: .createMissing)
            expectEqual(try await inspect(database), expected, "fresh from the classes")
        }
    }

    /// A database that was made at a version in between is brought to the newest.
    func skipping(_ expected: CatalogInspection) async throws {
        for start in chain.versions.indices.dropLast() {
            try await withTestDatabase("skipping", template: .library) { database in
                try await apply(try chain.squashed(start), on: database)
                try await insert(start, into: database)
                try await apply(scripts, on: database)
                try await expectObjects(newest, in: database, "from version \(start + 1)")
                expectEqual(try await inspect(database), expected, "from version \(start + 1)")
            }
        }
    }

    /// The scripts, written to files and read again.
    func files(_ expected: CatalogInspection) async throws {
        let read = try scripts.map { script -> StageScript in
            let file = try MigrationFile(script)
            let again = try StageScript(
                upText: file.upText, downText: file.downText, checksText: file.checksText, stem: script.stem)
            #expect(try again == script.clean(), title)
            return again
        }
        try await withTestDatabase("files", template: .library) { database in
            try await apply([read[0]], on: database)
            try await insert(0, into: database)
            try await apply(read, on: database)
            try await expectObjects(newest, in: database, "files")
            expectEqual(try await inspect(database), expected, "files")
        }
    }

    /// The files, given to psql one after the other.
    func psql(_ expected: CatalogInspection) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("strata-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try await withTestDatabase("psql") { database in
            try Psql.installLibrary(on: database)
            for (index, script) in scripts.enumerated() {
                let file = folder.appendingPathComponent(script.stem + ".sql")
                try MigrationFile(script).upText.write(to: file, atomically: true, encoding: .utf8)
                let complaints = try Psql.run(file.path, on: database)
                #expect(complaints == "", title)
                if index == 0 { try await insert(0, into: database) }
            }
            try await expectObjects(newest, in: database, "psql")
            expectEqual(try await inspect(database), expected, "psql")
        }
    }

    /// Down as far as there is a way, and up again: no object is lost on the way.
    func downAndUp(_ expected: CatalogInspection) async throws {
        try await withTestDatabase("down", template: .library) { database in
            try await apply([scripts[0]], on: database)
            try await insert(0, into: database)
            try await apply(scripts, on: database)
            for index in chain.versions.indices.dropFirst().reversed() {
                guard case .steps = scripts[index].down else { break }
                let (runner, script) = (runner(database), scripts[index])
                try await blocking { try runner.rollback(script) }
                try await expectCatalog(index - 1, in: database, "back at version \(index)")
                let count = try await StoredObjects(schema: chain.versions[index - 1]).read(from: database).count
                #expect(count == chain.objects[index - 1].count, title)
            }
            try await apply(scripts, on: database)
            let count = try await StoredObjects(schema: chain.versions[newest]).read(from: database).count
            #expect(count == chain.objects[newest].count, title)
            expectEqual(try await inspect(database), expected, "down and up")
        }
    }

    /// A run that ends after every step, and begins again each time.
    func killed(_ expected: CatalogInspection) async throws {
        struct Killed: Error {}
        try await withTestDatabase("killed", template: .library) { database in
            try await apply([scripts[0]], on: database)
            try await insert(0, into: database)
            var options = RunnerOptions()
            options.afterStep = { _ in throw Killed() }
            var ends = 0
            for _ in 0...scripts.reduce(0, { $0 + $1.steps.count }) {
                do {
                    try await apply(scripts, on: database, options: options)
                    break
                } catch {
                    #expect((error as? MigrationError)?.underlying is Killed, title)
                    ends += 1
                }
            }
            #expect(ends == scripts.dropFirst().reduce(0) { $0 + $1.steps.count }, title)
            try await expectObjects(newest, in: database, "killed")
            expectEqual(try await inspect(database), expected, "killed")
        }
    }
}

extension ChainProof {
    fileprivate func runner(_ database: TestDatabase, _ options: RunnerOptions = RunnerOptions()) -> MigrationRunner {
        MigrationRunner(configuration: database.configuration, schemaName: "public", options: options)
    }

    fileprivate func apply(
        _ scripts: [StageScript], to number: Int? = nil, on database: TestDatabase,
        options: RunnerOptions = RunnerOptions()
    ) async throws(MigrationError) {
        let runner = runner(database, options)
        do {
            try await blocking { try runner.apply(scripts, to: number) }
        } catch {
            throw MigrationError(running: error)
        }
    }

    fileprivate func insert(_ index: Int, into database: TestDatabase) async throws {
        try await StoredObjects(schema: chain.versions[index]).insert(chain.objects[index], into: database)
    }

    /// In the session that is kept: a new one would have to read the catalogs' own descriptions first.
    fileprivate func inspect(_ database: TestDatabase) async throws -> CatalogInspection {
        try await database.onSession { try await CatalogInspection.read(schemaName: "public", connection: $0) }
    }

    fileprivate func expectObjects(_ index: Int, in database: TestDatabase, _ moment: String) async throws {
        let found = try await StoredObjects(schema: chain.versions[index]).read(from: database)
        #expect(found == chain.objects[index].map(\.line).sorted(), "\(title), \(moment)")
    }

    fileprivate func expectCatalog(_ index: Int, in database: TestDatabase, _ moment: String) async throws {
        let difference = CatalogDifference(expected: chain.versions[index].database, found: try await inspect(database))
        #expect(difference.lines == [], "\(title), \(moment)")
    }

    /// Both ways: nothing is missing, and nothing is left.
    fileprivate func expectEqual(_ found: CatalogInspection, _ expected: CatalogInspection, _ way: String) {
        #expect(CatalogDifference(expected: expected.definition, found: found).lines == [], "\(title), \(way)")
        #expect(CatalogDifference(expected: found.definition, found: expected).lines == [], "\(title), \(way)")
    }
}
