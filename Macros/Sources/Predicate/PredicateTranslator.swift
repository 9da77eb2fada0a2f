import SwiftDiagnostics
import SwiftSyntax

/// Translates expressions to nodes, and collects what it has to refuse.
///
/// A translation that fails has reported why and returns `nil`; its siblings go on, so that one build shows every
/// mistake.
final class PredicateTranslator {
    private(set) var diagnostics: [Diagnostic] = []
    /// What the names of the source stand for at this point.
    var scope = PredicateScope()
    /// How many conditions surround this point that can keep it from being evaluated.
    var conditionalDepth = 0
    /// The constants of each closure being written, innermost last.
    private var openClosures: [[String]] = []
    private var counts: [String: Int] = [:]
    private let suffix: String

    /// Prepares names for constants that do not collide with any in `closure`.
    init(freshNamesFor closure: ClosureExprSyntax) {
        let used = Set(closure.tokens(viewMode: .sourceAccurate).map(\.text))
        let roots = ["part", "input", "element", "wrapped", "value"]
        let isTaken = { (suffix: String) in
            used.contains { name in
                roots.contains {
                    name.hasPrefix($0 + suffix) && name.dropFirst($0.count + suffix.count).allSatisfy(\.isNumber)
                }
            }
        }
        var suffix = ""
        while isTaken(suffix) { suffix += "_" }
        self.suffix = suffix
    }

    // MARK: Expressions

    /// Translates one expression: as a captured value if it does not depend on the model, else by its kind.
    func translate(_ expression: some ExprSyntaxProtocol) -> PredicateNode? {
        let expression = ExprSyntax(expression)
        if let inner = expression.withoutParentheses { return translate(inner) }
        if expression.is(NilLiteralExprSyntax.self) { return .call("build_NilLiteral", "", kind: .nilLiteral) }
        if canCapture(expression) { return captured(expression) }
        return translateByKind(expression)
    }

    /// Whether the whole expression can be evaluated when the predicate is made.
    func canCapture(_ expression: ExprSyntax) -> Bool {
        !scope.isMentioned(in: expression) && (conditionalDepth == 0 || PredicateHazard.first(in: expression) == nil)
    }

    func captured(_ expression: ExprSyntax) -> PredicateNode {
        var node = PredicateNode.captured(expression.trimmedDescription)
        node.bounds = bounds(of: expression)
        return node
    }

    private func translateByKind(_ expression: ExprSyntax) -> PredicateNode? {
        switch expression.as(ExprSyntaxEnum.self) {
        case .declReferenceExpr(let reference):
            return scope[reference.baseName.text].map(PredicateNode.anchored) ?? captured(expression)
        case .memberAccessExpr, .functionCallExpr, .subscriptCallExpr, .forceUnwrapExpr, .optionalChainingExpr:
            return translateChain(expression)
        case .infixOperatorExpr(let infix): return translateInfix(infix)
        case .prefixOperatorExpr(let prefix): return translatePrefix(prefix)
        case .postfixOperatorExpr(let postfix):
            return refuse(.postfixOperator(postfix.operator.text), at: postfix.operator)
        case .ternaryExpr(let ternary): return translateTernary(ternary)
        case .isExpr(let check): return translateIs(check)
        case .asExpr(let cast): return translateAs(cast)
        case .ifExpr(let conditional): return translateIf(conditional, followedBy: nil)
        case .tryExpr(let attempt):
            if let mark = attempt.questionOrExclamationMark { return refuse(.optionalTry, at: mark) }
            return translate(attempt.expression)
        case .awaitExpr(let wait): return refuse(.await, at: wait.awaitKeyword)
        case .switchExpr(let choice): return refuse(.noSwitch, at: choice.switchKeyword)
        case .stringLiteralExpr: return refuse(.interpolation, at: expression)
        case .arrayExpr, .dictionaryExpr: return refuse(.collectionLiteral, at: expression)
        case .tupleExpr: return refuse(.tuple, at: expression)
        case .closureExpr: return refuse(.closure, at: expression)
        case .sequenceExpr(let sequence): return refuseUnknownOperator(in: sequence)
        case .assignmentExpr: return refuse(.binaryOperator("="), at: expression)
        case .keyPathExpr: return refuse(.expression("a key path"), at: expression)
        case .macroExpansionExpr(let macro):
            return refuse(.expression("a macro that uses a model's property"), at: macro.pound)
        default: return refuse(.expression("this expression"), at: expression)
        }
    }

