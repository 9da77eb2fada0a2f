import Foundation
import Strata
import StrataClient
import StrataModelTestSupport
import StrataRepository
import StrataTestSupport
import Testing

/// Partitions are made ahead and dropped by age, while others read and write.
@Suite struct PartitionMaintenanceTests {
    private typealias Reading = Divided.Reading

    /// How long objects are kept that are of this month and the one before.
    private static var age: Duration { .seconds(Date.now.timeIntervalSince(Divided.date(-1, plus: 1))) }

    @Test func `what is missing ahead is made, what is too old is dropped, and the history is reset`() async throws {
        try await withModelStore(of: Divided.schema) { store in
            let container = store.container
            try await container.makePartitions(of: Reading.self, covering: Divided.date(-3)...Divided.date(-2))
            let context = ModelContext(container)
            for month in -3...3 { context.insert(Reading(Divided.date(month), month + 10)) }
            try await context.save()
            let token = try await context.fetchHistory(after: nil).token
            let outcome = try await container.maintainPartitions(ahead: 5, keeping: Self.age)
            #expect(
                outcome.made == [4, 5].map(Divided.partition) && outcome.dropped == [-3, -2].map(Divided.partition))
            #expect(outcome.postponed.isEmpty && !outcome.wasLeftToAnother)
            #expect(try await store.partitions() == (-1...5).map(Divided.partition))
            #expect(
                try await store.database.texts(
                    "SELECT relname::text FROM pg_class WHERE relname LIKE 'reading_p%' AND relkind = 'r'"
                ).count == 7)
            #expect(try await store.readings().count == 5)
            let resets = try await ModelContext(container).fetchHistory(after: token).transactions
            #expect(resets.map(\.resetEntities) == [["Reading"], ["Reading"]] && resets.allSatisfy(\.changes.isEmpty))
            // What was made is like what was there.
            #expect(
                try await store.database.texts(
                    """
                    SELECT DISTINCT string_agg(pg_get_constraintdef(k.oid), '; ' ORDER BY pg_get_constraintdef(k.oid))
                    FROM pg_inherits h JOIN pg_constraint k ON k.conrelid = h.inhrelid
                    WHERE h.inhparent = 'reading'::regclass AND k.contype <> 'n' GROUP BY h.inhrelid
                    """
                ).count == 1)
            context.insert(Reading(Divided.date(5), 50))
            try await context.save()
            #expect(try await container.maintainPartitions(ahead: 5, keeping: Self.age).isEmpty)
            let short = await #expect(throws: SwiftDataError.self) { try await container.maintainPartitions(ahead: -1) }
            #expect(short?.code == .invalidValue)
            let other = await #expect(throws: SwiftDataError.self) {
                try await container.partitions(of: Divided.Sensor.self)
            }
            #expect(other?.code == .unsupportedFeature)
        }
    }

    @Test func `a reader that goes on keeps no writer waiting, and the next round ends what it kept`() async throws {
        try await withModelStore(of: Divided.schema) { store in
            let container = store.container
            let context = ModelContext(container)
            for month in -1...1 { context.insert(Reading(Divided.date(month), month + 10)) }
            try await context.save()
            let reader = try await store.database.connect()
            try await reader.run(PostgresBatch(PostgresStatement("BEGIN")))
            try await reader.run(PostgresBatch(PostgresStatement("SELECT count(*) FROM reading")))
            let round = Task { try await container.maintainPartitions(ahead: 4, keeping: .zero) }
            var serial = 100
            while !round.isCancelled, serial < 160 {
                let writer = ModelContext(container)
                writer.insert(Reading(Divided.date(serial % 2, plus: Double(serial)), serial))
                try await writer.save()
                serial += 1
                try await Task.sleep(for: .milliseconds(20))
            }
            let outcome = try await round.value
            #expect(outcome.made == [Divided.partition(4)])
            #expect(
                outcome.dropped.isEmpty && outcome.postponed == ["finish detaching \(Divided.partition(-1))"],
                "\(outcome)")
            let detaching = try await container.partitions(of: Reading.self).filter { $0.status == .detaching }
            #expect(detaching.map(\.name) == [Divided.partition(-1)])
            try await reader.run(PostgresBatch(PostgresStatement("COMMIT")))
            reader.close()
            #expect(try await container.maintainPartitions(keeping: .zero).dropped == [Divided.partition(-1)])
            #expect(try await store.readings().count == 2 + 60)
        }
    }

    @Test func `of two processes one works`() async throws {
        try await withModelStore(of: Divided.schema) { store in
            let container = store.container
            try await container.withAdvisoryLock("other") {
                let outcomes = try await withThrowingTaskGroup(of: PartitionMaintenance.self) { group in
                    for _ in 0..<4 { group.addTask { try await container.maintainPartitions(ahead: 8) } }
                    return try await group.reduce(into: []) { $0.append($1) }
                }
                #expect(outcomes.flatMap(\.made).sorted() == (4...8).map(Divided.partition))
            }
        }
    }

    @Test func `an interrupted round is taken up wherever it ended`() async throws {
        for step in 0..<4 {
            try await withModelStore(of: Divided.schema) { store in
                let old = Divided.partition(-1)
                let mark = PartitionInspection.mark(of: "reading")
                let context = ModelContext(store.container)
                context.insert(Reading(Divided.date(-1), 1))
                context.insert(Reading(Divided.date(0), 2))
                try await context.save()
                let token = try await context.fetchHistory(after: nil).token
                if step > 0 { try await store.database.execute("COMMENT ON TABLE \(old) IS '\(mark)'") }
                if step == 2 {
                    // Its session ends while it waits for a reader.
                    let reader = try await store.database.connect()
                    try await reader.run(PostgresBatch(PostgresStatement("BEGIN")))
                    try await reader.run(PostgresBatch(PostgresStatement("SELECT count(*) FROM reading")))
                    await #expect(throws: PostgresError.self) {
                        try await store.database.execute(
                            "SET lock_timeout = '100ms'", "ALTER TABLE reading DETACH PARTITION \(old) CONCURRENTLY")
                    }
                    try await reader.run(PostgresBatch(PostgresStatement("COMMIT")))
                    reader.close()
                }
                if step == 3 {
                    try await store.database.execute("ALTER TABLE reading DETACH PARTITION \(old) CONCURRENTLY")
                }
                let outcome = try await store.container.maintainPartitions(keeping: .zero)
                #expect(outcome.dropped == [old] && outcome.postponed.isEmpty, "\(step) \(outcome)")
                #expect(try await store.readings() == ["2 0"])
                #expect(try await store.partitions() == (0...3).map(Divided.partition))
                let resets = try await ModelContext(store.container).fetchHistory(after: token).transactions
                #expect(resets.map(\.resetEntities) == [["Reading"]], "\(step)")
            }
        }
    }

    @Test func `a mark that another age has set goes, and a table that is detached later is kept`() async throws {
        try await withModelStore(of: Divided.schema) { store in
            let (old, mark) = (Divided.partition(-1), PartitionInspection.mark(of: "reading"))
            try await store.database.execute("COMMENT ON TABLE \(old) IS '\(mark)'")
            #expect(try await store.container.maintainPartitions().isEmpty)
            try await store.database.execute("ALTER TABLE reading DETACH PARTITION \(old)")
            #expect(try await store.container.maintainPartitions(keeping: .zero).isEmpty)
            #expect(try await store.database.texts("SELECT count(*)::text FROM \(old)") == ["0"])
            // Its name is that of the partition that would be made anew.
            let taken = await #expect(throws: SwiftDataError.self) {
                try await store.container.makePartitions(
                    of: Reading.self, covering: Divided.date(-1)...Divided.date(-1))
            }
            #expect(taken?.message.contains("rename it") == true, "\(String(describing: taken))")
        }
    }

    @Test func `a default partition is refused, and a table that somebody detached is nobody's`() async throws {
        try await withModelStore(of: Divided.schema) { store in
            try await store.database.execute(
                "ALTER TABLE reading DETACH PARTITION \(Divided.partition(-1))",
                "CREATE TABLE rest PARTITION OF reading DEFAULT")
            let error = await #expect(throws: SwiftDataError.self) {
                try await store.container.maintainPartitions(keeping: .zero)
            }
            #expect(error?.code == .storeDoesNotFit && error?.message.contains("rest is a DEFAULT partition") == true)
            try await store.database.execute("DROP TABLE rest")
            #expect(try await store.container.maintainPartitions(keeping: .zero).isEmpty)
            #expect(
                try await store.database.texts("SELECT count(*)::text FROM \(Divided.partition(-1))") == ["0"])
        }
    }

    @Test func `a table that cannot be looked after keeps none of the others`() async throws {
        try await withModelStore(of: Schema(Divided.Sensor.self, Reading.self, Visit.self)) { store in
            try await store.database.execute("CREATE TABLE rest PARTITION OF reading DEFAULT")
            let error = await #expect(throws: SwiftDataError.self) {
                try await store.container.maintainPartitions(ahead: 6)
            }
            #expect(error?.code == .storeDoesNotFit && error?.message.contains("rest is a DEFAULT partition") == true)
            // The period before, the present one, and six more.
            #expect(try await store.container.partitions(of: Visit.self).count == 8)
            #expect(try await store.container.maintainPartitions(ahead: 7, of: Visit.self).made.count == 1)
        }
    }

    // MARK: What is done next

    @Test func `a round ends, whatever was there and whatever is kept`() {
        let now = PostgresTimestamp("2026-11-28T01:00:00") ?? PostgresTimestamp(microseconds: 0)
        let day: Int64 = 86_400_000_000
        for (before, after) in Schema.PartitionPeriod.allCases.flatMap({ one in
            Schema.PartitionPeriod.allCases.map { (one, $0) }
        }) {
            for days in [0, 1, 7, 90, 400] as [Int64] {
                let age = PostgresTimestamp(microseconds: now.microseconds - days * day)
                var bounds = PartitionPlan([], every: before).missing(
                    from: PostgresTimestamp(microseconds: now.microseconds - 120 * day), through: now)
                var made: Set<PartitionBounds> = []
                for round in 0... {
                    let partitions = bounds.map {
                        TablePartition(
                            name: TableName(schema: "public", name: PartitionName.name(of: "reading", from: $0.lower)),
                            bounds: $0, status: .attached)
                    }
                    guard
                        let action = PartitionPlan(partitions, every: after).maintenance(
                            now: now, ahead: 3, dropping: age
                        ).first
                    else { break }
                    #expect(round < 1_000)
                    if round >= 1_000 { break }
                    switch action {
                    case .make(let new):
                        made.insert(new)
                        bounds.append(new)
                    case .detach(let name):
                        let gone = bounds.first { PartitionName.name(of: "reading", from: $0.lower) == name.name }
                        #expect(gone.map { !made.contains($0) } == true, "\(before) \(after) \(days)")
                        bounds.removeAll { $0 == gone }
                    case .drop, .finish, .unmark: Issue.record("\(action)")
                    }
                }
            }
        }
    }

    @Test func `a plan fills gaps of periods and counts from what is there`() {
        let month = Schema.PartitionPeriod.month
        func moment(_ text: String) -> PostgresTimestamp {
            PostgresTimestamp(text) ?? PostgresTimestamp(microseconds: 0)
        }
        func partition(_ lower: String, _ upper: String, _ status: TablePartition.Status = .attached) -> TablePartition
        {
            TablePartition(
                name: TableName(schema: "public", name: lower),
                bounds: status == .detached ? nil : PartitionBounds(lower: moment(lower), upper: moment(upper)),
                status: status)
        }
        func made(_ partitions: [TablePartition], _ period: Schema.PartitionPeriod = month) -> [String] {
            PartitionPlan(partitions, every: period)
                .maintenance(now: moment("2026-11-28T01:00:00"), ahead: 2, dropping: nil).compactMap {
                    guard case .make(let bounds) = $0 else { return nil }
                    return "\(bounds.lower.description.prefix(10)) \(bounds.upper.description.prefix(10))"
                }
        }
        #expect(made([]) == ["2026-11-01 2026-12-01", "2026-12-01 2027-01-01", "2027-01-01 2027-02-01"])
        // Somebody has changed the period.
        #expect(
            made([partition("2026-01-01T00:00:00", "2026-12-15T00:00:00")]) == [
                "2026-12-15 2027-01-01", "2027-01-01 2027-02-01",
            ])
        #expect(
            made([partition("2026-11-10T00:00:00", "2026-11-20T00:00:00")]).prefix(2) == [
                "2026-11-20 2026-12-01", "2026-12-01 2027-01-01",
            ])
        #expect(made([partition("2026-01-01T00:00:00", "infinity")]).isEmpty)
        #expect(made([], .week) == ["2026-11-23 2026-11-30", "2026-11-30 2026-12-07", "2026-12-07 2026-12-14"])
        #expect(made([], .day) == ["2026-11-28 2026-11-29", "2026-11-29 2026-11-30", "2026-11-30 2026-12-01"])
        #expect(made([], .year) == ["2026-01-01 2027-01-01", "2027-01-01 2028-01-01", "2028-01-01 2029-01-01"])
        let plan = PartitionPlan(
            [
                partition("2026-09-01T00:00:00", "2026-10-01T00:00:00", .detaching),
                partition("2026-08-01T00:00:00", "", .detached),
                partition("2026-10-01T00:00:00", "2026-11-01T00:00:00"),
                partition("2026-11-01T00:00:00", "2026-12-01T00:00:00"),
            ], every: month)
        #expect(
            plan.maintenance(now: moment("2026-11-28T01:00:00"), ahead: 0, dropping: moment("2026-11-05T00:00:00")) == [
                .finish(TableName(schema: "public", name: "2026-09-01T00:00:00")),
                .drop(TableName(schema: "public", name: "2026-08-01T00:00:00")),
                .detach(TableName(schema: "public", name: "2026-10-01T00:00:00")),
            ])
        #expect(PartitionName.name(of: "reading", from: moment("2026-11-01T00:00:00")) == "reading_p20261101")
        #expect(PartitionName.name(of: "reading", from: moment("2026-11-01T06:30:00")) == "reading_p20261101t063000")
    }
}

@Model private final class Visit {
    #PrimaryKey<Visit>([\.id, \.day])
    #Partition<Visit>(by: \.day, every: .week)
    var id: UUID
    var day: Date
    init(_ day: Date) { (id, self.day) = (.v7(), day) }
}
