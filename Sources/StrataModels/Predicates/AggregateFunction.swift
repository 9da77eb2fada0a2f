/// What is computed of the values of many objects.
package enum AggregateFunction: Equatable {
    case count, countDistinct
    case sum
    case average
    case minimum, maximum
    case median
    /// The value below which such a part of the values is, between two of them where it falls between them.
    case percentile(Double)
    /// The least value up to which there is such a part of the values.
    case discretePercentile(Double)
    case standardDeviation, variance

    /// For messages.
    package var name: String {
        switch self {
        case .count: "count"
        case .countDistinct: "count of distinct values"
        case .sum: "sum"
        case .average: "average"
        case .minimum: "minimum"
        case .maximum: "maximum"
        case .median: "median"
        case .percentile, .discretePercentile: "percentile"
        case .standardDeviation: "standard deviation"
        case .variance: "variance"
        }
    }

    /// Whether it is one of the values.
    package var isOneOfThem: Bool {
        switch self {
        case .minimum, .maximum, .discretePercentile: true
        default: false
        }
    }
}
