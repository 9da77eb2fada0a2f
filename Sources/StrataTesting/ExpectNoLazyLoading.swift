public import StrataContext

/// Fails the test when a getter has to ask the server while `body` runs: for a property that no fetch has loaded.
///
/// ```swift
/// try await expectNoLazyLoading(in: container) {
///     for trip in try await context.fetch(descriptor) { _ = trip.owner?.name }
/// }
/// ```
/// The failure names each property. It is not refused, as a context's `lazyLoading = .forbidden` does: the getter returns what is
/// stored.
/// - Parameters:
///   - container: one of `withTestStore`, or one with an ``ExpectationObserver``; any other fails the test.
///   - fileID: where the test is; leave it out, as the three that follow.
///   - body: what is looked at. Its result is returned.
/// - Throws: what `body` throws; what it loaded before is not looked at then.
@discardableResult public func expectNoLazyLoading<Result>(
    in container: ModelContainer, fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column, _ body: () async throws -> Result
) async rethrows -> Result {
    let location = CallerLocation(fileID, file, line, column)
    let (result, recording) = try await recording(container, location, body)
    if let recording { check(recording, location) }
    return result
}

/// Fails the test when a getter has to ask the server while `body` runs; for a closure that blocks.
///
/// As the asynchronous form.
@discardableResult public func expectNoLazyLoading<Result>(
    in container: ModelContainer, fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column, _ body: () throws -> Result
) rethrows -> Result {
    let location = CallerLocation(fileID, file, line, column)
    let (result, recording) = try recording(container, location, body)
    if let recording { check(recording, location) }
    return result
}

private func check(_ recording: ContainerRecording, _ location: CallerLocation) {
    guard !recording.lazyLoads.isEmpty else { return }
    let times = Dictionary(grouping: recording.lazyLoads) { $0 }.mapValues(\.count)
    let lines = times.sorted { $0.key < $1.key }.map { "  \($0.key)" + ($0.value > 1 ? ", \($0.value) times" : "") }
    location.report(
        """
        Getters had to ask the server. Name these in the fetch descriptor (relationshipKeyPathsForPrefetching or propertiesToFetch):
        \(lines.joined(separator: "\n"))
        """)
}
