import StrataClient
import StrataModels

/// What one node of a predicate stands for.
indirect enum PredicateOperand {
    /// A captured value, or what was computed from captured values. Never an optional.
    case constant(Any)
    case null
    case value(SQLExpression)
    /// An object, or its identifier: both are told apart by the key.
    case object(ObjectReference)
    case sequence(SQLSequence)
    /// The number of elements: often only asked whether there are any.
    case count(SQLSequence)
    /// The number of characters of a string, which only Swift can tell unless it is 0.
    case characterCount(SQLExpression)
    case range(PredicateRange)
    case order(StringOrder)
    /// A part of a Codable value.
    case json(JSONReference)
    /// A transaction of the history, or a part of one.
    case history(HistoryOperand)

    /// Takes an optional apart.
    init(_ value: Any) {
        if let optional = value as? any OptionalValue {
            self = optional.flattened.map { .constant($0) } ?? .null
        } else {
            self = .constant(value)
        }
    }

    var isConstant: Bool {
        switch self {
        case .constant, .null: true
        default: false
        }
    }
}

/// `Optional`, without its type.
protocol OptionalValue {
    /// The value inside of all optionals.
    var flattened: Any? { get }
    static var wrappedType: Any.Type { get }
    static var nothing: Self { get }
}

extension Optional: OptionalValue {
    var flattened: Any? {
        guard let value = self else { return nil }
        if let inner = value as? any OptionalValue { return inner.flattened }
        return value
    }
    static var wrappedType: Any.Type { unwrappedType(Wrapped.self) }
    static var nothing: Self { nil }
}

/// `T` for `T`, `T?` and `T??`.
func unwrappedType(_ type: Any.Type) -> Any.Type {
    (type as? any OptionalValue.Type)?.wrappedType ?? type
}

/// One object in a query, as it is seen at one place of the predicate.
struct ObjectReference {
    let scope: TableScope
    /// The class it is seen as: that of the scope, or a subclass after a cast.
    var entity: EntityMapping
    /// `Trip.owner`, for messages.
    var path: String
    /// Whether `nil` stands for a missing object here.
    var isOptional: Bool
    /// The cast that must have succeeded, and the token of its success.
    var cast: (condition: SQLFragment, token: Int)?
    /// What must be there for this object to be there, see ``SQLExpression/requires``.
    var requires: Set<Int>

    init(_ scope: TableScope, path: String? = nil, isOptional: Bool = false) {
        self.scope = scope
        self.entity = scope.entity
        self.path = path ?? scope.entity.name
        self.isOptional = isOptional
        self.requires = scope.requires
    }

    /// What is true when the object is there; `nil` when it always is.
    var presence: SQLExpression? {
        let exists: SQLExpression? =
            scope.isOptional
            ? .condition("\(scope.key()) IS NOT NULL", opposite: "\(scope.key()) IS NULL") : nil
        guard let cast else { return exists }
        let fits = SQLExpression.condition(cast.condition)
        // A condition on the class is NULL or false without a row already.
        return fits.falsehoodIf(scope.isOptional)
    }

    /// The tokens of which one missing makes a column of `owner` NULL.
    /// A column of the base class is there whether the cast succeeds or not. So is any in a table that classes share: nothing keeps others from
    /// writing it in rows that do not have it.
    func requirements(of owner: EntityMapping) -> Set<Int> {
        guard let cast, owner.ownRows != nil || !owner.descriptor.inherits(from: entity.descriptor) else {
            return requires
        }
        return requires.subtracting([cast.token])
    }
}

extension SQLExpression {
    func falsehoodIf(_ condition: Bool) -> SQLExpression {
        guard condition else { return self }
        var result = self
        result.nullness = .falsehood
        return result
    }
}

/// `lower...upper` and its relatives.
struct PredicateRange {
    var lower: PredicateOperand?
    var upper: PredicateOperand?
    var includesUpper: Bool
}

/// `lhs.compare(rhs)` and its relatives: an order, which is then compared with a case of `ComparisonResult`.
struct StringOrder {
    enum Method {
        case exact, caseInsensitive
        /// Folded; where that is equal, exact.
        case localized
    }

    var lhs: SQLExpression
    var rhs: SQLExpression
    var method: Method
    /// The right side, where it was captured.
    var text: String?
}
