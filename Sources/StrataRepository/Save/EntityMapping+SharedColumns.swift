import Foundation
import StrataClient
package import StrataModels

/// Columns that belong to a foreign key and to another property: that one writes them, and both have to say the same.
extension EntityMapping {
    /// What the key of an object is made of: its parts; or the relationships of the hierarchy's root by whose foreign key its key, of one
    /// column, is that of another object.
    package var partsOfKey: [KeyPart] {
        guard key.isSingle else { return descriptor.keyParts }
        guard root.keySlot != nil else { return [] }
        return root.composedColumns.filter { $0.foreignKey?.key.names == key.names }.compactMap {
            $0.slot.flatMap(root.descriptor.relationship).flatMap { KeyPart($0) }
        }
    }

    /// Whether other properties say what the key of an object is: it cannot take the key of another row.
    var isKeyMade: Bool { !partsOfKey.isEmpty }

    /// The property of this class that writes a column of its table.
    func property(writing name: String) -> (any ModelProperty)? {
        let slot = descriptor.ownSlots.first { columns[$0]?.tableColumns.contains { $0.name == name } == true }
        return slot.map { descriptor.properties[$0] }
    }

    /// What the keys in a column are that a property writes; `nil` where it has none.
    func kind(ofColumn name: String, in property: any ModelProperty) -> RowKey.Kind? {
        if let part = columns[property.slot]?.foreignKey?.key.parts.first(where: { $0.name == name }) {
            return part.kind
        }
        if let attribute = property as? AnyAttributeProperty { return attribute.columnKind }
        return referredKind(property.slot)
    }

    /// The properties that write columns of a foreign key of this class's own table.
    func properties(sharing column: Column) -> [any ModelProperty] {
        guard let foreignKey = column.foreignKey else { return [] }
        return foreignKey.shared.compactMap { property(writing: foreignKey.key.parts[$0].name) }
    }

    /// The slots of each such foreign key of this class's own table, with those of the properties that write its columns.
    var sharedSlots: [SlotSet] {
        composedColumns.compactMap { column in
            guard let slot = column.slot else { return nil }
            let others = properties(sharing: column)
            return others.isEmpty ? nil : SlotSet(others.map(\.slot) + [slot])
        }
    }
}

extension EntityMapping {
    /// What a property that writes a column has in it, as a key; `nil` where it has nothing, or nothing is known.
    fileprivate func key(inColumn name: String, of property: any ModelProperty, _ model: any PersistentModel) -> RowKey?
    {
        if let attribute = property as? AnyAttributeProperty { return attribute.key(of: model) }
        guard let relationship = property as? RelationshipProperty, let key = relationship.reference(of: model).key
        else {
            return nil
        }
        guard let foreignKey = columns[property.slot]?.foreignKey else { return key }
        let place = foreignKey.key.parts.firstIndex { $0.name == name }
        return place.flatMap { foreignKey.key.parts(of: key)?[$0] }
    }

    /// Whether what an object says of the columns that properties of it have in common is the same.
    ///
    /// Throws `modelValidationFailure`, with both properties and the column.
    func checkSharedColumns(of model: any PersistentModel, onlyChanged: Bool) throws {
        for owner in chain {
            for column in owner.composedColumns {
                try owner.check(column, of: model, onlyChanged: onlyChanged)
            }
        }
    }

    private func check(_ column: Column, of model: any PersistentModel, onlyChanged: Bool) throws {
        guard let foreignKey = column.foreignKey, let slot = column.slot,
            let relationship = descriptor.relationship(at: slot),
            let key = relationship.reference(of: model).key, let parts = foreignKey.key.parts(of: key)
        else { return }
        let changed = model._$state.changedSlots
        for place in foreignKey.shared {
            let name = foreignKey.key.parts[place].name
            guard let other = property(writing: name),
                !onlyChanged || changed.contains(slot) || changed.contains(other.slot),
                self.key(inColumn: name, of: other, model) != parts[place]
            else { continue }
            if other.slot == keySlot { throw SaveError.otherKey(name, of: relationship, and: other, in: model) }
            throw SaveError.differentColumn(name, of: relationship, and: other, in: model)
        }
    }
}

extension AnyAttributeProperty {
    /// What the keys in its column are; `nil` for a type that no key has.
    fileprivate var columnKind: RowKey.Kind? {
        switch unwrappedType(valueType) {
        case is UUID.Type: .uuid
        case is String.Type: .text
        case is Int.Type, is Int64.Type: .integer
        case is Date.Type: .date
        case is CalendarDate.Type, is Data.Type: .text
        default: nil
        }
    }
}
