package import Foundation
package import StrataClient

/// Something on 127.0.0.1 that stands before the private server.
package protocol ServerProxy {
    var port: Int { get }
}

extension ServerProxy {
    /// The Unix socket of the private server that these settings lead to.
    static func socketPath(of configuration: PostgresConfiguration) throws -> String {
        guard let server = try TestServer.shared().localServer else { throw CocoaError(.featureUnsupported) }
        return server.socketDirectory.appendingPathComponent(".s.PGSQL.\(configuration.port ?? 5432)").path
    }

    /// The same settings, through the proxy.
    package func configuration(for server: PostgresConfiguration) -> PostgresConfiguration {
        var configuration = server
        configuration.options["host"] = "127.0.0.1"
        configuration.port = port
        configuration.options["sslmode"] = "disable"
        configuration.options["gssencmode"] = "disable"
        return configuration
    }

    /// The database through the proxy, for `ModelConfiguration`.
    package func url(for database: TestDatabase) -> URL? {
        var components = URLComponents()
        components.scheme = "postgresql"
        components.user = database.configuration.user
        components.host = "127.0.0.1"
        components.port = port
        components.path = "/" + database.name
        components.queryItems = [
            URLQueryItem(name: "sslmode", value: "disable"), URLQueryItem(name: "gssencmode", value: "disable"),
        ]
        return components.url
    }
}
