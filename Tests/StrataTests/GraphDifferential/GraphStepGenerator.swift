import Strata

/// What the steps of a run may be about: to find out which of several things a difference belongs to.
enum GraphFeature: CaseIterable {
    case relationships, pairs, deletions, bulkDeletions, transactions, otherWriters, otherObjects, uniqueValues,
        classes, undo

    static let all = Set(allCases)
}

/// Random steps, the same for the same seed, about objects that are there.
struct GraphStepGenerator {
    private var random: SeededGenerator
    private let features: Set<GraphFeature>
    private var numbers = 0
    private var current = 0

    init(seed: UInt64, features: Set<GraphFeature>) {
        random = SeededGenerator(seed)
        self.features = features
    }

    mutating func next(_ graph: ReferenceGraph) -> GraphStep {
        // A context does a few things before it is another one's turn.
        if chance(12) { current = Int.random(in: 0..<graph.contexts.count, using: &random) }
        if features.contains(.otherWriters), chance(4), let step = foreign(graph) { return step }
        if features.contains(.transactions), chance(4) { return transaction(graph, depth: 0) }
        if features.contains(.undo), chance(3) { return undo(graph) }
        return step(graph, current)
    }

    private mutating func undo(_ graph: ReferenceGraph) -> GraphStep {
        let steps = (0..<20).map { _ in step(graph, current) }.filter(\.isEdit)
        var edits = Array(steps.prefix(Int.random(in: 1...6, using: &random)))
        if features.contains(.uniqueValues), chance(20) { edits.append(create(graph, current, .skill)) }
        if features.contains(.pairs), chance(20) { edits.append(give(graph, current)) }
        edits = edits.filter(\.isEdit)
        let isSaved = chance(40)
        if chance(30) {
            let place = Int.random(in: 0...edits.count, using: &random)
            edits.insert(isSaved && chance(70) ? .save(current, .throw) : .endGroup(current), at: place)
        }
        if isSaved {
            return .undoSaved(current, edits, saves: chance(60), redoes: chance(50), reads: chance(60))
        }
        return .undo(current, edits, redoes: chance(50))
    }

    private mutating func transaction(_ graph: ReferenceGraph, depth: Int) -> GraphStep {
        var steps: [GraphStep] = []
        for _ in 0..<Int.random(in: 1...6, using: &random) {
            steps.append(depth < 2 && chance(12) ? transaction(graph, depth: depth + 1) : step(graph, current))
        }
        return .transaction(current, steps, fails: chance(50))
    }

