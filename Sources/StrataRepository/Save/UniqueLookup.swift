import StrataClient
import StrataModels

/// Finds rows and other new objects that have the unique values of new objects: one query a unique set for each of the two.
///
/// The server compares, so that "equal" means what the constraints mean by it: `numeric` 1.0 and 1, no NULL ever.
///
/// Where a unique set has a relationship, what the new objects refer to may itself turn out to be a row. Then there is another
/// look, with the keys that are known by then: ``further(after:)``.
struct UniqueLookup {
    /// What the queries found, by position among the new objects.
    final class Findings {
        var duplicates: [(first: Int, second: Int, set: UniqueSet)] = []
        var matches: [(position: Int, key: Int64, entityName: String?, set: UniqueSet)] = []
        /// New objects that have the unsaved values of changed ones, by position among those.
        var collisions: [(position: Int, changed: Int, set: UniqueSet)] = []
    }

    /// The new objects that one unique set applies to.
    private final class Candidates {
        let set: UniqueSet
        var groups: [ModelGroups.Group] = []
        var count: Int { groups.reduce(0) { $0 + $1.models.count } }

        init(_ set: UniqueSet) { self.set = set }
    }

    let findings = Findings()
    private(set) var statements: [SaveStatement] = []
    /// The tables whose unique values are looked up.
    private(set) var tables = Set<TableName>()
    private let context: SaveContext
    private let locksRows: Bool

    /// `nil` when there is nothing to look up.
    ///
    /// - Parameter locksRows: whether the rows that are found are to be written.
    init?(_ context: SaveContext, locksRows: Bool = true) throws {
        guard context.uniquePolicy != .fail, !context.inserted.isEmpty else { return nil }
        self.context = context
        self.locksRows = locksRows
        for candidates in Self.collect(context.inserted) { try add(candidates) }
        if statements.isEmpty { return nil }
    }

    private static func collect(_ inserted: ModelGroups) -> [Candidates] {
        var all: [Candidates] = []
        var byPlace: [[Int]: Candidates] = [:]
        for group in inserted.groups {
            for set in group.entity.uniqueSets {
                // Subclasses share the sets of their superclasses.
                let place = [set.owner.index] + set.slots
                let candidates = byPlace[place] ?? Candidates(set)
                if byPlace.updateValue(candidates, forKey: place) == nil { all.append(candidates) }
                candidates.groups.append(group)
            }
        }
        // In the same order in every save: they lock rows.
        return all.sorted { ($0.set.owner.index, $0.set.slots[0]) < ($1.set.owner.index, $1.set.slots[0]) }
    }

    // MARK: Queries

    private mutating func add(_ candidates: Candidates) throws {
        let set = candidates.set
        tables.insert(set.owner.table)
        let buffers = ColumnBuffers([.int8] + set.columns.map(\.transportType), reservingCapacity: candidates.count)
        for group in candidates.groups {
            let values = UniqueValues(of: group.entity.descriptor, set, context.rewriting)
            for (offset, model) in group.models.enumerated() {
                try buffers[0].append(Int64(group.first + offset))
                try values.append(model, to: buffers)
            }
        }
        var parameters = PostgresParameters()
        for index in 0..<buffers.count { try parameters.append(buffers[index]) }
        if candidates.count > 1 { statements.append(duplicates(set, parameters)) }
        if let collisions = try collisions(set, parameters) { statements.append(collisions) }
        let leaving = try LeavingRows(of: set, context)
        try parameters.append(leaving.keys)
        statements.append(
            matches(set, parameters, try leaving.values.isEmpty ? nil : (leaving, tuples(of: candidates))))
    }

    /// What the new objects have, by position.
    private func tuples(of candidates: Candidates) throws -> [Int: UniqueTuple] {
        var tuples: [Int: UniqueTuple] = [:]
        for group in candidates.groups {
            let values = UniqueValues(of: group.entity.descriptor, candidates.set, context.rewriting)
            for (offset, model) in group.models.enumerated() {
                tuples[group.first + offset] = try UniqueTuple(model, candidates.set, values)
            }
        }
        return tuples
    }

    private func source(_ set: UniqueSet) -> String {
        let arrays = set.columns.enumerated().map { "$\($0 + 2)::\($1.transportType.array)" }
        let names = set.columns.indices.map { "c\($0)" }
        return "unnest($1::bigint[], \(arrays.joined(separator: ", "))) AS u(i, \(names.joined(separator: ", ")))"
    }

    private func value(_ index: Int, _ column: Column) -> String {
        column.type == column.transportType ? "u.c\(index)" : "u.c\(index)::\(column.type)"
    }

    /// New objects that are equal to each other, each with the one that wins.
    private func duplicates(_ set: UniqueSet, _ parameters: PostgresParameters) -> SaveStatement {
        let values = set.columns.enumerated().map { value($0, $1) }
        let winner = context.uniquePolicy == .ignore ? "min" : "max"
        let text =
            "SELECT d.i, d.w FROM (SELECT u.i, \(winner)(u.i) OVER (PARTITION BY \(values.joined(separator: ", "))) AS w"
            + " FROM \(source(set)) WHERE \(values.map { "\($0) IS NOT NULL" }.joined(separator: " AND "))) AS d WHERE d.i <> d.w"
        var statement = SaveStatement(
            kind: .lookup, text: text, parameters: parameters, name: "save: compare new \(set.owner.table.name)")
        statement.onRow = { [findings] row in
            let first = try row.decode(0, as: Int64.self)
            let second = try row.decode(1, as: Int64.self)
            findings.duplicates.append((Int(first), Int(second), set))
        }
        return statement
    }

