import Foundation
import OperatedService
import Strata
import StrataLocalServer
import StrataMetrics
import StrataTracing
import Tracing

/// What metrics and traces cost: the same work without observers and with them, in turn, in one process on one server.
///
///     make bench-observed
@main
struct Main {
    /// Who is told of calls and statements.
    enum Observers: String, CaseIterable {
        case none
        case metrics
        case traces
        case sampledTraces = "one trace of ten"
        case both
        case sampledBoth = "metrics and one trace of ten"

        /// Of so many traces one is recorded.
        var interval: Int { self == .sampledTraces || self == .sampledBoth ? 10 : 1 }

        func make(_ backend: CountingBackend) -> [any StatementObserver] {
            switch self {
            case .none: []
            case .metrics: [StoreMetrics(factory: backend)]
            case .traces, .sampledTraces: [StoreTracing()]
            case .both, .sampledBoth: [StoreMetrics(factory: backend), StoreTracing()]
            }
        }
    }

    static func main() async throws {
        let seconds = CommandLine.arguments.dropFirst().first.flatMap { Double($0) } ?? 3
        let rounds = 9
        let server = try LocalServer.temporary()
        defer { server.stop() }
        guard let url = URL(string: server.url) else { return }
        let tracer = CountingTracer()
        InstrumentationSystem.bootstrap(tracer)
        let backend = CountingBackend()
        var configuration = ModelConfiguration(url: url)
        configuration.pool = ModelConfiguration.Pool(maximumConnections: 16)
        var containers: [(observers: Observers, container: ModelContainer)] = []
        for observers in Observers.allCases {
            let container = try await ModelContainer(
                for: Schema([Trip.self, DestinationCount.self]), configurations: [configuration],
                observers: observers.make(backend))
            containers.append((observers, container))
        }
        let trips = try await makeTrips(1000, in: containers[0].container)
        for work in [Work.lookUp, .readChangeSave] {
            var samples: [Observers: [Sample]] = [:]
            for round in 0...rounds {
                for (observers, container) in containers {
                    tracer.record(oneOf: observers.interval)
                    let sample = try await Sample.take(work, trips, container, for: .seconds(seconds))
                    // The first round fills caches.
                    if round > 0 { samples[observers, default: []].append(sample) }
                }
            }
            report(work, samples)
        }
        for (_, container) in containers { await container.close() }
        print("\(tracer.count) spans")
    }

    private static func makeTrips(_ count: Int, in container: ModelContainer) async throws -> [PersistentIdentifier] {
        let context = ModelContext(container)
        let trips = (0..<count).map { Trip(destination: "Place \($0)") }
        for trip in trips { context.insert(trip) }
        try await context.save()
        return trips.map(\.persistentModelID)
    }

    /// Each run beside the run without observers of its round; the median of these ratios.
    private static func report(_ work: Work, _ samples: [Observers: [Sample]]) {
        let plain = samples[.none] ?? []
        print("\(work.rawValue): \(number(median(plain.map(\.rate)))) a second without observers")
        for observers in Observers.allCases where observers != .none {
            let with = samples[observers] ?? []
            let rates = zip(plain, with).map { $0.rate / $1.rate }
            let times = zip(plain, with).map { $1.processorTime / $0.processorTime }
            print(
                "  \(observers.rawValue): time \(percent(median(rates))), processor's time \(percent(median(times))), "
                    + "\(number(median(with.map(\.rate)))) a second")
        }
    }

    private static func median(_ values: [Double]) -> Double {
        values.isEmpty ? 0 : values.sorted()[values.count / 2]
    }

    private static func percent(_ ratio: Double) -> String { String(format: "%+.1f %%", (ratio - 1) * 100) }
    private static func number(_ value: Double) -> String { String(format: "%.0f", value) }
}
