import StrataModels

/// Where delete rules lead from the hierarchies of which rows go: the relationships that take objects along or forbid it, and the query for all
/// that goes.
///
/// It is the same for rows that are deleted for good (``DeletePlan``) and for those that get a date (``SoftDeletePlan``), and for a statement as for
/// what unsaved changes show. They differ in what it takes for an object at the other end to be reached.
struct CascadeClosure {
    /// The roots of the hierarchies of which rows may go, by index, in order.
    let roots: [Int]
    /// The same.
    let reach: Set<Int>
    /// Those whose rows were to go in the first place.
    let asked: Set<Int>
    /// The relationships by whose rule objects go.
    private(set) var cascades: [RelationshipMapping] = []
    /// Those whose rule forbids it.
    private(set) var denials: [RelationshipMapping] = []
    /// How the keys of what goes are called in the query.
    let keys: DoomedKeys

    /// - Parameter roots: the hierarchies of the objects that go.
    init(of roots: some Sequence<EntityMapping>, in mapping: StoreMapping) {
        asked = Set(roots.map(\.index))
        var pending = asked.sorted()
        var reach = asked
        var next = 0
        while next < pending.count {
            for entity in mapping.entities[pending[next]].family {
                for case let relationship? in entity.relationships[entity.descriptor.ownSlots] {
                    switch relationship.property.deleteRule {
                    case .cascade:
                        cascades.append(relationship)
                        let root = relationship.destination.root.index
                        if reach.insert(root).inserted { pending.append(root) }
                    case .deny: denials.append(relationship)
                    case .nullify, .noAction: break
                    }
                }
            }
            next += 1
        }
        self.roots = pending.sorted()
        self.reach = reach
        keys = DoomedKeys(pending.map { mapping.entities[$0].keyKind })
    }

    /// Whether objects of a hierarchy may go by a rule without being asked for.
    func mayTakeAlong(_ root: EntityMapping) -> Bool { cascades.contains { $0.destination.root === root } }

    /// One way by which objects go: from the object `d` to those at the other end, in rows `t`.
    struct Step {
        let relationship: RelationshipMapping
        /// The key at the other end.
        let other: SQLFragment
        /// Whether `d` is an object at the own end of `t`.
        let isOwn: SQLFragment
    }

    /// A query for hierarchy and key of everything that goes, those of `seeds` included.
    ///
    /// - Parameters:
    ///   - name: what the query is called.
    ///   - seeds: a query for hierarchy and key of the rows that go in the first place.
    ///   - tables: names the tables in which rules are followed.
    ///   - passing: a further column that what goes has from what took it along.
    ///   - reached: what follows the table in the query for the objects that a step takes along: joins, and conditions with the step's `isOwn` among
    ///     them.
    func query(
        named name: String, seeds: SQLFragment, in tables: AliasGenerator, passing: String? = nil,
        _ reached: (Step) -> SQLFragment
    ) -> (query: SQLFragment, isRecursive: Bool) {
        guard !cascades.isEmpty else { return (seeds, false) }
        let targets = cascades.map { relationship -> SQLFragment in
            let (from, _, other) = relationship.ends(in: tables)
            let key: SQLFragment = "d.\(raw: keys.column(of: relationship.owner.keyKind))"
            let source = String(relationship.owner.root.index)
            let destination = relationship.destination
            let step = Step(
                relationship: relationship, other: other,
                isOwn: "d.root = \(raw: source) AND \(relationship.isOwn(key, in: tables))")
            return """
                SELECT \(raw: String(destination.root.index)), \(keys.values(other, destination.keyKind)) FROM \(from) AS t\(reached(step))
                """
        }.joined(separator: " UNION ALL ")
        let passed = passing.map { ", d.\($0)" } ?? ""
        return (
            """
            \(seeds) UNION SELECT e.root, \(raw: keys.columns("e.") + passed) FROM \(raw: name) AS d \
            CROSS JOIN LATERAL (\(targets)) AS e(root, \(raw: keys.columns()))
            """, true
        )
    }
}
