import ArgumentParser
import StrataClient
import StrataMigrations
import StrataRepository

/// `history grant`
struct HistoryGrantCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "grant",
        abstract:
            "Gives a role what it needs of Strata's own tables: to read the history, to be an application, to prune.",
        discussion: "Rights on the tables of the models are not touched. Takes the owner of the history.")
    static let fullName = "history grant"

    @OptionGroup var common: CommonOptions
    @OptionGroup var connection: ConnectionOptions

    @Argument(help: "The role; it must exist.")
    var role: String

    @Flag(help: "May read the history.")
    var read = false

    @Flag(help: "May read the history, open containers and save through them.")
    var application = false

    @Flag(help: "May read the history and delete the oldest of it.")
    var prune = false

    func validate() throws {
        guard read || application || prune else {
            throw ValidationError("Say what is granted: --read, --application or --prune.")
        }
    }

    func perform(in session: ToolSession) throws -> any CommandResult {
        let (address, _) = try session.database(common, connection)
        let rights = [("read", read), ("write", application), ("prune", prune)].filter(\.1).map(\.0)
        try address.withConnection { connection in
            var batch = PostgresBatch()
            batch.begin()
            for right in rights {
                let grant: SQLFragment = "SELECT strata.history_grant(\(bind: role)::name, \(bind: right))"
                batch.add(try grant.statement())
            }
            batch.commit()
            try connection.run(batch)
        }
        let words = [("reads the history", read), ("is an application", application), ("prunes the history", prune)]
        return LinesResult(words.filter(\.1).map { "\(role) \($0.0)" }, nothing: "Nothing to grant.")
    }
}
