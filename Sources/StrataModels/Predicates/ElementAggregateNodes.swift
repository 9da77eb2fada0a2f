// The names are those the macro and Foundation call.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Foundation

extension PredicateExpressions {
    /// A value of each element of a sequence.
    public struct ElementValues<LHS: PredicateExpression, RHS: PredicateExpression> where LHS.Output: Sequence {
        package let sequence: LHS
        package let variable: Variable<LHS.Output.Element>
        package let value: RHS

        fileprivate init(_ sequence: LHS, _ value: (Variable<LHS.Output.Element>) -> RHS) {
            self.sequence = sequence
            variable = Variable()
            self.value = value(variable)
        }

        /// The values that are not `nil`: the cast looks through optionals.
        fileprivate func values<Value>(_ bindings: PredicateBindings, as type: Value.Type) throws -> [Value] {
            var bindings = bindings
            return try sequence.evaluate(bindings).compactMap { element in
                bindings[variable] = element
                return try value.evaluate(bindings) as? Value
            }
        }
    }

    /// `sum(of:)`: the sum of a value of each element, 0 of nothing.
    public struct ElementSum<LHS: PredicateExpression, RHS: PredicateExpression, Number: QueryNumber>:
        PredicateExpression
    where LHS.Output: Sequence {
        /// What the node evaluates to.
        public typealias Output = Number

        package let elements: ElementValues<LHS, RHS>

        fileprivate init(_ elements: ElementValues<LHS, RHS>) { self.elements = elements }

        /// Evaluates the node in memory. Throws ``SwiftDataError`` with the code `invalidValue` for a sum that does not fit its type, and
        /// what its parts throw.
        public func evaluate(_ bindings: PredicateBindings) throws -> Number {
            try Number._sum(of: elements.values(bindings, as: Number.self))
        }
    }

    /// `average(of:)`: the average of a value of the elements, `nil` of nothing.
    public struct ElementAverage<LHS: PredicateExpression, RHS: PredicateExpression, Number: QueryNumber>:
        PredicateExpression
    where LHS.Output: Sequence {
        /// What the node evaluates to.
        public typealias Output = Number.Average?

        package let elements: ElementValues<LHS, RHS>

        fileprivate init(_ elements: ElementValues<LHS, RHS>) { self.elements = elements }

        /// Evaluates the node in memory; throws what its parts throw.
        public func evaluate(_ bindings: PredicateBindings) throws -> Number.Average? {
            Number._average(of: try elements.values(bindings, as: Number.self))
        }
    }

    /// `minimum(of:)` and `maximum(of:)`: the least or greatest value of the elements, `nil` of nothing.
    public struct ElementExtreme<LHS: PredicateExpression, RHS: PredicateExpression, Value: Comparable>:
        PredicateExpression
    where LHS.Output: Sequence {
        /// What the node evaluates to.
        public typealias Output = Value?

        package let elements: ElementValues<LHS, RHS>
        package let isGreatest: Bool

        fileprivate init(_ elements: ElementValues<LHS, RHS>, isGreatest: Bool) {
            self.elements = elements
            self.isGreatest = isGreatest
        }

        /// Evaluates the node in memory; throws what its parts throw.
        public func evaluate(_ bindings: PredicateBindings) throws -> Value? {
            let values = try elements.values(bindings, as: Value.self)
            return isGreatest ? SortedOrder.greatest(of: values) : SortedOrder.least(of: values)
        }
    }
}

extension PredicateExpressions {
    /// `median(of:)`, `standardDeviation(of:)` and `variance(of:)`: what is computed of numbers, and may have more digits than they.
    public struct ElementStatistic<LHS: PredicateExpression, RHS: PredicateExpression, Number: QueryNumber>:
        PredicateExpression
    where LHS.Output: Sequence {
        /// What the node evaluates to.
        public typealias Output = Number.Average?

        package let elements: ElementValues<LHS, RHS>
        package let function: NumberStatistic

        fileprivate init(_ elements: ElementValues<LHS, RHS>, _ function: NumberStatistic) {
            self.elements = elements
            self.function = function
        }

        /// Evaluates the node in memory; throws what its parts throw.
        public func evaluate(_ bindings: PredicateBindings) throws -> Number.Average? {
            function.value(of: try elements.values(bindings, as: Number.self))
        }
    }

