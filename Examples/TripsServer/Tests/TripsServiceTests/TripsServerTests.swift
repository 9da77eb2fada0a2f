import Foundation
import Glibc
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import SampleTripsModels
import Strata
import StrataLocalServer
import Testing

@testable import TripsService

@Suite(.serialized, .timeLimit(.minutes(2))) struct TripsServerTests {
    @Test func accountsMakeTripsThatOthersFindReadAndCannotChange() async throws {
        try await withService { client, container, _ in
            let account = try await client.ask(.post, "/accounts", json: #"{"name": "ana"}"#)
            #expect(account.status == 201)
            #expect(try await client.ask(.post, "/accounts", json: #"{"name": "ana"}"#).status == 409)
            let token = try #require(
                JSONDecoder().decode([String: String].self, from: Data(account.body.utf8))["token"])
            let ana: HTTPFields = [.authorization: "Bearer \(token)"]

            #expect(try await client.ask(.post, "/trips/business", json: business("Fair")).status == 401)
            let made = try await client.ask(.post, "/trips/business", ana, json: business("Fair"))
            #expect(made.status == 201, "\(made.body)")
            let personal =
                #"{"name": "Rest", "destination": "Nida", "startDate": "2026-07-01T00:00:00Z", "#
                + #""endDate": "2026-07-08T00:00:00Z", "reason": "wellness"}"#
            #expect(try await client.ask(.post, "/trips/personal", ana, json: personal).status == 201)
            let path = try #require(made.headers[.location])
            #expect(path.hasPrefix("/trips/BusinessTrip."))

            #expect(try await client.ask(.get, "/search?q=fair").body.contains(#""name":"Fair""#))
            #expect(try await client.ask(.get, "/report").body.contains(#""destination":"Nida""#))
            #expect(try await client.ask(.patch, path, json: #"{"name": "Mine"}"#).status == 401)
            #expect(try await client.ask(.patch, path, ana, json: #"{"perdiem": 1}"#).status == 422)
            #expect(try await client.ask(.patch, path, ana, json: #"{"destination": "Rome"}"#).status == 200)
            let authors = try await container.read { models in
                try await models.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>()).map(\.author)
            }
            #expect(authors == [nil, "ana", "ana", "ana"])
        }
    }

    @Test func aReminderIsDoneByTheQueue() async throws {
        try await withService { client, container, _ in
            let (path, ana) = try await client.trip("Fair")
            #expect(try await client.ask(.post, path + "/reminder", ana).status == 202)
            for try await items in container.results(of: FetchDescriptor<BucketListItem>()) where !items.isEmpty {
                #expect(items.map(\.title) == ["Pack for Riga"])
                break
            }
        }
    }

    @Test func thePageHasNothingFromElsewhere() async throws {
        try await withService { client, _, _ in
            let page = try await client.ask(.get, "/")
            #expect(page.body.contains("<html lang=\"en\">") && page.body.contains("name=\"viewport\""))
            #expect(page.headers[.contentSecurityPolicy] == "default-src 'self'")
            #expect(try await client.ask(.get, "/live.js").body.contains("textContent"))
        }
    }

    @Test func aRestartOfPostgreSQLUnderLoadLosesNothingAndAnswers503Meanwhile() async throws {
        try await withService { client, container, server in
            let (_, ana) = try await client.trip("First")
            let answers = try await withThrowingTaskGroup(of: [(name: String, status: Int)].self) { group in
                let (stop, stopping) = AsyncStream<Void>.makeStream()
                let isOver = Flag()
                for worker in 0..<4 {
                    group.addTask {
                        var answers: [(String, Int)] = []
                        while !isOver.isSet {
                            let name = "Trip \(worker)-\(answers.count)"
                            answers.append(
                                (name, try await client.ask(.post, "/trips/business", ana, json: business(name)).status)
                            )
                        }
                        return answers
                    }
                }
                group.addTask {
                    // Blocks a thread of its own for as long as PostgreSQL is down.
                    try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
                        Thread.detachNewThread { done.resume(with: Result { try server.restart(mode: .immediate) }) }
                    }
                    while try await client.ask(.get, "/health/ready").status != 200 {}
                    stopping.finish()
                    return []
                }
                for await _ in stop {}
                isOver.set()
                return try await group.reduce(into: []) { $0 += $1 }
            }
            let stored = Set(
                try await container.read { models in try await models.fetch(FetchDescriptor<Trip>()).map(\.name) })
            let statuses = Set(answers.map(\.status))
            #expect(statuses.contains(503) && statuses.isSubset(of: [201, 503, 504]), "\(statuses)")
            for answer in answers where answer.status == 201 {
                #expect(stored.contains(answer.name), "\(answer.name) is lost")
            }
            for answer in answers where answer.status == 503 {
                #expect(!stored.contains(answer.name), "\(answer.name) was stored, and the answer was 503")
            }
        }
    }
}

