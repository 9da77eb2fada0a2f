import Foundation
import Strata

/// A database that both sides work on: Strata through a container, the C program through a connection. Strata made its tables.
final class Database {
    let container: ModelContainer
    let plain: Plain
    /// For what is prepared before the clock starts.
    let admin: Plain
    /// The address that `plain` and `container` use.
    let url: String

    init(_ url: String, admin: String? = nil, _ types: [any PersistentModel.Type], history: Bool, connections: Int)
        throws
    {
        guard let storeURL = URL(string: url) else { throw BenchmarkFailure("\(url) is no URL") }
        self.url = url
        var configuration = ModelConfiguration(url: storeURL)
        configuration.recordsHistory = history
        configuration.pool = ModelConfiguration.Pool(maximumConnections: connections)
        container = try ModelContainer(for: types, configurations: configuration)
        plain = try Plain(url)
        self.admin = try Plain(admin ?? url)
    }

    deinit { container.close() }
}