    /// `percentile(_:of:)`: the value below which a part of the elements' values is, `nil` of nothing.
    public struct ElementPercentile<LHS: PredicateExpression, RHS: PredicateExpression, Number: QueryNumber>:
        PredicateExpression
    where LHS.Output: Sequence {
        /// What the node evaluates to.
        public typealias Output = Double?

        package let elements: ElementValues<LHS, RHS>
        package let part: Double

        fileprivate init(_ elements: ElementValues<LHS, RHS>, _ part: Double) {
            self.elements = elements
            self.part = part
        }

        /// Evaluates the node in memory. Throws ``SwiftDataError`` with the code `invalidValue` for a part outside of 0 to 1, and what its
        /// parts throw.
        public func evaluate(_ bindings: PredicateBindings) throws -> Double? {
            try AggregateFunction.checkPercentile(part)
            return Number._percentile(part, of: try elements.values(bindings, as: Number.self))
        }
    }

    /// `discretePercentile(_:of:)`: the least of the elements' values up to which there is a part of them, `nil` of nothing.
    public struct ElementDiscretePercentile<LHS: PredicateExpression, RHS: PredicateExpression, Value: Comparable>:
        PredicateExpression
    where LHS.Output: Sequence {
        /// What the node evaluates to.
        public typealias Output = Value?

        package let elements: ElementValues<LHS, RHS>
        package let part: Double

        fileprivate init(_ elements: ElementValues<LHS, RHS>, _ part: Double) {
            self.elements = elements
            self.part = part
        }

        /// Evaluates the node in memory. Throws ``SwiftDataError`` with the code `invalidValue` for a part outside of 0 to 1, and what its
        /// parts throw.
        public func evaluate(_ bindings: PredicateBindings) throws -> Value? {
            try AggregateFunction.checkPercentile(part)
            return SortedOrder.percentile(part, of: try elements.values(bindings, as: Value.self))
        }
    }
}

// MARK: Builders

extension PredicateExpressions {
    /// Builds `sequence.sum(of: value)`.
    public static func build_sum<LHS, RHS>(
        _ sequence: LHS, of value: (Variable<LHS.Output.Element>) -> RHS
    ) -> ElementSum<LHS, RHS, RHS.Output>
    where LHS: PredicateExpression, RHS: PredicateExpression, LHS.Output: Sequence, RHS.Output: QueryNumber {
        ElementSum(ElementValues(sequence, value))
    }

    /// Builds `sequence.sum(of: value)` of values that may be `nil`.
    public static func build_sum<LHS, RHS, Number>(
        _ sequence: LHS, of value: (Variable<LHS.Output.Element>) -> RHS
    ) -> ElementSum<LHS, RHS, Number>
    where LHS: PredicateExpression, RHS: PredicateExpression<Number?>, LHS.Output: Sequence, Number: QueryNumber {
        ElementSum(ElementValues(sequence, value))
    }

    /// Builds `sequence.average(of: value)`.
    public static func build_average<LHS, RHS>(
        _ sequence: LHS, of value: (Variable<LHS.Output.Element>) -> RHS
    ) -> ElementAverage<LHS, RHS, RHS.Output>
    where LHS: PredicateExpression, RHS: PredicateExpression, LHS.Output: Sequence, RHS.Output: QueryNumber {
        ElementAverage(ElementValues(sequence, value))
    }

    /// Builds `sequence.average(of: value)` of values that may be `nil`.
    public static func build_average<LHS, RHS, Number>(
        _ sequence: LHS, of value: (Variable<LHS.Output.Element>) -> RHS
    ) -> ElementAverage<LHS, RHS, Number>
    where LHS: PredicateExpression, RHS: PredicateExpression<Number?>, LHS.Output: Sequence, Number: QueryNumber {
        ElementAverage(ElementValues(sequence, value))
    }

    /// Builds `sequence.minimum(of: value)`.
    public static func build_minimum<LHS, RHS>(
        _ sequence: LHS, of value: (Variable<LHS.Output.Element>) -> RHS
    ) -> ElementExtreme<LHS, RHS, RHS.Output>
    where LHS: PredicateExpression, RHS: PredicateExpression, LHS.Output: Sequence, RHS.Output: Comparable {
        ElementExtreme(ElementValues(sequence, value), isGreatest: false)
    }

