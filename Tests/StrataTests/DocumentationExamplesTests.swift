import Foundation
import Testing

/// Swift code in the documentation is part of the programs in `Examples`, which compile and check what they do.
@Suite struct DocumentationExamplesTests {
    private static let repository = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    static let pages: [String] = {
        let catalog = "Sources/Strata/Strata.docc"
        let pages = try? FileManager.default.contentsOfDirectory(
            atPath: repository.appendingPathComponent(catalog).path)
        // scripts/check-page.py makes packages of what those pages show, and runs them.
        let made = ["AnHourWithAService.md", "AServiceOverHTTP.md", "FromAFirstFetch.md"]
        let others = (pages ?? []).filter { $0.hasSuffix(".md") && !made.contains($0) }
        return ["README.md"] + others.sorted().map { "\(catalog)/\($0)" }
    }()

    @Test func theCatalogIsFound() { #expect(Self.pages.count > 5) }

    @Test(arguments: pages) func everyCodeBlockIsPartOfAnExample(page: String) throws {
        let sources = try Self.sources.get()
        for block in try Self.blocks(of: page) {
            let isFound = sources.contains { $0.contains(block) }
            #expect(isFound, "Not in Examples, from \(page):\n\(block.joined(separator: "\n"))")
        }
    }

    /// The lines of all files in `Examples`, without indentation.
    private static let sources = Result<[[String]], any Error> {
        let examples = repository.appendingPathComponent("Examples")
        let files = try FileManager.default.subpathsOfDirectory(atPath: examples.path)
        return try files.filter { $0.hasSuffix(".swift") && !$0.contains(".build") }.map {
            lines(try String(contentsOf: examples.appendingPathComponent($0), encoding: .utf8))
        }
    }

    /// The code blocks of a page that are marked as Swift.
    private static func blocks(of page: String) throws -> [[String]] {
        let text = try String(contentsOf: repository.appendingPathComponent(page), encoding: .utf8)
        return text.components(separatedBy: "```swift\n").dropFirst().map {
            lines($0.components(separatedBy: "\n```")[0])
        }
    }

    private static func lines(_ text: String) -> [String] {
        text.components(separatedBy: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    }
}
