package import StrataClient

/// What Strata calls the partitions that it makes: `reading_p20261101`. Nothing is known by the name: a partition is what the catalogs say.
package enum PartitionName {
    /// What stands before the day on which a partition of a table begins.
    package static func prefix(of table: String) -> String {
        Naming.bounded(table + "_p", to: Naming.maximumBytes - 15)
    }

    /// The name of the partition that begins at a moment.
    package static func name(of table: String, from lower: PostgresTimestamp) -> String {
        let digits = lower.description.filter { $0 != "-" && $0 != ":" && $0 != "." }
        return prefix(of: table) + (digits.hasSuffix("T000000") ? digits.dropLast(7).lowercased() : digits.lowercased())
    }

    /// Whether a partition of a table may be called so.
    package static func isName(_ name: String, of table: String) -> Bool {
        let prefix = prefix(of: table)
        return name.hasPrefix(prefix) && name.dropFirst(prefix.count).allSatisfy { $0.isNumber || $0 == "t" }
    }
}