    /// Builds `sequence.minimum(of: value)` of values that may be `nil`.
    public static func build_minimum<LHS, RHS, Value>(
        _ sequence: LHS, of value: (Variable<LHS.Output.Element>) -> RHS
    ) -> ElementExtreme<LHS, RHS, Value>
    where LHS: PredicateExpression, RHS: PredicateExpression<Value?>, LHS.Output: Sequence, Value: Comparable {
        ElementExtreme(ElementValues(sequence, value), isGreatest: false)
    }

    /// Builds `sequence.maximum(of: value)`.
    public static func build_maximum<LHS, RHS>(
        _ sequence: LHS, of value: (Variable<LHS.Output.Element>) -> RHS
    ) -> ElementExtreme<LHS, RHS, RHS.Output>
    where LHS: PredicateExpression, RHS: PredicateExpression, LHS.Output: Sequence, RHS.Output: Comparable {
        ElementExtreme(ElementValues(sequence, value), isGreatest: true)
    }

    /// Builds `sequence.maximum(of: value)` of values that may be `nil`.
    public static func build_maximum<LHS, RHS, Value>(
        _ sequence: LHS, of value: (Variable<LHS.Output.Element>) -> RHS
    ) -> ElementExtreme<LHS, RHS, Value>
    where LHS: PredicateExpression, RHS: PredicateExpression<Value?>, LHS.Output: Sequence, Value: Comparable {
        ElementExtreme(ElementValues(sequence, value), isGreatest: true)
    }

    /// Builds `sequence.median(of: value)`.
    public static func build_median<LHS, RHS>(
        _ sequence: LHS, of value: (Variable<LHS.Output.Element>) -> RHS
    ) -> ElementStatistic<LHS, RHS, RHS.Output>
    where LHS: PredicateExpression, RHS: PredicateExpression, LHS.Output: Sequence, RHS.Output: QueryNumber {
        ElementStatistic(ElementValues(sequence, value), .median)
    }

    /// Builds `sequence.median(of: value)` of values that may be `nil`.
    public static func build_median<LHS, RHS, Number>(
        _ sequence: LHS, of value: (Variable<LHS.Output.Element>) -> RHS
    ) -> ElementStatistic<LHS, RHS, Number>
    where LHS: PredicateExpression, RHS: PredicateExpression<Number?>, LHS.Output: Sequence, Number: QueryNumber {
        ElementStatistic(ElementValues(sequence, value), .median)
    }

    /// Builds `sequence.standardDeviation(of: value)`.
    public static func build_standardDeviation<LHS, RHS>(
        _ sequence: LHS, of value: (Variable<LHS.Output.Element>) -> RHS
    ) -> ElementStatistic<LHS, RHS, RHS.Output>
    where LHS: PredicateExpression, RHS: PredicateExpression, LHS.Output: Sequence, RHS.Output: QueryNumber {
        ElementStatistic(ElementValues(sequence, value), .standardDeviation)
    }

    /// Builds `sequence.standardDeviation(of: value)` of values that may be `nil`.
    public static func build_standardDeviation<LHS, RHS, Number>(
        _ sequence: LHS, of value: (Variable<LHS.Output.Element>) -> RHS
    ) -> ElementStatistic<LHS, RHS, Number>
    where LHS: PredicateExpression, RHS: PredicateExpression<Number?>, LHS.Output: Sequence, Number: QueryNumber {
        ElementStatistic(ElementValues(sequence, value), .standardDeviation)
    }

    /// Builds `sequence.variance(of: value)`.
    public static func build_variance<LHS, RHS>(
        _ sequence: LHS, of value: (Variable<LHS.Output.Element>) -> RHS
    ) -> ElementStatistic<LHS, RHS, RHS.Output>
    where LHS: PredicateExpression, RHS: PredicateExpression, LHS.Output: Sequence, RHS.Output: QueryNumber {
        ElementStatistic(ElementValues(sequence, value), .variance)
    }

    /// Builds `sequence.variance(of: value)` of values that may be `nil`.
    public static func build_variance<LHS, RHS, Number>(
        _ sequence: LHS, of value: (Variable<LHS.Output.Element>) -> RHS
    ) -> ElementStatistic<LHS, RHS, Number>
    where LHS: PredicateExpression, RHS: PredicateExpression<Number?>, LHS.Output: Sequence, Number: QueryNumber {
        ElementStatistic(ElementValues(sequence, value), .variance)
    }

