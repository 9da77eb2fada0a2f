package import Foundation

/// Where an update by predicate takes a property's new value from, without its types.
package enum UpdateSource {
    /// The same for all objects; of a relationship the object.
    case value(Any)
    /// Another property.
    case property(SendableKeyPath)
    /// An `Expression` over the class, and its variable.
    case expression(any Sendable, PredicateExpressions.VariableID)
    /// The property's own value and a number of its type.
    case sum(any Sendable, isNegative: Bool)
    /// Of a relationship: the object.
    case identifier(PersistentIdentifier)
}
