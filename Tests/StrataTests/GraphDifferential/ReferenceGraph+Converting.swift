import Strata
import StrataClient

/// Objects that become ones of another class.
extension ReferenceGraph {
    func canConvert(_ number: Int, _ kind: GraphKind, _ c: Int) -> Bool {
        guard let (key, object) = object(number, c), object.phase == .registered, rows[key] != nil else { return false }
        return object.row.kind != kind && object.row.kind.root == kind.root && isSettled(c)
    }

    /// A save, and then the row has the values that both classes have. What only the old class relates must be parted before.
    mutating func convert(_ key: RowKey, to kind: GraphKind, _ c: Int, _ outcome: GraphOutcome) -> String? {
        var result = saved(c, .throw)
        if let row = result.graph.rows[key] {
            let lost = row.kind.collections.filter { !kind.isKind(of: $0.target) }
            if lost.contains(where: { reference in result.graph.rows.values.contains { $0[reference] == key } }) {
                result.errors.insert(.modelValidationFailure)
            }
            result.graph.rows[key] = row.converted(to: kind)
            // The new object has what the old one held.
            let held = result.graph.contexts[c].objects[key]?.row ?? row
            result.graph.contexts[c].objects[key] = .init(row: held.converted(to: kind), phase: .registered)
        } else {
            // It goes with the save.
            result.errors.insert(.modelNotFound)
        }
        switch outcome {
        case .done where result.errors.isEmpty: self = result.graph
        case .failed(let code) where result.errors.contains(code) || result.possibleErrors.contains(code):
            // As after a transaction that failed.
            for key in contexts[c].objects.keys { contexts[c].objects[key]?.mayBeReread = true }
        default: return "the conversion: \(outcome), expected \(result.errors.isEmpty ? "success" : "\(result.errors)")"
        }
        return nil
    }

    // MARK: Other contexts

    /// Whether another context has made an object one of another class: this one's object gives way to one of that class when
    /// its row is read.
    func isOutdated(_ key: RowKey, _ c: Int) -> Bool {
        guard let object = contexts[c].objects[key], let row = rows[key] else { return false }
        return object.row.kind != row.kind
    }

    /// Whether one of those has unsaved changes, or seems to have: what reads its row fails.
    func hasOutdatedChanges(_ c: Int) -> Bool {
        contexts[c].objects.contains { key, object in
            (!object.originals.isEmpty || object.phase == .deleted || object.seemsChanged) && isOutdated(key, c)
        }
    }

    mutating func noteGivingWay(_ key: RowKey, _ look: GraphMachine.Look?, _ c: Int) {
        guard let look else {
            contexts[c].objects[key] = nil
            return
        }
        guard let row = rows[key], look.kind == row.kind else {
            contexts[c].objects[key]?.seemsChanged = look.hasChanges
            return
        }
        // What was read for an edit gave way before it.
        let edited = contexts[c].objects[key]
        contexts[c].objects[key] = .init(row: row, phase: .registered)
        for slot in edited?.originals.keys.filter(row.kind.slots.contains) ?? [] {
            contexts[c].write(edited?.row[slot] ?? .empty, to: slot, of: key)
        }
    }
}

extension GraphRow {
    /// The values that both classes have, and the defaults of the others.
    fileprivate func converted(to kind: GraphKind) -> GraphRow {
        var new = GraphRow(kind: kind, number: number)
        for slot in kind.slots {
            if self.kind.slots.contains(slot) {
                new[slot] = self[slot]
            } else if case .attribute(let attribute) = slot, attribute.isNumber {
                new[slot] = .number(0)
            }
        }
        return new
    }
}
