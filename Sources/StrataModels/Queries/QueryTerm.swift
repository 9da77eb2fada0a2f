package import Foundation

/// One value of a query, without its types: where it comes from, and what becomes of it.
package struct QueryTerm: Sendable {
    /// What is computed for each object.
    package enum Argument: Sendable {
        case keyPath(SendableKeyPath)
        /// An `Expression` over the class, and its variable, by which copies of it are known.
        case expression(any Sendable, PredicateExpressions.VariableID)
        /// How well an object matches a text.
        case rank(String)
        /// The part of a text in which sought words stand.
        case excerpt(SendableKeyPath, TextExcerpt)
        /// How far a value of an object is from another one.
        case distance(SendableKeyPath, DistanceTerm)
        /// The object itself, which is counted.
        case object
        /// A number that is said.
        case constant(any QueryNumber)
        /// A number that is computed of others.
        indirect case arithmetic(GroupArithmetic)
    }

    /// What of many values stands in one row.
    package enum Role: Equatable, Sendable {
        /// The value of one object.
        case value
        /// What the objects of a group have in common.
        case key
        case aggregate(AggregateFunction)
        /// What is computed of aggregates, keys and constants.
        case computed
    }

    package let argument: Argument
    package let role: Role
    /// For a date: the part of the calendar that stands for it.
    package var calendar: CalendarPart?

    package init(_ argument: Argument, _ role: Role) {
        self.argument = argument
        self.role = role
    }

    /// The same as what the objects of a group have in common.
    package var asKey: QueryTerm {
        var key = QueryTerm(argument, .key)
        key.calendar = calendar
        return key
    }

    /// Whether both are sure to compute the same of each object: expressions are the same as predicates are, by what they say and by the values
    /// in them.
    package func hasArgument(of other: QueryTerm) -> Bool {
        guard calendar == other.calendar else { return false }
        return switch (argument, other.argument) {
        case (.keyPath(let one), .keyPath(let other)): one == other
        case (.expression(let one, let variable), .expression(let other, let otherVariable)):
            variable == otherVariable || PredicateEquality.areEqual(one, other)
        case (.rank(let one), .rank(let other)): ExactString.equal(one, other)
        case (.excerpt(let path, let one), .excerpt(let otherPath, let other)): path == otherPath && one == other
        case (.distance(let path, let one), .distance(let otherPath, let other)): path == otherPath && one == other
        case (.object, .object): true
        case (.constant(let one), .constant(let other)): PredicateEquality.areEqual(one, other)
        case (.arithmetic(let one), .arithmetic(let other)): one == other
        default: false
        }
    }

    /// Whether it says how far objects are from something.
    package var isDistance: Bool {
        if case .distance = argument { true } else { false }
    }

    /// Whether it is one value of all objects of a group.
    package var isAggregate: Bool {
        if case .aggregate = role { true } else { false }
    }

    /// What it is computed of: itself, unless it is arithmetic.
    package var leaves: [QueryTerm] {
        switch argument {
        case .arithmetic(let arithmetic): arithmetic.left.leaves + arithmetic.right.leaves
        case .constant: []
        default: [self]
        }
    }
}

/// Terms are equal when they are sure to be the same.
extension QueryTerm: Equatable {
    package static func == (lhs: QueryTerm, rhs: QueryTerm) -> Bool { lhs.role == rhs.role && lhs.hasArgument(of: rhs) }
}
