public import Foundation

// Foundation's macro of this name is visible in the same files. This one is chosen for models because it has the same
// shape and constrains its inputs. With any other shape, such as one input, the compiler solves the two closures in
// different ways and may prefer Foundation's, for instance where `Int?` is compared with `Int`. With a second one of
// ours for the history it would take the compiler too long.

/// Makes a predicate over a model, or over transactions of the history, from a closure.
///
/// It filters a fetch in PostgreSQL, or objects in memory.
///
/// ```swift
/// let text = "paris"
/// #Predicate<Trip> { $0 is BusinessTrip && $0.name.localizedStandardContains(text) }
/// ```
///
/// The closure is translated when it is compiled; what a predicate cannot express is an error at that place. Anything
/// that does not use the model is evaluated once, when the predicate is made. Besides what Foundation's macro of the
/// same name accepts there are `other.evaluate($0)`, enum cases, `let`, `guard`, early `return`, key paths in place of
/// closures, `hasPrefix`, `hasSuffix`, `lowercased()`, `uppercased()`, `localizedStandardContains`, `localizedCompare`,
/// `caseInsensitiveCompare`, `compare` and `timeIntervalSince`.
///
/// Strings are compared as PostgreSQL compares them, scalar by scalar: `"é"` and `"e\u{301}"` are different.
@freestanding(expression)
public macro Predicate<each Input: PredicateInput>(
    _ body: (repeat each Input) -> Bool
) -> Foundation.Predicate<repeat each Input> = #externalMacro(module: "StrataMacros", type: "PredicateMacro")
