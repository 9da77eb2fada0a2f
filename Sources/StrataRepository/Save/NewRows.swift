import StrataModels

/// The new rows that one step of a save inserts: those of new objects, and those of the classes that an object enters.
struct NewRows {
    /// Rows that are new in the tables of the same classes.
    struct Part {
        let groups: [ModelGroups.Group]
        /// The classes in whose tables the rows are new; `nil` for all.
        let written: [EntityMapping]?
        /// Where the rows of a class are parked, by its index.
        fileprivate(set) var places: [Int: [ParkingPlace]] = [:]

        func places(of entity: EntityMapping) -> [ParkingPlace] { places[entity.index] ?? [] }

        /// Chooses a column for each unique set whose values the rows may not have yet. False where a set has none.
        ///
        /// - Parameter roots: the hierarchies of which rows go or change.
        fileprivate mutating func park(in roots: Set<Int>, room: Int, _ ruled: inout RuledColumns) -> Bool {
            for entity in groups.map(\.entity) where roots.contains(entity.root.index) {
                // A key is never another one: what refers to the row, and its rows in the tables of subclasses, have it at once.
                for set in entity.uniqueSets
                where !set.isKey && written?.contains(where: { $0 === set.owner }) != false {
                    let place = ParkingPlace(
                        in: set, of: entity.descriptor, among: set.slots, room: room,
                        ruled: ruled.columns(of: set.owner))
                    guard let place else { return false }
                    places[entity.index, default: []].append(place)
                }
            }
            return true
        }
    }

    private(set) var parts: [Part] = []
    /// The number of the first row that is parked; the others follow.
    private(set) var firstNumber = 0
    private var ruled: RuledColumns

    /// - Parameter change: the object that changes its class, if its rows are among them.
    init(_ objects: ModelGroups, _ change: ClassChangePlan?, _ context: SaveContext) throws {
        ruled = RuledColumns(in: context.mapping)
        if !objects.isEmpty { parts.append(Part(groups: objects.groups, written: nil)) }
        if let change, !change.enteredTables.isEmpty {
            // What it keeps stands in rows that stay, and need not be in memory.
            let groups = try ModelGroups([change.model], mapping: context.mapping).groups
            parts.append(Part(groups: groups, written: change.enteredTables))
        }
    }

    /// Lets the rows be written twice: with values that nobody has, and at the end of the save with theirs, which rows that go or
    /// change in it may have until then. False where a unique set has no column for that.
    ///
    /// - Parameters:
    ///   - roots: the hierarchies of which rows go or change.
    ///   - first: the number of the first row; those below it belong to changed rows that are parked at the same time.
    mutating func park(in roots: Set<Int>, from first: Int) -> Bool {
        firstNumber = first
        let room = firstNumber + parts.reduce(0) { $0 + $1.groups.reduce(0) { $0 + $1.models.count } }
        return parts.indices.allSatisfy { parts[$0].park(in: roots, room: room, &ruled) }
    }
}
