import Synchronization

/// The lists of all columns of a class, made once and not for every fetch.
///
/// What a list looks like depends on the names that its tables have in the statement.
final class SelectListCache: Sendable {
    private struct Key: Hashable {
        let entity: Int
        let aliases: String
    }

    private struct Lists {
        var levels: [Int: [HierarchyLevel]] = [:]
        var sources: [Int: [SelectList.Source]] = [:]
        var byAliases: [Key: SelectList] = [:]
    }

    /// Names follow from the shape of a query, of which a program has few.
    private static let capacity = 1000

    private let lists = Mutex(Lists())

    /// The levels of subclasses that all columns of `entity` are read from.
    func levels(below entity: EntityMapping) -> [HierarchyLevel] {
        if entity.children.isEmpty { return [] }
        if let known = lists.withLock({ $0.levels[entity.index] }) { return known }
        let levels = SelectList.levels(below: entity, .all)
        lists.withLock { $0.levels[entity.index] = levels }
        return levels
    }

    /// The list of all columns of `entity`, whose tables `scope` joins.
    func list(_ entity: EntityMapping, from scope: TableScope) -> SelectList {
        // With unsaved changes, columns have names of their own.
        guard scope.generator.isPlain else { return SelectList(entity, from: scope) }
        guard let sources = lists.withLock({ $0.sources[entity.index] }) else { return make(entity, scope) }
        // In the same order as the list itself would have joined them.
        var aliases = scope.keyText
        for source in sources {
            aliases += " "
            switch source {
            case .table(let table): aliases += scope.table(of: table).text
            case .level(let level): aliases += scope.table(of: level).text
            }
        }
        let key = Key(entity: entity.index, aliases: aliases)
        if let list = lists.withLock({ $0.byAliases[key] }) { return list }
        let list = SelectList(entity, from: scope)
        lists.withLock { lists in
            if lists.byAliases.count >= Self.capacity { lists.byAliases = [:] }
            lists.byAliases[key] = list
        }
        return list
    }

    private func make(_ entity: EntityMapping, _ scope: TableScope) -> SelectList {
        let list = SelectList(entity, from: scope)
        lists.withLock { $0.sources[entity.index] = list.sources }
        return list
    }
}
