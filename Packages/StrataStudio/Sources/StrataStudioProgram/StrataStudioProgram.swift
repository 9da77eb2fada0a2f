import ArgumentParser
import Foundation
import Logging
import ServiceLifecycle
import StrataBrowsing
import StrataLocalServer
import StrataStudio

/// Opens a database in a browser on this machine.
@main
struct StrataStudioProgram: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "strata-studio",
        abstract: "Shows a database in a browser on this machine: objects, history, schema, migrations, activity.",
        discussion: """
            It needs no compiled models: the database describes itself. It listens on 127.0.0.1 only, prints a link that opens it once, and \
            reads in sessions that refuse to write.
            """)

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

    func validate() throws {
        guard databaseURL == nil || !local else {
            throw ValidationError("Give --database-url or --local, not both.")
        }
    }

    func run() async throws {
        let server =
            local
            ? try LocalServer.shared(in: URL(fileURLWithPath: FileManager.default.currentDirectoryPath)) : nil
        let browser = try StoreBrowser(url: databaseURL ?? server?.url, allowsEdits: allowEdits)
        // Says early what is wrong with the address.
        _ = try await browser.schemas()
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
