package import StrataClient
package import StrataModels

extension FetchPlan {
    /// The statement that reads the objects, where no unsaved changes take part, and how to decode its rows: that of an earlier fetch of the
    /// same shape, or a planned one.
    ///
    /// Throws ``SwiftDataError`` as a plan does.
    package static func objects(
        _ descriptor: FetchDescriptor<T>, mapping: StoreMapping, store: String, reading: FetchReading
    ) throws -> (statement: PostgresStatement, list: SelectList) {
        func planned() throws -> (statement: PostgresStatement, list: SelectList) {
            try FetchPlan(descriptor, mapping: mapping, store: store, reading: reading).objects()
        }
        guard descriptor.lock == nil || reading.locks, let shaped = ShapedFetch(descriptor) else {
            return try planned()
        }
        if let known = mapping.fetchStatements.statement(of: shaped.shape) {
            var statement = known.statement
            statement.parameters = shaped.parameters
            return (statement, known.list)
        }
        let (statement, list) = try planned()
        // Not where a captured value is no parameter, or one of another form: a date within JSON.
        if statement.parameters.isSame(as: shaped.parameters) {
            mapping.fetchStatements.keep(
                FetchStatementCache.Known(statement: statement, list: list), for: shaped.shape)
        }
        return (statement, list)
    }
}
