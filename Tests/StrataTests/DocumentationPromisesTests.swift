import Foundation
import Testing

/// Every promise of the documentation has its page and its tests.
@Suite struct DocumentationPromisesTests {
    private static let repository = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    private static let catalog = repository.appendingPathComponent("Sources/Strata/Strata.docc")

    private struct Promise {
        let number: Int
        let page: String
        let suites: [String]
    }

    private static func promises() throws -> [Promise] {
        try String(contentsOf: catalog.appendingPathComponent("PointByPoint.md"), encoding: .utf8)
            .split(separator: "\n").compactMap { line in
                let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
                guard cells.count == 4, let number = Int(cells[0]) else { return nil }
                let page = cells[2].components(separatedBy: "](").last?.dropLast(")".count) ?? ""
                return Promise(number: number, page: String(page), suites: cells[3].components(separatedBy: ", "))
            }
    }

    @Test func `there are twenty-six, each once`() throws {
        #expect(try Self.promises().map(\.number).sorted() == Array(1...26))
    }

    @Test func `each has a page and suites that exist`() throws {
        let tests = Self.repository.appendingPathComponent("Tests")
        let sources = try FileManager.default.subpathsOfDirectory(atPath: tests.path).filter { $0.hasSuffix(".swift") }
        let suites = try Set(
            sources.flatMap { path in
                // No regular expression: it would take seconds for all lines of all tests.
                try String(contentsOf: tests.appendingPathComponent(path), encoding: .utf8)
                    .components(separatedBy: "struct ").dropFirst().map { declaration in
                        String(declaration.prefix { $0.isLetter || $0.isNumber || $0 == "_" })
                    }
            })
        for promise in try Self.promises() {
            let page = Self.catalog.appendingPathComponent(promise.page)
            #expect(FileManager.default.fileExists(atPath: page.path), "promise \(promise.number): \(promise.page)")
            let missing = promise.suites.filter { !suites.contains($0) }
            #expect(missing.isEmpty, "promise \(promise.number) names suites that do not exist")
        }
    }
}
