public import StrataContext

/// Fails the test unless the container sends exactly these statements, in this order, while `body` runs.
///
/// ```swift
/// try await expectStatements("fetch Trip", "load Trip.owner", in: container) {
///     for trip in try await context.fetch(descriptor) { #expect(trip.owner != nil) }
/// }
/// ```
/// A statement is called as in logs, metrics and traces (`ObservedStatement.name`); a failure lists the names that were sent, to be copied,
/// with their SQL. Prefetching is called as lazy loading is. What begins and ends a transaction has no name and is left out. Without names, nothing may be sent.
///
/// Everything counts that the container sends meanwhile, in whatever task: a test with a store of its own sees its own statements only, also
/// those of a server that answers its requests.
/// - Parameters:
///   - names: what is expected.
///   - container: one of `withTestStore`, or one with an ``ExpectationObserver``; any other fails the test.
///   - fileID: where the test is; leave it out, as the three that follow.
///   - body: what is looked at. Its result is returned.
/// - Throws: what `body` throws; its statements are not looked at then.
@discardableResult public func expectStatements<Result>(
    _ names: String..., in container: ModelContainer, fileID: StaticString = #fileID, file: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column, _ body: () async throws -> Result
) async rethrows -> Result {
    let location = CallerLocation(fileID, file, line, column)
    let (result, recording) = try await recording(container, location, body)
    if let recording { check(recording, names, location) }
    return result
}

/// Fails the test unless the container sends exactly these statements, in this order, while `body` runs; for a closure that
/// blocks.
///
/// As the asynchronous form.
@discardableResult public func expectStatements<Result>(
    _ names: String..., in container: ModelContainer, fileID: StaticString = #fileID, file: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column, _ body: () throws -> Result
) rethrows -> Result {
    let location = CallerLocation(fileID, file, line, column)
    let (result, recording) = try recording(container, location, body)
    if let recording { check(recording, names, location) }
    return result
}

private func check(_ recording: ContainerRecording, _ names: [String], _ location: CallerLocation) {
    guard recording.names != names else { return }
    func list(_ names: [String]) -> String {
        names.isEmpty ? "none" : names.map { "\"\($0)\"" }.joined(separator: ", ")
    }
    location.report(
        """
        Other statements were sent than expected.
        Expected: \(list(names))
        Sent: \(list(recording.names))
        \(recording.description)
        """)
}
