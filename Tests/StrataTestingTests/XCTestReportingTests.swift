import Strata
import StrataTesting
import XCTest

/// What is not met fails the test of XCTest, at the caller's line.
final class XCTestReportingTests: XCTestCase {
    func testExpectationsFailATestOfXCTest() async throws {
        try await withTestStore(for: Tour.self, Guide.self) { container in
            let context = ModelContext(container)
            try await expectStatements("fetch Tour", in: container) { try await context.fetch(FetchDescriptor<Tour>()) }
            XCTAssertEqual(failures, [])
            isExpectingFailures = true
            let line = #line + 1
            try await expectStatements("fetch Guide", in: container) {
                try await context.fetch(FetchDescriptor<Tour>())
            }
            isExpectingFailures = false
            XCTAssertEqual(failures.count, 1)
            XCTAssertEqual(failures.first?.line, line)
            XCTAssertEqual(failures.first?.file, #filePath)
            XCTAssertEqual(failures.first?.text.contains(#"Sent: "fetch Tour""#), true)
        }
    }

    private struct Failure: Equatable {
        let text: String
        let file: String
        let line: Int
    }

    private var failures: [Failure] = []
    private var isExpectingFailures = false

    override func recordFailure(
        withDescription description: String, inFile filePath: String, atLine lineNumber: Int, expected: Bool
    ) {
        guard isExpectingFailures else {
            return super.recordFailure(
                withDescription: description, inFile: filePath, atLine: lineNumber, expected: expected)
        }
        failures.append(Failure(text: description, file: filePath, line: lineNumber))
    }
}
