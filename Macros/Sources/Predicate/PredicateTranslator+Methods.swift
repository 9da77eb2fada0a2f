import SwiftDiagnostics
import SwiftSyntax

extension PredicateTranslator {
    /// Translates a call of one of the methods a predicate knows.
    func translateMethod(_ method: PredicateMethodCall, of base: PredicateNode) -> PredicateNode? {
        let call = method.call
        let labels = call.arguments.map { $0.label?.text }
        let closures = closureArgument(of: call)
        if !call.additionalTrailingClosures.isEmpty {
            return refuse(.method(method.name.text), at: method.name)
        }
        switch (method.name.text, labels, closures != nil) {
        case ("contains", ["where"], true), ("contains", [], true):
            return withClosure("build_contains", label: "where: ", closures, of: base)
        case ("allSatisfy", [nil], true), ("allSatisfy", [], true):
            return withClosure("build_allSatisfy", closures, of: base)
        case ("filter", [nil], true), ("filter", [], true):
            return withClosure("build_filter", closures, of: base)
        case ("flatMap", [nil], true), ("flatMap", [], true):
            return withClosure("build_flatMap", closures, of: base)
        case (let name, ["of"], true) where Self.aggregates.contains(name),
            (let name, [], true) where Self.aggregates.contains(name):
            return withClosure("build_\(name)", label: "of: ", closures, of: base)
        case (let name, ["of"], false) where Self.aggregates.contains(name):
            return refuse(.closureArgument, at: call.arguments.first?.expression ?? ExprSyntax(call))
        case ("percentile", [nil, "of"], _), ("percentile", [nil], _), ("discretePercentile", [nil, "of"], _),
            ("discretePercentile", [nil], _):
            return percentile(method, of: base)
        case ("contains", ["where"], false), ("allSatisfy", [nil], false), ("filter", [nil], false),
            ("flatMap", [nil], false):
            return refuse(.closureArgument, at: call.arguments.first?.expression ?? ExprSyntax(call))
        case ("starts", ["with"], false):
            return withArgument("build_starts", label: "with: ", of: base, call)
        case ("contains", [nil], false):
            return contains(call, base)
        case ("hasPrefix", [nil], false), ("hasSuffix", [nil], false), ("overlaps", [nil], false),
            ("localizedStandardContains", [nil], false), ("matches", [nil], false), ("localizedCompare", [nil], false),
            ("caseInsensitiveCompare", [nil], false), ("compare", [nil], false), ("timeIntervalSince", [nil], false):
            return withArgument("build_\(method.name.text)", of: base, call)
        case ("lowercased", [], false), ("uppercased", [], false), ("min", [], false), ("max", [], false):
            return .call("build_\(method.name.text)", base.source)
        case ("evaluate", [nil], false):
            return evaluate(call, base, at: method.name)
        default:
            let hazard = hazard(in: call)
            return refuse(hazard ?? .method(method.fullName), at: method.name, fixIts: fixIts(for: method))
        }
    }

    private func withArgument(
        _ function: String,
        label: String = "",
        of base: PredicateNode,
        _ call: FunctionCallExprSyntax
    ) -> PredicateNode? {
        guard let expression = call.arguments.first?.expression, let argument = translate(expression) else {
            return nil
        }
        return .call(function, "\(base.source), \(label)\(bind(argument).source)")
    }

    /// What is computed of a value of all elements.
    private static let aggregates: Set = [
        "sum", "average", "minimum", "maximum", "median", "standardDeviation", "variance",
    ]

    /// `$0.values.percentile(0.9, of: \.price)`: the part is one for all objects, and no value of theirs.
    private func percentile(_ method: PredicateMethodCall, of base: PredicateNode) -> PredicateNode? {
        let arguments = Array(method.call.arguments)
        guard canCapture(arguments[0].expression) else { return refuse(.percentilePart, at: arguments[0].expression) }
        let value =
            arguments.count > 1 ? arguments[1].expression : method.call.trailingClosure.map { ExprSyntax($0) }
        guard let value, value.is(ClosureExprSyntax.self) || value.is(KeyPathExprSyntax.self) else {
            return refuse(.closureArgument, at: value ?? ExprSyntax(method.call))
        }
        return withClosure(
            "build_\(method.name.text)", label: "\(arguments[0].expression.trimmedDescription), of: ", value, of: base)
    }

