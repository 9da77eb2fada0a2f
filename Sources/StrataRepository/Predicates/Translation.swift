import Foundation
import StrataClient
import StrataModels

/// The translation of one predicate: what its variables stand for, and how its nodes are asked for their SQL.
final class Translation {
    let mapping: StoreMapping
    /// The store's identifier: identifiers of other stores equal nothing here.
    let store: String?
    let aliases: AliasGenerator
    /// The text of the predicate that is translated, for messages.
    var source: String?
    /// What the predicate is about, where it is one over the history.
    var history: HistoryScope?
    /// The places in the history that the predicate names.
    var historyPositions: [HistoryPosition] = []
    private var scope = PredicateScope()
    /// How many predicates inside of each other are being translated.
    private var depth = 0

    /// Notes what is asked for, if somebody wants to know.
    let trace: DependencyTrace?
    /// Of what stands in a table, what it is for.
    private let purpose: TableTextPurpose?
    /// Whether a generated column is computed by the expression.
    var isOfColumn: Bool { purpose == .generatedColumn }

    init(
        mapping: StoreMapping, store: String?, aliases: AliasGenerator, trace: DependencyTrace? = nil,
        purpose: TableTextPurpose? = nil
    ) {
        self.purpose = purpose
        self.mapping = mapping
        self.store = store
        self.aliases = aliases
        self.trace = trace
    }

    /// What a node stands for.
    func operand(_ node: some PredicateExpression) throws -> PredicateOperand {
        guard let translatable = node as? any TranslatableNode else {
            throw unsupported(Self.name(of: node))
        }
        return try translatable.translate(self)
    }

    /// A node whose value is a `Bool`, as a condition.
    func condition(_ node: some PredicateExpression) throws -> SQLExpression {
        try condition(operand(node))
    }

    func condition(_ operand: PredicateOperand) throws -> SQLExpression {
        if case .constant(let value) = operand, let truth = value as? Bool { return truth ? .true : .false }
        if case .null = operand { return .false }
        // NULL may stand for false here: nobody looks at the difference.
        if case .value(let expression) = operand { return expression.falsehood() }
        return try value(operand).falsehood()
    }

    /// A node as a value. A captured one becomes a parameter, of the type of `other` where that is known.
    func value(_ node: some PredicateExpression, like other: SQLExpression? = nil) throws -> SQLExpression {
        try value(operand(node), like: other)
    }

    func value(_ operand: PredicateOperand, like other: SQLExpression? = nil) throws -> SQLExpression {
        switch operand {
        case .value(let expression): return expression.exact
        case .constant(let constant):
            return try CapturedValue(constant, path: other?.path ?? "").expression(like: other)
        case .count(let sequence): return try sequence.count(in: self)
        case .json(let reference): return reference.value()
        case .characterCount(let string):
            throw unsupported(
                "the number of characters of \(string.path), which only Swift can count,",
                "compare it with 0, or use isEmpty")
        case .null, .object, .sequence, .range, .order, .history:
            throw unsupported("\(Self.name(of: operand)) at this place")
        }
    }

    /// Translates `body` with `variable` standing for `operand`.
    func with<Value, Result>(
        _ variable: PredicateExpressions.Variable<Value>, as operand: PredicateOperand, _ body: () throws -> Result
    ) rethrows -> Result {
        let previous = scope.replace(variable, by: operand)
        defer { scope.restore(variable, previous) }
        return try body()
    }

    /// What the variables stand for at this place, to be used at another.
    var place: PredicateScope { scope }

    /// Translates `body` with the variables of another place.
    func with<Result>(_ place: PredicateScope, _ body: () throws -> Result) rethrows -> Result {
        let previous = scope
        scope = place
        defer { scope = previous }
        return try body()
    }

    /// Translates a predicate inside of this one, which knows no variables but its own.
    func nested<Result>(_ place: PredicateScope, _ body: () throws -> Result) throws -> Result {
        depth += 1
        defer { depth -= 1 }
        try PredicateNesting.check(depth)
        return try with(place, body)
    }

    func operand(of variable: PredicateExpressions.VariableID) throws -> PredicateOperand {
        guard let operand = scope[variable] else {
            throw unsupported("a variable from outside of the predicate")
        }
        return operand
    }

    /// The values of the variables that stand for captured ones.
    var constants: PredicateBindings { scope.constants }

    /// - Parameter what: a noun phrase; a comma at its end closes a relative clause.
    func unsupported(_ what: String, _ remedy: String? = nil) -> SwiftDataError {
        SwiftDataError(
            .unsupportedPredicate,
            what.prefix(1).uppercased() + what.dropFirst() + " cannot be translated to SQL. "
                + (remedy.map { "Instead, \($0)." } ?? "Filter the fetched objects in memory instead."))
    }

    /// `Equal` for `PredicateExpressions.Equal<…>`.
    static func name(of node: some PredicateExpression) -> String {
        String(String(describing: type(of: node)).prefix { $0 != "<" })
    }

    static func name(of operand: PredicateOperand) -> String {
        switch operand {
        case .constant(let value): "a captured \(type(of: value))"
        case .null: "nil"
        case .value(let expression): expression.path.isEmpty ? "an expression" : expression.path
        case .object(let object): "the object \(object.path)"
        case .sequence(let sequence), .count(let sequence): "the collection \(sequence.path)"
        case .characterCount(let string): "\(string.path).count"
        case .range: "a range"
        case .order: "the result of a comparison of strings"
        case .json(let reference): reference.description
        case .history: "a part of a history transaction"
        }
    }
}

/// A node that says itself what it is in SQL.
protocol TranslatableNode {
    func translate(_ translation: Translation) throws -> PredicateOperand
}

extension PredicateExpression {
    /// The value of a node all of whose operands are captured: it is computed here, in Swift.
    func computed(in translation: Translation) throws -> PredicateOperand {
        PredicateOperand(try evaluate(translation.constants))
    }
}
