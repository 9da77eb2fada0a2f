/// The columns that `#Check`s mention, and those of which the server computes others, by class: they are no place for a value in between. They are
/// looked for only where rows are parked.
struct RuledColumns {
    /// Those of one table.
    struct Columns {
        fileprivate var checked: Set<String> = []
        /// Of which something is computed that is NULL where they are.
        fileprivate var strict: Set<String> = []
        /// Of which something is computed that may be anything else.
        fileprivate var computed: Set<String> = []

        /// Whether a value that nobody has may stand there.
        func takesValues(_ column: Column) -> Bool {
            takesNull(column) && strict.isDisjoint(with: column.tableNames)
        }

        /// Whether NULL may.
        func takesNull(_ column: Column) -> Bool {
            checked.isDisjoint(with: column.tableNames) && computed.isDisjoint(with: column.tableNames)
        }
    }

    private let mapping: StoreMapping
    private var known: [Int: Columns] = [:]

    init(in mapping: StoreMapping) { self.mapping = mapping }

    /// The columns in the table of a class.
    mutating func columns(of entity: EntityMapping) -> Columns {
        if let columns = known[entity.index] { return columns }
        var columns = Columns()
        for member in entity.base.tableClasses {
            for condition in member.entity.modelChecks.compactMap(\.condition) {
                // What cannot stand in a table is told when the schema is validated.
                guard let text = try? TableCondition(condition, of: member, in: mapping, for: .check) else { continue }
                columns.checked.formUnion(text.expression.columns)
            }
            for generated in member.ownGeneratedColumns {
                // Of any text something can be computed, of a number at the edge of its type not: `position * 10`.
                let names = generated.expression.columns.filter { entity.columnType(named: $0) != .text }
                // Where classes share the table, the expression says whose rows it is of, and NULL is what other rows have.
                if member.base === member, generated.expression.isStrict {
                    columns.strict.formUnion(names)
                } else {
                    columns.computed.formUnion(names)
                }
            }
        }
        known[entity.index] = columns
        return columns
    }
}
