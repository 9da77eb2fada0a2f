import StrataClient
import StrataModels

/// A value in SQL, with what has to be known of it to write an expression that means the same as in Swift.
struct SQLExpression {
    /// What NULL stands for.
    enum Nullness {
        /// The expression is never NULL where it counts.
        case never
        /// `nil`, of an optional in Swift.
        case none
        /// `false`, of a condition that is no optional in Swift.
        case falsehood
    }

    /// How the value is stored, where its PostgreSQL type alone does not say.
    enum Form: Equatable {
        case plain
        /// One JSON document.
        case json
        /// Seconds since 1970, as JSON holds dates.
        case secondsSince1970
        /// Lower-case hexadecimal digits or base 64: text that only equality may be asked of.
        case opaqueText
        /// Bytes that a transformer made: nothing may be asked of them.
        case transformed
        /// Spans of the calendar, one or an array: the server takes a month for 30 days, so that it has other equal ones, and another order,
        /// than Swift.
        case interval
        /// The text of a value of a type that the server knows by its name.
        case serverText(ServerText)

        /// The form of a column's values.
        init(of type: PostgresType) { self = type == .interval || type == .interval.array ? .interval : .plain }
    }

    /// How tightly the expression holds together.
    enum Shape {
        case atom, comparison, conjunction, disjunction
    }

    var sql: SQLFragment {
        // Another expression has no part in the column's index.
        didSet { (trigrams, lowercased, unconverted) = (nil, nil, nil) }
    }
    var type: PostgresType
    var nullness: Nullness = .never
    var form: Form = .plain
    var shape: Shape = .atom
    /// The string of which this is the lower or upper case: a comparison with a known text is cheaper.
    var caseMapped: (string: SQLFragment, mapping: CaseTable.Mapping)?
    /// What an index of trigrams holds of the text.
    var trigrams: SQLFragment?
    /// What an index of the text in lower case holds of it.
    var lowercased: SQLFragment?
    /// The column as it is, where the expression is the server's text of it: operators of its type ask for that, and its indexes.
    var unconverted: SQLFragment?
    /// Whether NaN may come out; JSON, for one, has none.
    var mayBeNaN: Bool
    /// How many digits a `numeric` has at most, where that is known.
    var digits: NumericPrecision?
    /// The opposite of a condition, where it can be said better than by NOT.
    var opposite: SQLFragment?
    /// Things without which the expression is NULL: objects that an outer join may not find, optionals that were unwrapped.
    var requires: Set<Int> = []
    /// What the condition implies for columns, see ``SQLBound``.
    var bounds: [SQLBound] = []
    /// The number of the entity of which this is the name: a comparison by number is cheaper.
    var historyEntity: SQLFragment?
    /// `Trip.name`, for messages.
    var path: String = ""
    /// The Swift type without its optional, where the expression is a property.
    var swiftType: Any.Type?

    init(
        sql: SQLFragment, type: PostgresType, nullness: Nullness = .never, form: Form = .plain, shape: Shape = .atom,
        requires: Set<Int> = [], path: String = "", swiftType: Any.Type? = nil
    ) {
        self.sql = sql
        self.type = type
        self.nullness = nullness
        self.form = form == .plain ? Form(of: type) : form
        self.shape = shape
        self.requires = requires
        self.path = path
        self.swiftType = swiftType
        mayBeNaN =
            (type == .float8 || type == .float4 || type == .numeric && swiftType != UInt64.self) && form == .plain
    }

    /// A value that is true or false.
    ///
    /// - Parameter opposite: says the same of exactly the other rows, also of those where `sql` would be NULL.
    static func condition(
        _ sql: SQLFragment, opposite: SQLFragment? = nil, nullness: Nullness = .never, shape: Shape = .comparison,
        requires: Set<Int> = []
    ) -> SQLExpression {
        var result = SQLExpression(sql: sql, type: .bool, nullness: nullness, shape: shape, requires: requires)
        result.opposite = opposite
        return result
    }

    static let `true` = condition("TRUE", shape: .atom)
    static let `false` = condition("FALSE", shape: .atom)

    /// The text as an operand of anything.
    var operand: SQLFragment { shape == .atom ? sql : "(\(sql))" }

    var isNullable: Bool { nullness != .never }
    var isText: Bool { type == .text }

    /// The same with NULL for `nil` only: a condition that is NULL for false becomes false.
    var exact: SQLExpression {
        guard nullness == .falsehood else { return self }
        return .condition("\(operand) IS TRUE")
    }

    /// The same without NULL for `nil`, after it was unwrapped.
    func unwrapped(_ token: Int? = nil) -> SQLExpression {
        var result = self
        result.nullness = .never
        if let token { result.requires.insert(token) }
        return result
    }

    /// NULL for false where Swift has no optional any more.
    func falsehood() -> SQLExpression {
        var result = self
        if nullness == .none { result.nullness = .falsehood }
        return result
    }
}
