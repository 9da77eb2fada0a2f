import Foundation
import Testing

@testable import StrataLocalServer

@Suite(.serialized)
struct LocalServerTests {
    @Test func aTemporaryServerAcceptsConnectionsAndLeavesNothingBehind() throws {
        let server = try LocalServer.temporary()
        let root = server.dataDirectory.deletingLastPathComponent()
        let process = try #require(PostmasterFile(in: server.dataDirectory.path)).processIdentifier
        #expect(try acceptsConnections(server))
        #expect(server.url.hasPrefix("postgresql:///postgres?host=/"))
        #expect(server.url.hasSuffix("&user=postgres"))

        server.stop()
        #expect(!FileManager.default.fileExists(atPath: root.path))
        #expect(kill(process, 0) != 0)
        server.stop()
        #expect { try server.restart() } throws: { ($0 as? LocalServerError)?.code == .stopped }
    }

    @Test func settingsReachTheServer() throws {
        let server = try LocalServer.temporary(options: .init(settings: ["max_connections": "37"]))
        defer { server.stop() }
        #expect(try show("max_connections", server) == "37")
        #expect(try show("fsync", server) == "off")
    }

    @Test func serversBesideAnotherBeginWithCopiesOfDataThatNobodyHasTouched() throws {
        let first = try LocalServer.temporary()
        defer { first.stop() }
        let root = first.dataDirectory.deletingLastPathComponent()
        let second = try first.another(settings: ["max_connections": "37"])
        defer { second.stop() }
        let identifier = "(SELECT system_identifier::text FROM pg_control_system())"
        #expect(try show("max_connections", second) == "37")
        #expect(try answer("SELECT \(identifier)", first) != answer("SELECT \(identifier)", second))
        _ = try answer("CREATE DATABASE filled", second)

        let third = try first.another()
        defer { third.stop() }
        #expect(try answer("SELECT count(*) FROM pg_database WHERE datname = 'filled'", third) == "0")
        #expect(try answer("SELECT \(identifier)", third) == answer("SELECT \(identifier)", second))

        first.stop()
        #expect(!FileManager.default.fileExists(atPath: root.path))
        try third.restart(mode: .immediate)
        #expect(try acceptsConnections(second) && acceptsConnections(third))
    }

    @Test(arguments: [LocalServer.ShutdownMode.fast, .immediate])
    func aRestartedServerHasTheSameAddressAndAnotherProcess(mode: LocalServer.ShutdownMode) throws {
        let server = try LocalServer.temporary()
        defer { server.stop() }
        let before = try #require(PostmasterFile(in: server.dataDirectory.path)).processIdentifier
        try server.restart(mode: mode)
        let after = try #require(PostmasterFile(in: server.dataDirectory.path)).processIdentifier
        #expect(before != after)
        #expect(try acceptsConnections(server))
    }

    @Test func aServerStartedOnAThreadOutlivesTheThread() throws {
        let box = Box()
        let thread = Thread {
            box.result = Result { try LocalServer.temporary() }
            box.done.signal()
        }
        thread.start()
        box.done.wait()
        let server = try #require(try box.result?.get())
        defer { server.stop() }
        while thread.isExecuting { usleep(1_000) }
        #expect(try acceptsConnections(server))
    }

    @Test func twoUsersShareOneServerAndTheLastOneStopsIt() throws {
        let project = try Project()
        defer { project.remove() }
        let first = try LocalServer.shared(in: project.url)
        let process = try #require(PostmasterFile(in: first.dataDirectory.path)).processIdentifier
        let second = try LocalServer.shared(in: project.url)
        #expect(first.url == second.url)
        #expect(PostmasterFile(in: second.dataDirectory.path)?.processIdentifier == process)

        first.stop()
        #expect(try acceptsConnections(second))
        #expect(try show("fsync", second) == "on")
        second.stop()
        #expect(project.isQuiet(within: .seconds(30)))
        #expect(kill(process, 0) != 0)
        #expect(FileManager.default.fileExists(atPath: "\(second.dataDirectory.path)/PG_VERSION"))
    }

    @Test func joiningRightAfterTheLastUserLeftFindsARunningServer() throws {
        let project = try Project()
        defer { project.remove() }
        for _ in 0..<4 {
            let server = try LocalServer.shared(in: project.url)
            #expect(try acceptsConnections(server))
            server.stop()
        }
        #expect(project.isQuiet(within: .seconds(30)))
    }

