/// What is computed in memory of all numbers together, and may have more digits than each of them.
package enum NumberStatistic: Codable, Sendable {
    case median, standardDeviation, variance

    /// What the server computes for it.
    package var aggregate: AggregateFunction {
        switch self {
        case .median: .median
        case .standardDeviation: .standardDeviation
        case .variance: .variance
        }
    }

    func value<Number: QueryNumber>(of numbers: [Number]) -> Number.Average? {
        switch self {
        case .median: Number._median(of: numbers)
        case .standardDeviation: Number._standardDeviation(of: numbers)
        case .variance: Number._variance(of: numbers)
        }
    }
}
