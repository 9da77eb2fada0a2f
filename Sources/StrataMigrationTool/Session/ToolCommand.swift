import ArgumentParser

/// A command: its arguments, and what it does with them. It prints nothing itself.
protocol ToolCommand: ParsableCommand {
    var common: CommonOptions { get set }

    /// What results are reported as: `apply`, `history status`.
    static var fullName: String { get }

    func perform(in session: ToolSession) throws -> any CommandResult
}

extension ToolCommand {
    static var fullName: String { configuration.commandName ?? "" }
}
