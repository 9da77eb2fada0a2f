import Foundation
import StrataMigrations
import Testing

@testable import StrataMigrationTool

/// `Documentation/Commands.md` says what the commands say.
@Suite struct CommandReferenceTests {
    private static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    private func reference() throws -> CommandReference {
        let source = Self.root.appending(path: "Sources/StrataMigrations/Errors/MigrationError.swift")
        let request = #expect(throws: (any Error).self) {
            try RootCommand.parseAsRoot(["--experimental-dump-help"])
        }
        return try CommandReference(
            dump: RootCommand.message(for: try #require(request)),
            errorSource: String(contentsOf: source, encoding: .utf8))
    }

    @Test func theReferenceIsUpToDate() throws {
        let markdown = try reference().markdown
        let file = Self.root.appending(path: "Documentation/Commands.md")
        // Run once with this set after changing a command.
        if ProcessInfo.processInfo.environment["STRATA_WRITE_REFERENCE"] != nil {
            try Data(markdown.utf8).write(to: file)
        }
        #expect(try String(contentsOf: file, encoding: .utf8) == markdown)
    }

    @Test func everyCodeIsExplained() throws {
        let rows = try reference().markdown.split(separator: "\n").filter { $0.contains(/^\| \d+ \|/) }
        #expect(rows.count == MigrationError.Code.allCases.count + 1)
        for code in MigrationError.Code.allCases {
            #expect(rows.contains { $0.hasPrefix("| \(code.exitCode) | `\(code.rawValue)` |") }, "\(code)")
        }
    }

    @Test func everyCheckIsExplained() throws {
        let page = try String(
            contentsOf: Self.root.appending(path: "Documentation/MigrationFiles.md"), encoding: .utf8)
        let planning = Self.root.appending(path: "Sources/StrataMigrations/Planning")
        var codes: Set<Substring> = []
        for file in try FileManager.default.contentsOfDirectory(at: planning, includingPropertiesForKeys: nil) {
            let source = try String(contentsOf: file, encoding: .utf8)
            codes.formUnion(source.matches(of: /code: "(M\d{3})"/).map(\.1))
        }
        #expect(codes.count >= 8)
        for code in codes { #expect(page.contains("| `\(code)` |"), "\(code)") }
    }

    @Test func everyOptionIsExplained() throws {
        let unexplained = try reference().markdown.split(separator: "\n").filter { $0.contains("` |  |") }
        #expect(unexplained.isEmpty)
    }
}
