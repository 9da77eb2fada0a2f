import StrataRepository

/// Relationships to many at both ends.
extension ModelPlanner {
    mutating func planPairs() {
        for table in database.tables {
            guard case .pairs(let first, let second)? = roles.roles[table.name] else { continue }
            planPair(table, first, second)
        }
    }

    /// A name for objects that a table of pairs leads to, and the words of the table's own name that say so.
    private func pairNames(_ table: DatabaseDescription.Table, from own: PairEnd, to other: PairEnd) -> [String] {
        guard let ownClass = drafts[own.table]?.model, let otherClass = drafts[other.table]?.model else { return [] }
        var names: [String] = []
        var stem = SwiftName.words(other.columns[other.columns.count - 1])
        if stem.count > 1, ["id", "pk", "fk", "key"].contains(stem[stem.count - 1]) { stem.removeLast() }
        if own.table == other.table {
            names.append(SwiftName.plural(stem))
        } else {
            // Strata calls its own `<class>_<property>`.
            let beginning = Naming.table(ownClass.name) + "_"
            if table.name.hasPrefix(beginning) {
                let rest = SwiftName.words(String(table.name.dropFirst(beginning.count)))
                if rest.last == rest.last.map(EnglishNoun.plural) { names.append(SwiftName.plural(rest)) }
            }
            names.append(SwiftName.plural(ofClass: otherClass.name))
        }
        return names + [
            SwiftName.plural(ofClass: otherClass.name) + "By" + SwiftName.upperCamel(SwiftName.words(table.name))
        ]
    }

    private mutating func planPair(_ table: DatabaseDescription.Table, _ one: PairEnd, _ other: PairEnd) {
        guard let oneClass = drafts[one.table]?.model.name, let otherClass = drafts[other.table]?.model.name else {
            return
        }
        let oneProperty = claim(pairNames(table, from: one, to: other), in: one.table)
        let otherProperty = claim(pairNames(table, from: other, to: one), in: other.table)
        // What names are made of where nobody says any: see `Naming.joinTable(of:and:)`.
        let isOneFirst = "\(oneClass).\(oneProperty)" <= "\(otherClass).\(otherProperty)"
        let (first, firstClass, firstProperty) =
            isOneFirst ? (one, oneClass, oneProperty) : (other, otherClass, otherProperty)
        let (second, secondClass, secondProperty) =
            isOneFirst ? (other, otherClass, otherProperty) : (one, oneClass, oneProperty)
        var property = PlannedProperty(
            name: firstProperty, kind: .toMany, type: "[\(secondClass)]", initialValue: "[]")
        property.comment = table.comment
        if table.name != Naming.joined(Naming.snakeCase(firstClass), Naming.snakeCase(firstProperty)) {
            property.arguments.append("table: \(SwiftDefault.quoted(table.name))")
        }
        let isReflexive = first.table == second.table
        var inverse = PlannedProperty(
            name: secondProperty, kind: .toMany, type: "[\(firstClass)]", initialValue: "[]")
        let firstRule = byRule(first, isReflexive ? secondProperty : nil)
        let secondRule = byRule(second, isReflexive ? firstProperty : nil)
        if first.columns != firstRule || second.columns != secondRule {
            if !isOfParts(first), !isOfParts(second) {
                property.arguments.append("column: \(SwiftDefault.quoted(first.columns[0]))")
                property.arguments.append("inverseColumn: \(SwiftDefault.quoted(second.columns[0]))")
            } else {
                property.arguments.append(argument(first))
                inverse.arguments.append(argument(second))
            }
        }
        property.arguments.append("inverse: \\\(secondClass).\(secondProperty)")
        let pair = Set(first.columns + second.columns)
        for column in table.definition.columns where !pair.contains(column.name) {
            note(table.name, column.name, "a table of pairs has no property for it; the server gives its value")
            property.remarks.append("The column \(column.name) (\(column.type)) of \(table.name) has no property.")
        }
        drafts[first.table]?.model.properties.append(property)
        drafts[second.table]?.model.properties.append(inverse)
        coverage.columns.expressed += pair.count
        let ends = table.definition.foreignKeys.filter { pair.isSuperset(of: $0.columns) }
        for end in ends where end.onDelete != .cascade {
            note(
                table.name, end.columns.joined(separator: ", "),
                "ON DELETE \(end.onDelete.rawValue): the server refuses to delete an object that has links")
        }
        coverage.constraints.expressed += ends.count + (table.definition.primaryKey == nil ? 0 : 1)
    }

    /// What the columns of an end are called where nobody says it: see `Naming.pairColumns(of:and:)`.
    private func byRule(_ end: PairEnd, _ property: String?) -> [String] {
        let key = drafts[end.table]?.table.definition.primaryKey?.columns ?? [Naming.key]
        return key.map { Naming.joined(property.map(Naming.snakeCase) ?? end.table, $0) }
    }

    /// Whether the key at an end is one of parts, be it of one.
    private func isOfParts(_ end: PairEnd) -> Bool { drafts[end.table]?.table.definition.hasKeyParts == true }

    /// What `@Relationship` says of the columns at an end.
    private func argument(_ end: PairEnd) -> String {
        let names = end.columns.map(SwiftDefault.quoted)
        return isOfParts(end) ? "columns: [\(names.joined(separator: ", "))]" : "column: \(names[0])"
    }
}
