import Strata
import Testing

/// An error that tests throw.
struct Stop: Error {}

/// Expects an error with this code (any, when `nil`). Runs on the caller's isolation, unlike `#expect(throws:)`, so that
/// contexts and models may be used inside.
func expectError(
    _ code: SwiftDataError.Code?, _ place: SourceLocation = #_sourceLocation, _ body: () async throws -> Void
) async {
    do {
        try await body()
        Issue.record("no error was thrown", sourceLocation: place)
    } catch {
        check(error, code, place)
    }
}

/// The same for a body that blocks.
func expectBlockingError(
    _ code: SwiftDataError.Code?, _ place: SourceLocation = #_sourceLocation, _ body: () throws -> Void
) {
    do {
        try body()
        Issue.record("no error was thrown", sourceLocation: place)
    } catch {
        check(error, code, place)
    }
}

private func check(_ error: any Error, _ code: SwiftDataError.Code?, _ place: SourceLocation) {
    guard let error = error as? SwiftDataError else {
        Issue.record("not a SwiftDataError: \(error)", sourceLocation: place)
        return
    }
    guard let code else { return }
    #expect(error.code == code, "\(error)", sourceLocation: place)
}

/// Expects that ``Stop`` comes through.
func expectStop(_ place: SourceLocation = #_sourceLocation, _ body: () async throws -> Void) async {
    do {
        try await body()
        Issue.record("no error was thrown", sourceLocation: place)
    } catch is Stop {
    } catch {
        Issue.record("another error was thrown: \(error)", sourceLocation: place)
    }
}

/// The same for a body that blocks.
func expectBlockingStop(_ place: SourceLocation = #_sourceLocation, _ body: () throws -> Void) {
    do {
        try body()
        Issue.record("no error was thrown", sourceLocation: place)
    } catch is Stop {
    } catch {
        Issue.record("another error was thrown: \(error)", sourceLocation: place)
    }
}
