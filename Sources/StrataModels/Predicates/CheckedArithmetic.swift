/// Arithmetic with whole numbers that throws where the server would, and where Swift's operators stop the program.
package enum CheckedArithmetic: String, Codable, Sendable {
    case add, subtract, multiply, divide, remainder

    /// Throws ``SwiftDataError`` with the code `invalidValue` for a result that does not fit, and for a division by zero.
    package func callAsFunction<Number: FixedWidthInteger>(_ lhs: Number, _ rhs: Number) throws -> Number {
        let (result, overflows) =
            switch self {
            case .add: lhs.addingReportingOverflow(rhs)
            case .subtract: lhs.subtractingReportingOverflow(rhs)
            case .multiply: lhs.multipliedReportingOverflow(by: rhs)
            case .divide: lhs.dividedReportingOverflow(by: try Self.divisor(rhs))
            // The least number by -1 overflows in Swift, and leaves 0 as everywhere else.
            case .remainder: (lhs.remainderReportingOverflow(dividingBy: try Self.divisor(rhs)).partialValue, false)
            }
        guard !overflows else { throw Self.outOfRange(Number.self) }
        return result
    }

    private static func divisor<Number: FixedWidthInteger>(_ number: Number) throws -> Number {
        guard number == 0 else { return number }
        throw SwiftDataError(
            .invalidValue,
            "A predicate or expression divides by zero, which is an error in memory as on the server (SQLSTATE 22012). Ask for it first: "
                + "divisor != 0 && …, or divisor == 0 ? … : ….")
    }

    /// What the server reports as 22003.
    static func outOfRange(_ type: Any.Type) -> SwiftDataError {
        SwiftDataError(
            .invalidValue,
            "A predicate or expression computes a number that does not fit \(type), which is an error in memory as on the server "
                + "(SQLSTATE 22003). Compute with smaller numbers, or with a wider type.")
    }
}
