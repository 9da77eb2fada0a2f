import Foundation
import Logging
import Strata
import StrataClient
import StrataLocalServer

/// Runs each workload through Strata and through plain libpq in turn, in one process on one server, and prints medians
/// and their ratio. Seconds depend on the machine; ratios hardly do.
@main
enum Main {
    static func main() throws {
        let rounds = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 7
        let own = try PostgresConfiguration.environment() == nil ? LocalServer.temporary() : nil
        defer { own?.stop() }
        let url = own?.url ?? ProcessInfo.processInfo.environment["DATABASE_URL"] ?? "postgresql://"
        guard let storeURL = URL(string: url) else { throw BenchmarkFailure("\(url) is no URL") }
        let container = try ModelContainer(
            for: Trip.self, BusinessTrip.self, PersonalTrip.self, configurations: ModelConfiguration(url: storeURL))
        defer { container.close() }
        let plain = try PlainConnection(url)
        try seed(plain)
        try measure(
            "deep fetch of 100,000 objects", rounds, plain: { _ in _ = try DeepFetch.plain(plain) },
            strata: {
                let count = try DeepFetch.strata(container)
                guard count == 100_000 else { throw BenchmarkFailure("\(count) objects instead of 100,000") }
            })
        try measureSaves(rounds, plain, container)
    }

    private static func seed(_ plain: PlainConnection) throws {
        try plain.execute("TRUNCATE trip, bucket_list_item CASCADE")
        try plain.execute(
            """
            INSERT INTO trip (pk, class, name, destination, start_date, end_date)
            SELECT i, (array['Trip','BusinessTrip','PersonalTrip'])[i % 3 + 1], 'Trip number ' || i, 'Destination ' || (i % 997),
              timestamptz '2024-01-01 00:00+00' + ((i::bigint * 7919) % 1000000) * interval '1 minute',
              timestamptz '2024-01-08 00:00+00' + ((i::bigint * 7919) % 1000000) * interval '1 minute'
            FROM generate_series(1, 100000) i
            """)
        try plain.execute("INSERT INTO business_trip SELECT pk, 50 + pk % 200 FROM trip WHERE class = 'BusinessTrip'")
        try plain.execute(
            "INSERT INTO personal_trip SELECT pk, 'Reason number ' || (pk % 50) FROM trip WHERE class = 'PersonalTrip'")
        try plain.execute("VACUUM ANALYZE")
    }

    private static func measureSaves(_ rounds: Int, _ plain: PlainConnection, _ container: ModelContainer) throws {
        var plainTimes: [Sample] = []
        var strataTimes: [Sample] = []
        for round in 0..<rounds {
            try plain.execute("DELETE FROM trip WHERE pk > 100000")
            try plain.execute("VACUUM")
            plainTimes.append(try sample { try SaveGraph.plain(plain, firstKey: 1_000_000 + Int64(round) * 100_000) })
            try plain.execute("DELETE FROM trip WHERE pk > 100000")
            try plain.execute("VACUUM")
            let context = ModelContext(container)
            SaveGraph.objects(context)
            strataTimes.append(try sample { try context.save() })
        }
        report("save of 10,000 trips and 20,000 items", plainTimes, strataTimes)
    }

    private static func measure(
        _ name: String, _ rounds: Int, plain: (Int) throws -> Void, strata: () throws -> Void
    ) throws {
        var plainTimes: [Sample] = []
        var strataTimes: [Sample] = []
        for round in 0...rounds {
            let plainTime = try sample { try plain(round) }
            let strataTime = try sample(strata)
            // The first round warms caches and prepares statements.
            guard round > 0 else { continue }
            plainTimes.append(plainTime)
            strataTimes.append(strataTime)
        }
        report(name, plainTimes, strataTimes)
    }

    /// What one run took: on the clock, and of this process's processor time (the part a client can be blamed for).
    private struct Sample {
        var elapsed: Double
        var processor: Double
    }

    private static func sample(_ body: () throws -> Void) rethrows -> Sample {
        let clock = ContinuousClock.now
        let processor = processorTime()
        try body()
        let elapsed = clock.duration(to: .now).components
        return Sample(
            elapsed: Double(elapsed.seconds) + Double(elapsed.attoseconds) / 1e18,
            processor: processorTime() - processor)
    }

    private static func processorTime() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    private static func report(_ name: String, _ plain: [Sample], _ strata: [Sample]) {
        print(name)
        report("  elapsed  ", plain.map(\.elapsed), strata.map(\.elapsed))
        report("  processor", plain.map(\.processor), strata.map(\.processor))
    }

    private static func report(_ name: String, _ plain: [Double], _ strata: [Double]) {
        func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
        func milliseconds(_ value: Double) -> String { String(format: "%.1f ms", value * 1000) }
        func both(_ values: [Double]) -> String {
            "\(milliseconds(median(values))) (best \(milliseconds(values.min() ?? 0)))"
        }
        let ratio = String(format: "%.2f", median(strata) / median(plain))
        print("\(name) libpq \(both(plain)), Strata \(both(strata)), ratio of medians \(ratio)")
    }
}
