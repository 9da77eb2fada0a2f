import SwiftDiagnostics
import SwiftSyntax

/// Why a piece of a predicate's closure cannot become part of the tree, and what to write instead.
struct PredicateDiagnostic: DiagnosticMessage {
    let message: String
    private let identifier: String

    init(_ identifier: String, _ message: String) {
        self.identifier = identifier
        self.message = message
    }

    var severity: DiagnosticSeverity { .error }
    var diagnosticID: MessageID { MessageID(domain: "StrataMacros.Predicate", id: identifier) }

    /// The diagnostic at `node`, with fix-its.
    func diagnose(at node: Syntax, fixIts: [FixIt] = []) -> Diagnostic {
        Diagnostic(node: node, message: self, fixIts: fixIts)
    }
}

/// The text of a fix-it.
struct PredicateFixIt: FixItMessage {
    let message: String
    var fixItID: MessageID { MessageID(domain: "StrataMacros.Predicate", id: message) }

    /// Replaces one token by another of the same kind.
    static func replace(_ token: TokenSyntax, with text: String) -> FixIt {
        let kind: TokenKind =
            switch token.tokenKind {
            case .binaryOperator: .binaryOperator(text)
            case .keyword(.var): .keyword(.let)
            default: .identifier(text)
            }
        return FixIt(
            message: PredicateFixIt(message: "write '\(text)'"),
            changes: [.replace(oldNode: Syntax(token), newNode: Syntax(token.with(\.tokenKind, kind)))]
        )
    }
}

extension PredicateDiagnostic {
    static let needsClosure = PredicateDiagnostic(
        "needsClosure",
        "#Predicate needs a closure written in place, such as { $0.name == \"Lyon\" }"
    )
    static let oneInput = PredicateDiagnostic("oneInput", "a predicate over models has one input")
    static let emptyBody = PredicateDiagnostic(
        "emptyBody", "a predicate must return a Bool; write { _ in true } to match all")
    static let missingElse = PredicateDiagnostic(
        "missingElse",
        "'if' in a predicate needs an 'else', so that every path has a value"
    )
    static let noSwitch = PredicateDiagnostic(
        "switch",
        "'switch' is not supported in a predicate; write 'if' and 'else', or '?:'"
    )
    static let noPatternMatching = PredicateDiagnostic(
        "pattern",
        "pattern matching is not supported in a predicate; compare with '==', or unwrap with 'if let'"
    )
    static let noLoop = PredicateDiagnostic(
        "loop",
        "loops are not supported in a predicate; write contains(where:), allSatisfy or filter"
    )
    static let noVar = PredicateDiagnostic("var", "a predicate cannot change anything; write 'let'")
    static let nestedLet = PredicateDiagnostic(
        "nestedLet",
        "'let' is only supported at the start of a predicate's closure; move it before the 'if' or 'guard'"
    )
    static let statement = PredicateDiagnostic(
        "statement",
        "this statement is not supported in a predicate; only 'let', 'guard', 'if' and 'return' are"
    )
    static let unreachableStatement = PredicateDiagnostic(
        "statementAfterResult",
        "statements after the predicate's result are not supported; combine conditions with '&&' or '||'"
    )
    static let interpolation = PredicateDiagnostic(
        "interpolation",
        "string interpolation of a model's property is not supported in a predicate; join strings with '+'"
    )
    static let collectionLiteral = PredicateDiagnostic(
        "collectionLiteral",
        "a collection literal with a model's property is not supported in a predicate; compare each with '==' and join with '||'"
    )
    static let tuple = PredicateDiagnostic(
        "tuple",
        "tuples are not supported in a predicate; compare each element and join with '&&'"
    )
    static let closure = PredicateDiagnostic(
        "closure",
        "a closure is only supported here as the argument of contains(where:), allSatisfy, filter, flatMap, sum(of:), "
            + "average(of:), minimum(of:), maximum(of:), median(of:) and other aggregates"
    )
    static let percentilePart = PredicateDiagnostic(
        "percentilePart",
        "the part of a percentile is the same for all objects; write a number, such as 0.9, or put it into a constant before"
    )
    static let closureArgument = PredicateDiagnostic(
        "closureArgument",
        "write this argument as a closure in place, such as { $0.isDone }, or as a key path of properties"
    )
    static let identityOperator = PredicateDiagnostic(
        "identity",
        "identity is not supported in a predicate; compare persistentModelID, or the models, with '=='"
    )
    static let await = PredicateDiagnostic(
        "await",
        "'await' is not supported in a predicate; await the value before, and capture it"
    )
    static let optionalTry = PredicateDiagnostic(
        "optionalTry",
        "'try?' and 'try!' are not supported in a predicate; leave them out: evaluating reports the error itself"
    )
    static let tupleElement = PredicateDiagnostic("tupleElement", "tuple elements are not supported in a predicate")
    static let onePredicateInput = PredicateDiagnostic(
        "evaluate",
        "only a captured predicate can be evaluated here, as in other.evaluate($0); "
            + "for an optional one write 'let other = optional ?? .true' before the predicate"
    )

