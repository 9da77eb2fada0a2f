import Foundation
import Logging
import Requests
import SampleTripsModels
import Strata
import StrataClient
import StrataModelTestSupport
import StrataTestSupport
import Testing

/// Where reads go that may go to a replica, on real standbys.
@Suite(.serialized, EndsReplicatedServers(), .timeLimit(.minutes(3))) struct ReplicaTests {
    /// A replica of any age, so that a paused one shows who reads from it.
    private static func ofAnyAge(_ configuration: inout ModelConfiguration) {
        configuration.replication.maximumLag = nil
        configuration.replication.catchUpTimeout = .milliseconds(250)
    }

    @Test func `everything that only reads is read from the replica`() async throws {
        try await ReplicatedStore.with(standbys: 1) { store in
            let context = ModelContext(store.writer)
            let consignment = Consignment(1, weight: 3)
            context.insert(consignment)
            context.insert(ConsignmentPiece("only", of: consignment))
            try await context.save()
            try await store.waitForReplay()
            try await store.pause()
            // Whoever sees these reads from the primary.
            context.insert(Consignment(2))
            context.insert(ConsignmentPiece("new", of: consignment))
            consignment.weight = 4
            try await context.save()

            let container = try await store.container(Self.ofAnyAge)
            func reader() -> ModelContext { ModelContext(container, reading: .replica) }
            let all = FetchDescriptor<Consignment>(sortBy: [SortDescriptor(\.number)])
            #expect(try await reader().fetch(all).map(\.weight) == [3])
            #expect(try await reader().fetchCount(all) == 1)
            #expect(try await reader().fetchIdentifiers(all).count == 1)
            #expect(try await reader().fetch(all, selecting: \.weight) == [3])
            #expect(try await reader().fetchPage(all, after: nil, size: 10).objects.count == 1)
            #expect(
                try await reader().fetch(Int.self, sql: "SELECT weight FROM \(Consignment.self) ORDER BY number") == [3]
            )
            let identifier = consignment.persistentModelID
            #expect(try await reader().existingModel(for: identifier, as: Consignment.self)?.weight == 3)
            var weights: [Int] = []
            try await reader().enumerate(all) { (consignment: Consignment) async throws -> Void in
                weights.append(consignment.weight)
            }
            for try await consignment in reader().stream(all, pageSize: 1) { weights.append(consignment.weight) }
            #expect(weights == [3, 3])
            // Lazily, by name and with the fetch.
            let lazily = reader()
            let first = try await lazily.fetch(all)[0]
            #expect(first.pieces.map(\.label) == ["only"])
            let loading = reader()
            let second = try await loading.fetch(all)
            try await loading.load(second, \.pieces)
            #expect(second[0].pieces.map(\.label) == ["only"])
            var prefetching = all
            prefetching.relationshipKeyPathsForPrefetching = [\.pieces]
            let third = reader()
            #expect(try await third.fetch(prefetching)[0].pieces.map(\.label) == ["only"])
            // Blocking.
            let (blocking, labels) = try Self.blocking(reader(), all)
            #expect(blocking == 1 && labels == ["only"])
            // Of one moment.
            let read = try await container.read(isolation: .repeatableRead, reading: .replica) { context in
                (try await context.isAtStandby, try await context.consignments)
            }
            #expect(read == (true, 1))
            #expect(try await container.read(reading: .replica) { try await $0.consignments } == 1)
            let serializable = try await container.read(isolation: .serializable, reading: .replica) {
                try await $0.consignments
            }
            #expect(serializable == 2, "no standby can")
            #expect(try await ModelContext(container).fetchCount(all) == 2, "who says nothing reads from the primary")
            await container.close()
        }
    }

    private static func blocking(
        _ context: ModelContext, _ all: FetchDescriptor<Consignment>
    ) throws -> (Int, [String]) {
        var count = 0
        try context.enumerate(all) { _ in count += 1 }
        return (try context.fetchCount(all) + count - 1, try context.fetch(all).flatMap { $0.pieces.map(\.label) })
    }

    @Test func `what writes goes to the primary, and so do the reads behind it`() async throws {
        try await ReplicatedStore.with(standbys: 1) { store in
            try await store.insert(1)
            try await store.waitForReplay()
            try await store.pause()
            try await store.insert(2)
            let container = try await store.container(Self.ofAnyAge)
            let saving = ModelContext(container, reading: .replica)
            #expect(try await saving.consignments == 1)
            saving.insert(Consignment(3))
            try await saving.save()
            #expect(try await saving.consignments == 3)

            let sql = ModelContext(container, reading: .replica)
            #expect(try await sql.consignments == 1)
            let written = try await sql.fetch(
                Int.self,
                sql: "UPDATE \(Consignment.self) SET weight = 7 WHERE number = 1 RETURNING weight")
            #expect(written == [7])
            #expect(try await sql.consignments == 3)

            let rows = ModelContext(container, reading: .replica)
            #expect(try await rows.consignments == 1)
            _ = try await rows.insert(into: Consignment.self, \.number, \.weight, rows: [(4, 1)])
            #expect(try await rows.consignments == 4)

            let transaction = ModelContext(container, reading: .replica)
            #expect(try await transaction.consignments == 1)
            let inside = try await transaction.transaction { () async throws -> Int in
                try await transaction.consignments
            }
            #expect(inside == 4, "a transaction may write")
            // An object as the replica has it is not written over what the primary has.
            let stale = ModelContext(container, reading: .replica)
            let old = try #require(try await stale.fetch(FetchDescriptor<Consignment>()).first)
            #expect(old.weight == 0)
            old.weight = 1
            let error = await #expect(throws: SwiftDataError.self) { try await stale.save() }
            #expect(error?.code == .conflict)
            await container.close()
        }
    }

    @Test func `history, merging and live results are read from the primary`() async throws {
        try await ReplicatedStore.with(standbys: 1) { store in
            try await store.insert(1)
            try await store.waitForReplay()
            let container = try await store.container(Self.ofAnyAge)
            let token = try await container.currentHistoryToken()
            try await store.pause()
            try await store.insert(2)
            let reader = ModelContext(container, reading: .replica)
            #expect(try await reader.fetchHistory(after: token).transactions.count == 1)
            #expect(try await reader.consignments == 2, "behind what was seen at the primary")
            let merging = ModelContext(container, reading: .replica)
            let one = try #require(try await merging.fetch(FetchDescriptor<Consignment>()).first)
            let other = ModelContext(store.writer)
            let same = try #require(
                try await other.existingModel(for: one.persistentModelID, as: Consignment.self))
            same.weight = 9
            try await other.save()
            _ = try await merging.mergeHistory(after: token)
            #expect(one.weight == 9)
            #expect(try await merging.consignments == 2)
            await container.close()
        }
    }

    @Test func `contexts take the replicas in turn, and each stays with its own`() async throws {
        try await ReplicatedStore.with(standbys: 2) { store in
            try await store.insert(1)
            for standby in 0..<2 { try await store.waitForReplay(standby) }
            let container = try await store.container()
            var servers: [String: Int] = [:]
            for _ in 0..<10 {
                let context = ModelContext(container, reading: .replica)
                let first = try await context.server
                for _ in 0..<3 { #expect(try await context.server == first) }
                servers[first, default: 0] += 1
            }
            #expect(servers.count == 2 && servers.values.allSatisfy { $0 == 5 }, "\(servers)")
            #expect(container.poolUse.map(\.name) == ["default", "default, replica 1", "default, replica 2"])
            #expect(container.poolUse.map(\.replica) == [nil, 1, 2])
            await container.close()
        }
    }

    /// A context whose calls are under way at the same time.
    private actor Reader {
        private let context: ModelContext

        init(_ container: ModelContainer) { context = ModelContext(container, reading: .replica) }

        func server() async throws -> String { try await context.server }

        /// Takes as long as the standby lives.
        func weights() async throws -> [Int] {
            try await context.fetch(
                Int.self,
                sql:
                    "SELECT weight FROM \(Consignment.self), pg_sleep(CASE WHEN pg_is_in_recovery() THEN 60 ELSE 0 END)"
            )
        }
    }

    @Test func `calls of one context at the same time go to one replica, and to the primary when that ends`()
        async throws
    {
        try await ReplicatedStore.with(standbys: 2) { store in
            try await store.insert(1)
            for standby in 0..<2 { try await store.waitForReplay(standby) }
            let container = try await store.container()
            // Each connects first.
            let reader = Reader(container)
            async let first = reader.server()
            async let second = reader.server()
            _ = (try await first, try await second)
            let (one, other) = (try await reader.server(), try await reader.server())
            #expect(one == other)
            let index = try #require(store.standbys.firstIndex { one.hasPrefix($0.directory.path) })
            async let left = reader.weights()
            async let right = reader.weights()
            let crash = Task {
                try await store.wait(
                    for: """
                        2 = (SELECT count(*) FROM pg_stat_activity
                        WHERE wait_event = 'PgSleep' AND datname = '\(store.database)')
                        """, on: index)
                store.standbys[index].crash()
            }
            let weights = [try await left, try await right]
            #expect(weights == [[0], [0]])
            try await crash.value
            let primary = try await ModelContext(store.writer).server
            #expect(try await reader.server() == primary)
            await container.close()
        }
    }

    @Test func `after a token everything from before it is read, from a replica that has it or from the primary`()
        async throws
    {
        try await ReplicatedStore.with(standbys: 2) { store in
            let container = try await store.container { $0.replication.catchUpTimeout = .milliseconds(50) }
            let saving = ModelContext(container)
            var places: [Bool: Int] = [:]
            for number in 1...60 {
                if number % 20 == 0 { try await store.pause(number / 20 % 2) }
                if number % 20 == 10 { for standby in 0..<2 { try await store.resume(standby) } }
                saving.insert(Consignment(number))
                try await saving.save()
                let token = try #require(saving.historyToken)
                // As in another request, which got the token with the last answer.
                let context = ModelContext(container, reading: .replica(after: token))
                #expect(try await context.consignments == number)
                places[try await context.isAtStandby, default: 0] += 1
            }
            #expect((places[true] ?? 0) > 10, "\(places)")
            for standby in 0..<2 { try await store.pause(standby) }
            saving.insert(Consignment(61))
            try await saving.save()
            let token = try #require(saving.historyToken)
            let context = ModelContext(container, reading: .replica(after: token))
            #expect(try await context.consignments == 61)
            #expect(try await context.isAtStandby == false)
            // Blocking, too.
            #expect(try Self.count(ModelContext(container, reading: .replica(after: token))) == 61)
            await container.close()
        }
    }

    private static func count(_ context: ModelContext) throws -> Int {
        try context.fetchCount(FetchDescriptor<Consignment>())
    }

    @Test func `what is read is no older than was promised, while replay stops and goes on`() async throws {
        try await Self.readWhileReplayStops(rounds: 2)
    }

    static func readWhileReplayStops(rounds: Int) async throws {
        let lag = Duration.milliseconds(400)
        try await ReplicatedStore.with(standbys: 2) { store in
            let container = try await store.container {
                $0.replication.maximumLag = lag
                $0.replication.catchUpTimeout = .milliseconds(20)
            }
            let load = ReplicaLoad(container, lag: lag)
            try await load.run(writers: 1, readers: 2) {
                try await load.wait { $0.atStandby > $1.atStandby + 10 }
                for round in 0..<rounds {
                    // One of them, then both.
                    let areBoth = round % 2 == 1
                    try await store.pause(0)
                    if areBoth { try await store.pause(1) }
                    try await Task.sleep(for: lag * 2)
                    try await load.wait {
                        areBoth ? $0.atPrimary > $1.atPrimary + 5 : $0.atStandby > $1.atStandby + 10
                    }
                    for standby in 0..<2 { try await store.resume(standby) }
                    try await load.wait { $0.atStandby > $1.atStandby + 10 }
                }
            }
            await container.close()
        }
    }

    @Test func `replicas end and are promoted under load, and reads go on elsewhere`() async throws {
        try await ReplicatedStore.with(standbys: 2) { store in
            let lag = Duration.seconds(1)
            let container = try await store.container {
                $0.replication = .init(maximumLag: lag, catchUpTimeout: .milliseconds(250))
            }
            let load = ReplicaLoad(container, lag: lag)
            try await load.run(writers: 1, readers: 2) {
                func goOn() async throws {
                    try await load.wait { $0.reads > $1.reads + 10 && $0.saved > $1.saved + 10 }
                }
                try await goOn()
                store.standbys[1].crash()
                try await goOn()
                try await store.standbys[1].start()
                try await load.wait { $0.atStandby > $1.atStandby + 10 }
                try await store.standbys[0].promote()
                try await goOn()
                store.standbys[1].crash()
                try await goOn()
            }
            // Neither is a replica any more.
            let primary = try await ModelContext(store.writer).server
            try await waitUntil { try await ModelContext(container, reading: .replica).server == primary }
            await container.close()
        }
    }

    @Test func `a context sees no less than it has seen when its replica is started again`() async throws {
        try await ReplicatedStore.with(standbys: 1) { store in
            let container = try await store.container(Self.ofAnyAge)
            // What is behind this is carried out again after a crash.
            try await ReplicatedServers.run("CHECKPOINT", try PostgresConfiguration(url: store.primary.url))
            try await store.waitForReplay()
            try await store.execute("CHECKPOINT")
            let context = ModelContext(container, reading: .replica)
            #expect(try await context.consignments == 0)
            try await store.insert(1)
            try await store.waitForReplay()
            #expect(try await context.consignments == 1)
            // From here on it waits before each commit that it carries out, once it answers.
            try await store.execute("ALTER SYSTEM SET recovery_min_apply_delay = '1h'")
            store.standbys[0].crash()
            try await store.standbys[0].start()
            let other = ModelContext(container, reading: .replica)
            let (count, isAtStandby) = (try await other.consignments, try await other.isAtStandby)
            #expect(count == 0 && isAtStandby, "the replica is behind what it has shown")
            #expect(try await context.consignments == 1)
            #expect(try await context.isAtStandby == false)
            try await store.execute("ALTER SYSTEM RESET recovery_min_apply_delay")
            try await store.execute("SELECT pg_reload_conf()")
            await container.close()
        }
    }

    @Test func `a read that stands in the way of replay is made again at the primary`() async throws {
        try await ReplicatedStore.with(standbys: 1) { store in
            try await store.insert(1)
            try await store.waitForReplay()
            try await store.execute("ALTER SYSTEM SET max_standby_streaming_delay = '50ms'")
            try await store.execute("SELECT pg_reload_conf()")
            let log = LineLog(.warning)
            let container = try await store.container(log: log)
            // The replica stops the statement as soon as it is to carry out this lock (SQLSTATE 40001).
            let locking = Task {
                try await store.wait(
                    for: """
                        EXISTS (SELECT FROM pg_stat_activity WHERE wait_event = 'PgSleep' AND datname = '\(store.database)')
                        """)
                try await ReplicatedServers.run(
                    "DO $$ BEGIN LOCK TABLE public.consignment; END $$",
                    PostgresConfiguration(url: store.url.absoluteString))
            }
            let context = ModelContext(container, reading: .replica)
            #expect(try await context.isAtStandby)
            let weights = try await context.fetch(
                Int.self,
                sql:
                    "SELECT weight FROM \(Consignment.self), pg_sleep(CASE WHEN pg_is_in_recovery() THEN 60 ELSE 0 END)"
            )
            #expect(weights == [0])
            try await locking.value
            #expect(try await context.isAtStandby == false)
            #expect(log.lines.isEmpty, "nothing is wrong with the replica")
            #expect(try await ModelContext(container, reading: .replica).isAtStandby)
            try await store.execute("ALTER SYSTEM RESET max_standby_streaming_delay")
            try await store.execute("SELECT pg_reload_conf()")
            await container.close()
        }
    }

    @Test func `a read of a replica that says nothing is made again at the primary`() async throws {
        try await ReplicatedStore.with(standbys: 1) { store in
            try await store.insert(1)
            try await store.waitForReplay()
            let log = LineLog(.warning)
            let container = try await store.container(log: log) {
                $0.pool.answerTimeout = .milliseconds(500)
                $0.pool.cancellationTimeout = .milliseconds(500)
            }
            let context = ModelContext(container, reading: .replica)
            #expect(try await context.isAtStandby)
            let process = try await context.fetch(Int32.self, sql: "SELECT pg_backend_pid()")[0]
            // It is there, and its socket is open.
            try #require(kill(process, SIGSTOP) == 0)
            defer { kill(process, SIGCONT) }
            #expect(try await context.consignments == 1)
            #expect(try await context.isAtStandby == false)
            #expect(log.lines.contains { $0.contains("left alone") })
            kill(process, SIGCONT)
            await container.close()
        }
    }

    @Test func `a replica that is far behind is left alone, and taken up again`() async throws {
        try await ReplicatedStore.with(standbys: 2) { store in
            let log = LineLog(.warning)
            let container = try await store.container(log: log) {
                $0.replication = .init(maximumLag: .seconds(2), catchUpTimeout: .milliseconds(250))
            }
            try await store.pause(0)
            for number in 1...3 { try await store.insert(number) }
            try await store.waitForReplay(1)
            try await Task.sleep(for: .milliseconds(2100))
            for _ in 0..<6 {
                let context = ModelContext(container, reading: .replica)
                #expect(try await context.consignments == 3)
                #expect(try await context.isAtStandby, "the other one is there")
            }
            #expect(log.lines.isEmpty, "nobody has waited")
            try await store.pause(1)
            try await store.insert(4)
            try await Task.sleep(for: .milliseconds(2100))
            let context = ModelContext(container, reading: .replica)
            #expect(try await context.consignments == 4)
            #expect(try await context.isAtStandby == false)
            #expect(log.lines.count { $0.contains("left alone") } == 2)
            for standby in 0..<2 { try await store.resume(standby) }
            try await waitUntil { try await ModelContext(container, reading: .replica).isAtStandby }
            await container.close()
        }
    }

    @Test func `a record that fills its page does not make a replica look behind`() async throws {
        try await ReplicatedStore.with(standbys: 1) { store in
            let container = try await store.container()
            let context = ModelContext(container)
            func place() async throws -> Int {
                try await context.fetch(Int.self, sql: "SELECT (pg_current_wal_insert_lsn() - '0/0')::bigint")[0]
            }
            func emit(_ bytes: Int) async throws {
                _ = try await context.fetch(
                    String.self, sql: "SELECT pg_logical_emit_message(true, '', repeat('x', \(bytes)::int))::text")
            }
            context.insert(Consignment(1))
            try await context.save()
            let token = try #require(context.historyToken)
            var isAtStandby = false
            // The server itself writes as well, now and then.
            try await waitUntil {
                var before = try await place()
                try await emit(512)
                let further = try await place() - before - 512
                before = try await place()
                try await emit(8192 - before % 8192 - further)
                let end = try await place()
                guard end % 8192 == 24 else { return false }
                let reader = ModelContext(container, reading: .replica(after: token))
                #expect(try await reader.consignments == 1)
                isAtStandby = try await reader.isAtStandby
                return try await place() == end
            }
            #expect(isAtStandby)
            // The rest of a file is left out.
            try await waitUntil {
                _ = try await context.fetch(String.self, sql: "SELECT pg_switch_wal()::text")
                let end = try await place()
                guard end % (16 << 20) == 40 else { return false }
                isAtStandby = try await ModelContext(container, reading: .replica(after: token)).isAtStandby
                return try await place() == end
            }
            #expect(isAtStandby)
            await container.close()
        }
    }

    @Test func `round trips: none more without replicas, and with them what is documented`() async throws {
        try await ReplicatedStore.with(standbys: 1) { store in
            let recorder = StatementRecorder()
            func count(_ container: ModelContainer, _ reading: ModelContext.Reading) async throws -> [Int] {
                let context = ModelContext(container, reading: reading)
                var trips: [Int] = []
                for _ in 0..<2 {
                    recorder.reset()
                    _ = try await context.consignments
                    trips.append(recorder.roundTrips)
                }
                return trips
            }
            func token() async throws -> DefaultHistoryToken {
                let context = ModelContext(store.writer)
                context.insert(Consignment(try await context.consignments))
                try await context.save()
                try await store.waitForReplay()
                return try #require(context.historyToken)
            }
            let without = try await store.container(replicas: [], observer: recorder)
            #expect(try await count(without, .primary) == [1, 1])
            #expect(try await count(without, .replica) == [1, 1])
            #expect(try await count(without, .replica(after: token())) == [1, 1])
            await without.close()
            let container = try await store.container(observer: recorder)
            #expect(try await count(container, .primary) == [1, 1])
            // Connects, and asks both.
            _ = try await count(container, .replica)
            #expect(try await count(container, .replica) == [1, 1])
            // With what reads write to the log (hints of pages with checksums) the replica is asked again.
            var shared = ModelContext.Reading.primary
            try await waitUntil {
                shared = .replica(after: try await token())
                return try await count(container, shared) == [3, 1]
            }
            #expect(try await count(container, shared) == [1, 1], "the same moment")
            #expect(try await count(container, .primary) == [1, 1])
            await container.close()
        }
    }

    @Test func `what a replica cannot do is refused`() async throws {
        try await ReplicatedStore.with(standbys: 1) { store in
            try await ReplicatedServers.run(
                "CREATE SEQUENCE numbers", PostgresConfiguration(url: store.url.absoluteString))
            try await store.waitForReplay()
            let container = try await store.container()
            let lock = await #expect(throws: SwiftDataError.self) {
                try await container.read(reading: .replica) { context in
                    try await context.withAdvisoryLock("nightly") { () async throws -> Void in }
                }
            }
            #expect(lock?.code == .unsupportedFeature)
            try await container.read { context in
                try await context.withAdvisoryLock("nightly") { () async throws -> Void in }
            }
            let write = await #expect(throws: SwiftDataError.self) {
                try await ModelContext(container, reading: .replica).fetch(Int.self, sql: "SELECT nextval('numbers')")
            }
            #expect(write?.code == .readOnly)
            // The same where there is none.
            let alone = try await store.container(replicas: [])
            let same = await #expect(throws: SwiftDataError.self) {
                try await ModelContext(alone, reading: .replica).fetch(Int.self, sql: "SELECT nextval('numbers')")
            }
            #expect(same?.code == .readOnly && same?.underlying?.code == .server)
            #expect(try await ModelContext(alone).fetch(Int.self, sql: "SELECT nextval('numbers')") == [1])
            await alone.close()
            await container.close()
        }
    }

    @Test func `what the documentation shows`() async throws {
        try await ReplicatedStore.with(standbys: 2) { store in
            let container = try await ModelContainer(
                for: Trip.self, configurations: Servers.replicated(store.url, store.url(0), store.url(1)))
            for standby in 0..<2 { try await store.waitForReplay(standby) }
            let context = ModelContext(container)
            let trip = Trip(name: "Rome", destination: "Italy", startDate: .now, endDate: .now)
            context.insert(trip)
            try await context.save()
            for standby in 0..<2 { try await store.waitForReplay(standby) }
            #expect(try await Servers.count(container) == 1)
            #expect(try await Servers.names(container) == ["Rome"])
            let token = try #require(try await Servers.rename(trip.persistentModelID, to: "Roma", in: container))
            #expect(try await Servers.count(named: "Roma", after: token, in: container) == 1)
            await container.close()
        }
    }

    @Test func `live results of a container at a standby show what the standby has`() async throws {
        try await ReplicatedStore.with(standbys: 1) { store in
            try await store.insert(1)
            try await store.waitForReplay()
            let container = try await store.container(url: store.url(0), replicas: [], allowsSave: false)
            var counts: [Int] = []
            for try await consignments in container.results(of: FetchDescriptor<Consignment>()) {
                counts.append(consignments.count)
                if counts.last == 1 { try await store.insert(2) } else { break }
            }
            #expect(counts == [1, 2])
            await container.close()
        }
    }

    @Test func `servers that do not answer, or are no standbys of the primary, are not read from`() async throws {
        try await ReplicatedStore.with(standbys: 1) { store in
            try await store.insert(1)
            let nowhere = try #require(URL(string: "postgres://postgres@127.0.0.1:1/postgres"))
            let itself = try store.url
            // Of the right server, and of another database.
            let neighbour = try #require(URL(string: store.standbys[0].url(database: "tables")))
            let other = try await TestDatabase.create()
            let stranger = try #require(other.foundationURL)
            for maximumLag in [nil, Duration.seconds(10)] {
                let log = LineLog(.warning)
                let container = try await store.container(replicas: [nowhere, itself, stranger, neighbour], log: log) {
                    $0.replication.maximumLag = maximumLag
                }
                for _ in 0..<3 {
                    #expect(try await ModelContext(container, reading: .replica).consignments == 1)
                    #expect(try Self.count(ModelContext(container, reading: .replica)) == 1)
                }
                #expect(log.lines.count { $0.contains("left alone") } >= 4)
                await container.close()
            }
            try await other.drop()
        }
    }

    @Test func `what a configuration says of replicas in vain is refused`() async throws {
        let url = try #require(URL(string: "postgres://postgres@127.0.0.1:1/postgres"))
        var lagging = ModelConfiguration(url: url, replicas: [url])
        lagging.replication.maximumLag = .zero
        let inMemory = {
            var configuration = ModelConfiguration(isStoredInMemoryOnly: true)
            configuration.replicas = [url]
            return configuration
        }()
        for configuration in [lagging, inMemory] {
            let error = await #expect(throws: SwiftDataError.self) {
                _ = try await ModelContainer(
                    for: ReplicatedStore.schema, configurations: [configuration], logger: Logger(label: "test"))
            }
            #expect(error?.code == .unsupportedFeature)
        }
    }

    @Test func `tenants are read from the replica, and from the primary where the replica has no tables yet`()
        async throws
    {
        try await ReplicatedStore.with(standbys: 1) { store in
            let container = try await store.container {
                $0.tenants = ModelConfiguration.Tenants()
                Self.ofAnyAge(&$0)
            }
            for name in ["acme", "beta"] { try await container.createTenant(name) }
            let context = try await ModelContext(container, tenant: "acme")
            context.insert(Consignment(1))
            try await context.save()
            try await store.waitForReplay()
            try await store.pause()
            context.insert(Consignment(2))
            try await context.save()
            try await container.createTenant("gamma")

            func reader(_ tenant: String) async throws -> ModelContext {
                ModelContext(try await container.tenant(tenant), reading: .replica)
            }
            // What it does not have shows that it is the replica.
            #expect(try await reader("acme").consignments == 1)
            #expect(try await reader("beta").consignments == 0)
            #expect(try await reader("beta").isAtStandby)
            let late = try await reader("gamma")
            #expect(try await late.consignments == 0)
            #expect(try await !late.isAtStandby)
            try await store.resume()
            let token = try #require(context.historyToken)
            let after = ModelContext(try await container.tenant("acme"), reading: .replica(after: token))
            #expect(try await after.consignments == 2)
            await container.close()
        }
    }
}
