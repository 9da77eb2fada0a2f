import StrataRepository

/// The other ends of foreign keys.
extension ModelPlanner {
    mutating func planInverses() {
        for reference in references.sorted(by: {
            ($0.target, $0.source, $0.column) < ($1.target, $1.source, $1.column)
        }) {
            planInverse(of: reference)
        }
    }

    private mutating func planInverse(of reference: Reference) {
        guard let source = drafts[reference.source], let target = drafts[reference.target] else { return }
        let sourceName = source.model.name
        let isToOne = isOneToOne(reference.columns, of: source.table)
        let siblings = references.filter { $0.source == reference.source && $0.target == reference.target }
        let noun = SwiftName.words(sourceName)
        let base = isToOne ? SwiftName.property(SwiftName.lowerCamel(noun)) : SwiftName.plural(noun)
        let by = base + "By" + SwiftName.capitalized(reference.property)
        let isPlain =
            siblings.count == 1 && reference.source != reference.target
            || reference.property == SwiftName.decapitalized(target.model.name)
        var names = isPlain ? [base, by] : [by]
        if reference.source == reference.target, reference.property == "parent", !isToOne {
            names.insert("children", at: 0)
        }
        let name = claim(names, in: reference.target)
        var property = PlannedProperty(
            name: name, kind: isToOne ? .toOne : .toMany, type: isToOne ? sourceName + "?" : "[\(sourceName)]",
            initialValue: isToOne ? nil : "[]")
        if let rule = Self.deleteRule(reference.foreignKey.onDelete, of: source.table, reference.columns) {
            property.arguments.append("deleteRule: .\(rule)")
        }
        property.arguments.append("inverse: \\\(sourceName).\(reference.property)")
        drafts[reference.target]?.model.properties.append(property)
    }

    /// The delete rule that makes this foreign key; `nil` for the one that need not be said.
    private static func deleteRule(
        _ action: ForeignKeyDefinition.Action, of table: DatabaseDescription.Table, _ columns: [String]
    ) -> String? {
        switch action {
        case .cascade: "cascade"
        case .restrict: "deny"
        case .setNull, .setDefault: nil
        // Of a required reference, `.nullify` makes it.
        case .noAction:
            columns.contains { table.definition.column(named: $0)?.isNullable == true } ? "deny" : nil
        }
    }
}
