package import StrataModels

/// How a table is divided by time: `PARTITION BY RANGE` of one column (PostgreSQL manual, 5.12).
package struct PartitioningDefinition: Codable, Hashable, Sendable {
    package var column: String
    /// How long the partitions are that are made; `nil` where a database was read, whose partitions may be of any length.
    package var period: Schema.PartitionPeriod?

    package init(column: String, period: Schema.PartitionPeriod? = nil) {
        self.column = column
        self.period = period
    }

    /// What stands behind the columns of a table: ` PARTITION BY RANGE ("taken_at")`.
    package var clause: String { " PARTITION BY RANGE (\(SQLFragment.quoted(column)))" }
}

extension TableDefinition {
    /// How many periods behind the present one a new table has partitions for.
    package static let firstPartitionsAhead = 3

    /// Makes the partitions of a new table: of the period before, of this one and of the next three, whenever it runs. `nil` for a table that is
    /// one.
    ///
    /// As a block, because files are written long before they are applied.
    package func firstPartitions(in schema: String) -> SQLFragment? {
        guard let period = partitioning?.period else { return nil }
        let unit = period.rawValue
        // The schema stands in texts of its own, where it is exchanged for that of a tenant.
        let place = SQLFragment.literal(SQLFragment.quoted(schema) + ".")
        let table = SQLFragment.literal(SQLFragment.quoted(schema) + "." + SQLFragment.quoted(name))
        let prefix = SQLFragment.literal(PartitionName.prefix(of: name))
        let block: String =
            """
            DO $strata$
            DECLARE
                present timestamp := date_trunc('\(unit)', now() AT TIME ZONE 'UTC');
                lower timestamp;
            BEGIN
                FOR place IN -1..\(Self.firstPartitionsAhead) LOOP
                    lower := present + place * interval '1 \(unit)';
                    EXECUTE 'CREATE TABLE ' || \(place) || quote_ident(\(prefix) || to_char(lower, 'YYYYMMDD'))
                        || ' PARTITION OF ' || \(table) || format(' FOR VALUES FROM (%L) TO (%L)',
                            lower AT TIME ZONE 'UTC', (lower + interval '1 \(unit)') AT TIME ZONE 'UTC');
                END LOOP;
            END
            $strata$
            """
        return SQLFragment(block)
    }
}