    static func binaryOperator(_ name: String) -> PredicateDiagnostic {
        let instead =
            switch name {
            case "~=": "write range.contains(value)"
            case "&", "|", "^", "<<", ">>": "store the flag as a Bool property of its own"
            case "&+", "&-", "&*": "write '\(name.dropFirst())'"
            case "...", "..<": "write (a\(name)b).contains(value)"
            case "=", "+=", "-=", "*=", "/=": "a predicate cannot change anything; compare with '=='"
            default: "write ==, !=, <, <=, >, >=, &&, ||, +, -, *, /, %, ?? or ?:"
            }
        return PredicateDiagnostic("operator", "operator '\(name)' is not supported in a predicate; \(instead)")
    }

    static func prefixOperator(_ name: String) -> PredicateDiagnostic {
        let instead =
            name == "..." || name == "..<"
            ? "write value \(name == "..." ? "<=" : "<") bound" : "only '!', '-' and '+' are"
        return PredicateDiagnostic("operator", "prefix operator '\(name)' is not supported in a predicate; \(instead)")
    }

    static func postfixOperator(_ name: String) -> PredicateDiagnostic {
        PredicateDiagnostic(
            "operator",
            "postfix operator '\(name)' is not supported in a predicate\(name == "..." ? "; write value >= bound" : "")"
        )
    }

    static func function(_ name: String) -> PredicateDiagnostic {
        let instead =
            switch name {
            case "abs": "write value < 0 ? -value : value"
            case "min", "max": "write a < b ? a : b"
            default: "call it before, and capture the result, or store the result as a property"
            }
        return PredicateDiagnostic(
            "function",
            "function '\(name)' cannot be called on a model's property in a predicate; \(instead)"
        )
    }

    static func method(_ name: String) -> PredicateDiagnostic {
        let instead: String =
            switch name {
            case "map", "compactMap": "write flatMap or '?.' on an optional, contains(where:) or filter on a collection"
            case "first(where:)", "last(where:)", "firstIndex(where:)", "firstIndex(of:)": "write contains(where:)"
            case "count(where:)": "write filter { … }.count"
            case "reduce", "sorted", "sorted(by:)", "forEach":
                "write contains(where:), allSatisfy or filter { … }.count"
            case "min(by:)", "max(by:)": "write min() or max() on comparable elements"
            case "localizedCaseInsensitiveContains": "write localizedStandardContains"
            case "localizedStandardCompare", "localizedCaseInsensitiveCompare":
                "write localizedCompare or caseInsensitiveCompare"
            case "capitalized", "trimmingCharacters", "trimmingCharacters(in:)", "replacingOccurrences(of:with:)":
                "store the changed text as a property"
            case "isMultiple(of:)": "write value % n == 0"
            case "isSubset(of:)", "isSuperset(of:)", "isDisjoint(with:)": "write allSatisfy { other.contains($0) }"
            case "distance(to:)": "write other.timeIntervalSince(date)"
            case "addingTimeInterval", "addingTimeInterval(_:)", "advanced(by:)":
                "compare the seconds of a.timeIntervalSince(b), or move the calculation to the captured side of the comparison"
            case "isDate(_:inSameDayAs:)", "isDateInToday(_:)":
                "capture the day's start and end, and write (start..<end).contains(date)"
            default: "call it before, and capture the result, or store the result as a property"
            }
        return PredicateDiagnostic("method", "'\(name)' is not supported in a predicate; \(instead)")
    }

    static func hazard(_ what: String) -> PredicateDiagnostic {
        PredicateDiagnostic(
            "hazard",
            "\(what) would be evaluated when the predicate is made, even where a condition or an empty collection should skip it; "
                + "put the value into a constant before the predicate"
        )
    }

    static func expression(_ kind: String) -> PredicateDiagnostic {
        PredicateDiagnostic("expression", "\(kind) is not supported in a predicate")
    }
}
