public import StrataContext

/// Fails the test unless the container waits for the server so often while `body` runs.
///
/// ```swift
/// try await expectRoundTrips(1, in: container) { try await context.save() }
/// ```
/// Statements that are sent together are one round trip. What counts is as in
/// `expectStatements`.
/// - Parameters:
///   - count: how many are expected.
///   - container: one of `withTestStore`, or one with an ``ExpectationObserver``; any other fails the test.
///   - fileID: where the test is; leave it out, as the three that follow.
///   - body: what is looked at. Its result is returned.
/// - Throws: what `body` throws; its round trips are not counted then.
@discardableResult public func expectRoundTrips<Result>(
    _ count: Int, in container: ModelContainer, fileID: StaticString = #fileID, file: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column, _ body: () async throws -> Result
) async rethrows -> Result {
    try await expectRoundTrips(
        count...count, in: container, fileID: fileID, file: file, line: line, column: column, body)
}

/// Fails the test unless the number of times that the container waits for the server while `body` runs is one of these.
///
/// ```swift
/// try await expectRoundTrips(...2, in: container) { try await listTrips(in: context) }
/// ```
/// As the form with a number.
@discardableResult public func expectRoundTrips<Result>(
    _ counts: some RangeExpression<Int> & Sendable, in container: ModelContainer, fileID: StaticString = #fileID,
    file: StaticString = #filePath, line: UInt = #line, column: UInt = #column, _ body: () async throws -> Result
) async rethrows -> Result {
    let location = CallerLocation(fileID, file, line, column)
    let (result, recording) = try await recording(container, location, body)
    if let recording { check(recording, counts, location) }
    return result
}

/// Fails the test unless the container waits for the server so often while `body` runs; for a closure that blocks.
///
/// As the asynchronous form.
@discardableResult public func expectRoundTrips<Result>(
    _ count: Int, in container: ModelContainer, fileID: StaticString = #fileID, file: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column, _ body: () throws -> Result
) rethrows -> Result {
    try expectRoundTrips(count...count, in: container, fileID: fileID, file: file, line: line, column: column, body)
}

/// Fails the test unless the number of times that the container waits for the server while `body` runs is one of these; for a
/// closure that blocks.
///
/// As the asynchronous form.
@discardableResult public func expectRoundTrips<Result>(
    _ counts: some RangeExpression<Int> & Sendable, in container: ModelContainer, fileID: StaticString = #fileID,
    file: StaticString = #filePath, line: UInt = #line, column: UInt = #column, _ body: () throws -> Result
) rethrows -> Result {
    let location = CallerLocation(fileID, file, line, column)
    let (result, recording) = try recording(container, location, body)
    if let recording { check(recording, counts, location) }
    return result
}

private func check(_ recording: ContainerRecording, _ counts: some RangeExpression<Int>, _ location: CallerLocation) {
    guard !counts.contains(recording.roundTrips) else { return }
    location.report(
        """
        Round trips to the server: \(recording.roundTrips), expected: \(words(for: counts)).
        \(recording.description)
        """)
}

private func words(for counts: some RangeExpression<Int>) -> String {
    switch counts {
    case let counts as ClosedRange<Int> where counts.lowerBound == counts.upperBound: "\(counts.lowerBound)"
    case let counts as ClosedRange<Int>: "\(counts.lowerBound) to \(counts.upperBound)"
    case let counts as PartialRangeThrough<Int>: "at most \(counts.upperBound)"
    case let counts as PartialRangeUpTo<Int>: "fewer than \(counts.upperBound)"
    case let counts as PartialRangeFrom<Int>: "at least \(counts.lowerBound)"
    default: "\(counts)"
    }
}
