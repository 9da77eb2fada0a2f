import Foundation
import Logging
import OperatedService
import ServiceLifecycle
import Strata
import StrataLocalServer
import StrataService
import Synchronization
import Testing

/// A store of its own for a test: a private server's, or a PostgreSQL schema of the server that the environment names.
func memoryContainer() async throws -> ModelContainer {
    try await ModelContainer(
        for: Trip.self, DestinationCount.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
}

/// Something that a test waits for.
final class Moment: Sendable {
    private struct State {
        var hasCome = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    var hasCome: Bool { state.withLock { $0.hasCome } }

    func come() {
        let waiting = state.withLock { state in
            state.hasCome = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    func wait() async {
        await withCheckedContinuation { continuation in
            let hasCome = state.withLock { state in
                if !state.hasCome { state.waiting.append(continuation) }
                return state.hasCome
            }
            if hasCome { continuation.resume() }
        }
    }
}

/// A group that no signal ends.
func group(_ services: any Service...) -> ServiceGroup {
    ServiceGroup(services: services, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
}

/// Runs a service until it is shut down gracefully or throws, beside the work of a test.
func running(_ group: ServiceGroup, _ test: () async throws -> Void) async throws {
    let run = Task { try await group.run() }
    do {
        try await test()
    } catch {
        await group.triggerGracefulShutdown()
        _ = await run.result
        throw error
    }
    await group.triggerGracefulShutdown()
    try await run.value
}

// MARK: Stores that outlive a container

/// The private server of this process, unless the environment names one.
private let server = Result { try LocalServer.temporary() }

private func serverURL() throws -> String {
    try ProcessInfo.processInfo.environment["DATABASE_URL"] ?? server.get().url
}

/// A PostgreSQL schema of its own, which is dropped in the end. Its connections carry its name.
func withNamedStore(_ test: (ModelConfiguration) async throws -> Void) async throws {
    let name = "service_" + UUID().uuidString.lowercased().replacing("-", with: "")
    var url = try #require(URLComponents(string: try serverURL()))
    url.queryItems = (url.queryItems ?? []) + [URLQueryItem(name: "application_name", value: name)]
    let configuration = ModelConfiguration(url: try #require(url.url), postgresSchema: name)
    try await test(configuration)
    try await withServer { try await $0.execute(SQLStatement("DROP SCHEMA IF EXISTS \(raw: name) CASCADE")) }
}

enum BackendWork {
    case count
    case end
}

/// How many connections of a store there are; ends them if that is asked for.
func backends(of configuration: ModelConfiguration, do work: BackendWork) async throws -> Int {
    let name = configuration.postgresSchema
    var count = 0
    try await withServer { context in
        switch work {
        case .count:
            count = try await context.fetch(
                Int.self, sql: "SELECT count(*) FROM pg_stat_activity WHERE application_name = \(name)")[0]
        case .end:
            count = try await context.fetch(
                Bool.self,
                sql: "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = \(name)"
            ).count
        }
    }
    return count
}

/// A context that is no part of the store that is tested.
private func withServer(_ body: (ModelContext) async throws -> Void) async throws {
    let container = try await ModelContainer(
        for: Trip.self,
        configurations: ModelConfiguration(
            url: try #require(URL(string: try serverURL())), isStoredInMemoryOnly: true))
    do { try await body(ModelContext(container)) } catch {
        await container.close()
        throw error
    }
    await container.close()
}
