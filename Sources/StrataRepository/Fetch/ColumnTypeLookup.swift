package import StrataClient
import StrataModels

/// Finds the column because of which a level of subclasses could not be read: its type in the database is not the one that its
/// property needs.
///
/// Columns that are read as one do not say what type each has: the server brings them together or refuses the statement
/// (PostgreSQL manual, 10.5). So the catalog is asked, after an error only. What the server brings together without a change of
/// the common type, such as `integer` among `bigint`, is read as that type; opening a container tells of it.
package final class ColumnTypeLookup: StoreOperation {
    /// Columns were sent together as another type than their properties need.
    package struct SharedMisfit: Error {
        /// What is known without the catalog.
        let error: SwiftDataError

        init(_ columns: [TableColumn], type: PostgresType, actual: UInt32) {
            let properties = columns.map(\.column.propertyName).joined(separator: ", ")
            error = SwiftDataError(
                .storeDoesNotFit,
                "One of the columns \(columns.map(\.description).joined(separator: ", ")) makes them "
                    + "\(PostgresType.named(actual)) in the database, but \(properties) need \(type). Migrate the table, or "
                    + "change the property's type.")
        }
    }

    /// `datatype_mismatch` (manual, appendix A).
    private static let refusal = "42804"

    private let failure: any Error
    private let mapping: StoreMapping
    private var isSent = false
    private var actual: [TableName: [String: UInt32]] = [:]

    /// `nil` for an error that has another reason.
    package init?(after failure: any Error, mapping: StoreMapping) {
        guard failure is SharedMisfit || (failure as? PostgresError)?.sqlState == Self.refusal else { return nil }
        self.failure = failure
        self.mapping = mapping
    }

    package func next() throws -> PostgresBatch? {
        guard !isSent else { return nil }
        isSent = true
        let parameters = try PostgresParameters(mapping.schemaName)
        return PostgresBatch(
            PostgresStatement(CatalogQueries.columnTypes, parameters: parameters, name: "look up column types")
        ) { [unowned self] row in
            let table = TableName(schema: mapping.schemaName, name: try row.decode(0))
            let column = try row.decode(1, as: String.self)
            actual[table, default: [:]][column] = UInt32(try row.decode(2, as: Int64.self))
        }
    }

    /// The reason, if it was found; else what is known of it.
    package var error: any Error {
        for entity in mapping.entities {
            for column in entity.ownColumns {
                guard let actual = actual[entity.table]?[column.name] else { continue }
                if !TableColumn.fits(actual, column.type) { return TableColumn(column, of: entity).misfit(actual) }
            }
        }
        return (failure as? SharedMisfit)?.error ?? failure
    }
}
