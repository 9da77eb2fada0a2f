import Foundation
import StrataClient
import StrataModels

/// Finds out where the values of rows go, what stands in for those that no row has, and what is missing.
struct RowInsertBuilder {
    private let entity: EntityMapping
    private let mapping: StoreMapping
    private let store: String
    /// Whose rows they are; `nil` where they say so.
    private let tenant: TenantName?
    private(set) var slots = SlotSet()
    private(set) var tables: [RowInsertPlan.Table] = []
    private(set) var types: [PostgresType] = []
    private(set) var constants: [RowInsertPlan.Constant] = []
    private(set) var values: [RowValue] = []
    private(set) var uniqueSets: [RowInsertPlan.ComparedSet] = []
    /// When the rows are inserted: all have one date.
    private let now = Date.now
    /// The buffer of each slot with a column, as COPY takes it.
    private var stored: [Int: Int] = [:]
    /// The same in the form of array parameters.
    private var transported: [Int: Int] = [:]
    /// Of a foreign key of several columns the buffer of each, besides that of the one value.
    private var parts: [Int: [Int]] = [:]

    init(_ entity: EntityMapping, mapping: StoreMapping, store: String, tenant: TenantName?) {
        (self.entity, self.mapping, self.store, self.tenant) = (entity, mapping, store, tenant)
        for owner in entity.layers { addTable(owner) }
    }

    private mutating func addTable(_ owner: EntityMapping) {
        var columns: [RowInsertPlan.Table.Column] = []
        if let classColumn = owner.ownClassColumn {
            let name = entity.discriminator
            constants.append(
                RowInsertPlan.Constant(buffer: types.count, property: owner.name) {
                    (array) throws(PostgresError) in try array.append(name)
                })
            columns.append(
                .init(name: classColumn, buffer: types.count, transported: types.count, cast: nil))
            types.append(.text)
        }
        for slot in owner.tableSlots {
            guard let column = owner.columns[slot], !column.isGenerated else { continue }
            let place = types.count
            stored[slot] = place
            types.append(column.type)
            let isSame = column.type.oid == column.transportType.oid
            let transport = isSame ? place : types.count
            transported[slot] = transport
            if !isSame { types.append(column.transportType) }
            if let foreignKey = column.foreignKey {
                columns += addParts(of: foreignKey, slot)
                continue
            }
            // The key comes first in each table: rows bring it, and are known by it.
            if !owner.isKey(slot) || !owner.key.isSingle {
                columns.append(
                    .init(
                        name: column.name, buffer: place, transported: transport, cast: isSame ? nil : column.type))
            }
        }
        // The parts of the key, which rows bring, stand in the table of a subclass once more.
        if owner.keyIsApart, !owner.key.isSingle {
            for (slot, part) in zip(owner.keySlots, owner.key.parts) {
                guard let place = stored[slot], let transport = transported[slot] else { continue }
                columns.append(
                    .init(
                        name: part.name, buffer: place, transported: transport,
                        cast: place == transport ? nil : owner.columns[slot]?.type))
            }
        }
        tables.append(RowInsertPlan.Table(entity: owner, columns: columns))
    }

    /// A buffer for each column of a foreign key, also for those that other properties write: so that both can be compared.
    private mutating func addParts(of foreignKey: ForeignKeyColumns, _ slot: Int) -> [RowInsertPlan.Table.Column] {
        let first = types.count
        parts[slot] = Array(first..<first + foreignKey.key.parts.count)
        types += foreignKey.key.kinds.map(\.type)
        return foreignKey.owned.map { place in
            .init(
                name: foreignKey.key.parts[place].name, buffer: first + place, transported: first + place,
                cast: foreignKey.key.parts[place].columnType == nil ? nil : foreignKey.key.parts[place].type)
        }
    }

    /// The columns that two properties have in common.
    var sharedBuffers: [RowInsertPlan.SharedColumn] {
        entity.chain.flatMap { owner in
            owner.composedColumns.flatMap {
                column -> [RowInsertPlan.SharedColumn] in
                guard let foreignKey = column.foreignKey, let slot = column.slot, let buffers = parts[slot] else {
                    return []
                }
                return foreignKey.shared.compactMap { place in
                    let name = foreignKey.key.parts[place].name
                    guard let other = owner.property(writing: name), let buffer = buffer(ofColumn: name, other, owner)
                    else { return nil }
                    return .init(
                        name: name, property: owner.descriptor.properties[slot], other: other,
                        buffers: (buffers[place], buffer))
                }
            }
        }
    }

