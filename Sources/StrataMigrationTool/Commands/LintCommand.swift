import ArgumentParser
import Foundation
import StrataMigrationFiles
import StrataMigrations

/// `lint`
struct LintCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "lint",
        abstract: "Reads the files as a reviewer would: what locks, what rewrites, what old code would miss.",
        discussion: """
            Ends with 6 when a rule of level error fires. Needs no database; where --database-url, --local or --env names \
            one, the size of its tables and the version of its server count.
            """)

    @OptionGroup var common: CommonOptions
    @OptionGroup var connection: ConnectionOptions

    @Argument(help: "SQL files of your own; the migration files where nothing is named.")
    var files: [String] = []

    @Option(
        name: .customLong("target-version"),
        help: ArgumentHelp(
            "The major version of the production server (default: that of the database, 15 without one).",
            valueName: "number"))
    var targetVersion: Int?

    @Option(
        name: .customLong("git-base"),
        help: ArgumentHelp("Only files that are new since this branch, such as main.", valueName: "branch"))
    var gitBase: String?

    func validate() throws {
        guard targetVersion.map({ (10...99).contains($0) }) ?? true else {
            throw ValidationError("--target-version is a major version such as 15.")
        }
    }

    func perform(in session: ToolSession) throws -> any CommandResult {
        var target = try target(in: session)
        if let targetVersion { target.serverVersion = targetVersion * 10_000 }
        guard files.isEmpty else {
            var findings: [LintFinding] = []
            let lint = MigrationLint(target: target)
            for file in files { findings += lint.findings(sql: try text(of: file, session), file: file) }
            return LintResult(findings, files: files.count)
        }
        var scripts = try session.files(common).scripts()
        guard !scripts.isEmpty else {
            throw MigrationError(
                .difference, "There are no migration files in \(common.dir).", remedy: MissingFiles.remedy)
        }
        if let gitBase {
            let new = try NewFiles(since: gitBase, in: session.path(common.dir)).names
            scripts.removeAll { !new.contains($0.stem + ".sql") }
        }
        let versions = try session.project.chain().versions
        var findings: [LintFinding] = []
        for script in scripts {
            target.before = versions.first { $0.fingerprint == script.from?.fingerprint }?.database
            let lint = MigrationLint(target: target)
            let file = "\(common.dir)/\(script.stem).sql"
            findings += lint.findings(in: script, file: file, text: try? text(of: file, session))
        }
        return LintResult(findings, files: scripts.count)
    }

    /// What is known about the database, if one was named on purpose: a variable that happens to be set does not count.
    private func target(in session: ToolSession) throws -> LintTarget {
        guard connection.isNamed || common.environmentName != nil && common.configured.databaseURL != nil else {
            return LintTarget()
        }
        let address = try session.database(common, connection).address
        return try address.withConnection { try LintTarget(schemaName: common.schema, on: $0) }
    }

    private func text(of file: String, _ session: ToolSession) throws -> String {
        do {
            return try String(contentsOfFile: session.path(file), encoding: .utf8)
        } catch {
            throw MigrationError(.usage, "\(file) cannot be read.", underlying: error)
        }
    }
}

/// What the linter has found.
struct LintResult: CommandResult {
    struct Finding: Encodable, Sendable {
        /// `L101`
        var rule: String
        /// `indexNotConcurrent`
        var name: String
        var level: String
        var file: String?
        var step: String?
        var line: Int
        var message: String
        var reason: String
        var fix: String
    }

    var files: Int
    var findings: [Finding]
    private let frames: [String]

    private enum CodingKeys: String, CodingKey {
        case files, findings
    }

    init(_ findings: [LintFinding], files: Int) {
        self.files = files
        self.findings = findings.map {
            Finding(
                rule: $0.rule.code, name: $0.rule.word, level: $0.level.rawValue, file: $0.file, step: $0.step,
                line: $0.line, message: $0.message, reason: $0.reason, fix: $0.fix)
        }
        frames = findings.map(\.frame)
    }

    var code: MigrationError.Code? { findings.contains { $0.level == "error" } ? .lint : nil }

    var annotations: [Annotation] {
        findings.map {
            Annotation(
                $0.level == "error" ? .error : .warning, file: $0.file, line: $0.line, title: "\($0.rule) \($0.name)",
                message: "\($0.message)\n\($0.reason)\nfix: \($0.fix)")
        }
    }

    func text(_ style: TextStyle) -> [String] {
        let errors = findings.count { $0.level == "error" }
        let counts = [files.counted("file"), errors.counted("error"), (findings.count - errors).counted("warning")]
        let summary = counts.joined(separator: ", ")
        let lines = frames.flatMap {
            $0.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) + [""]
        }
        return lines + [errors > 0 ? style.red(summary) : style.green(summary)]
    }
}
