public import Foundation

extension Schema {
    /// What `#Unique` declares.
    public struct Unique<T: PersistentModel> {
        /// The sets of properties; the values of each set together are unique.
        public let constraints: [[PartialKeyPath<T>]]
        /// The objects among which they are; `nil` for all.
        public let condition: Predicate<T>?
        /// What `#Unique<T>(…)` is given: one array of key paths a constraint.
        public init(_ constraints: [PartialKeyPath<T>]..., where condition: Predicate<T>? = nil) {
            self.constraints = constraints
            self.condition = condition
        }
    }

    /// One set of properties whose values are unique together, without the type of its class.
    public struct ModelUnique {
        package let keyPaths: [AnyKeyPath]
        package let condition: (any ModelCondition)?

        static func all<T: PersistentModel>(of unique: Unique<T>) -> [ModelUnique] {
            let condition = unique.condition.map { ClassCondition(predicate: $0) }
            return unique.constraints.map { ModelUnique(keyPaths: $0, condition: condition) }
        }
    }

    /// What is unique among the objects of a class, as an entity has it: from `#Unique`, or from `.unique` of a property.
    package struct EntityUnique {
        /// The properties.
        package let names: [String]
        /// `nil` where it is about all objects, and where no class stands behind the entity.
        package let condition: (any ModelCondition)?
        /// The text of the condition.
        package let source: String?
    }
}

extension Schema.EntityUnique {
    /// Of all objects.
    init(_ names: [String]) { self.init(names: names, condition: nil, source: nil) }

    init(_ unique: Schema.ModelUnique, names: ([AnyKeyPath]) -> [String]) {
        self.init(names: names(unique.keyPaths), condition: unique.condition, source: unique.condition?.source)
    }
}
