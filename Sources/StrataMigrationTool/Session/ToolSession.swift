import Foundation
import StrataClient
import StrataMigrations
import Synchronization

/// What a command works with while it runs.
final class ToolSession: Sendable {
    let project: MigrationProject
    let surroundings: ToolSurroundings
    private let rendering: any OutputRendering
    private let isQuiet: Bool
    /// Whether a program reads the result, which gets it in any case.
    private let isForProgram: Bool
    /// Used from the runner's thread and the command's.
    private let pace = Mutex(ProgressPace())
    private let redaction = Mutex(Redaction())

    init(project: MigrationProject, surroundings: ToolSurroundings, options: CommonOptions?) {
        self.project = project
        self.surroundings = surroundings
        let isColored =
            surroundings.isTerminal && options?.noColor != true
            && (surroundings.environment["NO_COLOR"] ?? "").isEmpty
        rendering = (options?.format ?? .text).rendering(
            TextStyle(isColored: isColored, isVerbose: options?.verbose == true))
        isQuiet = options?.quiet == true
        isForProgram = options?.format == .json
    }

    /// The database of the options, reached once.
    func database(
        _ common: CommonOptions, _ options: ConnectionOptions
    ) throws -> (address: DatabaseAddress, serverVersion: Int) {
        let configured = common.configured.databaseURL
        let address = try DatabaseAddress(options, configured: configured, directory: surroundings.directory)
        redaction.withLock { $0.add(address.configuration) }
        if configured != nil, let environment = common.environmentName, address.source == .environment {
            let text = "the database is that of the environment variables, not that of --env \(environment)"
            report(ProgressLine(.warning, text))
        }
        return (address, try address.serverVersion(waiting: options.wait?.duration ?? .zero))
    }

    func files(_ common: CommonOptions) -> MigrationFiles {
        MigrationFiles(path: path(common.dir), name: common.dir)
    }

    /// A path as the user wrote it, seen from the working directory.
    func path(_ text: String) -> String {
        text.hasPrefix("/") ? text : surroundings.directory + "/" + text
    }

    func report(_ line: ProgressLine) {
        guard !isQuiet, let text = rendering.progress(line) else { return }
        if let subject = line.repeats, !surroundings.isTerminal {
            guard pace.withLock({ $0.isDue(subject, at: surroundings.now()) }) else { return }
        }
        write(text, isStandardOutput: true)
    }

    func finish(_ result: any CommandResult, of command: String) -> Int32 {
        if !(isQuiet && result.isConfirmation) || isForProgram {
            write(rendering.result(result, of: command), isStandardOutput: true)
        }
        return result.code?.exitCode ?? 0
    }

    func fail(_ error: any Error, of command: String) -> Int32 {
        let error = MigrationError(reporting: error)
        let (text, isStandardOutput) = rendering.failure(error, of: command)
        write(text, isStandardOutput: isStandardOutput)
        return error.code.exitCode
    }

    private func write(_ text: String, isStandardOutput: Bool) {
        let text = redaction.withLock { $0(text) }
        isStandardOutput ? surroundings.output(text) : surroundings.errors(text)
    }
}
