import StrataMigrations

/// For people.
struct TextOutput: OutputRendering {
    let style: TextStyle

    func result(_ result: any CommandResult, of command: String) -> String {
        result.text(style).map { $0 + "\n" }.joined()
    }

    func failure(_ error: MigrationError, of command: String) -> (text: String, isStandardOutput: Bool) {
        var lines = [style.red("error[\(error.code.rawValue)]") + ": " + error.message]
        lines += error.places.map { "  --> " + $0 }
        if let sqlState = error.sqlState { lines.append("  SQLSTATE \(sqlState)") }
        if let remedy = error.remedy { lines.append("  " + style.green("fix") + ": " + remedy) }
        lines.append("  " + [consequence(of: error.code), "(exit \(error.code.exitCode))"].joined(separator: " "))
        return (lines.map { $0 + "\n" }.joined(), false)
    }

    func progress(_ line: ProgressLine) -> String? {
        switch line.kind {
        case .information: line.text + "\n"
        case .success: style.green(line.text) + "\n"
        case .warning: style.yellow(line.text) + "\n"
        }
    }

    private func consequence(of code: MigrationError.Code) -> String {
        switch code {
        case .integrity, .runnerLocked, .planRefused: "nothing was executed"
        case .preflightRefused: "no table was changed"
        case .stepRolledBack: "the step was rolled back; the database is as it was before it"
        case .stepFailed: "run apply again to go on where it stopped"
        case .lockNotAvailable: "running it again is safe"
        case .connection: "running it again is safe"
        case .usage, .unexpected, .difference, .drift, .lint: "stopped"
        }
    }
}
