import Foundation

// MARK: Arithmetic

extension QueryColumn {
    /// A number, as either side of arithmetic: `.sum(\.price) * .number(2)`, `.number(100) - .sum(\.discount)`.
    public static func number(_ number: Value) -> Self where Value: QueryNumber {
        Self(QueryTerm(.constant(number), .computed))
    }
    // Where both would do, as in `.sum(\.price) / .number(2)`, a number is one that is there.
    /// A number, as either side of arithmetic with what may be missing: `.average(\.price) * .number(2)`.
    @_disfavoredOverload
    public static func number<N: QueryNumber>(_ number: N) -> Self where Value == N? {
        Self(QueryTerm(.constant(number), .computed))
    }

    private init(_ left: QueryTerm, _ op: GroupArithmetic.Operator, _ right: QueryTerm, isExact: Bool = false) {
        self.init(
            QueryTerm(.arithmetic(GroupArithmetic(left: left, op: op, right: right, isExact: isExact)), .computed))
    }
}

// One operator each, for numbers and for those that may be missing: the compiler tries all that there are.
extension QueryColumn where Value: QueryOperand {
    /// The sum of two aggregates or keys of a group, `nil` where one is missing.
    ///
    /// What does not fit the type is an error: of the server (SQLSTATE 22003), or `invalidValue`.
    public static func + (lhs: Self, rhs: Self) -> Self { Self(lhs.term, .add, rhs.term) }
    /// The difference of two aggregates or keys of a group, `nil` where one is missing.
    ///
    /// What does not fit the type is an error: of the server (SQLSTATE 22003), or `invalidValue`.
    public static func - (lhs: Self, rhs: Self) -> Self { Self(lhs.term, .subtract, rhs.term) }
    /// The product of two aggregates or keys of a group, `nil` where one is missing.
    ///
    /// What does not fit the type is an error: of the server (SQLSTATE 22003), or `invalidValue`.
    public static func * (lhs: Self, rhs: Self) -> Self { Self(lhs.term, .multiply, rhs.term) }
}

extension QueryColumn {
    /// The quotient of two aggregates or keys of a group, `nil` where one is missing or the divisor is 0.
    ///
    /// ```swift
    /// .sum(\.price) / .count
    /// ```
    ///
    /// As an average, it is a `Double`, of a `Decimal` a `Decimal`: whole numbers are not cut.
    public static func / <L: QueryOperand, R: QueryOperand>(
        lhs: QueryColumn<Root, L>, rhs: QueryColumn<Root, R>
    ) -> Self where Value == L._Number.Average? {
        Self(lhs.term, .divide, rhs.term, isExact: L._Number.Average.self == Decimal.self)
    }
}
