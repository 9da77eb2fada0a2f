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
        fileprivate let columns: [TableColumn]
        fileprivate let actual: UInt32

        init(_ columns: [TableColumn], type: PostgresType, actual: UInt32) {
            self.columns = columns
            self.actual = actual
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
    /// By table and column.
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
        let parameters = try PostgresParameters(mapping.schemaNames)
        return PostgresBatch(
            PostgresStatement(CatalogQueries.columnTypes, parameters: parameters, name: "look up column types")
        ) { [unowned self] row in
            let table = TableName(schema: try row.decode(0), name: try row.decode(1))
            let column = try row.decode(2, as: String.self)
            actual[table, default: [:]][column] = UInt32(try row.decode(3, as: Int64.self))
        }
    }

    /// The reason, if it was found; else what is known of it.
    package var error: any Error {
        if let shared = failure as? SharedMisfit {
            let misfits = misfits(among: shared.columns)
            // The one that gave them all its type.
            guard let misfit = misfits.first(where: { $0.actual == shared.actual }) ?? misfits.first else {
                return shared.error
            }
            return misfit.column.misfit(misfit.actual)
        }
        // The server does not say which statement's column it was: all that it may be are named.
        let columns = mapping.entities.flatMap { owner in
            owner.ownColumns.flatMap(\.tableColumns).map { TableColumn($0, of: owner) }
        }
        let misfits = misfits(among: columns).filter { !TableColumn.isWidened($0.actual, to: $0.column.column.type) }
        return TableColumn.misfit(misfits, underlying: failure as? PostgresError) ?? failure
    }

    private func misfits(among columns: [TableColumn]) -> [(column: TableColumn, actual: UInt32)] {
        columns.compactMap { column in
            let table = TableName(schema: column.owner.table.schema, name: column.owner.table.name)
            guard let actual = actual[table]?[column.column.name], !column.takes(actual) else { return nil }
            return (column, actual)
        }
    }
}