    /// Builds `sequence.percentile(part, of: value)`.
    public static func build_percentile<LHS, RHS>(
        _ sequence: LHS, _ part: Double, of value: (Variable<LHS.Output.Element>) -> RHS
    ) -> ElementPercentile<LHS, RHS, RHS.Output>
    where LHS: PredicateExpression, RHS: PredicateExpression, LHS.Output: Sequence, RHS.Output: QueryNumber {
        ElementPercentile(ElementValues(sequence, value), part)
    }

    /// Builds `sequence.percentile(part, of: value)` of values that may be `nil`.
    public static func build_percentile<LHS, RHS, Number>(
        _ sequence: LHS, _ part: Double, of value: (Variable<LHS.Output.Element>) -> RHS
    ) -> ElementPercentile<LHS, RHS, Number>
    where LHS: PredicateExpression, RHS: PredicateExpression<Number?>, LHS.Output: Sequence, Number: QueryNumber {
        ElementPercentile(ElementValues(sequence, value), part)
    }

    /// Builds `sequence.discretePercentile(part, of: value)`.
    public static func build_discretePercentile<LHS, RHS>(
        _ sequence: LHS, _ part: Double, of value: (Variable<LHS.Output.Element>) -> RHS
    ) -> ElementDiscretePercentile<LHS, RHS, RHS.Output>
    where LHS: PredicateExpression, RHS: PredicateExpression, LHS.Output: Sequence, RHS.Output: Comparable {
        ElementDiscretePercentile(ElementValues(sequence, value), part)
    }

    /// Builds `sequence.discretePercentile(part, of: value)` of values that may be `nil`.
    public static func build_discretePercentile<LHS, RHS, Value>(
        _ sequence: LHS, _ part: Double, of value: (Variable<LHS.Output.Element>) -> RHS
    ) -> ElementDiscretePercentile<LHS, RHS, Value>
    where LHS: PredicateExpression, RHS: PredicateExpression<Value?>, LHS.Output: Sequence, Value: Comparable {
        ElementDiscretePercentile(ElementValues(sequence, value), part)
    }
}

// MARK: Conformances

extension PredicateExpressions.ElementValues: Sendable where LHS: Sendable, RHS: Sendable {}
extension PredicateExpressions.ElementValues: Codable where LHS: Codable, RHS: Codable {}

extension PredicateExpressions.ElementSum: Sendable where LHS: Sendable, RHS: Sendable {}
extension PredicateExpressions.ElementSum: Codable where LHS: Codable, RHS: Codable {}
extension PredicateExpressions.ElementSum: StandardPredicateExpression
where LHS: StandardPredicateExpression, RHS: StandardPredicateExpression {}

extension PredicateExpressions.ElementAverage: Sendable where LHS: Sendable, RHS: Sendable {}
extension PredicateExpressions.ElementAverage: Codable where LHS: Codable, RHS: Codable {}
extension PredicateExpressions.ElementAverage: StandardPredicateExpression
where LHS: StandardPredicateExpression, RHS: StandardPredicateExpression {}

extension PredicateExpressions.ElementExtreme: Sendable where LHS: Sendable, RHS: Sendable {}
extension PredicateExpressions.ElementExtreme: Codable where LHS: Codable, RHS: Codable {}
extension PredicateExpressions.ElementExtreme: StandardPredicateExpression
where LHS: StandardPredicateExpression, RHS: StandardPredicateExpression {}

extension PredicateExpressions.ElementStatistic: Sendable where LHS: Sendable, RHS: Sendable {}
extension PredicateExpressions.ElementStatistic: Codable where LHS: Codable, RHS: Codable {}
extension PredicateExpressions.ElementStatistic: StandardPredicateExpression
where LHS: StandardPredicateExpression, RHS: StandardPredicateExpression {}

extension PredicateExpressions.ElementPercentile: Sendable where LHS: Sendable, RHS: Sendable {}
extension PredicateExpressions.ElementPercentile: Codable where LHS: Codable, RHS: Codable {}
extension PredicateExpressions.ElementPercentile: StandardPredicateExpression
where LHS: StandardPredicateExpression, RHS: StandardPredicateExpression {}

extension PredicateExpressions.ElementDiscretePercentile: Sendable where LHS: Sendable, RHS: Sendable {}
extension PredicateExpressions.ElementDiscretePercentile: Codable where LHS: Codable, RHS: Codable {}
extension PredicateExpressions.ElementDiscretePercentile: StandardPredicateExpression
where LHS: StandardPredicateExpression, RHS: StandardPredicateExpression {}
