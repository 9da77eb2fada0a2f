public import Foundation

// Chosen before Foundation's macro of this name for the reasons that `#Predicate` is.

/// Makes an expression over a model from a closure: a value that is computed for each object, on the server or in memory.
///
/// It can be read, summed up, grouped and sorted by, stand in a predicate, and give a property its value in an update.
///
/// ```swift
/// let spent = #Expression<Trip, Decimal> { $0.bills.filter { $0.isPaid }.sum(of: \.amount) }
/// ```
///
/// The closure is translated when it is compiled, and knows what `#Predicate` knows.
@freestanding(expression)
public macro Expression<each Input: PredicateInput, Output>(
    _ body: (repeat each Input) -> Output
) -> Foundation.Expression<repeat each Input, Output> =
    #externalMacro(module: "StrataMacros", type: "ValueExpressionMacro")
