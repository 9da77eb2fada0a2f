import Foundation
import StrataClient
import StrataRepository
import StrataTestSupport
import Synchronization
import Testing

@testable import StrataMigrations

/// A change of a schema while old and new code write to the same objects, each in its own SQL.
///
/// Each object is a key and one value. Two writers change their own halves of the objects and remember what must be there;
/// both speak both dialects. New code touches what it can see: objects that the backfill has reached.
struct Overlap: Sendable, CustomTestStringConvertible {
    /// How one version of the code does things; a value is an SQL literal.
    struct Dialect: Sendable {
        var insert: @Sendable (_ key: Int, _ value: String) -> [String]
        var update: @Sendable (_ key: Int, _ value: String) -> [String]
        var delete: @Sendable (_ key: Int) -> [String]
        /// All objects, as `key|value`, or the one that a condition is added for.
        var objects: String
    }

    var name: String
    var evolution: @Sendable () throws -> Evolution
    var seed: [String] = []
    var old: Dialect
    var new: Dialect
    var isOptional = true
    var values = Array(1...9)

    var testDescription: String { name }

    func run(sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let evolution = try evolution()
        var scripts = try evolution.scripts()
        scripts[1].steps = scripts[1].steps.map(Self.inSmallBatches)
        let all = scripts
        var options = RunnerOptions()
        options.batchPause = .milliseconds(2)
        try await evolution.withDatabase("overlap", seed: seed, options: options) { database, runner, _ in
            var writers = OverlapWriters(self, on: database)
            try await writers.write(120, [old])

            try await blocking { try runner.apply(all, through: .expand) }
            try await writers.write(60, [old, new])
            try await writers.write([old, new]) { try runner.apply(all, through: .backfill) }
            try await writers.write(60, [old, new])
            // Both codes see the same, whoever wrote it.
            try await writers.expect(old, "old code before contract", sourceLocation)
            try await writers.expect(new, "new code before contract", sourceLocation)

            try await writers.write([new]) { try runner.apply(all) }
            try await writers.write(20, [new])
            try await writers.expect(new, "after contract", sourceLocation)
            try await evolution.expectCatalog(evolution.after, on: database, "after contract", sourceLocation)
            try await writers.expectHistory(sourceLocation)
        }
    }

    /// So that there are many transactions to get in between.
    private static func inSmallBatches(_ step: MigrationStep) -> MigrationStep {
        var step = step
        if case .batches(let table, let key, _, let kind) = step.execution {
            step.execution = .batches(table: table, key: key, size: 5, kind: kind)
        }
        return step
    }
}

/// Two writers, and what they have written.
struct OverlapWriters: Sendable {
    let overlap: Overlap
    let database: TestDatabase
    var writers: [OverlapWriter]

    init(_ overlap: Overlap, on database: TestDatabase) {
        self.overlap = overlap
        self.database = database
        let seed = UInt64.random(in: 0...UInt64.max)
        print("overlap \(overlap.name): seed \(seed)")
        writers = [0, 1].map { OverlapWriter(overlap, database, half: $0, seed: seed &+ UInt64($0)) }
    }

    /// Both write a number of changes, side by side.
    mutating func write(_ count: Int, _ dialects: [Overlap.Dialect]) async throws {
        writers = try await withThrowingTaskGroup(of: OverlapWriter.self) { group in
            for writer in writers { group.addTask { try await writer.writing(dialects) { $0 < count } } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }

    /// Both write until `work` has ended.
    mutating func write(_ dialects: [Overlap.Dialect], during work: @escaping @Sendable () throws -> Void) async throws
    {
        let isOver = Over()
        async let first = writers[0].writing(dialects) { _ in !isOver.value }
        async let second = writers[1].writing(dialects) { _ in !isOver.value }
        let result: Result<Void, any Error>
        do {
            try await blocking(work)
            result = .success(())
        } catch {
            result = .failure(error)
        }
        isOver.end()
        writers = [try await first, try await second]
        try result.get()
    }

    func expect(_ dialect: Overlap.Dialect, _ moment: Comment, _ sourceLocation: SourceLocation) async throws {
        let found = try await database.texts(
            "SELECT o.key || '|' || o.value FROM (\(dialect.objects)) AS o ORDER BY o.key")
        let expected = writers.flatMap(\.objects).sorted { $0.key < $1.key }.map { "\($0.key)|\($0.value)" }
        #expect(found == expected, moment, sourceLocation: sourceLocation)
    }

    /// What the writers have changed is in the history, each change in its transaction.
    func expectHistory(_ sourceLocation: SourceLocation) async throws {
        let recorded = Set(
            try await database.texts(
                """
                SELECT DISTINCT t."author" || ' ' || c."pk" || ' ' || CASE WHEN c."op" IN ('I', 'D') THEN c."op"::text ELSE 'U' END
                FROM strata.history_transaction AS t JOIN strata.history_change AS c USING ("xid", "generation")
                WHERE t."author" LIKE 'writer %' AND c."pk" IS NOT NULL
                """))
        let changes = writers.flatMap(\.changes)
        let missing = changes.filter { change in
            // An object that becomes one of another class leaves the old one and enters the new one.
            !recorded.contains("\(change.line) \(change.kind)")
                && !(change.kind == "U" && recorded.contains("\(change.line) I"))
        }
        #expect(!changes.isEmpty)
        #expect(
            missing.isEmpty, "not recorded: \(missing.prefix(5).map { "\($0.line) \($0.kind)" }) of \(changes.count)",
            sourceLocation: sourceLocation)
    }

    private final class Over: Sendable {
        private let flag = Atomic(false)
        var value: Bool { flag.load(ordering: .relaxed) }
        func end() { flag.store(true, ordering: .relaxed) }
    }
}

/// One writer with the objects that only it changes.
struct OverlapWriter: Sendable {
    private let overlap: Overlap
    private let database: TestDatabase
    /// Something that was committed and must be in the history.
    struct Change: Sendable {
        /// The transaction's author and the object's key.
        var line: String
        /// `I`, `U` or `D`.
        var kind: String
    }

