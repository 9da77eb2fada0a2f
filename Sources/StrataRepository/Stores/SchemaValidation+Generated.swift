import StrataModels

extension SchemaValidation {
    /// What a column is computed by has to be said of tables of Strata, and is said already of those of others.
    mutating func checkGenerated(of entity: EntityMapping, in mapping: StoreMapping) {
        for generated in entity.entity.modelGenerated { check(generated, of: entity, in: mapping) }
        guard entity.tables == .own, !entity.isView else { return }
        for slot in entity.descriptor.generatedSlots.slots where entity.descriptor.ownSlots.contains(slot) {
            let name = entity.descriptor.properties[slot].name
            report(
                entity.name, name,
                "it is marked .generated, and nothing says what its column is computed by",
                remedy:
                    "write #Generated<\(entity.name), …>(\\.\(name)) { … } beside it, or open the container with configuration.tables = .external, where a table says so"
            )
        }
    }

    /// The expression, where the class makes it once more.
    private func again(
        _ generated: Schema.EntityGenerated, of entity: EntityMapping, in mapping: StoreMapping
    ) -> ColumnExpression? {
        let made = entity.descriptor.generatedMadeAnew.first {
            entity.descriptor.property(for: $0.keyPath)?.name == generated.name
        }
        let again = Schema.EntityGenerated(name: generated.name, declared: made, source: generated.source)
        return (try? GeneratedColumn(again, of: entity, in: mapping))?.expression
    }

    private mutating func check(
        _ generated: Schema.EntityGenerated, of entity: EntityMapping, in mapping: StoreMapping
    ) {
        func refuse(_ problem: String, remedy: String) {
            report(entity.name, generated.name, "what #Generated computes it by \(problem)", remedy: remedy)
        }
        let remedy =
            "compute it of attributes in the table of \(entity.name), and of literals; or without #Generated and without a column"
        guard entity.tables == .own else {
            return refuse(
                "is for tables of Strata, and this one says itself what it computes",
                remedy: "remove #Generated, and declare it optional")
        }
        guard !entity.isView else {
            return refuse(
                "is for tables, and objects of a view are not saved", remedy: "let the view's definition select it")
        }
        do {
            let column = try GeneratedColumn(generated, of: entity, in: mapping)
            let sources = column.sources.slots.map { entity.descriptor.properties[$0] }
            let known = Set(sources.compactMap { entity.columns[$0.slot]?.name })
            let others = Set(column.expression.columns).subtracting(known)
            if let relationship = sources.first(where: { $0 is RelationshipProperty }) {
                refuse(
                    "names \(relationship.qualifiedName), which is a relationship: whether there is an object, memory may have to read",
                    remedy: remedy)
            } else if let external = sources.first(where: { entity.columns[$0.slot]?.isExternal == true }) {
                refuse(
                    "names \(external.qualifiedName), which is kept outside of the row (.externalStorage): each object would be read for itself",
                    remedy: remedy)
            } else if let generated = sources.first(where: { entity.columns[$0.slot]?.isGenerated == true }) {
                refuse("names \(generated.qualifiedName), which is computed itself", remedy: remedy)
            } else if column.expression.columns.isEmpty {
                refuse("names no property of the class", remedy: "name one, or declare a constant")
            } else if !others.isEmpty {
                refuse(
                    "names what is no attribute of \(entity.name): the key or the class of the object",
                    remedy: remedy)
            } else if again(generated, of: entity, in: mapping) != column.expression {
                refuse(
                    "says something else each time it is made, as Date.now does",
                    remedy: "compare with literals: a table keeps what it was given once")
            } else if let function = FunctionCalls(in: column.expression.sql).mutable.first {
                refuse("calls \(function)(), which may say something else another time", remedy: remedy)
            }
        } catch {
            refuse("cannot stand in a table: it \(error.message)", remedy: remedy)
        }
    }
}