    @Test func processesThatStartAtTheSameTimeGetTheSameServer() async throws {
        let project = try Project()
        defer { project.remove() }
        let url = project.url
        let servers = try await withThrowingTaskGroup { group in
            for _ in 0..<4 { group.addTask { try LocalServer.shared(in: url) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(Set(servers.map { PostmasterFile(in: $0.dataDirectory.path)?.processIdentifier }).count == 1)
        servers.forEach { $0.stop() }
        #expect(project.isQuiet(within: .seconds(30)))
    }

    @Test func aCrashedServerIsStartedAgainByTheNextUser() throws {
        let project = try Project()
        defer { project.remove() }
        let first = try LocalServer.shared(in: project.url)
        let crashed = try #require(PostmasterFile(in: first.dataDirectory.path)).processIdentifier
        kill(crashed, SIGKILL)

        let second = try LocalServer.shared(in: project.url)
        let process = try #require(PostmasterFile(in: second.dataDirectory.path)).processIdentifier
        #expect(process != crashed)
        #expect(try acceptsConnections(second))
        first.stop()
        second.stop()
        #expect(project.isQuiet(within: .seconds(30)))
    }

    @Test func aProcessFileLeftByACrashIsNoObstacle() throws {
        let project = try Project()
        defer { project.remove() }
        let first = try LocalServer.shared(in: project.url)
        let file = first.dataDirectory.appendingPathComponent("postmaster.pid")
        let contents = try String(contentsOf: file, encoding: .utf8)
        first.stop()
        #expect(project.isQuiet(within: .seconds(30)))
        // The number now belongs to a process that is no PostgreSQL: this one.
        let lines = contents.split(separator: "\n", omittingEmptySubsequences: false).dropFirst()
        try ("\(getpid())\n" + lines.joined(separator: "\n")).write(to: file, atomically: true, encoding: .utf8)

        let second = try LocalServer.shared(in: project.url)
        #expect(try acceptsConnections(second))
        second.stop()
        #expect(project.isQuiet(within: .seconds(30)))
    }

    @Test func aKilledGuardianTakesTheServerWithItAndIsReplaced() throws {
        let project = try Project()
        defer { project.remove() }
        let first = try LocalServer.shared(in: project.url)
        let text = try String(contentsOf: project.root.appendingPathComponent("guardian.pid"), encoding: .utf8)
        let guardian = try #require(pid_t(text.trimmingCharacters(in: .whitespacesAndNewlines)))
        kill(guardian, SIGKILL)
        let second = try LocalServer.shared(in: project.url)
        #expect(try acceptsConnections(second))
        first.stop()
        second.stop()
        #expect(project.isQuiet(within: .seconds(30)))
    }

    @Test(.enabled(if: geteuid() == 0))
    func aProjectClosedToTheServersUserKeepsItsDataElsewhere() throws {
        let project = try Project()
        defer { project.remove() }
        #expect(chmod(project.url.path, 0o700) == 0)
        let server = try LocalServer.shared(in: project.url)
        let root = server.dataDirectory.deletingLastPathComponent()
        defer { try? FileManager.default.removeItem(at: root) }
        #expect(try acceptsConnections(server))
        #expect(root.path.hasPrefix("/var/lib/strata/"))
        let location = project.url.appendingPathComponent(".strata/location")
        #expect(try String(contentsOf: location, encoding: .utf8) == root.path + "\n")
        server.stop()
        #expect(eventually(within: .seconds(30)) { !isHeld(root.appendingPathComponent("guardian.lock")) })
    }

    @Test func aKilledUserLeavesNothingRunning() async throws {
        let project = try Project()
        defer { project.remove() }
        let path = project.url.path
        await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
            let project = URL(fileURLWithPath: path)
            let shared = try LocalServer.shared(in: project)
            let temporary = try LocalServer.temporary(options: .init(directory: project))
            try Data(temporary.dataDirectory.path.utf8).write(to: project.appendingPathComponent("temporary"))
            withExtendedLifetime((shared, temporary)) { _ = kill(getpid(), SIGKILL) }
        }
        #expect(project.isQuiet(within: .seconds(30)))
        let data = try String(contentsOf: project.url.appendingPathComponent("temporary"), encoding: .utf8)
        #expect(eventually(within: .seconds(30)) { !FileManager.default.fileExists(atPath: data) })
    }
}

// Carries a result out of a thread; the semaphore orders the write before the read.
private final class Box: @unchecked Sendable {
    var result: Result<LocalServer, any Error>?
    let done = DispatchSemaphore(value: 0)
}
