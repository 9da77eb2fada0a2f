import StrataModels

extension EntityMapping {
    /// The to-one relationships whose foreign key stands in this class's own table.
    var ownForeignKeys: [RelationshipMapping] {
        relationships[descriptor.ownSlots].compactMap { relationship in
            guard let relationship, case .foreignKey = relationship.storage else { return nil }
            return relationship
        }
    }

    /// The tables that rows of the table for which this class stands refer to, by the index of the class that stands for each.
    var referencedTables: [Int] {
        var result = tableClasses.flatMap(\.ownForeignKeys).map(\.destination.base.index)
        if let parent, base === self { result.append(parent.index) }
        return result
    }

    /// The name of the property behind a column of the table in which this class has its own: `Trip.name`.
    func propertyName(ofColumn name: String) -> String? {
        if let keySlot, key.contains(name) { return descriptor.properties[keySlot].qualifiedName }
        return base.tableColumns.first { $0.name == name }?.propertyName
    }

    /// The sets of properties that identify one object, with the class whose table holds them: inherited ones too.
    var uniqueSets: [UniqueSet] { chain.flatMap(\.ownUniqueSets) }
}

extension RelationshipMapping {
    /// Whether no two rows may have the same target.
    var isUniqueReference: Bool { property.isToOne && inverse?.isToOne == true }

    /// Whether the server itself clears the foreign key when the target is deleted.
    func isClearedByServer(_ column: Column) -> Bool {
        column.isNullable && (inverse?.deleteRule ?? .nullify) == .nullify
    }
}
