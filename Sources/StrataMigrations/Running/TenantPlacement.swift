import StrataClient
import StrataRepository

/// Where the tables of a new tenant are.
package enum TenantPlacement: String, CaseIterable, Sendable {
    /// In the database itself.
    case server
    /// On a worker of Citus, which chooses one; the database is its coordinator.
    case citus

    /// Throws where the tables cannot be there: before anything is made.
    func require(on session: RunnerSession, recordsHistory: Bool) throws {
        guard self == .citus else { return }
        guard !recordsHistory else {
            throw MigrationError(
                .usage,
                "The tenant \"\(session.schemaName)\" was not created: Citus takes no tables with triggers, and its classes record history.",
                remedy: "set recordsHistory of the plan to false, or leave the placement at server")
        }
        var lookup = SchemaDistributionLookup()
        try session.connection.perform(&lookup)
        guard !lookup.isThere else { return }
        throw MigrationError(
            .usage,
            "The tenant \"\(session.schemaName)\" was not created: its placement is citus, and the server is no coordinator of Citus 12 or later.",
            remedy: "connect to one, or leave the placement at server")
    }

    /// Brings the tables there, which are made and recorded.
    func place(_ session: RunnerSession) throws {
        guard self == .citus else { return }
        var placing = SchemaDistribution(session.schemaName)
        do { try session.connection.perform(&placing) } catch {
            throw MigrationError(
                .stepFailed,
                "The tenant \"\(session.schemaName)\" was created on the coordinator, and it was not confirmed that it is on a worker of Citus: "
                    + MigrationError(running: error).message,
                remedy: "it can be used where it is; this brings it to a worker, also when it is there: \(placing.sql)",
                underlying: error)
        }
    }
}
