import StrataModels

// How a hierarchy lies in tables, and what tells its classes apart.
extension SchemaValidation {
    mutating func checkInheritance(of entity: EntityMapping) {
        let names = entity.descriptor.names
        if let form = names.inheritance, entity.parent != nil {
            report(
                entity.name, "it has an inheritance, and all classes of a hierarchy have the one of its root",
                remedy: "say it there: @Model(inheritance: .\(form.rawValue)) class \(entity.root.name)")
        }
        if let name = names.postgresSchema, entity.base !== entity {
            report(
                entity.name,
                "it names the PostgreSQL schema \"\(name)\", and all classes of \(entity.root.name) have their properties in the table \(entity.table.name)",
                remedy: "remove postgresSchema; \(entity.root.name) says it")
        }
        if let table = names.table, entity.base !== entity {
            report(
                entity.name,
                "it has a table \(table), and all classes of \(entity.root.name) have their properties in the table \(entity.table.name)",
                remedy:
                    "remove table, or let each class have a table: remove inheritance: .singleTable of \(entity.root.name)"
            )
        }
        checkDiscriminator(of: entity)
        checkMissingColumn(of: entity)
        guard entity.base !== entity else { return }
        for unique in entity.entity.modelUniques where unique.nulls == .notDistinct {
            report(
                entity.name,
                "#Unique of \(unique.names.joined(separator: ", ")) lets nil equal nil, and it is nil in the rows of all other classes of the table \(entity.table.name)",
                remedy: "remove nulls: .notDistinct, or let each class have a table")
        }
    }

    /// A hierarchy whose tables say the class of a row.
    private mutating func checkMissingColumn(of entity: EntityMapping) {
        let names = entity.descriptor.names
        guard entity.parent == nil, names.inheritance == .joinedTablesWithoutClassColumn else { return }
        if let classColumn = names.classColumn {
            report(
                entity.name,
                "it has the classColumn \(classColumn), and inheritance: .joinedTablesWithoutClassColumn says that there is none",
                remedy: "remove one of them")
        }
        if entity.tables == .own {
            report(
                entity.name,
                "its inheritance is .joinedTablesWithoutClassColumn, which is for tables of another program: the history's trigger of \(entity.table.name) could not say of which class a new row is",
                remedy:
                    "remove inheritance; or, where another program makes the tables, set configuration.tables = .external"
            )
        }
    }

    private mutating func checkDiscriminator(of entity: EntityMapping) {
        guard let discriminator = entity.descriptor.names.discriminator else { return }
        if entity.root.descriptor.names.inheritance == .joinedTablesWithoutClassColumn {
            report(
                entity.name,
                "it has a discriminator, and no column in which it could stand: which tables have a row says its class",
                remedy: "remove discriminator, or inheritance: .joinedTablesWithoutClassColumn of \(entity.root.name)")
        } else if !entity.hasSeveralClasses {
            report(
                entity.name, "it has a discriminator, and no other class in this schema that it could be told from",
                remedy: "remove discriminator, or name the other classes of the hierarchy in the schema too")
        }
        if case .number = discriminator, entity.tables == .own {
            report(
                entity.name, "its discriminator is a number, and the class column of Strata's own tables is a text",
                remedy: "write it as a text: @Model(discriminator: \"\(discriminator)\")")
        }
        if case .text(let text) = discriminator, text.isEmpty || text.utf8.contains(0) {
            report(
                entity.name, "its discriminator is \(text.isEmpty ? "empty" : "a text that PostgreSQL cannot hold")",
                remedy: "give a text, or leave discriminator out")
        }
        let others = entity.root.family.filter { $0 !== entity && $0.discriminator == entity.discriminator }
        guard let other = others.first else { return }
        report(
            entity.name, "its discriminator is \(discriminator), as that of \(other.name)",
            remedy: "give each class of the hierarchy another one")
    }
}
