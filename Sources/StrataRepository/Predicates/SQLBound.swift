import StrataClient

/// What a condition says at least: that a column is not beyond a captured value. An index can serve that, whatever else
/// the condition says.
struct SQLBound: Equatable {
    /// `>=` or `<=`.
    private let op: OrderOperator
    private let column: SQLFragment
    private let limit: SQLFragment
    private let value: any PostgresCodable

    private init(_ column: SQLFragment, _ op: OrderOperator, _ limit: SQLFragment, _ value: any PostgresCodable) {
        (self.column, self.op, self.limit, self.value) = (column, op, limit, value)
    }

    /// The bounds that `column op limit` implies, `nil` for `op` standing for equality.
    static func all(
        _ column: SQLFragment, _ op: OrderOperator?, _ limit: SQLFragment, _ value: any PostgresCodable
    ) -> [SQLBound] {
        let ops: [OrderOperator] =
            switch op {
            case .greater, .greaterOrEqual: [.greaterOrEqual]
            case .less, .lessOrEqual: [.lessOrEqual]
            case nil: [.greaterOrEqual, .lessOrEqual]
            }
        return ops.map { SQLBound(column, $0, limit, value) }
    }

    var condition: SQLFragment { "\(column) \(raw: op.rawValue) \(limit)" }

    /// Whether both say the same of one column.
    static func == (lhs: SQLBound, rhs: SQLBound) -> Bool {
        lhs.op == rhs.op && lhs.column.isSame(as: rhs.column) && isSame(lhs.value, rhs.value)
    }

    private static func isSame(_ lhs: any PostgresCodable, _ rhs: any PostgresCodable) -> Bool {
        guard type(of: lhs) == type(of: rhs) else { return false }
        var (left, right) = (PostgresParameters(), PostgresParameters())
        do {
            try left.append(lhs)
            try right.append(rhs)
        } catch { return false }
        return left.isSame(as: right)
    }
}
