import StrataClient

extension StoreMapping {
    /// The class whose table an error of the server names.
    func entity(of error: PostgresError) -> EntityMapping? {
        entities.first { $0.table.name == error.table && (error.schema == nil || $0.table.schema == error.schema) }
    }
}
