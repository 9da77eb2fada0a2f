import StrataModels

/// Conditions of what is unique, of indexes and of checks: each is about one table, and says the same whenever it is read.
extension SchemaValidation {
    /// A row of `pg_index`, in which a condition takes a few times the bytes of its SQL, lies on one page of 8 KB. The case table of all
    /// letters alone takes more than this.
    private static let roomOfIndexCondition = 4096

    mutating func checkConditions(of entity: EntityMapping, in mapping: StoreMapping) {
        guard !entity.isView else { return }
        var constraints: [String: String] = [:]
        if entity.parent == nil, let classColumn = entity.classColumn {
            constraints[Naming.joined(entity.table.name, classColumn, "check")] = "that of the classes"
        }
        for unique in entity.entity.modelUniques {
            guard let condition = unique.condition else { continue }
            check(
                condition, "#Unique of \(unique.names.joined(separator: ", "))", of: entity, inTableOf: entity,
                remedy:
                    "name properties that \(entity.name) declares itself: a unique index belongs to the table that has them",
                room: Self.roomOfIndexCondition, mapping)
        }
        for unique in entity.entity.modelUniques {
            guard let condition = unique.condition,
                let text = try? TableCondition(condition, of: entity, in: mapping, for: .check)
            else { continue }
            let generated = entity.columns.compactMap(\.self).first {
                $0.isGenerated && text.expression.columns.contains($0.name)
            }
            if let generated {
                report(
                    entity.name,
                    "the condition of #Unique of \(unique.names.joined(separator: ", ")) asks for \(generated.propertyName), which the database "
                        + "computes: a save finds rows by what objects have, and has no value of it",
                    remedy: "name what it is computed from")
            }
            let columns = Set(entity.columns.compactMap { $0?.name })
            guard !columns.isSuperset(of: text.expression.columns) else { continue }
            report(
                entity.name,
                "the condition of #Unique of \(unique.names.joined(separator: ", ")) asks for what is no property: the class of the object, or its key",
                remedy: "name properties, or declare #Unique in the subclass")
        }
        for index in entity.entity.modelIndices {
            guard let condition = index.condition else { continue }
            let list = index.names.joined(separator: ", ")
            let place = ConstraintPlace(index.names + index.included, in: entity)?.entity
            check(
                condition, "#Index of \(list)", of: entity, inTableOf: place ?? entity,
                remedy: "name properties of \((place ?? entity).name), whose table the index belongs to",
                room: Self.roomOfIndexCondition, mapping)
        }
        for rule in entity.entity.modelChecks {
            // Names that are given have a finding of their own.
            if rule.givenName == nil,
                let other = constraints.updateValue("\"\(rule.name)\"", forKey: entity.constraint(of: rule))
            {
                report(
                    entity.name,
                    "the constraint of #Check \"\(rule.name)\" would be called \(entity.constraint(of: rule)), as \(other)",
                    remedy: "give it another name")
            }
            guard let condition = rule.condition else { continue }
            check(
                condition, "#Check \"\(rule.name)\"", of: entity, inTableOf: entity,
                remedy:
                    "name properties that \(entity.name) declares itself: a check belongs to the table that has them",
                mapping)
        }
        checkConstancy(of: entity, in: mapping)
    }

    private mutating func check(
        _ condition: any ModelCondition, _ what: String, of entity: EntityMapping, inTableOf owner: EntityMapping,
        remedy: String, room: Int? = nil, _ mapping: StoreMapping
    ) {
        do {
            let condition = try TableCondition(condition, of: entity, in: mapping, for: .check)
            let others = condition.owners.filter { $0 !== owner }.map(\.name)
            if !others.isEmpty {
                report(
                    entity.name,
                    "the condition of \(what) names properties of \(others.sorted().joined(separator: " and ")), which lie in another table",
                    remedy: remedy)
            } else if condition.owners.isEmpty {
                report(
                    entity.name, "the condition of \(what) names no property of the class",
                    remedy: "name one, or remove it")
            } else if let room, condition.expression.sql.utf8.count > room {
                report(
                    entity.name,
                    "the condition of \(what) takes \(condition.expression.sql.utf8.count) bytes of SQL, and before version 18 PostgreSQL has "
                        + "no room for so many",
                    remedy: "shorten it; lower case is short where it is compared with a literal")
            }
        } catch {
            report(
                entity.name, "the condition of \(what) cannot stand in a table: \(error.message)",
                remedy: "name stored properties of the object itself, and compare them with literals")
        }
    }

    /// A condition that is made anew must say the same: it is written down once.
    private mutating func checkConstancy(of entity: EntityMapping, in mapping: StoreMapping) {
        let known = entity.entity.conditions.map { try? TableCondition($0, of: entity, in: mapping, for: .check) }
        guard !known.isEmpty else { return }
        let again = entity.descriptor.conditionsMadeAnew.map {
            try? TableCondition($0, of: entity, in: mapping, for: .check)
        }
        if known.map(\.?.expression) != again.map(\.?.expression) {
            report(
                entity.name, "a condition of #Unique, #Index or #Check says something else each time it is made",
                remedy: "compare with literals: a table keeps what it was given once")
        }
    }
}
