import Testing
import XCTest

/// Where a test calls an expectation; reports to the library that runs the test.
struct CallerLocation {
    let fileID: StaticString
    let file: StaticString
    let line: UInt
    let column: UInt

    init(_ fileID: StaticString, _ file: StaticString, _ line: UInt, _ column: UInt) {
        self.fileID = fileID
        self.file = file
        self.line = line
        self.column = column
    }

    /// Fails the test that runs, with this location.
    ///
    /// Outside of a test's own task neither library says whether it is the one that runs: then both are told, and the one that does
    /// not run anything takes no notice.
    func report(_ message: String) {
        Issue.record(Comment(rawValue: message), sourceLocation: sourceLocation)
        if Test.current == nil { XCTFail(message, file: file, line: line) }
    }

    /// Testing stops the process for a location that cannot be.
    private var sourceLocation: SourceLocation {
        let id = fileID.description
        return SourceLocation(
            fileID: id.split(separator: "/").count > 1 ? id : "Unknown/\(id)", filePath: file.description,
            line: max(1, Int(clamping: line)), column: max(1, Int(clamping: column)))
    }
}
