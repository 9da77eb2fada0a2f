import StrataClient
import StrataModels

/// Finds rows and other new objects that have the unique values of new objects: one query a unique set for each of the two.
///
/// Where a unique set has a relationship, what the new objects refer to may itself turn out to be a row. Then there is another
/// look, with the keys that are known by then: ``further(after:)``.
struct UniqueLookup {
    /// What the queries found, by position among the new objects.
    final class Findings {
        var duplicates: [(first: Int, second: Int, set: UniqueSet)] = []
        var matches: [(position: Int, key: RowKey, entityName: String?, set: UniqueSet)] = []
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
        var byPlace: [SIMD2<Int>: Candidates] = [:]
        for group in inserted.groups {
            for set in group.entity.uniqueSets {
                // Subclasses share the sets of their superclasses.
                let place = SIMD2(set.owner.index, set.number)
                let candidates = byPlace[place] ?? Candidates(set)
                if byPlace.updateValue(candidates, forKey: place) == nil { all.append(candidates) }
                candidates.groups.append(group)
            }
        }
        // In the same order in every save: they lock rows.
        return all.sorted { one, other in
            (one.set.owner.index, one.set.slots[0], one.set.number)
                < (other.set.owner.index, other.set.slots[0], other.set.number)
        }
    }

    // MARK: Queries

    private mutating func add(_ candidates: Candidates) throws {
        let set = candidates.set
        tables.insert(set.owner.table)
        let buffers = ColumnBuffers(
            [.int8] + set.decidingColumns.map(\.transportType), reservingCapacity: candidates.count)
        for group in candidates.groups {
            let values = UniqueValues(of: group.entity, set, context)
            for (offset, model) in group.models.enumerated() {
                try buffers[0].append(Int64(group.first + offset))
                try values.append(model, to: buffers)
            }
        }
        var parameters = PostgresParameters()
        for index in 0..<buffers.count { try parameters.append(buffers[index]) }
        if candidates.count > 1 { statements.append(try duplicates(set, parameters)) }
        if let collisions = try collisions(set, parameters) { statements.append(collisions) }
        let leaving = try LeavingRows(of: set, context)
        let found = try matches(set, buffers, leaving, try leaving.values.isEmpty ? [:] : tuples(of: candidates))
        if locksRows, set.owner.readsClassOfTables {
            var lock = found
            lock.onRow = nil
            statements.append(lock)
        }
        statements.append(found)
    }

    /// What the new objects have, by position.
    private func tuples(of candidates: Candidates) throws -> [Int: UniqueTuple] {
        var tuples: [Int: UniqueTuple] = [:]
        for group in candidates.groups {
            let values = UniqueValues(of: group.entity, candidates.set, context)
            for (offset, model) in group.models.enumerated() {
                tuples[group.first + offset] = try UniqueTuple(model, candidates.set, values)
            }
        }
        return tuples
    }

    /// New objects that are equal to each other, each with the one that wins.
    private func duplicates(_ set: UniqueSet, _ parameters: PostgresParameters) throws -> SaveStatement {
        let text = UniqueQuery(of: set)
            .duplicates(winner: context.uniquePolicy == .ignore ? "min" : "max")
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
    /// - Parameters:
    ///   - leaving: rows that are no match, or are none if they have what their objects knew.
    ///   - wanted: what the new objects have, by position.
    private func matches(
        _ set: UniqueSet, _ buffers: ColumnBuffers, _ leaving: LeavingRows, _ wanted: [Int: UniqueTuple]
    ) throws -> SaveStatement {
        let rows = DoomedRows(context, of: set.owner.root)
        let doomed = try rows?.query().statement()
        var parameters = doomed?.parameters ?? PostgresParameters()
        let query = UniqueQuery(of: set, firstParameter: parameters.count + 1)
        for index in 0..<buffers.count { try parameters.append(buffers[index]) }
        try parameters.append(leaving.keys)
        let key = set.owner.key.value(of: "t")
        var stays = set.owner.key.isNotAmong("$\(parameters.count)::\(set.owner.keyKind.type.array)", of: "t")
        if let rows {
            stays += " AND NOT EXISTS (SELECT FROM doomed AS d WHERE \(rows.keys.isRow("d", of: set.owner.root, key)))"
        }
        // What a row holds is what its object knew, or it is not: of texts that are compared as something else, the text itself is asked for.
        let readsTexts = set.hasFolds && !leaving.values.isEmpty
        let text =
            (doomed.map { "\($0.sql.text) " } ?? "")
            + query.matches(where: stays, locksRows: locksRows, readsTexts: readsTexts)
        var statement = SaveStatement(
            kind: .lookup, text: text, parameters: parameters, name: "save: find \(set.owner.table.name)")
        let hasClass = query.hasClass
        statement.onRow = { [findings] row in
            let position = try row.decode(0, as: Int64.self)
            let key = row.key(1, set.owner.keyKind)
            let wanted = wanted[Int(position)]
            let stored = readsTexts ? wanted?.replacingTexts(of: set, row, from: hasClass ? 3 : 2) : wanted
            if leaving.leaves(key, stored) { return }
            let name = hasClass ? set.owner.className(ofDiscriminator: try row.decode(2)) : nil
            findings.matches.append((Int(position), key, name, set))
        }
        return statement
    }

    /// New objects that have the new values of changed ones, which stand in no row yet. `nil` when none changes such values.
    private func collisions(_ set: UniqueSet, _ parameters: PostgresParameters) throws -> SaveStatement? {
        let buffers = ColumnBuffers([.int8] + set.decidingColumns.map(\.transportType), reservingCapacity: 16)
        for group in context.changed.groups where set.applies(to: group.entity) {
            let values = UniqueValues(of: group.entity, set, context)
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
        let names = set.decidingColumns.indices.map { "c\($0)" }
        let query = UniqueQuery(of: set)
        var conditions = set.columns.indices.map {
            "\(set.compared(query.value($0), at: $0)) \(set.nullsAreDistinct ? "=" : "IS NOT DISTINCT FROM") "
                + set.compared(query.value($0, of: "v"), at: $0)
        }
        conditions += ["u", "v"].compactMap(query.condition)
        let text =
            "SELECT u.i, v.i FROM \(query.source) JOIN unnest(\(arrays.joined(separator: ", ")))"
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
                    guard let key = reference.reference(of: model).key,
                        let target = group.entity.relationships[reference.slot]?.destination
                    else { return false }
                    return rewriting(key, of: target) != context.rewriting(key, of: target)
                }
            }
        }
    }
}
