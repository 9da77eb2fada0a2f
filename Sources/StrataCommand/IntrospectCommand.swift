import ArgumentParser
import Foundation
import StrataClient
import StrataIntrospection

/// `strata introspect`: model classes for a database that is there.
struct IntrospectCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "introspect",
        abstract:
            "Writes model classes for the tables of a database, and says what they do not express. Reads the catalogs only.",
        discussion: """
            One file a class, and one with a VersionedSchema. A further run writes what has changed; files that were written or edited by hand are never \
            overwritten unless told to. Programs with a migration plan have the same as a command of their own.
            """)

    @OptionGroup var connection: DatabaseOption

    @Option(help: ArgumentHelp("The PostgreSQL schema the tables are in.", valueName: "name"))
    var schema = "public"

    @OptionGroup var options: IntrospectionOptions

    @Flag(help: "Writes the result as JSON.")
    var json = false

    func run() throws {
        do {
            let introspection = try options.introspection(of: schema)
            let connection = try PostgresConnection.connect(try database(), limits: .short)
            defer { connection.close() }
            let folder = URL(fileURLWithPath: options.out, isDirectory: true)
            let outcome = try introspection.run(on: connection, into: folder, overwriting: options.overwrite)
            print(json ? try Self.document(of: outcome) : outcome.lines.joined(separator: "\n"))
        } catch let failure as Introspection.Failure {
            throw ValidationError("\(failure.description)\nTo go on, \(failure.remedy).")
        } catch let error as PostgresError {
            throw ValidationError(error.message)
        }
    }

    private func database() throws -> PostgresConfiguration {
        if let databaseURL = connection.databaseURL { return try PostgresConfiguration(url: databaseURL) }
        guard let environment = try PostgresConfiguration.environment() else {
            throw ValidationError("No database is named. Pass --database-url, or set DATABASE_URL.")
        }
        return environment
    }

    private static func document(of outcome: Introspection.Outcome) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(outcome), as: UTF8.self)
    }
}
