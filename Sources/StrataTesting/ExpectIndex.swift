public import StrataContext

/// Fails the test unless the server finds the rows of a fetch by an index. One round trip; nothing is fetched.
///
/// ```swift
/// let next = FetchDescriptor<Trip>(predicate: #Predicate { $0.startDate > now }, sortBy: [SortDescriptor(\.startDate)])
/// try await expectIndex(for: next, in: context)
/// ```
/// A table of a few rows is read whole even where an index would serve; so the server is asked what it would do if it had to avoid that
/// (`avoidsSequentialScans` of `explain`). The failure shows the plan.
/// - Parameters:
///   - name: of the index; `nil` for any but those of primary keys, as `QueryPlan.requireIndex(_:)` says.
///   - descriptor: the fetch.
///   - context: in no transaction.
///   - fileID: where the test is; leave it out, as the three that follow.
/// - Throws: ``SwiftDataError``, as `explain`.
public func expectIndex<T: PersistentModel>(
    _ name: String? = nil, for descriptor: FetchDescriptor<T>, in context: ModelContext,
    fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
) async throws {
    let plan = try await context.suspendingExplain(.objects(descriptor, analyze: false, avoidsSequentialScans: true))
    check(plan, name, CallerLocation(fileID, file, line, column))
}

/// Fails the test unless the server finds the rows of a fetch by an index; blocks this thread.
///
/// As the asynchronous form.
public func expectIndex<T: PersistentModel>(
    _ name: String? = nil, for descriptor: FetchDescriptor<T>, in context: ModelContext,
    fileID: StaticString = #fileID, file: StaticString = #filePath, line: UInt = #line, column: UInt = #column
) throws {
    let plan = try context.explain(descriptor, analyze: false, avoidsSequentialScans: true)
    check(plan, name, CallerLocation(fileID, file, line, column))
}

private func check(_ plan: QueryPlan, _ name: String?, _ location: CallerLocation) {
    do {
        try plan.requireIndex(name)
    } catch {
        location.report("\(error)\n\(plan)")
    }
}