    private mutating func step(_ graph: ReferenceGraph, _ c: Int) -> GraphStep {
        let state = graph.contexts[c]
        let population = graph.rows.count + state.objects.count { $1.phase == .inserted }
        let isBehind = !state.stale.isEmpty || state.objects.contains { key, object in graph.rows[key] != object.row }
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<(population < 30 ? 18 : 6): return create(graph, c)
        case ..<34: return edit(graph, c)
        case ..<52 where features.contains(.relationships): return relate(graph, c)
        case ..<56 where features.contains(.pairs): return pair(graph, c)
        case ..<60 where features.contains(.deletions):
            if chance(25), let number = some(graph, c, where: { _ in true }, .deleted) { return .keep(c, number) }
            return some(graph, c) { _ in true }.map { .delete(c, $0) } ?? create(graph, c)
        case ..<62 where features.contains(.bulkDeletions):
            let kind = any(GraphKind.allCases)
            return .deleteWhere(c, kind, condition(kind, depth: 1))
        case ..<78: return fetch(c)
        case ..<90: return .save(c, any([.throw, .throw, .overwrite, .keepStore]))
        case ..<94: return .rollback(c)
        case ..<98 where isBehind || chance(30): return .refresh(c)
        case ..<98 where features.contains(.uniqueValues) && chance(30):
            return .unique(c, any([.upsert, .upsert, .ignore, .fail]))
        case ..<99 where features.contains(.classes) && chance(60):
            guard let number = some(graph, c, where: { $0.root == .asset }, .registered) else { return fetch(c) }
            return .convert(c, number, any([.asset, .machine, .robot]))
        case ..<99: return .renew(c)
        default: return edit(graph, c)
        }
    }

    // MARK: Steps

    private mutating func create(_ graph: ReferenceGraph, _ c: Int, _ wanted: GraphKind? = nil) -> GraphStep {
        numbers += 1
        let kind =
            wanted
            ?? (features.contains(.uniqueValues) && chance(15) ? .skill : any(GraphKind.allCases))
        var values: [GraphAttribute: GraphValue] = [:]
        for attribute in attributes(of: kind) { values[attribute] = value(attribute) }
        var targets: [GraphReference: Int] = [:]
        for reference in kind.references where reference.isRequired || features.contains(.relationships) && chance(50) {
            if let target = some(graph, c, where: { $0.isKind(of: reference.target) }) {
                targets[reference] = target
            } else if reference.isRequired {
                return .fetch(c, reference.target, GraphQuery())
            }
        }
        return .create(c, kind, numbers, values, targets)
    }

    private mutating func edit(_ graph: ReferenceGraph, _ c: Int) -> GraphStep {
        guard let number = some(graph, c, where: { _ in true }), let kind = graph.object(number, c)?.object.row.kind
        else {
            return fetch(c)
        }
        let attribute = any(attributes(of: kind))
        return .set(c, number, attribute, value(attribute))
    }

    private mutating func relate(_ graph: ReferenceGraph, _ c: Int) -> GraphStep {
        let reference = any(GraphReference.allCases)
        guard let holder = some(graph, c, where: { $0.isKind(of: reference.holder) }),
            let target = some(graph, c, where: { $0.isKind(of: reference.target) })
        else { return .fetch(c, chance(50) ? reference.holder : reference.target, GraphQuery()) }
        if reference.isOneToOne, chance(50) { return .point(c, holder, reference, chance(80) ? target : nil) }
        if reference.isOrdered, chance(30), let key = graph.names[target] {
            let members = graph.members(.init(owner: key, reference: reference), c).sure
            return .assign(c, target, reference, graph.numbers(members.sorted()).shuffled(using: &random))
        }
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<4: return .point(c, holder, reference, chance(80) || reference.isRequired ? target : nil)
        case 4..<6: return .append(c, target, reference, holder)
        case 6: return .remove(c, target, reference, holder)
        case 7 where !reference.isOneToOne:
            let holders = (0..<3).compactMap { _ in some(graph, c, where: { $0.isKind(of: reference.holder) }) }
            return .assign(c, target, reference, Array(Set(holders)).sorted())
        default: return .read(c, target, reference)
        }
    }

    private mutating func give(_ graph: ReferenceGraph, _ c: Int) -> GraphStep {
        guard let site = some(graph, c, where: { $0 == .site }), let badge = some(graph, c, where: { $0 == .badge })
        else { return .fetch(c, chance(50) ? .site : .badge, GraphQuery()) }
        if chance(60) { return .give(c, site, badge) }
        return chance(50) ? .readGiven(c, site) : .withdraw(c, site, badge)
    }

    private mutating func pair(_ graph: ReferenceGraph, _ c: Int) -> GraphStep {
        if chance(40) { return give(graph, c) }
        guard let person = some(graph, c, where: { $0 == .person }), let skill = some(graph, c, where: { $0 == .skill })
        else { return .fetch(c, chance(50) ? .person : .skill, GraphQuery()) }
        if chance(60) { return .pair(c, person, skill, fromSkill: chance(50)) }
        if chance(50) { return .readPairs(c, chance(50) ? person : skill) }
        return .unpair(c, person, skill, fromSkill: chance(50))
    }

    private mutating func fetch(_ c: Int) -> GraphStep {
        let kind = any(GraphKind.allCases)
        var query = GraphQuery()
        // Everything, so that contexts have the same objects.
        if chance(25) {
            query.reading = any([.whole, .whole, .whole, .partial, .prefetching])
            return .fetch(c, kind, query)
        }
        if chance(60) { query.condition = condition(kind, depth: 2) }
        let attributes = attributes(of: kind)
        for _ in 0..<Int.random(in: 0...2, using: &random) {
            query.order.append(.init(attribute: any(attributes), isAscending: chance(50)))
        }
        if chance(30) { query.limit = Int.random(in: 1...6, using: &random) }
        if chance(20) { query.offset = Int.random(in: 0...3, using: &random) }
        query.reading = any([.whole, .whole, .partial, .prefetching])
        query.passesOverUnsaved = chance(10)
        return chance(25) ? .count(c, kind, query) : .fetch(c, kind, query)
    }

    /// Another program's statement, one that the foreign keys allow.
    private mutating func foreign(_ graph: ReferenceGraph) -> GraphStep? {
        guard let key = graph.rows.keys.sorted().randomElement(using: &random), let row = graph.rows[key] else {
            return nil
        }
        if features.contains(.deletions), chance(25) {
            var after = graph
            return after.erase([key]).errors.isEmpty ? .erase(row.number) : nil
        }
        if features.contains(.relationships), chance(35),
            let reference = row.kind.references.randomElement(using: &random)
        {
            let targets = graph.rows.filter { $1.kind.isKind(of: reference.target) }.map(\.value.number).sorted()
            let target = chance(25) && !reference.isRequired ? nil : targets.randomElement(using: &random)
            if reference.isOneToOne, let target,
                graph.rows.values.contains(where: { $0[reference] == graph.names[target] })
            {
                return nil
            }
            return target == nil && reference.isRequired ? nil : .move(row.number, reference, target)
        }
        let attribute = any(attributes(of: row.kind))
        return .update(row.number, attribute, value(attribute))
    }

    /// Another program's change of what a context has changed too.
    private mutating func conflict(_ graph: ReferenceGraph) -> GraphStep? {
        let changed = graph.contexts.flatMap { $0.objects }.filter { key, object in
            object.phase == .registered && !object.originals.isEmpty && graph.rows[key] != nil
        }
        .sorted { $0.key < $1.key }
        guard let object = changed.randomElement(using: &random)?.value else { return nil }
        let attributes = object.row.kind.attributes.filter { object.originals[.attribute($0)] != nil }
        guard let attribute = attributes.randomElement(using: &random) else { return nil }
        return .update(object.row.number, attribute, value(attribute))
    }

    // MARK: Choices

    private mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

    private mutating func any<T>(_ choices: [T]) -> T { choices[Int.random(in: 0..<choices.count, using: &random)] }

    private mutating func some(
        _ graph: ReferenceGraph, _ c: Int, where isWanted: (GraphKind) -> Bool,
        _ phase: ReferenceContext.Phase? = nil
    ) -> Int? {
        graph.contexts[c].objects.values
            .filter { (phase == nil ? $0.phase != .deleted : $0.phase == phase) && isWanted($0.row.kind) }
            .map(\.row.number).sorted().randomElement(using: &random)
    }

    private func attributes(of kind: GraphKind) -> [GraphAttribute] {
        kind.attributes.filter { $0 != .code || features.contains(.uniqueValues) }
    }

    private mutating func value(_ attribute: GraphAttribute) -> GraphValue {
        if attribute.isNumber { return .number(Int.random(in: 0...5, using: &random)) }
        if attribute.isOptional, chance(40) { return .empty }
        if attribute == .code { return .text(any(["x", "y", "z"])) }
        return .text(any(["a", "b", "c", "é", "B"]))
    }

    private mutating func condition(_ kind: GraphKind, depth: Int) -> GraphCondition {
        if depth > 0, chance(40) {
            switch Int.random(in: 0..<3, using: &random) {
            case 0: return .not(condition(kind, depth: depth - 1))
            case 1: return .and(condition(kind, depth: depth - 1), condition(kind, depth: depth - 1))
            default: return .or(condition(kind, depth: depth - 1), condition(kind, depth: depth - 1))
            }
        }
        let references = kind.references.filter { !$0.isRequired }
        let targets = kind.references
        let collections = kind.collections.filter { !$0.isOneToOne }
        switch Int.random(in: 0..<8, using: &random) {
        case 0 where !references.isEmpty: return .isAlone(any(references))
        case 1 where features.contains(.otherObjects) && !targets.isEmpty:
            return .target(any(targets), Int.random(in: 0...5, using: &random))
        case 2 where features.contains(.otherObjects) && !collections.isEmpty:
            return .collects(any(collections), Int.random(in: 0...5, using: &random))
        case 3...4:
            let attribute = any(attributes(of: kind).filter { !$0.isNumber })
            return .text(attribute, value(attribute))
        default:
            let attribute = any(kind.attributes.filter(\.isNumber))
            return .number(attribute, isMore: chance(60), Int.random(in: 0...5, using: &random))
        }
    }
}
