import ArgumentParser
import Foundation
import StrataIntrospection
import StrataMigrations

/// `introspect`
struct IntrospectCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "introspect",
        abstract:
            "Writes model classes for the tables of a database, and says what they do not express. Reads the catalogs only.",
        discussion: """
            One file a class, and one with a VersionedSchema. A further run writes what has changed; files that were written by hand are never \
            overwritten unless told to.
            """)

    @OptionGroup var common: CommonOptions
    @OptionGroup var connection: ConnectionOptions

    @Option(help: ArgumentHelp("The folder of the files.", valueName: "folder"))
    var out: String

    @Option(
        help: ArgumentHelp(
            "A table to read; legacy_* for all that begin so. Without it all tables.", valueName: "pattern"))
    var tables: [String] = []

    @Option(help: ArgumentHelp("The name of the VersionedSchema.", valueName: "name"))
    var name = "DatabaseSchema"

    @Option(help: ArgumentHelp("public, package or internal: who may use the classes.", valueName: "level"))
    var access = "public"

    @Flag(help: "Overwrites files of the same names that were written by hand, too.")
    var overwrite = false

    func validate() throws {
        guard ModelSource.Access(rawValue: access) != nil else {
            throw ValidationError("--access can be public, package or internal.")
        }
    }

    func perform(in session: ToolSession) throws -> any CommandResult {
        do {
            let introspection = try Introspection(
                schemaName: common.schema, tables: tables, name: name,
                access: ModelSource.Access(rawValue: access) ?? .public)
            let folder = URL(fileURLWithPath: session.path(out), isDirectory: true)
            let address = try session.database(common, connection).address
            return IntrospectResult(
                try address.withConnection { try introspection.run(on: $0, into: folder, overwriting: overwrite) })
        } catch let failure as Introspection.Failure {
            throw MigrationError(.usage, failure.description, remedy: failure.remedy)
        }
    }
}

/// What was written, and what could not be.
struct IntrospectResult: CommandResult {
    var written: [String]
    var removed: [String]
    var coverage: IntrospectionCoverage
    var gaps: [IntrospectionGap]
    private let lines: [String]

    private enum CodingKeys: String, CodingKey { case written, removed, coverage, gaps }

    init(_ outcome: Introspection.Outcome) {
        written = outcome.changes.written
        removed = outcome.changes.removed
        (coverage, gaps, lines) = (outcome.coverage, outcome.gaps, outcome.lines)
    }

    func text(_ style: TextStyle) -> [String] { lines }
}
