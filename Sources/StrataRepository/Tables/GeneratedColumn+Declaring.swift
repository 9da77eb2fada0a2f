import StrataModels

extension StoreMapping {
    /// Reads what the classes say, those of superclasses first. What is no expression of a table is a finding of the schema's validation.
    func declareGeneratedColumns() {
        for entity in entities.filter({ $0.parent == nil }).flatMap(\.family) {
            var columns = entity.parent?.generatedColumns ?? [:]
            let declared = tables == .own && !entity.isView ? entity.entity.modelGenerated : []
            for generated in declared {
                guard let slot = entity.descriptor.property(named: generated.name)?.slot else { continue }
                columns[slot] = try? GeneratedColumn(generated, of: entity, in: self)
            }
            entity.tiedGeneratedColumns.set(columns)
        }
    }
}

extension GeneratedColumn {
    /// Throws `invalidSchema` with what no column can be computed by.
    init(
        _ generated: Schema.EntityGenerated, of entity: EntityMapping, in mapping: StoreMapping
    ) throws(SwiftDataError) {
        guard let declared = generated.declared,
            let property = entity.descriptor.property(named: generated.name) as? AnyAttributeProperty
        else { throw SwiftDataError(.invalidSchema, "is no attribute") }
        let column = MappingBuilder.column(property)
        let text = try TableCondition(
            .expression(declared.expression, declared.variable), for: property, column, of: entity, in: mapping)
        guard text.owners.allSatisfy({ $0.base === entity.base }) else {
            let other = text.owners.first { $0.base !== entity.base } ?? entity
            throw SwiftDataError(
                .invalidSchema, "names a property of \(other.name), which lies in another table, \(other.table.name)")
        }
        let columns = Set(text.expression.columns)
        let sources = entity.tableSlots.filter { slot in
            entity.columns[slot].map { columns.contains($0.name) } ?? false
        }
        self.init(column: column, expression: text.expression, sources: SlotSet(sources))
    }
}
