/// What one workload took on both sides, and what it may take.
struct Measurement: Codable {
    /// A number that must not be above, or below, another.
    struct Bar: Codable {
        var what: String
        var value: Double
        var limit: Double
        var isUpper = true

        var holds: Bool { isUpper ? value <= limit : value >= limit }
    }

    var name: String
    var title: String
    /// Objects, where a workload has a size.
    var size: Int?
    /// The unit of the two series: `ms`, or `/s` where more is better.
    var unit = "ms"
    var plain: Series?
    var strata: Series
    /// Strata's to the C program's: medians of the pairs, of the fastest runs, of processor time.
    var ratio: Double?
    var ratioOfFastest: Double?
    var ratioOfProcessor: Double?
    var roundTrips: Int?
    var plainRoundTrips: Int?
    var bars: [Bar] = []
    /// What else is to be said, for people.
    var notes: [String] = []
}

/// The counted runs of one side.
struct Series: Codable {
    var median: Double
    var best: Double
    /// Milliseconds of processor time.
    var processor: Double?
    /// Bytes by which the process grew.
    var growth: Int?
    /// Microseconds an operation.
    var p50: Double?
    var p99: Double?
    /// Milliseconds.
    var release: Double?
    var samples: [Sample] = []

    /// Times of runs, in milliseconds.
    init(_ samples: [Sample], growth: Int? = nil) {
        self.samples = samples
        median = samples.map(\.elapsed).median * 1000
        best = (samples.map(\.elapsed).min() ?? 0) * 1000
        processor = samples.map(\.processor).median * 1000
        self.growth = growth
        release = samples.map(\.release).median * 1000
        let medians = samples.compactMap(\.median)
        let tails = samples.compactMap(\.percentile99)
        p50 = medians.isEmpty ? nil : medians.median
        p99 = tails.isEmpty ? nil : tails.median
    }

    /// Other numbers, such as rates.
    init(values: [Double], best: Double) {
        median = values.median
        self.best = best
    }
}

extension [Double] {
    /// The middle one; 0 of none.
    var median: Double {
        guard !isEmpty else { return 0 }
        let sorted = sorted()
        let middle = count / 2
        return count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    }
}
