import StrataClient
import StrataModels

/// Where each row of a batch goes: into a new row of the table, or into one that is there.
///
/// It is what inserting one row after the other would give: a row that has taken over another one's unique values is found by
/// those that come after it.
struct RowTargets {
    /// One row of the tables.
    struct Target {
        /// Of a stored row; `nil` for one that is new.
        let key: RowKey?
        /// The row of the batch whose values it gets.
        var row: Int
    }

    private(set) var targets: [Target] = []
    /// The place in `targets` of each row of the batch.
    private(set) var places: [Int] = []

    /// A value of one set: rows that are equal in it have the same group.
    private struct Holding: Hashable {
        let set: Int
        let group: Int
    }

    private let batch: RowBatch
    private let findings: RowLookup.Findings
    /// The keys that rows bring whose key is of several columns: none becomes another one.
    private let rowKeys: [RowKey]
    private var holders: [Holding: Int] = [:]
    /// The other way around: what each row of the tables has in each set, one after the other, as far as it is known.
    private var groups: [Int?] = []
    private var stored: [RowKey: Int] = [:]
    /// What stored rows had in each set at first.
    private var storedGroups: [[RowKey: Int]] = []
    /// Stored values that another row of the batch has taken from their row.
    private var left: Set<Holding> = []

    /// Each row is new.
    init(allNew count: Int, of batch: RowBatch) {
        self.batch = batch
        findings = RowLookup.Findings(sets: 0)
        rowKeys = []
        targets = (0..<count).map { Target(key: nil, row: $0) }
        places = Array(0..<count)
    }

    /// Throws ``SwiftDataError`` with the code `uniqueConstraint` for a row that has the values of several, or of an object of another class.
    init(_ batch: RowBatch, _ findings: RowLookup.Findings) throws {
        self.batch = batch
        self.findings = findings
        rowKeys = batch.plan.entity.key.isSingle ? [] : try batch.keys(of: nil)
        storedGroups = findings.matches.enumerated().map { set, matches in
            Dictionary(
                matches.map { ($1.key, holding(set, $0).group) }, uniquingKeysWith: { first, _ in first })
        }
        for row in 0..<batch.count { try place(row) }
    }

    private func holding(_ set: Int, _ row: Int) -> Holding {
        Holding(set: set, group: findings.duplicates[set][row] ?? row)
    }

    private mutating func add(_ target: Target) -> Int {
        targets.append(target)
        groups += Array(repeating: nil, count: batch.plan.uniqueSets.count)
        return targets.count - 1
    }

    /// Notes that a row of the tables has a value.
    private mutating func give(_ holding: Holding, to place: Int) {
        holders[holding] = place
        groups[place * batch.plan.uniqueSets.count + holding.set] = holding.group
    }

    /// Notes that a row of the tables does not have what it had in a set.
    private mutating func take(_ set: Int, from place: Int) {
        let index = place * batch.plan.uniqueSets.count + set
        if let group = groups[index] {
            holders[Holding(set: set, group: group)] = nil
            left.insert(Holding(set: set, group: group))
            groups[index] = nil
        }
        if let key = targets[place].key, let group = storedGroups[set][key] {
            left.insert(Holding(set: set, group: group))
        }
    }

    private mutating func place(_ row: Int) throws {
        guard let found = try target(of: row) else {
            places.append(add(Target(key: nil, row: row)))
            for set in batch.plan.uniqueSets.indices { give(holding(set, row), to: places[row]) }
            return
        }
        places.append(found)
        guard batch.plan.policy.writesRows else { return }
        move(found, to: row)
        targets[found].row = row
    }

    /// The row that has one of its unique values already.
    private mutating func target(of row: Int) throws -> Int? {
        var found: (place: Int, set: UniqueSet)?
        for (set, compared) in batch.plan.uniqueSets.enumerated() {
            guard let place = try holder(of: holding(set, row), row, compared.set) else { continue }
            if let found, found.place != place {
                throw SwiftDataError(
                    .uniqueConstraint,
                    "\(batch.name(ofRow: row)) has the values of two objects: of one in \(found.set.names), of another in "
                        + "\(compared.set.names). Strata does not guess which is meant: leave the row out, or change one of its values."
                )
            }
            found = (place, compared.set)
        }
        if let found { try requireSameKey(found.place, found.set, row) }
        return found?.place
    }

    /// A key of several columns is final: what is found by another set has to have it.
    private func requireSameKey(_ place: Int, _ set: UniqueSet, _ row: Int) throws {
        guard !rowKeys.isEmpty, (targets[place].key ?? rowKeys[targets[place].row]) != rowKeys[row] else { return }
        throw SwiftDataError(
            .uniqueConstraint,
            "\(batch.name(ofRow: row)) has the \(set.names) of an object with another key. Its key is \(batch.plan.entity.key.description), and is "
                + "final: leave the row out, or change one of its values.")
    }

    private mutating func holder(of holding: Holding, _ row: Int, _ set: UniqueSet) throws -> Int? {
        if let holder = holders[holding] { return holder }
        guard !left.contains(holding), let match = findings.matches[holding.set][row] else { return nil }
        if let name = match.className, name != batch.plan.entity.discriminator {
            throw SwiftDataError(
                .uniqueConstraint,
                "\(batch.name(ofRow: row)) has the \(set.names) of a stored \(name). An object cannot change its class: leave the row "
                    + "out, or insert into \(name).")
        }
        let place = stored[match.key] ?? add(Target(key: match.key, row: row))
        stored[match.key] = place
        give(holding, to: place)
        return place
    }

    /// Notes what a row of the tables has when a row of the batch was written to it.
    private mutating func move(_ place: Int, to row: Int) {
        let isNew = targets[place].key == nil
        for (set, compared) in batch.plan.uniqueSets.enumerated() {
            let holding = holding(set, row)
            guard holders[holding] != place else { continue }
            let written = compared.set.decidingSlots.count { isNew || batch.plan.updatedSlots.contains($0) }
            guard written > 0 else { continue }
            take(set, from: place)
            // With only a part of the set written, what the row has then is for the server to know.
            if written == compared.set.decidingSlots.count {
                give(holding, to: place)
                left.remove(holding)
            }
        }
    }
}
