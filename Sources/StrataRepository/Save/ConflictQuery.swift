import StrataClient
import StrataModels

/// Asks which rows of a failed update are gone, and which hold other values than their objects knew.
enum ConflictQuery {
    struct Difference {
        let model: any PersistentModel
        let isGone: Bool
        /// Properties whose value is another than the object knew.
        let conflicts: [PropertyConflict]
        /// Stored forms that differ from the object's and mean the same, by slot.
        let sameForms: [Int: [UInt8]?]

        /// Whether nothing is different but how the same values are written.
        var isOnlyInForm: Bool { !isGone && conflicts.isEmpty }
    }

    /// A property whose old value is compared: three values in the form of its column, and the classes of the objects that they
    /// refer to, where keys alone do not tell them.
    private struct Check {
        let slot: Int
        let isSame: String
        /// The old value, the new one, what is stored.
        let values: [String]
        /// What says the class of each value's object; empty for attributes and classes without subclasses.
        let classes: [String]
    }

    static func statement(_ group: UpdateGroup) throws -> PostgresStatement {
        var parameters = PostgresParameters()
        let source = try UpdateValues.rows(of: group, &parameters)
        let checks = checks(of: group)
        var classes = ""
        if let rows = group.layout.rows {
            try parameters.append(rows.values)
            classes = " AND \(rows.isMet(by: "t", parameter: parameters.count))"
        }
        let key = group.owner.key.value(of: "t")
        let columns =
            ["u.pk", "\(key) IS NULL"] + checks.flatMap { ["NOT (\($0.isSame))"] + $0.values + $0.classes }
        let conditions = ["\(key) IS NULL"] + checks.map { "NOT (\($0.isSame))" }
        let text =
            "SELECT \(columns.joined(separator: ", ")) FROM \(source)"
            + " LEFT JOIN \(group.owner.table.quoted) AS t ON \(group.owner.key.isEqual(to: "u.pk", of: "t"))\(classes) WHERE \(conditions.joined(separator: " OR "))"
        return PostgresStatement(text, parameters: parameters, name: "save: explain \(group.label)").storingNothing
    }

    private static func checks(of group: UpdateGroup) -> [Check] {
        group.checked.enumerated().compactMap { index, slot in
            guard let column = group.owner.columns[slot], let place = group.slots.firstIndex(of: slot) else {
                return nil
            }
            let stored = group.owner.asRead(column.value(of: "t"), in: column)
            func typed(_ name: String) -> String {
                column.type == column.transportType ? name : "\(name)::\(column.type)"
            }
            let values = [typed("u.o\(index)"), typed("u.n\(place)"), stored]
            return Check(
                slot: slot,
                isSame: UpdateStatement.isSame(
                    stored, group.owner.asStored(values[0], in: column),
                    isReleased: group.shape.released.contains(slot)),
                values: values,
                classes: discriminated(slot, of: group).map { root in values.map { root.classOf($0) } } ?? [])
        }
    }

    /// The root of the classes that a relationship leads to, if there are several.
    private static func discriminated(_ slot: Int, of group: UpdateGroup) -> EntityMapping? {
        guard let destination = group.owner.relationships[slot]?.destination, destination.hasSeveralClasses else {
            return nil
        }
        return destination.root
    }

    static func difference(_ row: PostgresRow, _ group: UpdateGroup) throws -> Difference {
        let key = row.key(0, group.owner.keyKind)
        guard let model = group.model(key: key) else {
            throw PostgresError(.protocolViolation, "The server returned a key that was not asked for.")
        }
        let isGone = try row.decode(1, as: Bool.self)
        var conflicts: [PropertyConflict] = []
        var sameForms: [Int: [UInt8]?] = [:]
        var next = 2
        for check in checks(of: group) {
            let first = next + 1
            defer { next = first + check.values.count + check.classes.count }
            guard try !isGone && row.decode(next, as: Bool.self) else { continue }
            let (old, stored) = (row.bytes(first).map(Array.init), row.bytes(first + 2).map(Array.init))
            if let attribute = restored(check.slot, of: group), attribute.areSame(stored, old) {
                sameForms[check.slot] = .some(stored)
                continue
            }
            let versions = try (0..<3).map { place in
                try version(
                    row, first + place, check.classes.isEmpty ? nil : first + 3 + place, check.slot, model, group)
            }
            conflicts.append(
                PropertyConflict(
                    type(of: model)._$descriptor.properties[check.slot], of: model.persistentModelID,
                    ConflictingValues(before: versions[0], mine: versions[1], theirs: versions[2])))
        }
        return Difference(model: model, isGone: isGone, conflicts: conflicts, sameForms: sameForms)
    }

