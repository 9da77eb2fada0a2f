import StrataModels

extension EntityMapping {
    /// The to-one relationships whose foreign key stands in this class's own table.
    var ownForeignKeys: [RelationshipMapping] {
        relationships[descriptor.ownSlots].compactMap { relationship in
            guard let relationship, case .foreignKey = relationship.storage else { return nil }
            return relationship
        }
    }

    /// The tables that rows of this class's own table refer to, by the index of their entity.
    var referencedTables: [Int] {
        var result = ownForeignKeys.map(\.destination.index)
        if let parent { result.append(parent.index) }
        return result
    }

    /// The name of the property behind a column of this class's own table: `Trip.name`.
    func propertyName(ofColumn name: String) -> String? {
        if let keySlot, key.contains(name) { return descriptor.properties[keySlot].qualifiedName }
        return (ownColumns + hiddenColumns).first { $0.name == name }?.propertyName
    }

    /// The sets of properties that identify one object, with the class whose table holds them: inherited ones too.
    var uniqueSets: [UniqueSet] { chain.flatMap(\.ownUniqueSets) }

    /// The unique sets that this class declares. The columns of each stand in one table.
    private var ownUniqueSets: [UniqueSet] {
        // A row is found by the parts of its key, too.
        let key = descriptor.hasKeyParts ? descriptor.keyParts.map(\.property.name) : nil
        return ([key].compactMap { $0 } + entity.uniquenessConstraints).compactMap(uniqueSet)
    }

    private func uniqueSet(_ names: [String]) -> UniqueSet? {
        let properties = names.compactMap { descriptor.property(named: $0) }
        guard let first = properties.first, properties.count == names.count else { return nil }
        let owner = owner(ofSlot: first.slot)
        let columns = properties.compactMap { self.columns[$0.slot] }
        guard columns.count == names.count, properties.allSatisfy({ self.owner(ofSlot: $0.slot) === owner }) else {
            return nil
        }
        return UniqueSet(owner: owner, slots: properties.map(\.slot), columns: columns)
    }
}

extension RelationshipMapping {
    /// Whether no two rows may have the same target.
    var isUniqueReference: Bool { property.isToOne && inverse?.isToOne == true }

    /// Whether the server itself clears the foreign key when the target is deleted.
    func isClearedByServer(_ column: Column) -> Bool {
        column.isNullable && (inverse?.deleteRule ?? .nullify) == .nullify
    }
}

/// Properties that together identify one object.
struct UniqueSet {
    let owner: EntityMapping
    let slots: [Int]
    let columns: [Column]

    /// `Trip.name, Trip.startDate`, for messages.
    var names: String { columns.map(\.propertyName).joined(separator: ", ") }
}
