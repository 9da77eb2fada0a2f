import ArgumentParser
import StrataClient
import StrataMigrations
import StrataRepository

/// `partitions list`
struct PartitionsListCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Tells which partitions there are, which time each is for, and what it takes on disk.",
        discussion: "Changes nothing, and takes no lock that anyone feels.")
    static let fullName = "partitions list"

    @OptionGroup var common: CommonOptions
    @OptionGroup var connection: ConnectionOptions
    @OptionGroup var chosen: PartitionOptions
    @OptionGroup var tenants: TenantOptions

    func perform(in session: ToolSession) throws -> any CommandResult {
        let work = try DatabaseWork(session, common, connection)
        return try tenants.perform(on: work, in: session, common, doing: "looked at") { work in
            try perform(work, in: session)
        }
    }

    private func perform(_ work: DatabaseWork, in session: ToolSession) throws -> any CommandResult {
        let tables = try chosen.tables(of: work, in: session)
        var result = PartitionsListResult(database: work.summary)
        try work.withConnection { connection in
            for table in tables {
                let inspection = PartitionInspection(table.table, measures: true)
                var batch = PostgresBatch()
                try inspection.add(to: &batch)
                try connection.run(batch)
                result.tables.append(
                    PartitionsListResult.Table(
                        name: table.entityName, table: table.table.name, period: table.period.rawValue,
                        partitions: inspection.partitions.map { PartitionsListResult.Partition($0) }))
            }
        }
        return result
    }
}

/// The partitions of each class.
struct PartitionsListResult: CommandResult {
    struct Table: Encodable {
        var name: String
        var table: String
        var period: String
        var partitions: [Partition]
    }

    struct Partition: Encodable {
        var name: String
        /// In UTC; `nil` for a default partition, and for one that is detached.
        var from: String?
        var to: String?
        var status: String
        var bytes: Int64

        init(_ partition: TablePartition) {
            name = partition.name.name
            from = partition.bounds?.lower.description
            to = partition.bounds?.upper.description
            status = partition.status.rawValue
            bytes = partition.bytes
        }
    }

    var database: DatabaseSummary
    var tables: [Table] = []

    func text(_ style: TextStyle) -> [String] {
        guard !tables.isEmpty else { return ["No class declares #Partition."] }
        return tables.flatMap { table in
            ["\(table.name) (\(table.table)), every \(table.period)"]
                + table.partitions.map { partition in
                    let place =
                        if let from = partition.from, let to = partition.to { "\(from) to \(to)" } else {
                            partition.status == "detached" ? "no partition any more" : "everything else"
                        }
                    let status = partition.status == "detaching" ? ", being detached" : ""
                    return "  \(partition.name)  \(place)  \(ByteCount.text(partition.bytes))\(status)"
                }
        }
    }
}