    private func buffer(ofColumn name: String, _ property: any ModelProperty, _ owner: EntityMapping) -> Int? {
        guard let foreignKey = owner.columns[property.slot]?.foreignKey else { return stored[property.slot] }
        return foreignKey.key.parts.firstIndex { $0.name == name }.flatMap { parts[property.slot]?[$0] }
    }

    /// The buffers with the keys that rows bring, one for each column; none where they are given keys.
    var keyBuffers: [Int] { entity.keySlots.compactMap { stored[$0] } }

    /// The buffer with whose rows they are.
    var tenantBuffer: Int? { (entity.descriptor.tenant?.slot).flatMap { stored[$0] } }

    /// The properties whose numbers have a precision, each with its buffer.
    var preciseBuffers: [(property: AnyAttributeProperty, precision: NumericPrecision, buffer: Int)] {
        entity.preciseProperties.compactMap { property in
            guard let precision = property.precision, let buffer = stored[property.slot] else { return nil }
            return (property, precision, buffer)
        }
    }

    /// The buffers of a slot, and the form of each.
    private func buffers(ofSlot slot: Int) -> [(buffer: Int, form: ColumnForm)] {
        guard let stored = stored[slot], let transported = transported[slot] else { return [] }
        return stored == transported ? [(stored, .stored)] : [(stored, .stored), (transported, .transported)]
    }

    // MARK: Values

    mutating func addValues(_ properties: [RowInsertPlan.NamedValue]) throws {
        guard !entity.descriptor.isAbstract else {
            throw SwiftDataError(
                .unsupportedFeature,
                "No rows can be inserted into \(entity.name), which is abstract: there are objects of its subclasses only. Insert "
                    + "into one of them.")
        }
        for property in properties {
            switch property {
            case .keyPath(let keyPath, let type): try addValue(keyPath, type)
            case .key(let name, let type): try addValue(named: name, type)
            }
        }
    }

    private mutating func addValue(named name: String, _ type: Any.Type?) throws {
        func check(_ own: Any.Type, _ property: any ModelProperty) throws {
            guard let type, unwrappedType(type) != unwrappedType(own) else { return }
            throw SwiftDataError(
                .unsupportedKeyPath,
                "The rows inserted into \(entity.name) have \(type) for \(property.qualifiedName), which takes \(own). Give them the "
                    + "property's type.")
        }
        switch entity.descriptor.property(named: name) {
        case let attribute as AnyAttributeProperty:
            try check(attribute.valueType, attribute)
            try add(attribute, try value(of: attribute))
        case let relationship as RelationshipProperty:
            try check(PersistentIdentifier.self, relationship)
            try add(relationship, try value(of: relationship, PersistentIdentifier?.self))
        default:
            throw SwiftDataError(
                .unsupportedKeyPath,
                "The rows inserted into \(entity.name) have a value for \(name), which is no stored property of the class. Call keys "
                    + "(CodingKeys) as the properties are called, and leave out what is not stored.")
        }
    }

    private mutating func addValue(_ keyPath: AnyKeyPath, _ type: Any.Type) throws {
        let property: any ModelProperty
        let value: RowValue
        if let attribute = entity.descriptor.property(for: keyPath) as? AnyAttributeProperty {
            property = attribute
            value = try self.value(of: attribute)
        } else if let relationship = try relationship(keyPath, type) {
            property = relationship
            value = try self.value(of: relationship, type)
        } else if let obstacle = SortPath.obstacle(of: keyPath, from: entity.descriptor) {
            throw SwiftDataError(
                .unsupportedKeyPath, "A key path of \(entity.name) to \(unwrappedType(type)) \(obstacle).")
        } else {
            throw SwiftDataError(
                .unsupportedKeyPath,
                "A key path to \(unwrappedType(type)) does not lead to a stored property of \(entity.name): it is computed, marked @Transient, "
                    + "or a part of a Codable value or of another object. Name stored properties, and to-one relationships by "
                    + "their persistentModelID.")
        }
        try add(property, value)
    }

