import Testing

/// Something a predicate cannot express, and what must be reported.
struct PredicateMisuse: Sendable, CustomTestStringConvertible {
    /// What follows `#Predicate<Trip>`.
    let closure: String
    /// The reported source, then the message.
    let report: String
    /// What the fix-it writes in its place.
    let fix: String?

    init(_ closure: String, _ report: String, fix: String? = nil) {
        self.closure = closure
        self.report = report
        self.fix = fix
    }

    var testDescription: String { closure }

    static let all: [PredicateMisuse] = shapes + operators + functions + statements + evaluation

    private static let shapes = [
        PredicateMisuse(
            "(isOpen)",
            "#Predicate<Trip>(isOpen): #Predicate needs a closure written in place, such as { $0.name == \"Lyon\" }"
        ),
        PredicateMisuse("{ a, b in a.name == b.name }", "b: a predicate over models has one input"),
        PredicateMisuse("{ $0.name == $1.name }", "$1: a predicate over models has one input"),
        PredicateMisuse(
            #"{ "\($0.name)!" == text }"#,
            #""\($0.name)!": string interpolation of a model's property is not supported in a predicate; join strings with '+'"#
        ),
        PredicateMisuse(
            "{ [$0.name, $0.city].contains(text) }",
            "[$0.name, $0.city]: a collection literal with a model's property is not supported in a predicate; compare each with '==' and join with '||'"
        ),
        PredicateMisuse(
            "{ ($0.name, 1) == pair }",
            "($0.name, 1): tuples are not supported in a predicate; compare each element and join with '&&'"
        ),
        PredicateMisuse("{ $0.size.0 == 1 }", "0: tuple elements are not supported in a predicate"),
        PredicateMisuse(
            "{ $0.items.contains(where: isGood) }",
            #"isGood: write this argument as a closure in place, such as { $0.isDone }, or as a key path of properties"#
        ),
        PredicateMisuse(
            #"{ $0.items.contains(where: \.next?.isDone) }"#,
            #"?: write this argument as a closure in place, such as { $0.isDone }, or as a key path of properties"#
        ),
    ]

    private static let operators = [
        PredicateMisuse(
            "{ $0.owner === me }",
            "===: identity is not supported in a predicate; compare persistentModelID, or the models, with '=='",
            fix: "=="
        ),
        PredicateMisuse(
            "{ 1...5 ~= $0.rating }",
            "~=: operator '~=' is not supported in a predicate; write range.contains(value)"
        ),
        PredicateMisuse(
            "{ $0.flags & 4 == 4 }",
            "&: operator '&' is not supported in a predicate; store the flag as a Bool property of its own"
        ),
        PredicateMisuse("{ $0.rating &+ 1 == 4 }", "&+: operator '&+' is not supported in a predicate; write '+'"),
        PredicateMisuse(
            "{ $0.rating <=> 1 }",
            "<=>: operator '<=>' is not supported in a predicate; write ==, !=, <, <=, >, >=, &&, ||, +, -, *, /, %, ?? or ?:"
        ),
        PredicateMisuse(
            "{ ~$0.flags == 1 }", "~: prefix operator '~' is not supported in a predicate; only '!', '-' and '+' are"),
        PredicateMisuse(
            "{ (...$0.limit).contains(1) }",
            "...: prefix operator '...' is not supported in a predicate; write value <= bound"
        ),
        PredicateMisuse(
            "{ ($0.limit...).contains(1) }",
            "...: postfix operator '...' is not supported in a predicate; write value >= bound"
        ),
    ]

