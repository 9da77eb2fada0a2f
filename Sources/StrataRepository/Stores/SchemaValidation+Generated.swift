import StrataModels

extension SchemaValidation {
    /// What a column is computed from, a class does not say: in tables of Strata there would be none.
    mutating func checkGenerated(of entity: EntityMapping) {
        guard entity.tables == .own, !entity.isView else { return }
        for slot in entity.descriptor.generatedSlots.slots where entity.descriptor.ownSlots.contains(slot) {
            report(
                entity.name, entity.descriptor.properties[slot].name,
                "it is marked .generated, which is for tables that others have made: a stage would not know what the column is computed from",
                remedy: "compute it in Swift, or open the container with configuration.tables = .external")
        }
    }
}
