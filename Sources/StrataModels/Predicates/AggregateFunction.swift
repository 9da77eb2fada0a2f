/// What is computed of the values of many objects.
package enum AggregateFunction: Equatable, Sendable {
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
    /// All values in their order, or each of them once.
    case list(isDistinct: Bool)
    /// All texts in their order, one behind the other.
    case text(separator: String, isDistinct: Bool)

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
        case .list: "list of values"
        case .text: "joined text"
        }
    }

    /// Throws `invalidValue` for a part of all values that is none.
    package static func checkPercentile(_ part: Double) throws(SwiftDataError) {
        guard !(0...1).contains(part) else { return }
        throw SwiftDataError(
            .invalidValue,
            "A percentile of \(part) was asked for; it is a part of all values, from 0 to 1, such as 0.9.")
    }

    /// Whether it is one of the values.
    package var isOneOfThem: Bool {
        switch self {
        case .minimum, .maximum, .discretePercentile: true
        default: false
        }
    }
}