    /// `values.contains($0.value)` and `$0.values.contains(value)`.
    private func contains(_ call: FunctionCallExprSyntax, _ base: PredicateNode) -> PredicateNode? {
        guard let expression = call.arguments.first?.expression, let element = translate(expression).map(bind) else {
            return nil
        }
        var sequence = base.source
        if let bounds = base.bounds, element.kind == .anchored {
            // Swift's range would stop the program where the lower bound is the greater one, and bounds come from anywhere.
            let (lower, upper) = (
                fit(.captured(bounds.lower), "for", element), fit(.captured(bounds.upper), "for", element)
            )
            sequence = "PredicateExpressions.\(bounds.function)(lower: \(lower.source), upper: \(upper.source))"
        } else if let value = base.value, element.kind == .anchored {
            sequence = "PredicateExpressions.build_Arg(\(value), containing: \(element.source))"
        }
        return .call("build_contains", "\(sequence), \(element.source)")
    }

    /// `other.evaluate($0)`: the tree of another predicate or expression with this value in place of its input. The function has
    /// a name of its own, because the compiler prefers one of Foundation's, whose node asks expressions to be Codable.
    private func evaluate(_ call: FunctionCallExprSyntax, _ base: PredicateNode, at name: TokenSyntax) -> PredicateNode?
    {
        guard base.kind == .captured else { return refuse(.onePredicateInput, at: name) }
        return withArgument("build_evaluation", of: base, call)
    }

    private func withClosure(
        _ function: String,
        label: String = "",
        _ argument: ExprSyntax?,
        of base: PredicateNode
    ) -> PredicateNode? {
        guard let argument else { return nil }
        let collection = base.kind == .anchored ? base.source : declare(base)
        return elementClosure(argument).map { .call(function, "\(collection), \(label)\($0)") }
    }

    /// The call's closure, or key path in place of one, wherever it is written.
    private func closureArgument(of call: FunctionCallExprSyntax) -> ExprSyntax? {
        if let trailing = call.trailingClosure { return call.arguments.isEmpty ? ExprSyntax(trailing) : nil }
        guard call.arguments.count == 1, let only = call.arguments.first?.expression else { return nil }
        return only.is(ClosureExprSyntax.self) || (only.is(KeyPathExprSyntax.self) && call.calledName != "contains")
            || (only.is(KeyPathExprSyntax.self) && call.arguments.first?.label?.text == "where") ? only : nil
    }

    private func elementClosure(_ argument: ExprSyntax) -> String? {
        if let closure = argument.as(ClosureExprSyntax.self) {
            return conditionally { translateBody(of: closure, role: "element") }
        }
        guard let keyPath = argument.as(KeyPathExprSyntax.self) else { return nil }
        let parameter = freshName("element")
        return closure(parameter) {
            var node = PredicateNode.anchored(parameter)
            for component in keyPath.components {
                guard case .property(let property) = component.component else {
                    return refuse(.closureArgument, at: component)
                }
                node = .call(
                    "build_KeyPath", "root: \(bind(node).source), keyPath: \\.\(property.declName.baseName.text)")
            }
            return node
        }
    }

    private func fixIts(for method: PredicateMethodCall) -> [FixIt] {
        switch method.fullName {
        case "localizedCaseInsensitiveContains":
            [PredicateFixIt.replace(method.name, with: "localizedStandardContains")]
        case "localizedStandardCompare": [PredicateFixIt.replace(method.name, with: "localizedCompare")]
        case "localizedCaseInsensitiveCompare": [PredicateFixIt.replace(method.name, with: "caseInsensitiveCompare")]
        default: []
        }
    }
}

extension FunctionCallExprSyntax {
    fileprivate var calledName: String? { calledExpression.as(MemberAccessExprSyntax.self)?.declName.baseName.text }
}
