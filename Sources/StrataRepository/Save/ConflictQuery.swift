import StrataClient
import StrataModels

/// Asks which rows of a failed update are gone, and which hold other values than their objects knew.
enum ConflictQuery {
    struct Difference {
        let model: any PersistentModel
        let isGone: Bool
        /// Properties whose value is another than the object knew, with that value and the object's own.
        let properties: [(name: String, stored: String?, written: String?)]
        /// Stored forms that differ from the object's and mean the same, by slot.
        let sameForms: [Int: [UInt8]?]

        /// Whether nothing is different but how the same values are written.
        var isOnlyInForm: Bool { !isGone && properties.isEmpty }
    }

    static func statement(_ group: UpdateGroup) throws -> PostgresStatement {
        var parameters = PostgresParameters()
        let source = try UpdateValues.rows(of: group, &parameters)
        let checks = group.checked.enumerated().compactMap {
            index, slot -> (same: String, values: [String])? in
            guard let column = group.owner.columns[slot], let place = group.slots.firstIndex(of: slot) else {
                return nil
            }
            let stored = "t.\(SQLFragment.quoted(column.name))"
            let old = column.type == column.transportType ? "u.o\(index)" : "u.o\(index)::\(column.type)"
            var values = ["left(\(stored)::text, 200)", "left(u.n\(place)::text, 200)"]
            if restored(slot, of: group) != nil { values += [stored, old] }
            return (
                UpdateStatement.isSame(stored, old, isReleased: group.shape.released.contains(slot)), values
            )
        }
        let columns = ["u.pk", "t.\"pk\" IS NULL"] + checks.flatMap { ["NOT (\($0.same))"] + $0.values }
        let conditions = ["t.\"pk\" IS NULL"] + checks.map { "NOT (\($0.same))" }
        let text =
            "SELECT \(columns.joined(separator: ", ")) FROM \(source)"
            + " LEFT JOIN \(group.owner.table.quoted) AS t ON t.\"pk\" = u.pk WHERE \(conditions.joined(separator: " OR "))"
        return PostgresStatement(text, parameters: parameters, name: "save: explain \(group.label)")
    }

    static func difference(_ row: PostgresRow, _ group: UpdateGroup) throws -> Difference {
        let key = try row.decode(0, as: Int64.self)
        guard let model = group.model(key: key) else {
            throw PostgresError(.protocolViolation, "The server returned a key that was not asked for.")
        }
        var properties: [(name: String, stored: String?, written: String?)] = []
        var sameForms: [Int: [UInt8]?] = [:]
        var next = 2
        for slot in group.checked {
            let attribute = restored(slot, of: group)
            defer { next += attribute == nil ? 3 : 5 }
            guard try row.decode(next, as: Bool.self) else { continue }
            if let attribute {
                let (stored, old) = (row.bytes(next + 3).map(Array.init), row.bytes(next + 4).map(Array.init))
                if attribute.areSame(stored, old) {
                    sameForms[slot] = .some(stored)
                    continue
                }
            }
            properties.append(
                (
                    group.owner.columns[slot]?.propertyName ?? "",
                    try row.decodeIfPresent(next + 1, as: String.self),
                    try row.decodeIfPresent(next + 2, as: String.self)
                ))
        }
        return Difference(
            model: model, isGone: try row.decode(1, as: Bool.self), properties: properties, sameForms: sameForms)
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
        let names = differences.flatMap { $0.properties.map(\.name) }
        var seen = Set<String>()
        let distinct = names.filter { seen.insert($0).inserted }
        let details = differences.prefix(20).flatMap { difference in
            difference.properties.map { property in
                "\(difference.model.persistentModelID): \(property.name) is \(property.stored ?? "nil") in the database, "
                    + "\(property.written ?? "nil") here."
            }
        }
        return SwiftDataError(
            .conflict,
            "\(distinct.joined(separator: ", ")) changed in the database since \(differences.count == 1 ? "the object was" : "the objects were") "
                + "read. Nothing was saved; fetch again and repeat the change, or save with another conflict policy.",
            identifiers: differences.map(\.model.persistentModelID), details: details.joined(separator: " "))
    }
}
