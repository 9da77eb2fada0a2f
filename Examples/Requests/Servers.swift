import Foundation
import Strata

/// What stands between the program and its server.
public enum Servers {
    /// A configuration that reaches its server through PgBouncer in transaction mode.
    public static func pooled(_ pooler: URL, server: URL) -> ModelConfiguration {
        var configuration = ModelConfiguration(url: pooler)
        configuration.preparedStatements = .unnamed
        configuration.directURL = server
        return configuration
    }
}
