import Foundation
import Strata
import StrataClient
import StrataModelTestSupport
import StrataRepository
import StrataTestSupport
import Testing

/// A class whose table is divided by time: its table, its key, and everything that a class without `#Partition` does.
@Suite struct PartitionTests {
    private typealias Reading = Divided.Reading
    private typealias Sensor = Divided.Sensor

    @Test func `a new table is divided by ranges and has partitions around the present`() async throws {
        #expect(
            TableCreation.all(StoreMapping(Divided.schema)).map(\.text).contains {
                $0.contains("CREATE TABLE \"public\".\"reading\"")
                    && $0.hasSuffix("\n) PARTITION BY RANGE (\"taken_at\")")
            })
        try await withModelStore(of: Divided.schema) { store in
            #expect(try await store.partitions() == (-1...3).map(Divided.partition))
            #expect(
                try await store.database.texts(
                    """
                    SELECT pg_get_partkeydef('reading'::regclass) UNION ALL
                    SELECT pg_get_constraintdef(oid) FROM pg_constraint
                    WHERE conrelid = 'reading'::regclass AND contype IN ('p', 'u', 'f') ORDER BY 1
                    """) == [
                        "FOREIGN KEY (sensor) REFERENCES sensor(pk) ON DELETE CASCADE",
                        "PRIMARY KEY (id, taken_at)", "RANGE (taken_at)", "UNIQUE (taken_at, serial)",
                    ])
            let listed = try await store.container.partitions(of: Reading.self)
            #expect(listed.map(\.name) == (-1...3).map(Divided.partition))
            #expect(listed.map(\.dates) == (-1...3).map { Divided.date($0, plus: 0)..<Divided.date($0 + 1, plus: 0) })
            #expect(listed.allSatisfy { $0.status == .attached && $0.bytes > 0 })
            // Opening once more finds nothing to do.
            let again = try await ModelContainer(
                for: Divided.schema, configurations: Array(store.container.configurations))
            await again.close()
        }
    }

    @Test func `saves, fetches, updates, deletions and the history are those of any class`() async throws {
        try await withModelStore(of: Divided.schema) { store in
            let token = try await ModelContext(store.container).fetchHistory(after: nil).token
            let context = ModelContext(store.container)
            let sensor = Sensor("roof")
            let readings = (-1...3).map { Reading(Divided.date($0), $0 + 10, value: $0 + 1, sensor: sensor) }
            readings.forEach(context.insert)
            try await context.save()
            #expect(try await store.readings() == ["9 0", "10 1", "11 2", "12 3", "13 4"])
            let reader = ModelContext(store.container)
            // The server makes the same key of a row as Swift, in any zone.
            for zone in ["UTC", "Asia/Kathmandu"] {
                let keys = try await store.database.onSession(keeping: false) { session in
                    var keys: [String] = []
                    try await session.run(PostgresBatch(PostgresStatement("SET timezone = '\(zone)'")))
                    let sql = """
                        SELECT (to_jsonb(id) || to_jsonb(taken_at AT TIME ZONE 'UTC'))::text FROM reading ORDER BY serial
                        """
                    try await session.run(PostgresBatch(PostgresStatement(sql)) { keys.append($0.string(0)) })
                    return keys
                }
                for (reading, key) in zip(readings, keys) {
                    let parts = [RowKey(reading.id), RowKey(reading.takenAt)].compactMap { $0 }
                    #expect(RowKey(parts: parts)?.text == key)
                }
            }
            let one = try await reader.model(Reading.self, key: readings[2].id, readings[2].takenAt)
            #expect(one.serial == 11 && one.persistentModelID == readings[2].persistentModelID)
            #expect(one.sensor?.name == "roof")
            one.value = 20
            reader.delete(try await reader.model(Reading.self, key: readings[0].id, readings[0].takenAt))
            try await reader.save()
            // A new object with the key of a row is that row.
            let again = ModelContext(store.container)
            again.insert(Reading(readings[3].takenAt, 12, value: 30, id: readings[3].id))
            again.insert(Reading(Divided.date(0, plus: 5), 14, value: 5))
            try await again.save()
            #expect(try await store.readings() == ["10 1", "11 20", "12 30", "13 4", "14 5"])
            // One with the unique values of a row and another key is none.
            again.insert(Reading(readings[4].takenAt, 13, value: 40))
            let other = await #expect(throws: SwiftDataError.self) { try await again.save() }
            #expect(
                other?.code == .uniqueConstraint && other?.message.contains("Reading.id, Reading.takenAt") == true,
                "\(String(describing: other))")
            again.rollback()
            // The date is part of the key, and final.
            let moved = try await again.model(Reading.self, key: readings[4].id, readings[4].takenAt)
            moved.takenAt = Divided.date(0)
            let final = await #expect(throws: SwiftDataError.self) { try await again.save() }
            #expect(final?.message.contains("Reading.takenAt") == true, "\(String(describing: final))")
            again.rollback()
            let broken = ModelContext(store.container)
            broken.insert(Reading(Divided.date(1), 50, value: -1))
            let rule = await #expect(throws: SwiftDataError.self) { try await broken.save() }
            #expect(rule?.code == .checkConstraint, "\(String(describing: rule))")
            let conflicting = ModelContext(store.container)
            conflicting.uniquePolicy = .fail
            conflicting.insert(Reading(readings[3].takenAt, 12))
            let taken = await #expect(throws: SwiftDataError.self) { try await conflicting.save() }
            #expect(
                taken?.code == .uniqueConstraint && taken?.message.contains("Reading.serial") == true,
                "\(String(describing: taken))")
            // Two edits of one object.
            let (mine, others) = (ModelContext(store.container), ModelContext(store.container))
            let (first, second) = (
                try await mine.model(Reading.self, key: readings[1].id, readings[1].takenAt),
                try await others.model(Reading.self, key: readings[1].id, readings[1].takenAt)
            )
            first.value = 7
            try await mine.save()
            second.value = 8
            let conflict = await #expect(throws: SwiftDataError.self) { try await others.save() }
            #expect(conflict?.code == .conflict)
            // By predicate, in pages, in groups, without objects.
            let bulk = ModelContext(store.container)
            let limit = Divided.date(2, plus: 0)
            try bulk.update(model: Reading.self, where: #Predicate { $0.takenAt >= limit }, .set(\.value, to: 9))
            try await bulk.save()
            try await bulk.insert(
                into: Reading.self, \.id, \.takenAt, \.serial, \.value,
                rows: (0..<3).map { (UUID.v7(), Divided.date(1, plus: Double($0)), 60 + $0, 1) })
            try bulk.delete(model: Reading.self, where: #Predicate { $0.serial == 60 })
            try await bulk.save()
            #expect(try await store.readings() == ["10 7", "11 20", "12 9", "13 9", "14 5", "61 1", "62 1"])
            let descriptor = FetchDescriptor<Reading>(sortBy: [SortDescriptor(\.takenAt)])
            let page = try await bulk.fetchPage(descriptor, after: nil, size: 4)
            let next = try await bulk.fetchPage(descriptor, after: page.next, size: 4)
            #expect((page.objects + next.objects).map(\.serial) == [14, 10, 61, 62, 11, 12, 13])
            let sums = try await bulk.fetch(
                FetchDescriptor<Reading>(), selecting: .key(\.takenAt), .sum(\.value),
                orderBy: [.forward(.key(\.takenAt))])
            #expect(sums.map(\.1) == [5, 7, 1, 1, 20, 9, 9])
            bulk.delete(try #require(try await bulk.fetch(FetchDescriptor<Sensor>()).first))
            try await bulk.save()
            let left = try await store.readings()
            #expect(left == ["12 9", "14 5", "61 1", "62 1"])
            let changes = try await ModelContext(store.container).fetchHistory(after: token).transactions
            let deleted = changes.flatMap(\.changes).filter {
                if case .delete = $0 { $0.changedPersistentIdentifier.entityName == "Reading" } else { false }
            }
            #expect(deleted.contains { $0.changedPersistentIdentifier == readings[0].persistentModelID })
            #expect(deleted.contains { $0.changedPersistentIdentifier == readings[2].persistentModelID })
        }
    }

    @Test func `a fetch of a range looks at the partitions of that range`() async throws {
        try await withModelStore(of: Divided.schema) { store in
            let context = ModelContext(store.container)
            let (first, last) = (Divided.date(1, plus: 0), Divided.date(2, plus: 0))
            let plan = try await context.explain(
                FetchDescriptor<Reading>(predicate: #Predicate { $0.takenAt >= first && $0.takenAt < last }))
            #expect(Set(plan.nodes.compactMap(\.table)) == [Divided.partition(1)], "\(plan)")
            // An object that is asked for by its key has a date.
            let reading = Reading(Divided.date(2), 1)
            context.insert(reading)
            try await context.save()
            let id = reading.persistentModelID
            let keyed = try await context.explain(
                FetchDescriptor<Reading>(predicate: #Predicate { $0.persistentModelID == id }), analyze: true)
            let looked = keyed.nodes.filter { ($0.loops ?? 0) > 0 }.compactMap(\.table)
            #expect(Set(looked) == [Divided.partition(2)], "\(keyed)")
        }
    }

    @Test func `a date without a partition is refused with its month, and what to do`() async throws {
        try await withModelStore(of: Divided.schema) { store in
            let context = ModelContext(store.container)
            context.insert(Reading(Divided.date(0), 1))
            context.insert(Reading(Divided.date(-20), 2))
            let month = Schema.PartitionPeriod.month.name(of: Divided.start(-20))
            let refusal = """
                there is no partition for Reading.takenAt in \(month). Partitions are made ahead by keepPartitions(ahead:for:of:), or by \
                `partitions maintain`, and for other dates by makePartitions(of:covering:). Nothing was saved.
                """
            let error = await #expect(throws: SwiftDataError.self) { try await context.save() }
            #expect(
                error?.code == .missingPartition && error?.message == "Reading: \(refusal)",
                "\(String(describing: error))")
            #expect(try await store.readings() == [])
            let rows = await #expect(throws: SwiftDataError.self) {
                try await ModelContext(store.container).insert(
                    into: Reading.self, \.id, \.takenAt, \.serial, \.value, rows: [(UUID.v7(), Divided.date(-20), 2, 1)]
                )
            }
            #expect(
                rows?.code == .missingPartition && rows?.message.hasSuffix(refusal) == true,
                "\(String(describing: rows))")
            #expect(
                try await store.container.makePartitions(
                    of: Reading.self, covering: Divided.date(-20)...Divided.date(-19)) == [
                        Divided.partition(-20), Divided.partition(-19),
                    ])
            try await context.save()
            #expect(try await store.readings() == ["1 0", "2 0"])
        }
    }

    // MARK: What is refused

    @Model final class Solo {
        #PrimaryKey<Solo>([\.id, \.at])
        #Partition<Solo>(by: \.at, every: .day)
        var id: UUID = UUID()
        var at: Date = Date.now
        var target: Target
        init(_ target: Target) { self.target = target }
    }

    @Model final class Target {
        @Relationship(inverse: \Solo.target) var solo: Solo?
        init() {}
    }

    @Test func `a relationship with one object at each end is refused`() {
        let schema = Schema(Solo.self, Target.self)
        #expect(
            SchemaValidation.findings(schema, mapping: StoreMapping(schema)).map(\.description) == [
                """
                Solo.target: Target.solo leads to one object at most, so its column has to be unique, and #Partition divides Solo by at: \
                PostgreSQL keeps values unique within a partition only. Remedy: let Target.solo lead to many.
                """
            ])
    }

    @Model final class Sample {
        #PrimaryKey<Sample>([\.id, \.at])
        var id: UUID = UUID()
        var at: Date = Date.now
        init() {}
    }

    @Test(arguments: [("timestamptz", true), ("timestamptz(3)", false), ("timestamp", true), ("timestamp(3)", false)])
    func `a key whose date the server would round is not opened`(type: String, isOpened: Bool) async throws {
        try await withTestDatabase { database in
            try await database.execute("CREATE TABLE sample (id uuid, at \(type), PRIMARY KEY (id, at))")
            var configuration = ModelConfiguration(url: try #require(database.foundationURL))
            configuration.tables = .external
            do {
                let container = try await ModelContainer(for: Schema(Sample.self), configurations: [configuration])
                await container.close()
                #expect(isOpened)
            } catch let error as SwiftDataError {
                #expect(!isOpened && "\(error)".contains("column sample.at is \(type)"), "\(error)")
            }
        }
    }
}
