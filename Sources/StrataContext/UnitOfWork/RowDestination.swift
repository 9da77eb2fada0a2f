import StrataModels
import StrataRepository

/// The class that rows go into, known to take some now: what is asked before anything is read of the rows.
struct RowDestination {
    let session: StoreSession
    let entity: EntityMapping

    /// Throws ``SwiftDataError`` where no rows can be inserted, whatever they have.
    init(_ type: any PersistentModel.Type, in context: ModelContext) throws {
        let unit = context.unit
        try unit.requireTurn()
        (session, entity) = try unit.place(of: type)
        guard !unit.onlyReads else { throw unit.onlyReadsRefusal("was to insert rows") }
        let configuration = session.store.configuration
        guard configuration.allowsSave else {
            throw SwiftDataError(
                .readOnly,
                "The configuration \"\(configuration.name)\" does not allow saving (allowsSave: false), and rows were to be inserted "
                    + "into \(entity.name).")
        }
        try entity.requireTable(to: "be inserted")
        try requireNoChanges()
    }

    /// Throws while there are unsaved changes, of any store: the transaction of the rows ends with a save of all.
    func requireNoChanges() throws {
        guard session.unit.hasChanges else { return }
        throw SwiftDataError(
            .unsupportedFeature,
            "Rows were not inserted into \(entity.name): they go into the tables at once, and this context has unsaved changes, which are "
                + "not there yet. Call save() first (within a transaction that commits nothing).")
    }
}
