/// The columns that `#Check`s mention, and those of which the server computes others, by class: they are no place for a value in between. They are
/// looked for only where rows are parked.
struct RuledColumns {
    private let mapping: StoreMapping
    private var known: [Int: Set<String>] = [:]

    init(in mapping: StoreMapping) { self.mapping = mapping }

    /// The columns in the table of a class.
    mutating func columns(of entity: EntityMapping) -> Set<String> {
        if let columns = known[entity.index] { return columns }
        // What cannot stand in a table is told when the schema is validated.
        let conditions = entity.base.tableClasses.flatMap { entity in
            entity.entity.modelChecks.compactMap(\.condition).compactMap {
                try? TableCondition($0, of: entity, in: mapping, isExact: true)
            }
        }
        // Of any text something can be computed, of a number at the edge of its type not: `position * 10`.
        let generated = entity.base.tableClasses.flatMap(\.ownGeneratedColumns)
        let computed = generated.flatMap(\.expression.columns).filter { entity.columnType(named: $0) != .text }
        let columns = Set(conditions.flatMap(\.expression.columns) + computed)
        known[entity.index] = columns
        return columns
    }
}