/// A flag that tasks share.
final class Flag: Sendable {
    private let lock = NSLock()
    nonisolated(unsafe) private var value = false
    var isSet: Bool { lock.withLock { value } }
    func set() { lock.withLock { value = true } }
}

func business(_ name: String) -> String {
    #"{"name": "\#(name)", "destination": "Riga", "startDate": "2026-05-01T00:00:00Z", "#
        + #""endDate": "2026-05-03T00:00:00Z", "perdiem": 40}"#
}

struct Client: Sendable {
    let client: any TestClientProtocol

    func ask(
        _ method: HTTPRequest.Method, _ path: String, _ headers: HTTPFields = [:], json: String? = nil
    ) async throws -> (status: Int, headers: HTTPFields, body: String) {
        var headers = headers
        if json != nil { headers[.contentType] = "application/json" }
        let answer = try await client.executeRequest(
            uri: path, method: method, headers: headers, body: json.map { ByteBuffer(string: $0) })
        return (answer.status.code, answer.headers, String(buffer: answer.body))
    }

    /// Makes an account and a trip; returns the trip's path and the account's headers.
    func trip(_ name: String) async throws -> (path: String, account: HTTPFields) {
        let account = try await ask(.post, "/accounts", json: #"{"name": "ana"}"#)
        let token = try #require(JSONDecoder().decode([String: String].self, from: Data(account.body.utf8))["token"])
        let headers: HTTPFields = [.authorization: "Bearer \(token)"]
        let made = try await ask(.post, "/trips/business", headers, json: business(name))
        return (try #require(made.headers[.location]), headers)
    }
}

/// The service on a PostgreSQL of its own.
func withService(
    _ body: @escaping @Sendable (Client, ModelContainer, LocalServer) async throws -> Void
) async throws {
    // A temporary server does not wait for its log, which a crash would show as loss.
    let server = try LocalServer.temporary(options: LocalServer.Options(settings: ["synchronous_commit": "on"]))
    defer { server.stop() }
    let container = try await TripsService.open(ModelConfiguration(url: try #require(URL(string: server.url))))
    do {
        try await TripsService.application(container).test(.live) { client in
            try await body(Client(client: client), container, server)
        }
    } catch {
        await container.close()
        throw error
    }
    await container.close()
}

@Suite(.timeLimit(.minutes(1))) struct ProcessTests {
    @Test func aServerWithALiveStreamEndsAtSIGTERM() async throws {
        let server = try LocalServer.temporary()
        defer { server.stop() }
        let process = Process()
        // Beside the bundle of the tests.
        process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
            .appendingPathComponent("TripsServer")
        process.environment = ProcessInfo.processInfo.environment.merging(
            ["DATABASE_URL": server.url, "PORT": "0"]) { $1 }
        let output = Pipe()
        process.standardOutput = output
        let (ends, ended) = AsyncStream<Int32>.makeStream()
        process.terminationHandler = { ended.yield($0.terminationStatus) }
        try process.run()
        var line = ""
        while !line.hasSuffix("\n") {
            line += String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        }
        let url = try #require(URL(string: line.trimmingCharacters(in: .whitespacesAndNewlines) + "/trips/changes"))

        let client = try StreamClient(url)
        defer { client.close() }
        #expect(try await client.read(until: "retry: 2000"))
        process.terminate()
        // Nothing is written any more: the stream has to end by itself.
        var status = ends.makeAsyncIterator()
        #expect(await status.next() == 0)
        #expect(try await client.read(until: "0\r\n\r\n"))
    }
}

/// A client of a stream, on a plain socket.
final class StreamClient: Sendable {
    private let socket: Int32

    init(_ url: URL) throws {
        socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(url.port ?? 80).bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let connected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard connected == 0 else { throw POSIXError(.ECONNREFUSED) }
        let request = "GET \(url.path) HTTP/1.1\r\nHost: localhost\r\n\r\n"
        _ = request.withCString { send(socket, $0, strlen($0), 0) }
    }

    /// Whether a text comes before the end of the stream. Blocks a thread of its own.
    func read(until end: String) async throws -> Bool {
        await withCheckedContinuation { done in
            Thread.detachNewThread { [socket] in
                var text = ""
                var bytes = [UInt8](repeating: 0, count: 4096)
                while !text.contains(end) {
                    let count = recv(socket, &bytes, bytes.count, 0)
                    guard count > 0 else { return done.resume(returning: false) }
                    text += String(decoding: bytes[..<count], as: UTF8.self)
                }
                done.resume(returning: true)
            }
        }
    }

    func close() { _ = Glibc.close(socket) }
}