    private static let functions = [
        PredicateMisuse(
            "{ abs($0.rating) == 1 }",
            "abs: function 'abs' cannot be called on a model's property in a predicate; write value < 0 ? -value : value"
        ),
        PredicateMisuse(
            "{ Double($0.rating) == 1 }",
            "Double: function 'Double' cannot be called on a model's property in a predicate; call it before, and capture the result, or store the result as a property"
        ),
        PredicateMisuse(
            "{ $0.items.map(\\.name).contains(text) }",
            "map: 'map' is not supported in a predicate; write flatMap or '?.' on an optional, contains(where:) or filter on a collection"
        ),
        PredicateMisuse(
            "{ $0.items.first(where: { $0.isDone }) == nil }",
            "first: 'first(where:)' is not supported in a predicate; write contains(where:)"
        ),
        PredicateMisuse(
            "{ $0.name.localizedCaseInsensitiveContains(text) }",
            "localizedCaseInsensitiveContains: 'localizedCaseInsensitiveContains' is not supported in a predicate; write localizedStandardContains",
            fix: "localizedStandardContains"
        ),
        PredicateMisuse(
            "{ $0.name.localizedStandardCompare(text) == .orderedSame }",
            "localizedStandardCompare: 'localizedStandardCompare' is not supported in a predicate; write localizedCompare or caseInsensitiveCompare",
            fix: "localizedCompare"
        ),
        PredicateMisuse(
            "{ $0.items.reduce(0) { $0 + $1.minutes } > 3 }",
            "reduce: 'reduce' is not supported in a predicate; write contains(where:), allSatisfy or filter { … }.count"
        ),
        PredicateMisuse(
            "{ calendar.isDate($0.start, inSameDayAs: day) }",
            "isDate: 'isDate(_:inSameDayAs:)' is not supported in a predicate; capture the day's start and end, and write (start..<end).contains(date)"
        ),
        PredicateMisuse(
            "{ $0.start.addingTimeInterval(60) > now }",
            "addingTimeInterval: 'addingTimeInterval' is not supported in a predicate; compare the seconds of a.timeIntervalSince(b), or move the calculation to the captured side of the comparison"
        ),
        PredicateMisuse(
            "{ $0.start.advanced(by: 60) > now }",
            "advanced: 'advanced(by:)' is not supported in a predicate; compare the seconds of a.timeIntervalSince(b), or move the calculation to the captured side of the comparison"
        ),
        PredicateMisuse(
            "{ $0.start.distance(to: now) > 60 }",
            "distance: 'distance(to:)' is not supported in a predicate; write other.timeIntervalSince(date)"
        ),
        PredicateMisuse(
            "{ $0.name.frobnicate() && $0.isOpen.toggle() }",
            """
            frobnicate: 'frobnicate' is not supported in a predicate; call it before, and capture the result, or store the result as a property
            toggle: 'toggle' is not supported in a predicate; call it before, and capture the result, or store the result as a property
            """
        ),
        PredicateMisuse(
            "{ $0.items.percentile($0.share, of: \\.price) == 3 }",
            "$0.share: the part of a percentile is the same for all objects; write a number, such as 0.9, or put it into a constant before"
        ),
        PredicateMisuse(
            "{ $0.items.percentile(0.9, of: price) == 3 }",
            "price: write this argument as a closure in place, such as { $0.isDone }, or as a key path of properties"
        ),
        PredicateMisuse(
            "{ $0.rule.evaluate($0) }",
            "evaluate: only a captured predicate can be evaluated here, as in other.evaluate($0); for an optional one write 'let other = optional ?? .true' before the predicate"
        ),
    ]

    private static let statements = [
        PredicateMisuse("{ }", "{ }: a predicate must return a Bool; write { _ in true } to match all"),
        PredicateMisuse(
            "{ if $0.isOpen { true } }",
            "if: 'if' in a predicate needs an 'else', so that every path has a value"
        ),
        PredicateMisuse(
            "{ switch $0.kind { case .a: true; default: false } }",
            "switch: 'switch' is not supported in a predicate; write 'if' and 'else', or '?:'"
        ),
        PredicateMisuse(
            "{ if case .a = $0.kind { true } else { false } }",
            "case: pattern matching is not supported in a predicate; compare with '==', or unwrap with 'if let'"
        ),
        PredicateMisuse(
            "{ var limit = 1; return $0.rating == limit }",
            "var: a predicate cannot change anything; write 'let'",
            fix: "let"
        ),
        PredicateMisuse(
            "{ for item in $0.items { if item.isDone { return true } }; return false }",
            "for item in $0.items { if item.isDone { return true } }: loops are not supported in a predicate; write contains(where:), allSatisfy or filter"
        ),
        PredicateMisuse(
            "{ print($0.name); return true }",
            "return true: statements after the predicate's result are not supported; combine conditions with '&&' or '||'"
        ),
        PredicateMisuse(
            "{ if $0.isOpen { let limit = 1; return $0.rating > limit } else { return false } }",
            "let: 'let' is only supported at the start of a predicate's closure; move it before the 'if' or 'guard'"
        ),
    ]

    private static let evaluation = [
        PredicateMisuse(
            "{ text == nil || $0.name == make(text!) }",
            "make: '!' would be evaluated when the predicate is made, even where a condition or an empty collection should skip it; put the value into a constant before the predicate"
        ),
        PredicateMisuse(
            "{ await load($0.name) }",
            "await: 'await' is not supported in a predicate; await the value before, and capture it"
        ),
        PredicateMisuse(
            "{ (try? other.evaluate($0)) ?? false }",
            "?: 'try?' and 'try!' are not supported in a predicate; leave them out: evaluating reports the error itself"
        ),
    ]
}
