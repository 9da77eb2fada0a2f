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
        if let table = names.table, entity.base !== entity {
            report(
                entity.name,
                "it has a table \(table), and all classes of \(entity.root.name) have their properties in the table \(entity.table.name)",
                remedy:
                    "remove table, or let each class have a table: remove inheritance: .singleTable of \(entity.root.name)"
            )
        }
        checkDiscriminator(of: entity)
        guard entity.base !== entity else { return }
        for unique in entity.entity.modelUniques where unique.nulls == .notDistinct {
            report(
                entity.name,
                "#Unique of \(unique.names.joined(separator: ", ")) lets nil equal nil, and it is nil in the rows of all other classes of the table \(entity.table.name)",
                remedy: "remove nulls: .notDistinct, or let each class have a table")
        }
    }

    private mutating func checkDiscriminator(of entity: EntityMapping) {
        guard let discriminator = entity.descriptor.names.discriminator else { return }
        if !entity.hasDiscriminator {
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
