public import Foundation

extension Schema {
    /// What `#Unique` declares.
    public struct Unique<T: PersistentModel> {
        /// The sets of properties; the values of each set together are unique.
        public let constraints: [[PartialKeyPath<T>]]
        /// The name of the constraint, or of the unique index; `nil` for that which follows from the columns.
        public let name: String?
        /// Whether texts that differ in case are equal.
        public let letterCase: UniqueCase
        /// Whether `nil` equals `nil`.
        public let nulls: UniqueNulls
        /// When the values are compared.
        public let timing: UniqueTiming
        /// The objects among which they are; `nil` for all.
        public let condition: Predicate<T>?
        /// What `#Unique<T>(…)` is given: one array of key paths a constraint.
        public init(
            _ constraints: [PartialKeyPath<T>]..., name: String? = nil, case letterCase: UniqueCase = .sensitive,
            nulls: UniqueNulls = .distinct, timing: UniqueTiming = .immediate, where condition: Predicate<T>? = nil
        ) {
            self.constraints = constraints
            self.name = name
            self.letterCase = letterCase
            self.nulls = nulls
            self.timing = timing
            self.condition = condition
        }
    }

    /// Whether texts that differ in case are equal where values are unique.
    public enum UniqueCase: String, Codable, Hashable, Sendable {
        /// Each text equals itself alone.
        case sensitive
        /// Texts are equal that the server's `lower` makes the same of, in the collation `und-x-icu`: those of all languages, without the
        /// peculiarities of one. It is a unique index of that expression; the columns stay as they are, and predicates compare as ever.
        case insensitive
    }

    /// Whether `nil` equals `nil` where values are unique.
    public enum UniqueNulls: String, Codable, Hashable, Sendable {
        /// `nil` equals nothing: any number of objects may have it.
        case distinct
        /// `nil` is a value like any other: `NULLS NOT DISTINCT` (PostgreSQL manual, CREATE TABLE).
        case notDistinct
    }

    /// When the values of objects are compared that have to be unique.
    public enum UniqueTiming: String, Codable, Hashable, Sendable {
        /// As each row is written. New objects find the rows that are equal to them.
        case immediate
        /// When the transaction is committed: `DEFERRABLE INITIALLY DEFERRED` (PostgreSQL manual, CREATE TABLE). Values may meet
        /// until then, in one save and in several of a transaction. A new object updates no row by them, whatever the `uniquePolicy`.
        case deferred
    }

    /// One set of properties whose values are unique together, without the type of its class.
    public struct ModelUnique: Sendable {
        package let keyPaths: [SendableKeyPath]
        package let name: String?
        package let letterCase: UniqueCase
        package let nulls: UniqueNulls
        package let timing: UniqueTiming
        package let condition: (any ModelCondition)?

        static func all<T: PersistentModel>(of unique: Unique<T>) -> [ModelUnique] {
            let condition = unique.condition.map { ClassCondition(predicate: $0) }
            return unique.constraints.map {
                ModelUnique(
                    keyPaths: $0.map { sendable($0) }, name: unique.name, letterCase: unique.letterCase,
                    nulls: unique.nulls, timing: unique.timing,
                    condition: condition)
            }
        }
    }

    /// What is unique among the objects of a class, as an entity has it: from `#Unique`, or from `.unique` of a property.
    package struct EntityUnique {
        /// The properties.
        package let names: [String]
        /// What the model calls it in the database; `nil` for what follows from the columns.
        package let givenName: String?
        /// Whether texts that differ in case are equal.
        package let letterCase: Schema.UniqueCase
        /// Whether `nil` equals `nil`.
        package let nulls: Schema.UniqueNulls
        /// When the values are compared.
        package let timing: Schema.UniqueTiming
        /// `nil` where it is about all objects, and where no class stands behind the entity.
        package let condition: (any ModelCondition)?
        /// The text of the condition.
        package let source: String?
    }
}

extension Schema.EntityUnique {
    /// Of all objects.
    package init(_ names: [String]) {
        self.init(
            names: names, givenName: nil, letterCase: .sensitive, nulls: .distinct, timing: .immediate, condition: nil,
            source: nil)
    }

    init(_ unique: Schema.ModelUnique, names: ([AnyKeyPath]) -> [String]) {
        self.init(
            names: names(unique.keyPaths), givenName: unique.name, letterCase: unique.letterCase, nulls: unique.nulls,
            timing: unique.timing,
            condition: unique.condition, source: unique.condition?.source)
    }

    /// Whether case makes no difference in a property of the set: in a `String` that is no part of a key and says nothing of a tenant. Whatever
    /// else is in the set is compared as it is.
    package func ignoresCase(of name: String, in descriptor: ModelDescriptor) -> Bool {
        guard letterCase == .insensitive, let attribute = descriptor.property(named: name) as? AnyAttributeProperty
        else { return false }
        let isString = attribute.valueType == String.self || attribute.valueType == String?.self
        return isString && attribute.columnType == .text && attribute.storedType == nil && !attribute.isKey
            && !attribute.options.contains(.tenant) && !descriptor.keyParts.contains { $0.property === attribute }
    }
}
