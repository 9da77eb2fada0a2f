public import Foundation

extension Schema {
    /// What `#Generated` says a property is computed by.
    public struct Generated<T: PersistentModel, Value>: Sendable {
        /// What the property is, of the other properties of the object.
        public let expression: Expression<T, Value>

        /// What the closure of `#Generated<T, Value>(\\.property) { … }` becomes.
        public init(_ expression: Expression<T, Value>) { self.expression = expression }
    }

    /// What a property is computed by, without the types of its class and value.
    public struct ModelGenerated: Sendable {
        package let keyPath: any AnyKeyPath & Sendable
        /// The `Expression` over the class, and its variable.
        package let expression: any Sendable
        package let variable: PredicateExpressions.VariableID
        /// The text of the closure.
        package let source: String
        /// Why it cannot be computed of what an object has, such as a sum that no `Int` holds; `nil` where it can.
        package let failure: @Sendable (any PersistentModel) -> (any Error)?
    }

    /// A property that is computed, as an entity has it.
    package struct EntityGenerated {
        package let name: String
        /// What the class declares; `nil` where no class stands behind the entity.
        package let declared: ModelGenerated?
        /// The text of the closure.
        package let source: String

        package init(name: String, declared: ModelGenerated?, source: String) {
            (self.name, self.declared, self.source) = (name, declared, source)
        }
    }
}
