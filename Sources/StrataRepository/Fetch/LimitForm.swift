/// How a limit stands in a statement.
enum LimitForm: Hashable, Sendable {
    /// In the text. The server plans by it.
    case text(Int)
    /// As a parameter: one statement for all such limits.
    ///
    /// From the sixth execution on the server may keep one plan for all values (manual, PREPARE, Notes), and takes a limit that it does not know for a
    /// tenth of the rows. It keeps to plans for each value while the limit is less than that, because they look cheaper; where it is more,
    /// it may go through an index in order to the end, where sorting is quicker (measured: 20,000 of 50,000 rows that match among a million, 1.5 s
    /// in place of 0.25 s).
    case parameter

    /// Limits that programs write are few and stand in the text: all up to a page's size, then round numbers, and either with the object
    /// behind them. Others, which come from somewhere, are as many as there are numbers.
    init(of count: Int) {
        let isFew = (0...1001).contains(count) || Self.isRound(count) || Self.isRound(count - 1)
        self = isFew ? .text(count) : .parameter
    }

    /// Two digits and zeros, such as 1500 and 20,000.
    private static func isRound(_ number: Int) -> Bool {
        var number = number
        while number >= 100, number.isMultiple(of: 10) { number /= 10 }
        return (1..<100).contains(number)
    }

    func clause(for count: Int) -> SQLFragment {
        switch self {
        case .text(let count): " LIMIT \(raw: String(count))"
        case .parameter: " LIMIT \(bind: Int64(count))"
        }
    }
}
