/// The order in which the server sorts values of one type.
enum SortedOrder {
    /// Text goes by bytes, an enumeration by its raw value, and NaN is above all numbers.
    static func precedes<Value: Comparable>(_ lhs: Value, _ rhs: Value) -> Bool {
        if let left = lhs as? String, let right = rhs as? String { return ExactString.less(left, right) }
        if let left = (lhs as? any RawRepresentable)?.comparableRawValue {
            return precedes(left, (rhs as? any RawRepresentable)?.comparableRawValue)
        }
        return lhs < rhs || isNaN(rhs) && !isNaN(lhs)
    }

    /// The first of some values in this order, `nil` of none.
    static func least<Value: Comparable>(of values: [Value]) -> Value? {
        guard var least = values.first else { return nil }
        for value in values where precedes(value, least) { least = value }
        return least
    }

    /// The last of some values in this order, `nil` of none.
    static func greatest<Value: Comparable>(of values: [Value]) -> Value? {
        guard var greatest = values.first else { return nil }
        for value in values where precedes(greatest, value) { greatest = value }
        return greatest
    }

    /// The least of some values up to which there is a part of them, `nil` of none, and of a part outside of 0 to 1.
    static func percentile<Value: Comparable>(_ part: Double, of values: [Value]) -> Value? {
        guard !values.isEmpty, (0...1).contains(part) else { return nil }
        return values.sorted { precedes($0, $1) }[max(0, Int((part * Double(values.count)).rounded(.up)) - 1)]
    }

    private static func precedes<Raw: Comparable>(_ lhs: Raw, _ rhs: (any Comparable)?) -> Bool {
        guard let rhs = rhs as? Raw else { return false }
        return precedes(lhs, rhs)
    }

    private static func isNaN<Value: Comparable>(_ value: Value) -> Bool { value != value }
}

extension RawRepresentable {
    fileprivate var comparableRawValue: (any Comparable)? { rawValue as? any Comparable }
}