    private mutating func add(_ property: any ModelProperty, _ value: RowValue) throws {
        guard !slots.contains(property.slot) else {
            throw SwiftDataError(
                .unsupportedKeyPath,
                "\(property.qualifiedName) is named twice for the rows inserted into \(entity.name). Name each property once."
            )
        }
        if let tenant, property.slot == entity.descriptor.tenant?.slot {
            throw SwiftDataError(
                .unsupportedKeyPath,
                "\(property.qualifiedName) is named for the rows inserted into \(entity.name), and says whose they are: they are the tenant "
                    + "\"\(tenant.text)\"'s, whose context inserts them. Leave it out.")
        }
        slots.insert(property.slot)
        values.append(value)
    }

    private func value(of attribute: AnyAttributeProperty) throws -> RowValue {
        guard !attribute.isGenerated else {
            throw SwiftDataError(
                .unsupportedKeyPath,
                "\(attribute.qualifiedName) is computed by the database: rows inserted into \(entity.name) have no value of it. Leave it out."
            )
        }
        let buffers = buffers(ofSlot: attribute.slot)
        guard !buffers.isEmpty else {
            throw SwiftDataError(
                .unsupportedKeyPath,
                "\(attribute.qualifiedName) is marked .ephemeral: it has no column into which rows could be inserted.")
        }
        if let obstacle = attribute.obstacle { throw SwiftDataError(.invalidValue, obstacle) }
        return RowValue(
            property: attribute, type: attribute.valueType,
            destinations: buffers.compactMap { buffer, form in
                guard let encoder = attribute.encoder(in: form) else { return nil }
                return RowDestination(buffer: buffer, common: encoder.common, encode: encoder.encode)
            })
    }

    // MARK: Relationships

    /// The to-one relationship to whose object's identifier a key path leads.
    private func relationship(_ keyPath: AnyKeyPath, _ type: Any.Type) throws -> RelationshipProperty? {
        if let object = entity.descriptor.property(for: keyPath) as? RelationshipProperty {
            let path = "\\.\(object.name)\(object.isOptional ? "?" : "").persistentModelID"
            throw SwiftDataError(
                .unsupportedKeyPath,
                "Rows inserted into \(entity.name) hold no objects, and \(object.qualifiedName) is a relationship. "
                    + (object.isToOne
                        ? "Name the object by its identifier: \(path)." : "Set it at the other end, or insert objects.")
            )
        }
        guard unwrappedType(type) == PersistentIdentifier.self,
            let steps = SortPath().relationships(of: keyPath, from: entity.descriptor), steps.count == 1
        else { return nil }
        return steps[0] as? RelationshipProperty
    }

    private func value(of relationship: RelationshipProperty, _ type: Any.Type) throws -> RowValue {
        let buffers = buffers(ofSlot: relationship.slot)
        guard let known = entity.relationships[relationship.slot], let buffer = buffers.first?.buffer else {
            throw SwiftDataError(
                .unsupportedKeyPath,
                "\(relationship.qualifiedName) cannot be named for inserted rows: the objects at its other end hold the key. Set the "
                    + "relationship at the other end, or insert objects.")
        }
        if let inverse = known.inverse {
            let isLimited = mapping.limitedRelationships.contains { $0.property === inverse }
            guard !inverse.isOrdered, !isLimited else {
                throw SwiftDataError(
                    .unsupportedFeature,
                    "\(relationship.qualifiedName) cannot be named for inserted rows: \(inverse.qualifiedName) "
                        + (inverse.isOrdered ? "has an order" : "has a number of objects within limits")
                        + ", which each object that comes changes. Insert objects.")
            }
        }
        let reader = RowReference(relationship, mapping: mapping, store: store)
        let isOptional = type != PersistentIdentifier.self
        let key = known.destination.key
        let single = RowDestination(buffer: buffer, encode: Self.encoder(reader, isOptional) { $0 })
        let several = (parts[relationship.slot] ?? []).enumerated().map { place, buffer in
            RowDestination(buffer: buffer, encode: Self.encoder(reader, isOptional) { key.parts(of: $0)?[place] })
        }
        return RowValue(property: relationship, type: type, destinations: [single] + several)
    }

    /// - Parameter part: what of the key is written.
    private static func encoder(
        _ reader: RowReference, _ isOptional: Bool, _ part: @escaping (RowKey) -> RowKey?
    ) -> RowValueEncoder {
        func append(_ identifier: PersistentIdentifier?, to array: inout PostgresArray) throws {
            if let key = try identifier.flatMap({ try part(reader.key(of: $0)) }) {
                try array.append(key)
            } else {
                array.appendNull()
            }
        }
        return isOptional
            ? { try append($0.assumingMemoryBound(to: PersistentIdentifier?.self).pointee, to: &$1) }
            : { try append($0.assumingMemoryBound(to: PersistentIdentifier.self).pointee, to: &$1) }
    }

