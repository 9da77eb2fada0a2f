import ArgumentParser
import StrataMigrations
import StrataModels
import StrataRepository

/// Which classes a command is about.
struct PartitionOptions: ParsableArguments {
    @Option(
        name: .customLong("class"),
        help: ArgumentHelp("A class that declares #Partition; all of them without. May be repeated.", valueName: "name")
    )
    var classes: [String] = []

    /// The tables of the version that the database is at; of one that is in the middle of a stage, where that began.
    func tables(of work: DatabaseWork, in session: ToolSession) throws -> [PartitionedTable] {
        guard let recorded = try work.runner().state(of: work.scripts).version else {
            throw MigrationError(
                .difference, "The database has no record of a version, which says what is divided.",
                remedy: "apply or baseline")
        }
        let version = try session.project.version(recorded.version.description)
        let tables = version.entities.compactMap { entity in
            PartitionedTable(
                entity.name, TableName(schema: work.schemaName, name: entity.table),
                version.database.table(named: entity.table)?.partitioning, isRecorded: entity.recordsHistory != false)
        }
        for name in classes where !tables.contains(where: { $0.entityName == name }) {
            throw MigrationError(
                .usage, "\(name) is no class of version \(recorded.version) that declares #Partition.", places: [name],
                remedy: tables.isEmpty
                    ? "declare one, and apply its migration"
                    : "name one of \(tables.map(\.entityName).joined(separator: ", "))")
        }
        return classes.isEmpty ? tables : tables.filter { classes.contains($0.entityName) }
    }
}
