import Foundation

/// The page about all commands, made from what the tool says about itself.
struct CommandReference {
    private let commands: [DumpedCommand]
    /// The table in the comment on the codes.
    private let codes: [String]
    /// Options of all commands; of those that reach a database beside them; of those that change one; of apply and rollback.
    private let common: [DumpedArgument]
    private let connection: [DumpedArgument]
    private let runner: [DumpedArgument]
    private let limits: [DumpedArgument]

    /// - Parameters:
    ///   - dump: what `--experimental-dump-help` writes.
    ///   - errorSource: the file that declares the codes.
    init(dump: String, errorSource: String) throws {
        let root = try JSONDecoder().decode(Dump.self, from: Data(dump.utf8)).command
        let commands = (root.subcommands ?? []).flatMap(\.leaves).filter { !$0.commandName.hasSuffix("help") }
        self.commands = commands
        // Each comparison of two options costs a debug build some: they are made once.
        let groups: [@Sendable (String) -> Bool] = [
            { _ in true }, { Self.reaching.contains($0) }, { Self.changing.contains($0) },
            { Self.limited.contains($0) },
        ]
        var shared: [[DumpedArgument]] = []
        for isIncluded in groups {
            let known = shared.flatMap(\.self)
            let options = commands.filter { isIncluded($0.commandName) }.map(\.options)
            shared.append(
                (options.first ?? []).filter { option in
                    !known.contains(option) && options.allSatisfy { $0.contains(option) }
                })
        }
        (common, connection, runner, limits) = (shared[0], shared[1], shared[2], shared[3])
        codes = errorSource.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
            .filter { $0.hasPrefix("/// |") }.map { String($0.dropFirst(4)) }
    }

    var markdown: String {
        var lines = [
            "# Commands", "",
            "The commands of a program that conforms to `MigrationTool`. This page is generated from their definitions; a test",
            "keeps it equal. `--help` says the same.", "",
            "| command | |", "|---|---|",
        ]
        lines += commands.map {
            "| [`\($0.commandName)`](#\($0.commandName.replacing(" ", with: "-"))) | \(cell($0.abstract ?? "")) |"
        }
        lines += Self.settings
        lines += group("Options of every command", common)
        lines += group("Options of commands that reach a database", connection)
        lines += group("Options of commands that change a database", runner)
        lines += group("Options of apply and rollback", limits)
        for command in commands { lines += section(command) }
        lines += exitCodes + Self.json
        return lines.joined(separator: "\n") + "\n"
    }

    // MARK: Parts

    private static let settings = """

        ## Where settings come from

        A flag comes before the environment, the environment before the configuration file, and the file before the default.
        There is no default database. `DATABASE_URL` comes before the other variables, and before the database of `--env` too.

        The configuration file is `strata.json` in the working directory, or what `--config` names:

        ```json
        {
            "dir": "migrations",
            "environments": {
                "staging": { "databaseURL": "postgres://deploy@staging.internal/trips" },
                "production": { "databaseURL": "postgres://deploy@db.internal/trips", "schema": "app", "ignore": ["legacy_*"] }
            }
        }
        ```

        `databaseURL`, `schema`, `dir` and `ignore` (tables that belong to others) stand at the top for all calls, or below an
        environment, for `--env`. Passwords belong into libpq's passfile or `PGPASSWORD`. They are never written, whatever text
        they got into. `NO_COLOR` in the environment switches colours off, which are used on a terminal only.

        There is no option that answers a question, because no command asks one, and none that empties a database, because no
        command does.

        Times are `200ms`, `2s`, `5min` or `1h`; a plain number is seconds. Versions are `4.0.0`, `4.0`, `4` or `V4`.
        """.components(separatedBy: "\n")

    private static let json = """

        ## JSON

        With `--format json` a command writes one document to the standard output, whether all went well or not. It has the
        `command`, the `code` (a word of the table above) and what the command has found. A failure has the `message`, the
        `places` (a file and line, a step, a property), the `fix`, the `sqlState` where the server refused something, and
        the `exit` code.

        With `--format github` the text is followed by workflow commands, which put findings beside the lines of a pull
        request.
        """.components(separatedBy: "\n")

    private func group(_ title: String, _ arguments: [DumpedArgument]) -> [String] {
        arguments.isEmpty ? [] : ["", "## \(title)", ""] + table(arguments)
    }

    private func section(_ command: DumpedCommand) -> [String] {
        var lines = ["", "## \(command.commandName)", "", command.abstract ?? ""]
        if let discussion = command.discussion { lines += ["", discussion] }
        let shared = common + connection + runner + limits
        let own = command.options.filter { !shared.contains($0) }
        if !own.isEmpty { lines += [""] + table(own) }
        return lines
    }

    private func table(_ arguments: [DumpedArgument]) -> [String] {
        ["| option | | default |", "|---|---|---|"]
            + arguments.map { "| `\($0.spelling)` | \(cell($0.abstract ?? "")) | \($0.standard) |" }
    }

    private var exitCodes: [String] {
        [
            "", "## Exit codes", "",
            "Stable: a pipeline can tell \"try again\" (8, 9, 12) from \"a person must look\" (4 to 7).", "",
        ] + codes
    }

    private func cell(_ text: String) -> String {
        text.replacing("|", with: "\\|").replacing("\n", with: " ")
    }

    // MARK: What commands share

    private static let changing: Set = ["apply", "rollback", "baseline", "repair"]
    private static let reaching = changing.union([
        "plan", "status", "drift", "introspect", "history status", "history sync", "history prune", "history grant",
    ])

    private static let limited: Set = ["apply", "rollback"]
}

/// What ArgumentParser writes about a program.
private struct Dump: Decodable {
    var command: DumpedCommand
}

private struct DumpedCommand: Decodable {
    var commandName: String
    var abstract: String?
    var discussion: String?
    var subcommands: [DumpedCommand]?
    var arguments: [DumpedArgument]?

    /// The commands below this one by their full names, or the command itself.
    var leaves: [DumpedCommand] {
        guard let subcommands, !subcommands.isEmpty else { return [self] }
        return subcommands.map { command in
            var command = command
            command.commandName = commandName + " " + command.commandName
            return command
        }
    }

    var options: [DumpedArgument] {
        (arguments ?? []).filter { $0.preferredName?.name != "help" && $0.preferredName?.name != "version" }
    }
}

private struct DumpedArgument: Decodable, Equatable {
    struct Name: Decodable, Equatable {
        var kind: String
        var name: String

        var text: String { (kind == "short" ? "-" : "--") + name }
    }

    var kind: String
    var names: [Name]?
    var preferredName: Name?
    var valueName: String?
    var isRepeating: Bool
    var defaultValue: String?
    var allValues: [String]?
    var abstract: String?

    /// `--lock-wait <time>`
    var spelling: String {
        let value = allValues.map { $0.joined(separator: "\\|") } ?? "<\(valueName ?? "value")>"
        guard kind != "positional" else { return value + (isRepeating ? " …" : "") }
        let text = (names ?? []).map(\.text).joined(separator: ", ")
        return kind == "flag" ? text : "\(text) \(value)" + (isRepeating ? " …" : "")
    }

    var standard: String { kind == "flag" ? "" : defaultValue.flatMap { $0.isEmpty ? nil : "`\($0)`" } ?? "" }
}
