import Foundation

/// Percentiles and deviations in double precision, step by step as the server computes them.
enum DoubleStatistics {
    /// As `percentile_cont`: between two values it is as far from both as the part says. `nil` of nothing, and of a part that is none.
    static func percentile(_ part: Double, of numbers: [Double]) -> Double? {
        guard !numbers.isEmpty, (0...1).contains(part) else { return nil }
        let sorted = numbers.sorted(by: SortedOrder.precedes)
        let position = part * Double(sorted.count - 1)
        let (lower, upper) = (sorted[Int(position.rounded(.down))], sorted[Int(position.rounded(.up))])
        let distance = position - position.rounded(.down)
        return distance == 0 ? lower : lower + distance * (upper - lower)
    }

    /// As `var_samp`: of a sample, `nil` of fewer than two. Squares of differences are added up one after the other (Youngs and Cramer), where the
    /// difference of two large sums would have no digits left.
    static func variance(of numbers: [Double]) -> Double? {
        guard numbers.count > 1 else { return nil }
        var (count, sum, squares) = (0.0, 0.0, 0.0)
        for number in numbers {
            count += 1
            sum += number
            let distance = number * count - sum
            // Of the first number there is no distance, or it is no number.
            squares += count > 1 ? distance * distance / (count * (count - 1)) : distance
        }
        return squares / (count - 1)
    }
}

extension Decimal {
    /// As `var_samp`, to as many digits as there are.
    static func variance(of numbers: [Decimal]) -> Decimal? {
        guard numbers.count > 1 else { return nil }
        let average = numbers.reduce(0, +) / Decimal(numbers.count)
        let squares = numbers.map { ($0 - average) * ($0 - average) }
        return squares.reduce(0, +) / Decimal(numbers.count - 1)
    }

    /// The number from 0 on that gives this one when it is squared; NaN of NaN.
    var squareRoot: Decimal {
        guard self > 0 else { return self }
        var root = Decimal(inDoublePrecision.squareRoot())
        // Newton's method doubles the digits, 16 to begin with, of which there are 38.
        for _ in 0..<3 { root = (root + self / root) / 2 }
        return root
    }

    /// The nearest `Double`, as the server finds it: by the digits.
    var inDoublePrecision: Double { Double(description) ?? .nan }
}
