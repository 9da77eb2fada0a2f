package import StrataClient
package import StrataModels

/// Loads properties that a partial fetch left out, for many objects of one class with one statement.
package final class AttributeLoad {
    private let entity: EntityMapping
    private let slots: SlotSet
    private var objects: [RowKey: any PersistentModel] = [:]

    /// - Parameters:
    ///   - slots: properties to load. What an object has by the time its row arrives, because it was set or read, it keeps.
    ///   - models: objects of `entity` or its subclasses.
    package init(_ slots: SlotSet, of entity: EntityMapping, in models: [any PersistentModel]) {
        self.entity = entity
        self.slots = slots
        for model in models { objects[model._$state.key] = model }
    }

    package func batch() throws -> PostgresBatch {
        var batch = PostgresBatch()
        try addStatement(to: &batch)
        return batch
    }

    package func addStatement(to batch: inout PostgresBatch) throws {
        let scope = TableScope(entity, .stored, aliases: AliasGenerator())
        let list = SelectList(entity, from: scope, selection: .exactly(slots))
        let condition = scope.selecting(scope.isKey(among: objects.keys.sorted()))
        let sql: SQLFragment =
            "SELECT \(list.columns) \(scope.from) WHERE \(condition)"
        batch.add(
            entity.reading(try sql.statement(name: "load properties of \(entity.name)", of: entity.name)),
            onResult: { try list.check($0) },
            onRow: { row in try self.fill(from: row, list) })
    }

    private func fill(from row: PostgresRow, _ list: SelectList) throws {
        let key = row.key(0, entity.keyKind)
        guard let model = objects[key],
            let layout = list.layouts.first(where: { $0.entity.descriptor === type(of: model)._$descriptor })
        else { return }
        // Whoever deleted it meanwhile, and saved that, wants nothing of its row any more.
        guard model._$state.phase == .registered || model._$state.phase == .deleted else { return }
        let properties = layout.entity.descriptor.properties
        let missing = properties.indices.map {
            layout.columns[marked: $0] >= 0 && !properties[$0].isLoaded(in: model) ? layout.columns[marked: $0] : -1
        }
        let failure = missing.withUnsafeBufferPointer { columns -> RowReader.Failure? in
            guard let base = columns.baseAddress else { return nil }
            var reader = RowReader(row: row, columns: base, isNew: false)
            model._$decode(&reader)
            return reader.failure
        }
        if let failure {
            let property = layout.entity.descriptor.properties[failure.slot]
            throw SwiftDataError(
                .invalidValue,
                "\(property.qualifiedName) of the \(layout.entity.name) with the key \(key) cannot be read: "
                    + "\(failure.error.sentence)", underlying: failure.error)
        }
    }
}
