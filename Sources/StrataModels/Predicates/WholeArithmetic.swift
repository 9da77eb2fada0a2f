// The names are those the macro and Foundation call.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

public import Foundation

// Foundation's nodes stop the program where a result does not fit. These are chosen in their place because their constraints are
// narrower, in `#Predicate` and in `#Expression`.

extension PredicateExpressions {
    /// `+`, `-`, `*`, `/` and `%` on whole numbers.
    public struct WholeArithmetic<LHS: PredicateExpression, RHS: PredicateExpression>: PredicateExpression
    where LHS.Output == RHS.Output, LHS.Output: FixedWidthInteger {
        /// What the node evaluates to.
        public typealias Output = LHS.Output

        package let lhs: LHS
        package let rhs: RHS
        package let op: CheckedArithmetic

        package init(lhs: LHS, rhs: RHS, op: CheckedArithmetic) {
            self.lhs = lhs
            self.rhs = rhs
            self.op = op
        }

        /// Evaluates the node in memory. Throws ``SwiftDataError`` with the code `invalidValue` for a result that does not fit and for a
        /// division by zero, and what its parts throw.
        public func evaluate(_ bindings: PredicateBindings) throws -> LHS.Output {
            try op(lhs.evaluate(bindings), rhs.evaluate(bindings))
        }
    }

    /// `-` before a whole number.
    public struct WholeNegation<Wrapped: PredicateExpression>: PredicateExpression
    where Wrapped.Output: FixedWidthInteger & SignedInteger {
        /// What the node evaluates to.
        public typealias Output = Wrapped.Output

        package let wrapped: Wrapped

        package init(_ wrapped: Wrapped) { self.wrapped = wrapped }

        /// Evaluates the node in memory. Throws ``SwiftDataError`` with the code `invalidValue` for the least number of its type, and what
        /// its part throws.
        public func evaluate(_ bindings: PredicateBindings) throws -> Wrapped.Output {
            try CheckedArithmetic.subtract(0, wrapped.evaluate(bindings))
        }
    }

    /// Builds `+`, `-` and `*` on whole numbers.
    public static func build_Arithmetic<LHS, RHS>(
        lhs: LHS, rhs: RHS, op: ArithmeticOperator
    ) -> WholeArithmetic<LHS, RHS>
    where
        LHS: PredicateExpression, RHS: PredicateExpression, LHS.Output == RHS.Output, LHS.Output: FixedWidthInteger
    {
        let checked: CheckedArithmetic =
            switch op {
            case .add: .add
            case .subtract: .subtract
            case .multiply: .multiply
            @unknown default: .multiply
            }
        return WholeArithmetic(lhs: lhs, rhs: rhs, op: checked)
    }

    /// Builds `/` on whole numbers.
    public static func build_Division<LHS, RHS>(lhs: LHS, rhs: RHS) -> WholeArithmetic<LHS, RHS>
    where
        LHS: PredicateExpression, RHS: PredicateExpression, LHS.Output == RHS.Output, LHS.Output: FixedWidthInteger
    { WholeArithmetic(lhs: lhs, rhs: rhs, op: .divide) }

    /// Builds `%` on whole numbers.
    public static func build_Remainder<LHS, RHS>(lhs: LHS, rhs: RHS) -> WholeArithmetic<LHS, RHS>
    where
        LHS: PredicateExpression, RHS: PredicateExpression, LHS.Output == RHS.Output, LHS.Output: FixedWidthInteger
    { WholeArithmetic(lhs: lhs, rhs: rhs, op: .remainder) }

    /// Builds `-` before a whole number.
    public static func build_UnaryMinus<Wrapped>(_ wrapped: Wrapped) -> WholeNegation<Wrapped>
    where Wrapped: PredicateExpression, Wrapped.Output: FixedWidthInteger & SignedInteger { WholeNegation(wrapped) }
}

extension PredicateExpressions.WholeArithmetic: Sendable where LHS: Sendable, RHS: Sendable {}
extension PredicateExpressions.WholeArithmetic: Codable where LHS: Codable, RHS: Codable {}
extension PredicateExpressions.WholeArithmetic: StandardPredicateExpression
where LHS: StandardPredicateExpression, RHS: StandardPredicateExpression {}

extension PredicateExpressions.WholeNegation: Sendable where Wrapped: Sendable {}
extension PredicateExpressions.WholeNegation: Codable where Wrapped: Codable {}
extension PredicateExpressions.WholeNegation: StandardPredicateExpression
where Wrapped: StandardPredicateExpression {}
