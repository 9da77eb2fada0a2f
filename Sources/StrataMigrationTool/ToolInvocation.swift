import ArgumentParser
import StrataMigrations

/// One call of the tool: arguments in, an exit code out.
package struct ToolInvocation {
    package var project: MigrationProject
    package var surroundings: ToolSurroundings

    package init(project: MigrationProject, surroundings: ToolSurroundings) {
        self.project = project
        self.surroundings = surroundings
    }

    /// Parses the arguments (without the program's name), does what they say and writes the result.
    ///
    /// - Returns: the exit code, see ``MigrationError``.
    package func run(_ arguments: [String]) -> Int32 {
        var command: any ToolCommand
        do {
            try RootCommand.requireCommand(in: arguments)
            var parsed = try RootCommand.parseAsRoot(arguments)
            guard let found = parsed as? any ToolCommand else {
                // The tool without a command, or help about one: both throw what to say.
                try parsed.run()
                return 0
            }
            command = found
        } catch {
            return explain(error, arguments)
        }
        let name = type(of: command).fullName
        let session = ToolSession(project: project, surroundings: surroundings, options: command.common)
        do {
            command.common.configured = try ConfigurationFile.values(
                for: command.common, directory: surroundings.directory)
            return session.finish(try command.perform(in: session), of: name)
        } catch {
            return session.fail(error, of: name)
        }
    }

    /// Help is no failure; wrong arguments are, with the tool's own exit code.
    private func explain(_ error: any Error, _ arguments: [String]) -> Int32 {
        let redaction = Redaction()
        let text = redaction(RootCommand.fullMessage(for: error)) + "\n"
        guard RootCommand.exitCode(for: error) != .success else {
            surroundings.output(text)
            return 0
        }
        // A program that asked for JSON reads nothing else.
        if zip(arguments, arguments.dropFirst()).contains(where: { $0 == ("--format", "json") })
            || arguments.contains("--format=json")
        {
            let failure = MigrationError(.usage, redaction(RootCommand.message(for: error)))
            surroundings.output(JSONOutput().failure(failure, of: "").text)
        } else {
            surroundings.errors(text)
        }
        return MigrationError.Code.usage.exitCode
    }
}
