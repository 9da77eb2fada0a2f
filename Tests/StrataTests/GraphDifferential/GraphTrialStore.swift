import Foundation
import Logging
import Strata
import StrataClient
import StrataTestSupport
import Testing

/// A container for the models of ``Yard``, and a connection of somebody else to the same tables.
struct GraphTrialStore: Sendable {
    private let container: ModelContainer
    private let other: PostgresConnection
    private let log = LineLog(.warning)

    /// - Parameter database: a copy of the template for the models of ``Yard``.
    init(_ database: TestDatabase) async throws {
        var configuration = ModelConfiguration(url: try #require(database.foundationURL))
        configuration.isCopyOfAnother = true
        container = try await ModelContainer(
            opening: Yard.schema, configurations: [configuration], logger: Logger(label: "graph") { [log] _ in log })
        other = try await database.connect()
    }

    /// Runs, one after the other. Only one trial at a time may be at work.
    func trial() -> GraphTrial { GraphTrial(container, other) }

    /// What the server has warned of: of a transaction that is not there to be ended, for example.
    var warnings: [String] { log.lines.filter { $0.hasPrefix("PostgreSQL: ") } }

    func close() async {
        other.close()
        await container.close()
    }
}
