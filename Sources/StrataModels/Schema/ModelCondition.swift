public import Foundation

/// A condition on the objects of a class that the class itself declares: of what is unique, of a partial index, of a check.
package protocol ModelCondition: Sendable {
    associatedtype Model: PersistentModel
    var predicate: Predicate<Model> { get }
}

extension ModelCondition {
    /// The text of the closure, as it stands in the source.
    package var source: String { PredicateTree(predicate).source ?? "" }

    /// Whether it is true of an object of the class, with the values that the object has in memory: all that it mentions have to be loaded.
    package func holds(of model: any PersistentModel) throws -> Bool {
        guard let model = model as? Model else { return false }
        return try predicate.evaluate(model)
    }
}

/// The condition of one class.
struct ClassCondition<Model: PersistentModel>: ModelCondition {
    let predicate: Predicate<Model>
}

extension Schema {
    /// What `#Check` declares.
    public struct Check<T: PersistentModel> {
        /// What the rule is called: in errors, and in the constraint's name where none is given.
        public let name: String
        /// What the constraint is called in the database; `nil` for a name by rule.
        public let constraint: String?
        /// What holds of every object.
        public let condition: Predicate<T>

        /// What `#Check<T>("rule", name: "constraint") { … }` is given.
        public init(_ rule: String, name constraint: String? = nil, _ condition: Predicate<T>) {
            name = rule
            self.constraint = constraint
            self.condition = condition
        }
    }

    /// An index as an entity has it.
    package struct EntityIndex {
        package struct Key: Codable, Hashable, Sendable {
            package let name: String
            package let form: ModelIndex.KeyForm
        }

        package let method: ModelIndex.Method
        /// What the model calls it in the database; `nil` for what follows from the columns.
        package let givenName: String?
        package let keys: [Key]
        /// The properties that it holds beside its keys.
        package let included: [String]
        /// `nil` for an index of all rows, and where no class stands behind the entity.
        package let condition: (any ModelCondition)?
        /// The text of the condition.
        package let source: String?
        /// The properties that are its keys.
        package var names: [String] { keys.map(\.name) }
    }

    /// A rule as an entity has it.
    package struct EntityCheck {
        package let name: String
        /// What the constraint is called, where the model says it.
        package let givenName: String?
        /// `nil` where no class stands behind the entity.
        package let condition: (any ModelCondition)?
        /// The text of the condition.
        package let source: String
    }
}

extension Schema.EntityIndex {
    init(_ index: Schema.ModelIndex, names: ([AnyKeyPath]) -> [String]) {
        let keys = index.keys.compactMap { key in names([key.keyPath]).first.map { Key(name: $0, form: key.form) } }
        self.init(
            method: index.method, givenName: index.name, keys: keys, included: names(index.included),
            condition: index.condition, source: index.condition?.source)
    }

    /// An index of properties as they are.
    init(_ method: Schema.ModelIndex.Method, _ names: [String]) {
        self.init(
            method: method, givenName: nil, keys: names.map { Key(name: $0, form: .plain) }, included: [],
            condition: nil, source: nil)
    }
}

extension Schema.Entity {
    /// The names that the class gives to constraints and indexes.
    package var givenNames: [String] { modelUniques.compactMap(\.givenName) + modelIndices.compactMap(\.givenName) }

    /// The conditions that the class declares itself, in their order.
    package var conditions: [any ModelCondition] {
        modelUniques.compactMap(\.condition) + modelIndices.compactMap(\.condition)
            + modelChecks.compactMap(\.condition)
    }
}

extension ModelDescriptor {
    /// The conditions that the class declares itself, made once more.
    package var conditionsMadeAnew: [any ModelCondition] {
        let own = type._$constraints.dropFirst(superclass?.constraints.count ?? 0)
        var uniques: [any ModelCondition] = []
        var indexes: [any ModelCondition] = []
        var checks: [any ModelCondition] = []
        for constraint in own {
            switch constraint {
            case .primaryKey, .partition, .generated: break
            case .unique(let list): uniques += list.compactMap(\.condition)
            case .index(let list): indexes += list.compactMap(\.condition)
            case .check(let check): checks.append(check.condition)
            }
        }
        return uniques + indexes + checks
    }

    /// What the class says that its own properties are computed by, made once more.
    package var generatedMadeAnew: [Schema.ModelGenerated] {
        type._$constraints.dropFirst(superclass?.constraints.count ?? 0).compactMap {
            if case .generated(let generated) = $0 { generated } else { nil }
        }
    }
}
