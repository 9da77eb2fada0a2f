import Foundation
import StrataClient

/// One term of `ORDER BY`: a value of each row, and which comes first.
package struct SortTerm {
    let expression: SQLExpression
    let order: SortOrder
    /// Whether the rows in question all have a value.
    private var isPresent = false

    init(expression: SQLExpression, order: SortOrder) {
        self.expression = expression
        self.order = order
    }

    /// The same for rows that have a value: an index serves it, whichever end `NULL` is at there.
    var present: SortTerm {
        var term = self
        term.isPresent = true
        return term
    }

    /// Whether the property says it all, and no expression is computed of it.
    var isColumn: Bool { expression.sql.isColumn }

    /// What tells the term from others, the values in it included.
    func description() throws -> String {
        let column = "\(expression.path) \(expression.type) \(order)"
        return isColumn ? column : "\(column) \(try expression.sql.description())"
    }

    /// The value, as texts are compared in memory: by bytes.
    var operand: SQLFragment { expression.ordered }

    /// `nil` sorts before everything.
    var mayBeNull: Bool { !isPresent && (expression.isNullable || !expression.requires.isEmpty) }

    /// Whether values go up along this direction of the order.
    func ascends(_ direction: PageRequest.Direction) -> Bool { (order == .forward) == (direction == .forward) }

    /// The term in this direction of the order.
    package func sql(_ direction: PageRequest.Direction = .forward) -> SQLFragment {
        switch (ascends(direction), mayBeNull) {
        case (true, true): "\(operand) ASC NULLS FIRST"
        case (true, false): "\(operand) ASC"
        case (false, true): "\(operand) DESC NULLS LAST"
        case (false, false): "\(operand) DESC"
        }
    }
}