    /// A value as the row has it: the bytes of an attribute, or the identifier of the object that a key refers to.
    private static func version(
        _ row: PostgresRow, _ place: Int, _ classPlace: Int?, _ slot: Int, _ model: any PersistentModel,
        _ group: UpdateGroup
    ) throws -> PropertyConflict.Version {
        guard let relationship = group.owner.relationships[slot] else {
            return .attribute(SnapshotContent.Cell(bytes: row.bytes(place).map { Array($0) }))
        }
        guard !row.isNull(place) else { return .target(nil) }
        let key = row.key(place, relationship.destination.keyKind)
        // A new object's row is not there any more: the save was undone.
        if case .object(let target) = relationship.property.reference(of: model), target._$state.key == key {
            return .target(target.persistentModelID)
        }
        let stored = try classPlace.flatMap { try row.decodeIfPresent($0, as: String.self) }
            .map(relationship.destination.className)
        let identity = EntityIdentity(
            store: model.persistentModelID.storeIdentifier, entityName: stored ?? relationship.destination.name)
        return .target(PersistentIdentifier(identity: identity, key: key))
    }

    /// Whether a row may hold other forms of the old values that mean the same: the statement is repeated with them.
    static func mayHealForms(_ statement: SaveStatement) -> Bool {
        guard case .update(let group) = statement.kind else { return false }
        return group.checked.contains { restored($0, of: group) != nil }
    }

    /// The attribute of a slot, if different forms of it may mean the same.
    private static func restored(_ slot: Int, of group: UpdateGroup) -> AnyAttributeProperty? {
        let attribute = group.owner.descriptor.properties[slot] as? AnyAttributeProperty
        return attribute?.comparison == .restored ? attribute : nil
    }

    /// Without the server's error, which is only how the statement fails. `nil` when nothing is different any more.
    static func error(_ differences: [Difference], _ group: UpdateGroup) -> SwiftDataError? {
        let gone = differences.filter(\.isGone)
        if !gone.isEmpty {
            return SwiftDataError(
                .modelNotFound,
                "\(gone.count) changed \(group.owner.name) object\(gone.count == 1 ? " is" : "s are") not in the database any more. "
                    + "Nothing was saved; roll back, or delete the object\(gone.count == 1 ? "" : "s") here too.",
                identifiers: gone.map(\.model.persistentModelID))
        }
        let differences = differences.filter { !$0.isOnlyInForm }
        guard !differences.isEmpty else { return nil }
        let conflicts = differences.flatMap(\.conflicts)
        var seen = Set<String>()
        let names = conflicts.map(\.qualifiedName).filter { seen.insert($0).inserted }
        var error = SwiftDataError(
            .conflict,
            "\(names.joined(separator: ", ")) changed in the database since \(differences.count == 1 ? "the object was" : "the objects were") "
                + "read. Nothing was saved; fetch again and repeat the change, or save with another conflict policy.",
            identifiers: differences.map(\.model.persistentModelID))
        error.conflicts = conflicts
        return error
    }
}

extension EntityMapping {
    /// The class of the row with this key, in a hierarchy of which this is the root.
    fileprivate func classOf(_ key: String) -> String {
        "(SELECT \(storedClass(of: "d")) FROM \(table.quoted) AS d WHERE \(self.key.isEqual(to: key, of: "d")))"
    }
}
