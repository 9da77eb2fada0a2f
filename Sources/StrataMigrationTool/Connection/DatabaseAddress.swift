import Foundation
package import StrataClient
import StrataLocalServer
import StrataMigrations

/// The database a command works on: flag, else environment, else configuration file, else an error. There is no default
/// that a forgotten variable could lead to.
package struct DatabaseAddress: Sendable {
    /// Where the address was found.
    enum Source: Hashable, Sendable {
        case flag, environment, file
    }

    package var configuration: PostgresConfiguration
    private(set) var source = Source.flag
    /// Kept, because the server stops with it.
    private var server: LocalServer?

    package init(_ configuration: PostgresConfiguration) {
        self.configuration = configuration
    }

    /// - Parameter configured: what the configuration file says.
    init(_ options: ConnectionOptions, configured: String?, directory: String) throws {
        if let url = options.databaseURL {
            guard !options.local else {
                throw MigrationError(
                    .usage, "--database-url and --local name two databases.", remedy: "use one of them")
            }
            self.init(try PostgresConfiguration(url: url))
        } else if options.local {
            let server = try LocalServer.shared(in: URL(fileURLWithPath: directory, isDirectory: true))
            self.init(try PostgresConfiguration(url: server.url))
            self.server = server
        } else if let environment = try PostgresConfiguration.environment() {
            self.init(environment)
            source = .environment
        } else if let configured {
            self.init(try PostgresConfiguration(url: configured))
            source = .file
        } else {
            throw MigrationError(
                .usage, "No database is named.",
                remedy:
                    "pass --database-url, set DATABASE_URL or the PG* variables, name one in strata.json, or use --local"
            )
        }
        if configuration.applicationName == nil { configuration.applicationName = "strata migrations" }
    }

    /// `postgres://app@db.internal:5433/shop`, never with a password; libpq and psql take it as it is.
    package var text: String {
        var text = "postgres://"
        if let user = configuration.user { text += user + "@" }
        let host = configuration.host ?? "localhost"
        // A socket's directory is not a host: in a URL it is a parameter.
        let isSocket = host.hasPrefix("/")
        if !isSocket { text += host }
        if let port = configuration.port { text += ":\(port)" }
        text += "/" + (configuration.database ?? "")
        guard isSocket else { return text }
        return text + "?host=" + (host.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? host)
    }

    /// Connects once, waiting for the server as long as was asked for, and tells the server's version.
    ///
    /// - Throws: `MigrationError` with the code `connection`.
    package func serverVersion(waiting: Duration = .zero) throws -> Int {
        let clock = ContinuousClock()
        let deadline = clock.now + waiting
        while true {
            do {
                let connection = try PostgresConnection.connect(configuration, limits: .short)
                defer { connection.close() }
                let version = connection.serverVersion
                guard version >= 150_000 else {
                    throw MigrationError(
                        .connection, "The server is PostgreSQL \(Self.text(version: version)); 15 or newer is needed.")
                }
                return version
            } catch let error as PostgresError where error.isConnectionLoss {
                guard clock.now < deadline else { throw refusal(behind: error) ?? error }
                Thread.sleep(forTimeInterval: 0.2)
            }
        }
    }

    func withConnection<Result>(_ body: (PostgresConnection) throws -> Result) throws -> Result {
        let connection: PostgresConnection
        do {
            connection = try PostgresConnection.connect(configuration)
        } catch let error as PostgresError where error.isConnectionLoss {
            throw refusal(behind: error) ?? error
        }
        defer { connection.close() }
        return try body(connection)
    }

    /// 150020 → `15.20`.
    package static func text(version: Int) -> String { "\(version / 10_000).\(version % 10_000)" }
}
