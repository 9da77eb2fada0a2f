import StrataClient
import StrataModels

/// Properties that together identify one object: among all of the class, or among those that a condition is true of. What is compared at the end
/// of a transaction only is none: values may meet until then, so no row is found by them, and none has to give way.
struct UniqueSet {
    /// The objects that a set is about. A row that leaves them gives its values up.
    struct Condition {
        let model: any ModelCondition
        /// The properties that it mentions.
        let slots: [Int]
        /// Their columns.
        let columns: [Column]
        /// Whether a relationship is among them. What it leads to need not be in memory, so the condition is asked of nobody but the server.
        let namesRelationship: Bool
        /// The condition as SQL.
        let expression: ColumnExpression
    }

    /// The class whose table holds the columns.
    unowned let owner: EntityMapping
    /// Its place among those that the class declares.
    let number: Int
    let slots: [Int]
    let columns: [Column]
    /// What is compared in the place of each column; `nil` for the column as it is.
    let folds: [TextFold?]
    /// Whether NULL equals nothing.
    let nullsAreDistinct: Bool
    let condition: Condition?
    /// The properties, then those that the condition mentions beside them: whoever changes one of these may take values, or give them up.
    let decidingSlots: [Int]
    /// Their columns.
    let decidingColumns: [Column]

    /// `nil` where columns are missing or lie in several tables: findings of the schema's validation.
    fileprivate init?(_ unique: Schema.EntityUnique, number: Int, of entity: EntityMapping, in mapping: StoreMapping) {
        guard let place = ConstraintPlace(unique.names, in: entity) else { return nil }
        let columns = unique.names.compactMap { name in
            entity.descriptor.property(named: name).flatMap { entity.columns[$0.slot] }
        }
        owner = place.entity
        self.number = number
        self.columns = columns
        folds = unique.names.map { unique.ignoresCase(of: $0, in: entity.descriptor) ? .caseless : nil }
        nullsAreDistinct = unique.nulls == .distinct
        slots = columns.compactMap(\.slot)
        guard !slots.isEmpty, slots.count == columns.count else { return nil }
        condition = unique.condition.flatMap { Condition($0, of: entity, in: mapping) }
        if unique.condition != nil, condition == nil { return nil }
        let known = slots
        let others = condition?.columns.filter { column in !known.contains { $0 == column.slot } } ?? []
        decidingColumns = columns + others
        decidingSlots = slots + others.compactMap(\.slot)
    }

    /// `Trip.name, Trip.startDate`, for messages.
    var names: String { columns.map(\.propertyName).joined(separator: ", ") }

    /// Whether texts are compared as something else.
    var hasFolds: Bool { folds.contains { $0 != nil } }

    /// The slots of columns that are compared as they are.
    var exactSlots: SlotSet { SlotSet(zip(slots, folds).filter { $1 == nil }.map(\.0)) }

    /// The columns of the table, each with what is compared in its place.
    var keys: Set<IndexKeyDefinition> {
        Set(
            zip(columns, folds).flatMap { column, fold in column.tableNames.map { IndexKeyDefinition($0, fold: fold) } }
        )
    }

    /// Whether a unique index that has refused a row is about the columns of the set: compared as the set does, or as they are. What is equal as it
    /// is, is equal to the set.
    func isViolated(by error: PostgresError) -> Bool {
        let violated = error.violatedKeys
        return Set(violated.map(\.column)) == Set(keys.map(\.column))
            && violated.allSatisfy { $0.fold == nil || keys.contains($0) }
    }

    /// What is compared of a column, be it of a row or of an object, as an operand of anything.
    func compared(_ value: String, at index: Int) -> String {
        folds[index].map { "(\($0(SQLFragment(value)).text))" } ?? value
    }

    /// Whether the rows of a class have the set: subclasses share the sets of their superclasses.
    func applies(to entity: EntityMapping) -> Bool { entity.chain.contains { $0 === owner } }

    /// Whether it is the same set of the same class.
    func isSame(as other: UniqueSet) -> Bool { owner === other.owner && number == other.number }

    /// Whether an object of a class changes something that decides about its values in the set, all of which is known.
    func isChanged(in model: any PersistentModel) -> Bool {
        let properties = type(of: model)._$descriptor.properties
        return decidingSlots.contains(where: model._$state.changedSlots.contains)
            && decidingSlots.allSatisfy { properties[$0].isLoaded(in: model) }
    }

    /// Whether the set may be about an object, as it is in memory, where all that decides about it is loaded.
    func mayBeAbout(_ model: any PersistentModel) -> Bool {
        guard let condition, !condition.namesRelationship else { return true }
        // What cannot be evaluated, such as `!` of `nil`, is NULL to the index, and so is not in it.
        return (try? condition.model.holds(of: model)) ?? false
    }

    /// Whether a changed object does not have the values any more that its row has: they change, or the set is not about it any more. Where that is
    /// not known, the row is asked.
    func isLeft(by model: any PersistentModel) -> Bool {
        if slots.contains(where: model._$state.changedSlots.contains) { return true }
        guard let condition, condition.slots.contains(where: model._$state.changedSlots.contains) else { return false }
        return condition.namesRelationship || isChanged(in: model) && !mayBeAbout(model)
    }

    /// Whether it is the key of the objects.
    var isKey: Bool { !owner.key.isSingle && Set(owner.keySlots) == Set(slots) }

    /// Whether it says the same as another set.
    fileprivate func says(theSameAs other: UniqueSet) -> Bool {
        owner === other.owner && slots == other.slots && folds == other.folds
            && nullsAreDistinct == other.nullsAreDistinct
            && condition?.expression == other.condition?.expression
    }
}

extension UniqueSet.Condition {
    /// `nil` where it cannot stand in a table.
    fileprivate init?(_ condition: any ModelCondition, of entity: EntityMapping, in mapping: StoreMapping) {
        guard let text = try? TableCondition(condition, of: entity, in: mapping, for: .uniqueness) else { return nil }
        let names = Set(text.expression.columns)
        let mentioned = entity.columns.compactMap(\.self).filter { names.contains($0.name) && $0.slot != nil }
        guard Set(mentioned.map(\.name)) == names else { return nil }
        self.init(
            model: condition, slots: mentioned.compactMap(\.slot), columns: mentioned,
            namesRelationship: mentioned.contains { $0.slot.flatMap { entity.relationships[$0] } != nil },
            expression: text.expression)
    }
}

extension StoreMapping {
    /// Finds the unique sets of all classes. Conditions are translated with the mapping itself, when all else of it is known.
    func declareUniqueSets() {
        for entity in entities {
            // A row is found by the parts of its key, too: in the table of the root.
            let parts = entity.parent == nil ? entity.descriptor.keyParts.map(\.property.name) : []
            let key = parts.isEmpty ? [] : [Schema.EntityUnique(parts)]
            var sets: [UniqueSet] = []
            for (number, unique) in (key + entity.entity.modelUniques).enumerated() where unique.timing == .immediate {
                // Said twice, by `.unique` and `#Unique`, it is one constraint.
                if let set = UniqueSet(unique, number: number, of: entity, in: self),
                    !sets.contains(where: { $0.says(theSameAs: set) })
                {
                    sets.append(set)
                }
            }
            entity.tiedUniqueSets.set(sets)
        }
    }
}