    // MARK: What no row says

    /// Defaults, and `nil`. Throws where a property has neither.
    mutating func addConstants() throws {
        var missing: [String] = []
        for slot in stored.keys.sorted() where !slots.contains(slot) {
            let property = entity.descriptor.properties[slot]
            for (buffer, form) in buffers(ofSlot: slot) {
                let isSaid = tenant == nil && slot == entity.descriptor.tenant?.slot
                if !isSaid, let attribute = property as? AnyAttributeProperty,
                    let write = attribute.defaultWriter(in: form, now: now, tenant: tenant)
                {
                    constants.append(
                        RowInsertPlan.Constant(buffer: buffer, property: property.qualifiedName, write: write))
                } else if let relationship = property as? RelationshipProperty, relationship.isOptional {
                    for buffer in [buffer] + (parts[slot] ?? []) {
                        constants.append(
                            RowInsertPlan.Constant(buffer: buffer, property: property.qualifiedName) {
                                (array) throws(PostgresError) in array.appendNull()
                            })
                    }
                } else if missing.last != property.qualifiedName {
                    missing.append(property.qualifiedName)
                }
            }
        }
        guard missing.isEmpty else {
            throw SwiftDataError(
                .modelValidationFailure,
                "Rows cannot be inserted into \(entity.name) without \(missing.joined(separator: ", ")): "
                    + (missing.count == 1 ? "it is" : "they are")
                    + " required, and the class declares no default. Name the properties, or declare defaults.")
        }
        let wanting = entity.descriptor.relationships.first {
            !$0.isToOne && !$0.isOptional && $0.metadata.minimumModelCount > 0
        }
        guard let wanting else { return }
        throw SwiftDataError(
            .modelValidationFailure,
            "Rows cannot be inserted into \(entity.name): \(wanting.qualifiedName) must have at least "
                + "\(wanting.metadata.minimumModelCount) objects, and an inserted row has none. Insert objects.")
    }

    // MARK: Unique values

    mutating func addUniqueSets() {
        for set in entity.uniqueSets {
            let buffers = set.decidingSlots.compactMap { transported[$0] }
            guard buffers.count == set.decidingSlots.count else { continue }
            uniqueSets.append(RowInsertPlan.ComparedSet(set: set, buffers: buffers))
        }
    }

    /// What a row writes that is there already.
    func updatedSlots(_ policy: UniquePolicy, isGiven: Bool) throws -> SlotSet {
        guard !uniqueSets.isEmpty, policy.writesRows else { return SlotSet() }
        var unknown = policy.namedSlots(of: entity.descriptor) ?? SlotSet()
        unknown.subtract(slots)
        // The context's policy is not about these rows.
        if isGiven, let slot = unknown.slots.first {
            throw SwiftDataError(
                .unsupportedKeyPath,
                "uniquePolicy .upsert(updating:) names \(entity.descriptor.properties[slot].qualifiedName), which the rows inserted into "
                    + "\(entity.name) have no value of. Name it for the rows too, or leave it out of the policy.")
        }
        var known = slots
        known.formUnion(entity.descriptor.dates.ofPresence)
        // Parts of a key are what a row is found by, and stay.
        if !entity.key.isSingle { known.subtract(SlotSet(entity.keySlots)) }
        return policy.updatedSlots(of: entity.descriptor)?.intersection(known) ?? known
    }

    func updates(of slots: SlotSet) -> [RowInsertPlan.Update] {
        // With one set, what stands there is what the row was found by, where that is compared as it is.
        let found = uniqueSets.count == 1 ? uniqueSets[0].set.exactSlots : SlotSet()
        return entity.layers.compactMap { owner in
            let columns = owner.tableSlots.compactMap { slot -> (column: Column, buffer: Int)? in
                guard slots.contains(slot), !found.contains(slot), !owner.isKey(slot),
                    let column = owner.columns[slot],
                    let buffer = transported[slot]
                else { return nil }
                return (column, buffer)
            }
            return columns.isEmpty ? nil : RowInsertPlan.Update(entity: owner, columns: columns)
        }
    }
}
