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
            One file a class, and one with a VersionedSchema. A further run writes what has changed; files that were written or edited by hand are never \
            overwritten unless told to.
            """)

    @OptionGroup var common: CommonOptions
    @OptionGroup var connection: ConnectionOptions

    @OptionGroup var options: IntrospectionOptions

    func perform(in session: ToolSession) throws -> any CommandResult {
        do {
            let introspection = try options.introspection(of: common.schema)
            let folder = URL(fileURLWithPath: session.path(options.out), isDirectory: true)
            let address = try session.database(common, connection).address
            return IntrospectResult(
                try address.withConnection {
                    try introspection.run(on: $0, into: folder, overwriting: options.overwrite)
                })
        } catch let failure as Introspection.Failure {
            throw MigrationError(.usage, failure.description, remedy: failure.remedy)
        }
    }
}

/// What was written, and what could not be.
struct IntrospectResult: CommandResult {
    private let outcome: Introspection.Outcome

    init(_ outcome: Introspection.Outcome) { self.outcome = outcome }

    func encode(to encoder: any Encoder) throws { try outcome.encode(to: encoder) }

    func text(_ style: TextStyle) -> [String] { outcome.lines }
}
