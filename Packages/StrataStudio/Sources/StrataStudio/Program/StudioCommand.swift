package import ArgumentParser
import Foundation
import Logging
import ServiceLifecycle
package import Strata
import StrataBrowsing
import StrataLocalServer

/// What a program's arguments say of a studio, and the studio itself until somebody ends it.
package struct StudioCommand: ParsableCommand {
    package static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: URL(fileURLWithPath: CommandLine.arguments[0]).lastPathComponent,
            abstract: "Shows a database in a browser on this machine: objects, history, schema, migrations, activity.",
            discussion: """
                Its classes are those of the program's models, where the program has some; else the database describes itself. It listens on \
                127.0.0.1 only, prints a link that opens it once, and reads in sessions that refuse to write.
                """)
    }

    @Option(
        help: ArgumentHelp(
            "The database; without it, the one that DATABASE_URL or libpq's PG variables name.", valueName: "url"))
    var databaseURL: String?

    @Flag(help: "Use the private server of the current folder, whose data are in .strata/.")
    var local = false

    @Option(help: ArgumentHelp("Where it listens; any free port without.", valueName: "number"))
    var port: UInt16 = 0

    @Option(
        help: ArgumentHelp(
            "The folder of migration files: the studio then shows what of them is pending.", valueName: "folder"))
    var migrations: String?

    @Flag(
        help:
            "Allow changes of single properties, new objects and deletions. The history records them with the author “studio”."
    )
    var allowEdits = false

    package init() {}

    package func validate() throws {
        guard databaseURL == nil || !local else {
            throw ValidationError("Give --database-url or --local, not both.")
        }
    }

    /// Does what the process's arguments say, and ends the process where that cannot be done.
    ///
    /// - Parameters:
    ///   - models: the program's own, if it has some.
    ///   - postgresSchema: where their store lies.
    package static func main(models: Schema?, in postgresSchema: String) async {
        do { try await parse().serve(models, in: postgresSchema) } catch { exit(withError: error) }
    }

    private func serve(_ models: Schema?, in postgresSchema: String) async throws {
        let server =
            local
            ? try LocalServer.shared(in: URL(fileURLWithPath: FileManager.default.currentDirectoryPath)) : nil
        let browser = try StoreBrowser(
            url: databaseURL ?? server?.url, models: models, in: postgresSchema, allowsEdits: allowEdits)
        // Says early what is wrong with the address.
        let found = try await browser.schemas()
        if models != nil, !found.contains(where: { $0.name == postgresSchema }) {
            throw ValidationError(
                "The PostgreSQL schema \"\(postgresSchema)\" has no tables in this database, and the program's models lie there."
            )
        }
        var logger = Logger(label: "strata.studio") { StreamLogHandler.standardError(label: $0) }
        logger.logLevel = .warning
        let studio = Studio(browser, migrations: migrations, port: Int(port), logger: logger) { link in
            print("\(link)\nThe link works once. Ctrl-C ends the studio.")
            fflush(nil)
        }
        let group = ServiceGroup(
            services: [studio], gracefulShutdownSignals: [.sigint, .sigterm], logger: logger)
        try await group.run()
        await browser.close()
    }
}
