import StrataModels

/// What a set of changed properties of one class means: which columns of which tables are written, and what is looked at.
struct UpdatePlan: Sendable {
    struct Table: Sendable {
        let owner: EntityMapping
        var slots = SlotSet()
        var comparable = SlotSet()
        /// The unique sets of the table, and what has columns in common: their columns are written together.
        var uniques: [SlotSet] = []

        /// Those of the columns whose old value is known and compared.
        func checked(of state: ModelState, _ slots: SlotSet, _ policy: ConflictPolicy) -> SlotSet {
            var checked = SlotSet()
            guard policy != .overwrite else { return checked }
            for original in state.originals
            where slots.contains(original.slot) && comparable.contains(original.slot) && original.isKnown {
                checked.insert(original.slot)
            }
            return checked
        }
    }

    private(set) var tables: [Table] = []
    private(set) var references: [(relationship: RelationshipMapping, column: Column)] = []
    /// Whether attributes of one table are all that is changed, and none is compared behind the statement.
    private(set) var isOneRow = false

    /// For nothing that is changed.
    init() {}

    /// - Parameter policy: what becomes of values that others have changed.
    init(_ entity: EntityMapping, _ slots: SlotSet, _ policy: ConflictPolicy) {
        for slot in slots.slots {
            // The key of a row is written once, with the row.
            guard slot < entity.columns.count, !entity.isKey(slot), let column = entity.columns[slot] else {
                continue
            }
            let owner = entity.owner(ofSlot: slot)
            if tables.last?.owner !== owner {
                tables.append(
                    Table(
                        owner: owner,
                        uniques: owner.uniqueSets.filter { $0.owner.base === owner.base }.map {
                            SlotSet($0.decidingSlots)
                        } + owner.sharedSlots))
            }
            let last = tables.count - 1
            tables[last].slots.insert(slot)
            if let relationship = entity.relationships[slot] {
                references.append((relationship, column))
                tables[last].comparable.insert(slot)
            } else if let attribute = entity.descriptor.properties[slot] as? AnyAttributeProperty {
                switch attribute.comparison {
                case .exact: tables[last].comparable.insert(slot)
                // Which of two forms that mean the same is stored cannot be told within the statement.
                case .restored where policy == .throw: tables[last].comparable.insert(slot)
                case .restored, .none: break
                }
            }
        }
        // A reference whose columns other properties write is written by nobody, where they do not change.
        tables.removeAll { table in table.slots.slots.allSatisfy { entity.columns[$0]?.isWritten == false } }
        isOneRow =
            tables.count == 1 && !slots.slots.contains { entity.descriptor.properties[$0] is RelationshipProperty }
            && !tables[0].owner.entity.modelUniques.contains { unique in
                unique.timing == .deferred
                    && unique.names.contains { name in
                        entity.descriptor.property(named: name).map { slots.contains($0.slot) } == true
                    }
            }
    }
}
