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
        var stem = SwiftName.words(other.column)
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
        let firstKey = drafts[first.table]?.table.definition.keyColumn ?? Naming.key
        let secondKey = drafts[second.table]?.table.definition.keyColumn ?? Naming.key
        let firstRule = Naming.joined(isReflexive ? Naming.snakeCase(secondProperty) : first.table, firstKey)
        let secondRule = Naming.joined(isReflexive ? Naming.snakeCase(firstProperty) : second.table, secondKey)
        if first.column != firstRule || second.column != secondRule {
            property.arguments.append("column: \(SwiftDefault.quoted(first.column))")
            property.arguments.append("inverseColumn: \(SwiftDefault.quoted(second.column))")
        }
        property.arguments.append("inverse: \\\(secondClass).\(secondProperty)")
        let pair = Set([first.column, second.column])
        for column in table.definition.columns where !pair.contains(column.name) {
            note(table.name, column.name, "a table of pairs has no property for it; the server gives its value")
            property.remarks.append("The column \(column.name) (\(column.type)) of \(table.name) has no property.")
        }
        drafts[first.table]?.model.properties.append(property)
        drafts[second.table]?.model.properties.append(
            PlannedProperty(name: secondProperty, kind: .toMany, type: "[\(firstClass)]", initialValue: "[]"))
        coverage.columns.expressed += 2
        let ends = table.definition.foreignKeys.filter { $0.columns.count == 1 && pair.contains($0.columns[0]) }
        for end in ends where end.onDelete != .cascade {
            note(
                table.name, end.columns[0],
                "ON DELETE \(end.onDelete.rawValue): the server refuses to delete an object that has links")
        }
        coverage.constraints.expressed += ends.count + (table.definition.primaryKey == nil ? 0 : 1)
    }
}