    /// An operator the standard library does not declare stays unordered, since its precedence is unknown here.
    private func refuseUnknownOperator(in sequence: SequenceExprSyntax) -> PredicateNode? {
        let names = sequence.elements.compactMap { $0.as(BinaryOperatorExprSyntax.self)?.operator }
        guard let name = names.first(where: { !Self.knownOperators.contains($0.text) }) ?? names.first else {
            return refuse(.expression("this expression"), at: sequence)
        }
        return refuse(.binaryOperator(name.text), at: name)
    }

    static let knownOperators: Set<String> = [
        "==", "!=", "<", "<=", ">", ">=", "&&", "||", "+", "-", "*", "/", "%", "??", "...", "..<",
    ]

    // MARK: Diagnostics

    /// Reports and fails.
    func refuse<Result>(
        _ diagnostic: PredicateDiagnostic,
        at node: some SyntaxProtocol,
        fixIts: [FixIt] = []
    ) -> Result? {
        diagnostics.append(diagnostic.diagnose(at: Syntax(node), fixIts: fixIts))
        return nil
    }

    // MARK: Constants of the expansion

    /// Gives a node a name of its own where its type is known without its surroundings.
    func bind(_ node: PredicateNode) -> PredicateNode {
        guard node.kind == .anchored, node.source.contains("(") else { return node }
        return .anchored(declare(node))
    }

    /// Gives a captured value the type that the node it meets asks for: as the node's own, `for`, or as what the node's
    /// optional wraps, `unwrapping`.
    ///
    /// The compiler could infer the type where both meet. It would have to try each function of that name with each
    /// type, and does not always find what it should.
    func fit(_ node: PredicateNode, _ relation: String, _ other: PredicateNode) -> PredicateNode {
        guard let value = node.value, other.kind == .anchored else { return node }
        return bind(.call("build_Arg", "\(value), \(relation): \(other.source)"))
    }

    /// Writes `let part = node` and returns the constant's name.
    func declare(_ node: PredicateNode) -> String {
        let name = freshName("part")
        write("let \(name) = \(node.source)")
        return name
    }

    func freshName(_ role: String) -> String {
        let count = counts[role, default: 0] + 1
        counts[role] = count
        return role + suffix + (role == "part" || count > 1 ? "\(count)" : "")
    }

    /// Adds a statement to the closure being written.
    func write(_ statement: String) {
        guard !openClosures.isEmpty else { return }
        openClosures[openClosures.count - 1].append(statement)
    }

    /// Writes a closure whose statements `body` adds and whose result it returns.
    func closure(_ parameter: String, captures: String = "", _ body: () -> PredicateNode?) -> String? {
        openClosures.append([])
        let result = body()
        let statements = openClosures.removeLast()
        guard let result else { return nil }
        let lines = statements + ["return \(result.source)"]
        let indented = lines.map { line in
            line.split(separator: "\n", omittingEmptySubsequences: false).map { "    \($0)" }.joined(separator: "\n")
        }
        return "{ \(captures)\(parameter) in\n" + indented.joined(separator: "\n") + "\n}"
    }

    /// Translates what a condition, an empty collection or `nil` can keep from being evaluated.
    func conditionally<Result>(_ body: () -> Result) -> Result {
        conditionalDepth += 1
        defer { conditionalDepth -= 1 }
        return body()
    }

    /// Restores the scope after `body`.
    func inScope<Result>(_ inner: PredicateScope, _ body: () -> Result) -> Result {
        let outer = scope
        scope = inner
        defer { scope = outer }
        return body()
    }
}

extension ExprSyntax {
    /// The expression inside one pair of parentheses.
    var withoutParentheses: ExprSyntax? {
        guard let tuple = self.as(TupleExprSyntax.self), let only = tuple.elements.first, tuple.elements.count == 1,
            only.label == nil
        else { return nil }
        return only.expression
    }
}
