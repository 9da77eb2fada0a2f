import Foundation

/// What a command sees of the process it runs in.
package struct ToolSurroundings: Sendable {
    package var environment: [String: String]
    package var directory: String
    /// Whether the standard output is a terminal.
    package var isTerminal: Bool
    /// Decides how often progress is told where the output is none.
    package var now: @Sendable () -> ContinuousClock.Instant = { .now }
    package var output: @Sendable (String) -> Void
    package var errors: @Sendable (String) -> Void

    package init(
        environment: [String: String] = [:], directory: String, isTerminal: Bool = false,
        output: @escaping @Sendable (String) -> Void, errors: @escaping @Sendable (String) -> Void
    ) {
        self.environment = environment
        self.directory = directory
        self.isTerminal = isTerminal
        self.output = output
        self.errors = errors
    }

    /// Those of this process.
    package static var process: ToolSurroundings {
        ToolSurroundings(
            environment: ProcessInfo.processInfo.environment,
            directory: FileManager.default.currentDirectoryPath,
            isTerminal: isatty(STDOUT_FILENO) == 1,
            output: { FileHandle.standardOutput.write(Data($0.utf8)) },
            errors: { FileHandle.standardError.write(Data($0.utf8)) })
    }
}