    /// Key → SQL literal.
    private(set) var objects: [Int: String] = [:]
    private(set) var changes: [Change] = []
    private let half: Int
    private var nextKey: Int
    private var random: Random

    init(_ overlap: Overlap, _ database: TestDatabase, half: Int, seed: UInt64) {
        (self.overlap, self.database, self.half, nextKey) = (overlap, database, half, 100 + half)
        random = Random(state: seed)
    }

    func writing(_ dialects: [Overlap.Dialect], while isGoing: @Sendable (Int) -> Bool) async throws -> OverlapWriter {
        var writer = self
        let connection = try await database.connect()
        defer { connection.close() }
        var count = 0
        while isGoing(count) {
            try await writer.writeOnce(dialects, on: connection)
            count += 1
        }
        return writer
    }

    private mutating func writeOnce(_ dialects: [Overlap.Dialect], on connection: PostgresConnection) async throws {
        let dialect = dialects[Int.random(in: 0..<dialects.count, using: &random)]
        let value =
            overlap.isOptional && Int.random(in: 0..<5, using: &random) == 0
            ? "NULL" : "\(overlap.values.randomElement(using: &random) ?? 0)"
        let action = Int.random(in: 0..<10, using: &random)
        guard action > 3, let key = objects.keys.sorted().randomElement(using: &random) else {
            try await run(dialect.insert(nextKey, value), of: nextKey, "I", on: connection)
            objects[nextKey] = value
            nextKey += 2
            return
        }
        // Before the backfill has come to it, new code sees nothing or no value.
        var seen: [String] = []
        let look = PreparedSQL(
            "SELECT o.value::text FROM (\(dialect.objects)) AS o WHERE o.key = \(key)", isCached: false)
        do {
            try await connection.run(PostgresBatch(PostgresStatement(look)) { seen.append(try $0.decode(0)) })
        } catch let error as PostgresError where error.sqlState == "40P01" {
            // Reading was ended to break a deadlock with a step's locks.
            return
        }
        guard seen == [objects[key]] else { return }
        if action > 5 {
            // What changes nothing leaves no record.
            try await run(dialect.update(key, value), of: key, objects[key] == value ? nil : "U", on: connection)
            objects[key] = value
        } else {
            try await run(dialect.delete(key), of: key, "D", on: connection)
            objects[key] = nil
        }
    }

    /// Runs again what was ended to break a deadlock, as every application must.
    private mutating func run(
        _ statements: [String], of key: Int, _ kind: String?, on connection: PostgresConnection
    ) async throws {
        let author = "writer \(half) \(changes.count)"
        for attempt in 1... {
            var batch = PostgresBatch()
            batch.begin()
            let statements = ["SET LOCAL strata.author = '\(author)'"] + statements
            for sql in statements { batch.add(PostgresStatement(PreparedSQL(sql, isCached: false))) }
            batch.commit()
            do {
                try await connection.run(batch)
                if let kind { changes.append(Change(line: "\(author) \(key)", kind: kind)) }
                return
            } catch let error as PostgresError where error.sqlState == "40P01" && attempt < 10 {}
        }
    }

    /// SplitMix64: the same numbers for the same seed.
    private struct Random: RandomNumberGenerator {
        var state: UInt64
        mutating func next() -> UInt64 {
            state &+= 0x9e37_79b9_7f4a_7c15
            var value = state
            value = (value ^ (value >> 30)) &* 0xbf58_476d_1ce4_e5b9
            value = (value ^ (value >> 27)) &* 0x94d0_49bb_1331_11eb
            return value ^ (value >> 31)
        }
    }
}
