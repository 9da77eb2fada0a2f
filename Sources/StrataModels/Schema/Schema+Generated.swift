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
        /// What is computed for each object.
        package let argument: QueryTerm.Argument
        /// The text of the closure.
        package let source: String
        /// Why it cannot be computed of what an object has, such as a sum that no `Int` holds; `nil` where it can.
        package let failure: @Sendable (any PersistentModel) -> (any Error)?
    }

    /// A property that is computed, as an entity has it.
    package struct EntityGenerated {
        package let name: String
        /// `nil` where no class stands behind the entity.
        package let argument: QueryTerm.Argument?
        /// The text of the closure.
        package let source: String
        /// Why it cannot be computed of what an object has; `nil` where no class stands behind the entity.
        package let failure: (@Sendable (any PersistentModel) -> (any Error)?)?
    }
}