    /// Rows that have the values of new objects; locked, so that they are still there when they are written.
    ///
    /// - Parameter leaving: rows that are found and are no match if they have what their objects knew, and what the new objects
    ///   have, by position.
    private func matches(
        _ set: UniqueSet, _ parameters: PostgresParameters,
        _ leaving: (rows: LeavingRows, wanted: [Int: UniqueTuple])?
    ) -> SaveStatement {
        let conditions = set.columns.enumerated().map { index, column in
            "t.\(SQLFragment.quoted(column.name)) = \(value(index, column))"
        }
        let owner = set.owner
        let root = owner.root
        var columns = "u.i, t.\"pk\""
        var tables = "\(source(set)) JOIN \(owner.table.quoted) AS t ON \(conditions.joined(separator: " AND "))"
        if owner.hasDiscriminator {
            if owner.parent == nil {
                columns += ", t.\"class\""
            } else {
                columns += ", r.\"class\""
                tables += " JOIN \(root.table.quoted) AS r ON r.\"pk\" = t.\"pk\""
            }
        }
        let text =
            "SELECT \(columns) FROM \(tables) WHERE t.\"pk\" <> ALL ($\(set.columns.count + 2)::bigint[])"
            // In the order of the keys: saves that look for the same rows wait for each other instead of deadlocking.
            + " ORDER BY t.\"pk\"" + (locksRows ? " FOR NO KEY UPDATE OF t" : "")
        var statement = SaveStatement(
            kind: .lookup, text: text, parameters: parameters, name: "save: find \(owner.table.name)")
        let hasClass = owner.hasDiscriminator
        statement.onRow = { [findings] row in
            let position = try row.decode(0, as: Int64.self)
            let key = try row.decode(1, as: Int64.self)
            if let leaving, leaving.rows.leaves(key, leaving.wanted[Int(position)]) { return }
            let name = hasClass ? try row.decode(2, as: String.self) : nil
            findings.matches.append((Int(position), key, name, set))
        }
        return statement
    }

    /// New objects that have the new values of changed ones, which stand in no row yet. `nil` when none changes such values.
    private func collisions(_ set: UniqueSet, _ parameters: PostgresParameters) throws -> SaveStatement? {
        let buffers = ColumnBuffers([.int8] + set.columns.map(\.transportType), reservingCapacity: 16)
        for group in context.changed.groups where group.entity.root === set.owner.root {
            guard group.entity.uniqueSets.contains(where: { $0.owner === set.owner && $0.slots == set.slots }) else {
                continue
            }
            let values = UniqueValues(of: group.entity.descriptor, set, context.rewriting)
            for (offset, model) in group.models.enumerated() where set.isChanged(in: model) {
                try buffers[0].append(Int64(group.first + offset))
                try values.append(model, to: buffers)
            }
        }
        guard buffers[0].count > 0 else { return nil }
        var parameters = parameters
        let first = parameters.count + 1
        for index in 0..<buffers.count { try parameters.append(buffers[index]) }
        let arrays = (0..<buffers.count).map { "$\(first + $0)::\(buffers[$0].elementType.array)" }
        let names = set.columns.indices.map { "c\($0)" }
        let conditions = set.columns.enumerated().map { index, column in
            let other = column.type == column.transportType ? "v.c\(index)" : "v.c\(index)::\(column.type)"
            return "\(value(index, column)) = \(other)"
        }
        let text =
            "SELECT u.i, v.i FROM \(source(set)) JOIN unnest(\(arrays.joined(separator: ", ")))"
            + " AS v(i, \(names.joined(separator: ", "))) ON \(conditions.joined(separator: " AND "))"
        var statement = SaveStatement(
            kind: .lookup, text: text, parameters: parameters, name: "save: compare changed \(set.owner.table.name)")
        statement.onRow = { [findings] row in
            let position = try row.decode(0, as: Int64.self)
            findings.collisions.append((Int(position), Int(try row.decode(1, as: Int64.self)), set))
        }
        return statement
    }

    // MARK: Resolution

    /// Who stands for whom, after the queries were answered.
    func resolution() throws -> UniqueResolution {
        try UniqueResolution(findings, context)
    }

    /// The look that is needed once it is known who stands for whom: objects whose unique values are the keys of others have
    /// other values then. `nil` when none has.
    func further(after resolution: UniqueResolution) throws -> UniqueLookup? {
        guard hasOtherValues(resolution.rewriting) else { return nil }
        var context = context
        context.rewriting = resolution.rewriting
        return try UniqueLookup(context, locksRows: locksRows)
    }

    private func hasOtherValues(_ rewriting: KeyRewriting) -> Bool {
        guard !rewriting.isEmpty else { return false }
        return context.inserted.groups.contains { group in
            let properties = group.entity.descriptor.properties
            let references = Set(group.entity.uniqueSets.flatMap(\.slots)).compactMap {
                properties[$0] as? RelationshipProperty
            }
            guard !references.isEmpty else { return false }
            return group.models.contains { model in
                references.contains { reference in
                    guard let key = reference.reference(of: model).key else { return false }
                    return rewriting(key) != context.rewriting(key)
                }
            }
        }
    }
}
