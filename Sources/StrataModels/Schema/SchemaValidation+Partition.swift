// `#Partition`: what PostgreSQL asks of a partitioned table (manual, 5.12.2.3). What tables say of it is looked at where tables are known.
extension SchemaValidation {
    mutating func checkPartition(of entity: Schema.Entity) {
        guard let partition = entity.partition else { return }
        let date = partition.name
        if entity.descriptor.superclass != nil || !entity.subentities.isEmpty {
            let other = entity.descriptor.superclass?.entityName ?? entity.subentities.map(\.name).min() ?? ""
            report(
                entity.name,
                "#Partition divides its table, and \(other) belongs to the same hierarchy, whose tables refer to each other",
                remedy: "make \(entity.name) a class without superclass and subclasses, or remove #Partition")
        }
        if entity.descriptor.isView {
            report(
                entity.name, "it declares a #Partition, and a view has no rows of its own", remedy: "remove #Partition")
        }
        if let attribute = entity.storedPropertiesByName[date] as? Schema.Attribute, attribute.isOptional {
            report(
                entity.name, date, "#Partition divides the class by it, and it is optional",
                remedy: "declare it without ?")
        }
        if !entity.primaryKey.contains(date) {
            let parts = (entity.primaryKey.isEmpty ? ["…"] : entity.primaryKey) + [date]
            report(
                entity.name, date,
                "#Partition divides the class by it, and the key does not contain it: PostgreSQL keeps keys unique within a partition only",
                remedy:
                    "declare #PrimaryKey<\(entity.name)>([\(parts.map { $0 == "…" ? $0 : "\\.\($0)" }.joined(separator: ", "))])"
            )
        }
        for unique in entity.modelUniques where !unique.names.contains(date) {
            let names = (unique.names + [date]).map { "\\.\($0)" }.joined(separator: ", ")
            report(
                entity.name,
                "\(unique.names.joined(separator: ", ")) is declared unique without \(date), by which #Partition divides the class: PostgreSQL keeps "
                    + "values unique within a partition only",
                remedy: "declare #Unique<\(entity.name)>([\(names)]), or leave it to the program")
        }
    }
}
