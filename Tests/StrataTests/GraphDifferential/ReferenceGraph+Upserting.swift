import Strata
import StrataClient

/// What a save makes of unique values.
extension ReferenceGraph.Saved {
    /// New objects with a unique value: one for each value, in the place of the row that has it.
    mutating func insertUnique(_ own: ReferenceContext, besides deleted: Set<RowKey>) {
        let new = own.objects.filter { $1.phase == .inserted && $1.row[.code] != .empty }
        for (code, objects) in Dictionary(
            grouping: new.sorted { $0.value.row.number < $1.value.row.number }, by: { $0.value.row[.code] })
        {
            let row = graph.rows.first { $1[.code] == code && !deleted.contains($0) }
            let isUnsaved = own.objects.values.contains {
                $0.phase == .registered && $0.originals[.attribute(.code)] != nil && $0.row[.code] == code
            }
            if isUnsaved, row != nil { errors.insert(.uniqueConstraint) }
            if isUnsaved {
                possibleErrors.insert(.uniqueConstraint)
                hasCollision = true
            }
            // Who gives the value of a row up may fail to, where the store's values are kept.
            if let row, own.objects[row.key]?.originals[.attribute(.code)] != nil {
                possibleErrors.insert(.uniqueConstraint)
            }
            if own.uniquePolicy == .fail {
                if row != nil || objects.count > 1 { errors.insert(.uniqueConstraint) }
                for (key, object) in objects { graph.rows[key] = object.row }
                continue
            }
            let winner = own.uniquePolicy == .ignore ? objects[0] : objects[objects.count - 1]
            let key = row?.key ?? winner.key
            if row == nil || own.uniquePolicy == .upsert { graph.rows[key] = winner.value.row }
            for (old, _) in objects where old != key { moved[old] = key }
            if key != winner.key { standsFor[key] = winner.key }
        }
    }

    /// Changed objects must not collide with anything that there is.
    mutating func checkUnique(_ own: ReferenceContext, before: [RowKey: GraphRow]) {
        for (key, object) in own.objects where object.phase == .registered {
            guard object.originals[.attribute(.code)] != nil, let row = graph.rows[key], row[.code] != .empty else {
                continue
            }
            if graph.rows.contains(where: { $0 != key && $1[.code] == row[.code] }) { errors.insert(.uniqueConstraint) }
            // Which is written first is not said.
            if before.contains(where: { $0 != key && $1[.code] == row[.code] }) {
                possibleErrors.insert(.uniqueConstraint)
            }
        }
    }

    /// Who stands for a row takes its key, and the place of the object that had it.
    func takePlaces(in state: inout ReferenceContext) {
        let new = standsFor.compactMapValues { state.objects[$0] }
        for key in moved.keys { state.objects[key] = nil }
        for (key, object) in new {
            state.objects[key] = object
            if let row = graph.rows[key] { state.objects[key]?.row = row }
        }
    }
}

extension ReferenceGraph {
    /// Whether a new object with pairs may give way to a row that stays as it is: which pairs it brings is said by who wrote
    /// them, which this model does not know.
    func isIgnoringPairs(_ c: Int) -> Bool {
        let own = contexts[c]
        guard own.uniquePolicy == .ignore else { return false }
        return own.paired.contains { pair in
            own.objects[pair.skill].map { $0.phase == .inserted && $0.row[.code] != .empty } ?? false
        }
    }
}
