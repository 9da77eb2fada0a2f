package import Foundation

/// How many digits the numbers of a `numeric` column have at most, and how many of them behind the point.
package struct NumericPrecision: Hashable, Sendable {
    package let precision: Int
    package let scale: Int

    package init(_ precision: Int, scale: Int) {
        self.precision = precision
        self.scale = scale
    }

    /// The least number that has a digit too many before the point.
    private var limit: Decimal { Decimal(sign: .plus, exponent: precision - scale, significand: 1) }

    /// Whether a number is stored as it is. `NaN` is.
    package func holds(_ value: Decimal) -> Bool {
        if value.isNaN { return true }
        var (exact, rounded) = (value, Decimal())
        NSDecimalRound(&rounded, &exact, scale, .plain)
        return rounded == value && value.magnitude < limit
    }

    /// What is to be said of a number that does not fit, behind the property's name.
    package var refusal: String {
        "has a number that does not fit: it takes \(precision) digits, \(scale) of them behind the point. Round it, or declare more with .precision."
    }
}

extension AnyAttributeProperty {
    /// What `@Attribute(.precision(12, scale: 2))` says.
    package var precision: NumericPrecision? {
        for case .precision(let precision, let scale) in options { return NumericPrecision(precision, scale: scale) }
        return nil
    }
}
