import StrataClient

/// The tables of the classes that are equally deep below a class, read as one: an object has a row in one of them at most.
///
/// With a join for each table the server looks every object up in each of them, and from nine tables on no longer chooses
/// their order (PostgreSQL manual, 20.7.4, `join_collapse_limit`). `UNION ALL` of the tables is one join, with one look-up
/// an object, and by keys, with an order or a limit it is planned by the indexes as joins are.
struct HierarchyLevel: Sendable {
    /// A table, and at which places its columns stand.
    struct Part: Sendable {
        let entity: EntityMapping
        let places: [(slot: Int, place: Int)]
    }

    /// One column of the whole: columns of the same type share it, one of each table.
    struct Place: Sendable {
        let type: PostgresType
        fileprivate(set) var columns: [TableColumn]
    }

    /// So many tables are read as one. Fewer are joined as quickly, and the statement is easier to read.
    private static let fewest = 4

    /// How many classes are between.
    let depth: Int
    let parts: [Part]
    let places: [Place]
    /// What is joined where no unsaved changes take part: rendered once, not for every fetch.
    private let plain: SQLFragment

    /// The levels below `entity` that are read as one.
    ///
    /// - Parameter isRead: whether the column of a slot, which the class itself declares, is read.
    static func below(
        _ entity: EntityMapping, reading isRead: (_ owner: EntityMapping, _ slot: Int) -> Bool
    ) -> [HierarchyLevel] {
        var levels: [HierarchyLevel] = []
        // Where the tables say the class, each of them is asked.
        if entity.classColumn == nil { return levels }
        var (classes, depth) = (entity.children, 0)
        while !classes.isEmpty {
            // What shares the table that is read anyway is in no other.
            let tables = classes.filter { $0.base === $0 }.compactMap { owner in
                let slots = owner.descriptor.ownSlots.filter { isRead(owner, $0) }
                return slots.isEmpty ? nil : (owner, slots)
            }
            if tables.count >= fewest { levels.append(HierarchyLevel(depth: depth, tables)) }
            (classes, depth) = (classes.flatMap(\.children), depth + 1)
        }
        return levels
    }

    private init(depth: Int, _ tables: [(EntityMapping, [Int])]) {
        self.depth = depth
        var places: [Place] = []
        let parts = tables.map { owner, slots in
            var taken: Set<Int> = []
            let mine = slots.compactMap { slot -> (slot: Int, place: Int)? in
                guard let column = owner.columns[slot] else { return nil }
                let free =
                    places.indices.first { places[$0].type == column.type && !taken.contains($0) } ?? places.count
                if free == places.count { places.append(Place(type: column.type, columns: [])) }
                places[free].columns.append(TableColumn(column, of: owner))
                taken.insert(free)
                return (slot, free)
            }
            return Part(entity: owner, places: mine)
        }
        (self.parts, self.places) = (parts, places)
        plain = Self.sql(parts, places, [], AliasGenerator())
    }

    /// What a place is called in the statement.
    static func name(_ place: Int) -> SQLFragment { "c\(raw: String(place))" }

    /// What a column is called that decides something.
    static func name(deciding index: Int) -> SQLFragment { "d\(raw: String(index))" }

    /// `(SELECT … UNION ALL SELECT …)`: the key and all places of every table.
    ///
    /// - Parameter deciding: columns that a predicate or an order asks for, besides what is read.
    func sql(_ generator: AliasGenerator, deciding: [TableColumn]) -> SQLFragment {
        generator.isPlain && deciding.isEmpty ? plain : Self.sql(parts, places, deciding, generator)
    }

    private static func sql(
        _ parts: [Part], _ places: [Place], _ deciding: [TableColumn], _ generator: AliasGenerator
    ) -> SQLFragment {
        let selects = parts.map { part -> SQLFragment in
            let key = part.entity.key
            var columns = zip(key.names, key.carriedNames).map { stored, name -> SQLFragment in
                stored == name ? "\(identifier: name)" : "\(identifier: stored) AS \(identifier: name)"
            }
            // A NULL without a type would be text beside two of its kind.
            for (place, shared) in places.enumerated() {
                let slot = part.places.first { $0.place == place }?.slot
                let value: SQLFragment =
                    if let slot, let column = part.entity.columns[slot] {
                        part.entity.asRead(
                            generator.shownColumn(column.name, of: part.entity, in: ""), named: column.name)
                    } else {
                        "NULL::\(raw: shared.type.description)"
                    }
                columns.append("\(value) AS \(name(place))")
            }
            for (index, deciding) in deciding.enumerated() {
                let value: SQLFragment =
                    deciding.owner === part.entity
                    ? part.entity.asRead(
                        generator.column(deciding.column.name, of: part.entity, in: ""), named: deciding.column.name)
                    : "NULL::\(raw: deciding.column.type.description)"
                columns.append("\(value) AS \(name(deciding: index))")
            }
            return "SELECT \(columns.joined(separator: ", ")) FROM \(generator.item(part.entity))"
        }
        return "(\(selects.joined(separator: " UNION ALL ")))"
    }
}
