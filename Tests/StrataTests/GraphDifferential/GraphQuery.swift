import StrataClient

/// A condition that both the library and the reference model evaluate.
indirect enum GraphCondition: Hashable, Sendable {
    case number(GraphAttribute, isMore: Bool, Int)
    case text(GraphAttribute, GraphValue)
    /// The to-one end leads nowhere.
    case isAlone(GraphReference)
    /// `size` of the object that the to-one end leads to.
    case target(GraphReference, Int)
    /// One of the objects at the to-many end has this `size`.
    case collects(GraphReference, Int)
    case not(GraphCondition)
    case and(GraphCondition, GraphCondition)
    case or(GraphCondition, GraphCondition)

    /// Whether it looks at other objects than the fetched ones.
    var isAboutOthers: Bool {
        switch self {
        case .number, .text, .isAlone: false
        case .target, .collects: true
        case .not(let a): a.isAboutOthers
        case .and(let a, let b), .or(let a, let b): a.isAboutOthers || b.isAboutOthers
        }
    }

    /// Whether it leads through a required relationship that has lost its object: it does not find who has that.
    func leadsNowhere(_ key: RowKey, in rows: [RowKey: GraphRow]) -> Bool {
        switch self {
        case .number, .text, .isAlone, .collects: false
        case .target(let reference, _):
            reference.isRequired && rows[key]?[reference].flatMap { rows[$0] } == nil
        case .not(let a): a.leadsNowhere(key, in: rows)
        case .and(let a, let b), .or(let a, let b): a.leadsNowhere(key, in: rows) || b.leadsNowhere(key, in: rows)
        }
    }

    func matches(_ key: RowKey, in rows: [RowKey: GraphRow]) -> Bool {
        guard let row = rows[key] else { return false }
        switch self {
        case .number(let attribute, let isMore, let limit):
            guard case .number(let number) = row[attribute] else { return false }
            return isMore ? number > limit : number == limit
        case .text(let attribute, let value): return row[attribute] == value
        case .isAlone(let reference): return row[reference] == nil
        case .target(let reference, let size):
            return row[reference].flatMap { rows[$0] }?[.size] == .number(size)
        case .collects(let reference, let size):
            return rows.values.contains { $0[reference] == key && $0[.size] == .number(size) }
        case .not(let a): return !a.matches(key, in: rows)
        case .and(let a, let b): return a.matches(key, in: rows) && b.matches(key, in: rows)
        case .or(let a, let b): return a.matches(key, in: rows) || b.matches(key, in: rows)
        }
    }
}

/// What a fetch asks for.
struct GraphQuery: Hashable, Sendable {
    struct Order: Hashable, Sendable {
        let attribute: GraphAttribute
        let isAscending: Bool
    }

    var condition: GraphCondition?
    var order: [Order] = []
    var limit: Int?
    var offset: Int?
    /// What is read of the objects, and with them: it changes nothing in what is found.
    enum Reading { case whole, partial, prefetching }
    var reading = Reading.whole
    /// Whether the rows alone are asked.
    var passesOverUnsaved = false

    func result(of kind: GraphKind, in rows: [RowKey: GraphRow]) -> [RowKey] {
        let found = rows.filter { key, row in
            row.kind.isKind(of: kind) && condition?.matches(key, in: rows) != false
                && condition?.leadsNowhere(key, in: rows) != true
        }
        let sorted = found.sorted { precedes($0, $1) }.map(\.key)
        return Array(sorted.dropFirst(offset ?? 0).prefix(limit ?? sorted.count))
    }

    /// `nil` first ascending, text by its bytes, ties by key.
    private func precedes(_ a: (key: RowKey, value: GraphRow), _ b: (key: RowKey, value: GraphRow)) -> Bool {
        for order in order {
            let (x, y) = (a.value[order.attribute], b.value[order.attribute])
            if x == y { continue }
            return Self.isLess(x, y) == order.isAscending
        }
        return a.key < b.key
    }

    private static func isLess(_ a: GraphValue, _ b: GraphValue) -> Bool {
        switch (a, b) {
        case (.empty, _): true
        case (_, .empty): false
        case (.text(let a), .text(let b)): a.utf8.lexicographicallyPrecedes(b.utf8)
        case (.number(let a), .number(let b)): a < b
        case (.key(let a), .key(let b)): a < b
        default: false
        }
    }
}
