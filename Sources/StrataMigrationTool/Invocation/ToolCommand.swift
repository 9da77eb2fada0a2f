import ArgumentParser

/// A command: its arguments, and what it does with them. It prints nothing itself.
protocol ToolCommand: ParsableCommand {
    var common: CommonOptions { get set }

    func perform(in session: ToolSession) throws -> any CommandResult
}
