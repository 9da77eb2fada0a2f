import Foundation
package import StrataClient
package import StrataModels

/// A row for whose date there is no partition.
package struct MissingPartition {
    private let entity: EntityMapping
    private let partition: Schema.EntityPartition
    private let error: PostgresError

    /// `nil` for any other error.
    package init?(_ error: PostgresError, mapping: StoreMapping) {
        // The code is that of checks, which have a constraint's name; the text is in the server's language.
        guard error.sqlState == "23514", error.constraint == nil, let entity = mapping.entity(of: error),
            let partition = entity.entity.partition
        else { return nil }
        (self.entity, self.partition, self.error) = (entity, partition, error)
    }

    /// - Parameter place: in front of it, which row it is.
    package func error(of place: String? = nil) -> SwiftDataError {
        let name = "\(entity.name).\(partition.name)"
        return SwiftDataError(
            .missingPartition,
            "\(place.map { "\($0): " } ?? "")there is no partition for \(name)\(period.map { " in \($0)" } ?? ""). Partitions are made ahead by "
                + "keepPartitions(ahead:for:of:), or by `partitions maintain`, and for other dates by makePartitions(of:covering:). Nothing was saved.",
            details: error.detail, underlying: error)
    }

    /// The period of the value, from `Partition key of the failing row contains (taken_at) = (2030-01-01 00:00:00+00).`
    private var period: String? {
        let pattern = /\((\d{4,6}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)?[+-]\d\d)(:\d\d)?\)/
        guard let match = error.detail?.firstMatch(of: pattern),
            let date = Date(csvField: match.1 + (match.2.map(String.init) ?? ":00")),
            let moment = try? PostgresTimestamp(microseconds: date.postgresMicroseconds)
        else { return nil }
        return partition.period.name(of: moment)
    }
}
