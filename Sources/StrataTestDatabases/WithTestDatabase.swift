import Foundation

/// Runs a test with a fresh database and drops it afterwards, also when the test throws.
///
/// No more than eight databases (`STRATA_TEST_DATABASES`) are in use at the same time, because Swift Testing starts all
/// asynchronous tests at once and a server has a limited number of connections. Calls inside `body` do not count.
package func withTestDatabase<Result>(
    _ label: String = "",
    template: TestTemplate? = nil,
    file: String = #fileID,
    line: Int = #line,
    _ body: (TestDatabase) async throws -> Result
) async throws -> Result {
    guard !TestDatabaseLimit.isInside else {
        return try await withUnlimitedTestDatabase(label, template: template, file: file, line: line, body)
    }
    await TestDatabaseLimit.shared.enter()
    do {
        let result = try await TestDatabaseLimit.inside {
            try await withUnlimitedTestDatabase(label, template: template, file: file, line: line, body)
        }
        await TestDatabaseLimit.shared.leave()
        return result
    } catch {
        await TestDatabaseLimit.shared.leave()
        throw error
    }
}

private func withUnlimitedTestDatabase<Result>(
    _ label: String, template: TestTemplate?, file: String, line: Int, _ body: (TestDatabase) async throws -> Result
) async throws -> Result {
    let database = try await TestDatabase.create(label, template: template, file: file, line: line)
    do {
        let result = try await body(database)
        try await database.drop()
        return result
    } catch {
        // The test's error is the one to see; the database goes at the end of the process if it does not go now.
        try? await database.drop()
        throw error
    }
}

/// Lets a bounded number of tests in, first come, first served.
private actor TestDatabaseLimit {
    static let shared = TestDatabaseLimit(
        places: ProcessInfo.processInfo.environment["STRATA_TEST_DATABASES"].flatMap(Int.init) ?? 8)

    /// A test that is inside already may open a second database: waiting for a place could wait for itself.
    @TaskLocal static var isInside = false

    /// The closure captures the isolation: the test runs where its caller runs.
    static func inside<Result>(
        isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
    ) async throws -> Result {
        try await $isInside.withValue(
            true,
            operation: {
                _ = isolation
                return try await body()
            }, isolation: isolation)
    }

    private var free: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(places: Int) {
        free = max(1, places)
    }

    func enter() async {
        if free > 0 {
            free -= 1
        } else {
            await withCheckedContinuation { waiting.append($0) }
        }
    }

    func leave() {
        if waiting.isEmpty {
            free += 1
        } else {
            waiting.removeFirst().resume()
        }
    }
}
