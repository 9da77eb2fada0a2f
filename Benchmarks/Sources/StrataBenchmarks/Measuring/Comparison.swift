/// One piece of work that both sides can do.
protocol Workload {
    var name: String { get }
    var title: String { get }
    /// How many objects.
    var size: Int { get }
    /// What the ratio may be; `nil` where none was promised.
    var limit: Double? { get }

    /// Prepares a run of the C program, which is then timed.
    func plain(_ database: Database) throws -> () throws -> Outcome
    /// Prepares a run of Strata, which is then timed.
    func strata(_ database: Database) throws -> () throws -> Outcome
    /// How many operations a run has, for round trips of each.
    var operations: Int { get }
    /// Whether round trips can be told apart: not where batches are requested ahead.
    var countsRoundTrips: Bool { get }
    /// What else has to hold.
    func bars(plain: Series, strata: Series) -> [Measurement.Bar]
}

extension Workload {
    var operations: Int { 1 }
    var countsRoundTrips: Bool { true }
    func bars(plain: Series, strata: Series) -> [Measurement.Bar] { [] }
}

/// Runs both sides in turn, in one process on one server: A B A B … A, after runs to warm up, which tell the memory. Each run of Strata is
/// compared with the two of the C program around it, so that what else the machine does weighs on both.
enum Comparison {
    static func measure(_ work: some Workload, on database: Database, repetitions: Int) throws -> Measurement {
        let (plainMemory, expected) = try Sample.take(withMemory: true, try work.plain(database))
        let (strataMemory, found) = try Sample.take(withMemory: true, try work.strata(database))
        // Once more: what the first run left behind is part of neither.
        _ = try work.strata(database)()
        guard expected == found else {
            throw BenchmarkFailure("\(work.name): \(found) objects through Strata, \(expected) rows through libpq")
        }
        var plain: [Sample] = [try Sample.take(try work.plain(database)).0]
        var strata: [Sample] = []
        for _ in 0..<repetitions {
            let (sample, count) = try Sample.take(try work.strata(database))
            guard count == expected else {
                throw BenchmarkFailure("\(work.name): \(count) objects instead of \(expected)")
            }
            strata.append(sample)
            plain.append(try Sample.take(try work.plain(database)).0)
        }
        return result(work, plain, strata, growth: (plainMemory.growth, strataMemory.growth))
    }

    private static func result(
        _ work: some Workload, _ plain: [Sample], _ strata: [Sample], growth: (plain: Int?, strata: Int?)
    ) -> Measurement {
        func ratio(_ part: (Sample) -> Double) -> Double {
            strata.indices.map { part(strata[$0]) / ((part(plain[$0]) + part(plain[$0 + 1])) / 2) }.median
        }
        let (elapsed, processor) = (ratio(\.elapsed), ratio(\.processor))
        let (plain, strata) = (Series(plain, growth: growth.plain), Series(strata, growth: growth.strata))
        var measurement = Measurement(
            name: work.name, title: work.title, size: work.size, plain: plain, strata: strata, ratio: elapsed,
            ratioOfFastest: strata.best / plain.best, ratioOfProcessor: processor)
        if let limit = work.limit { measurement.bars.append(.init(what: "ratio", value: elapsed, limit: limit)) }
        measurement.bars += work.bars(plain: plain, strata: strata)
        return measurement
    }

    /// Round trips of one operation of each side, through a relay. The first run prepares what a connection prepares once.
    static func countRoundTrips(
        _ work: some Workload, on database: Database, _ relay: Relay, into measurement: inout Measurement
    ) throws {
        guard work.countsRoundTrips else { return }
        func count(_ prepare: (Database) throws -> () throws -> Outcome) throws -> Int {
            _ = try prepare(database)()
            let body = try prepare(database)
            let trips = try relay.roundTrips { _ = try body() }
            return (trips + work.operations / 2) / work.operations
        }
        measurement.plainRoundTrips = try count(work.plain)
        measurement.roundTrips = try count(work.strata)
    }
}
