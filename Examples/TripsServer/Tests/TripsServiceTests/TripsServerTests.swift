import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import SampleTripsModels
import Strata
import StrataLocalServer
import Testing
import WorkQueue

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

    @Test func anErrorThatLastsKeepsJobsWaitingAndTheServiceGoing() async throws {
        try await withService { client, container, _ in
            let (path, ana) = try await client.trip("Fair")
            // No worker can do a job: a migration that has gone wrong, for example.
            try await container.withContext { context in
                _ = try await context.execute(
                    "ALTER TABLE \(table: BucketListItem.self) RENAME COLUMN title TO mislaid")
            }
            #expect(try await client.ask(.post, path + "/reminder", ana).status == 202)
            let logged = await client.log.first { $0.contains("Jobs wait") }
            #expect(logged?.hasPrefix("error") == true && logged?.contains("title") == true, "\(logged ?? "")")
            #expect(try await client.ask(.get, "/trips").body.contains("Fair"))

            try await container.withContext { context in
                _ = try await context.execute(
                    "ALTER TABLE \(table: BucketListItem.self) RENAME COLUMN mislaid TO title")
            }
            for try await items in container.results(of: FetchDescriptor<BucketListItem>()) where !items.isEmpty {
                #expect(items.map(\.title) == ["Pack for Riga"])
                break
            }
        }
    }

    @Test func aStoreThatWasRestoredDoesNotEndTheService() async throws {
        try await withService { client, container, _ in
            let (path, ana) = try await client.trip("Fair")
            // All places in the history that anybody remembers are of another past.
            try await container.withContext { context in
                _ = try await context.execute("UPDATE strata.store SET generation = generation + 1")
            }
            #expect(try await client.ask(.post, path + "/reminder", ana).status == 202)
            for try await items in container.results(of: FetchDescriptor<BucketListItem>()) where !items.isEmpty {
                break
            }
            #expect(try await client.ask(.get, path).status == 200)
        }
    }

    @Test func aJobThatNobodyCanDoDoesNotKeepTheOthersWaiting() async throws {
        try await withService { client, container, _ in
            let (path, ana) = try await client.trip("Fair")
            try await container.withContext { context in context.insert(Job("no trip at all")) }
            #expect(try await client.ask(.post, path + "/reminder", ana).status == 202)
            for try await items in container.results(of: FetchDescriptor<BucketListItem>()) where !items.isEmpty {
                break
            }
            let open = FetchDescriptor<Job>(predicate: #Predicate { $0.finishedAt == nil })
            #expect(try await container.read { models in try await models.fetchCount(open) } == 0)
        }
    }

    @Test func jobsAreDoneThoughSomebodyHasTheFirstAndThatOneWhenItComesBack() async throws {
        let server = try LocalServer.temporary()
        defer { server.stop() }
        let container = try await TripsService.open(ModelConfiguration(url: try #require(URL(string: server.url))))
        let open = FetchDescriptor<Job>(
            predicate: #Predicate { $0.finishedAt == nil }, sortBy: [SortDescriptor(\.createdAt)])
        try await container.withContext { context in context.insert(Job("taken")) }
        let logger = Logger(label: "test")
        try await withThrowingTaskGroup(of: Void.self) { group in
            let (takes, taken) = AsyncStream<Void>.makeStream()
            let (life, dies) = AsyncStream<Void>.makeStream()
            // Another worker, which dies with the first job.
            group.addTask {
                _ = try? await container.withContext(isolation: .readCommitted) { context in
                    var first = open
                    first.lock = .update
                    _ = try await context.fetch(first)
                    taken.finish()
                    for await _ in life {}
                    throw CancellationError()
                }
            }
            for await _ in takes {}
            let told = Task { try await Reminders(container, logger, interval: .seconds(3600)).run() }
            for name in ["second", "third"] {
                try await container.withContext { context in context.insert(Job(name)) }
                for try await jobs in container.results(of: open) where jobs.map(\.payload) == ["taken"] { break }
            }
            told.cancel()
            try await told.value
            let looking = Task { try await Reminders(container, logger, interval: .milliseconds(200)).run() }
            dies.finish()
            for try await jobs in container.results(of: open) where jobs.isEmpty { break }
            looking.cancel()
            try await looking.value
        }
        await container.close()
    }

    @Test func aPhotoThatIsPutWhileItsTripIsDeletedGoesAsWell() async throws {
        try await withService { client, container, _ in
            let (path, ana) = try await client.trip("Fair")
            var whole = ana
            whole[.ifMatch] = try await client.ask(.get, path).headers[.eTag]
            let deletion = whole
            try await withThrowingTaskGroup(of: Void.self) { group in
                try await container.withContext(isolation: .readCommitted) { context in
                    let trip = try #require(try await context.fetch(FetchDescriptor<Trip>()).first)
                    context.insert(Photo(Data([1]), contentType: "image/png", of: trip))
                    try await context.save()
                    group.addTask {
                        let status = try await client.ask(.delete, path, deletion).status
                        #expect(status == 204)
                    }
                    // The deletion has come as far as it can.
                    while try await context.fetch(
                        Int.self, sql: "SELECT count(*) FROM pg_locks WHERE NOT granted") == [0]
                    {}
                }
                try await group.waitForAll()
            }
            #expect(try await container.read { models in try await models.fetchCount(FetchDescriptor<Photo>()) } == 0)
        }
    }

    @Test func aNameMayHaveAsManyCharactersAsTheDescriptionSays() async throws {
        try await withService { client, _, _ in
            let longest = String(repeating: "ü", count: 100)
            #expect(try await client.ask(.post, "/accounts", json: #"{"name": "\#(longest)"}"#).status == 201)
            let longer = try await client.ask(.post, "/accounts", json: #"{"name": "\#(longest)ü"}"#)
            #expect(longer.status == 422 && longer.body.contains("1 to 100 characters"))
        }
    }

    @Test func aPhotoComesBackAndGoesWithItsTrip() async throws {
        try await withService { client, container, _ in
            let (path, ana) = try await client.trip("Fair")
            let photo = path + "/photo"
            #expect(try await client.ask(.get, photo).status == 404)
            var png = ana
            png[.contentType] = "image/png"
            #expect(try await client.ask(.put, photo, [.contentType: "image/png"], body: "x").status == 401)
            #expect(try await client.ask(.put, photo, png, body: "first").status == 204)
            #expect(try await client.ask(.put, photo, png, body: "second").status == 204)
            let shown = try await client.ask(.get, photo)
            #expect(shown.body == "second")
            #expect(shown.headers[.contentType] == "image/png")
            #expect(
                try await client.ask(.put, photo, png, body: String(repeating: "x", count: 5_000_001)).status == 413)
            png[.contentType] = "text/html"
            #expect(try await client.ask(.put, photo, png, body: "<script>").status == 415)

            var whole = ana
            whole[.ifMatch] = try await client.ask(.get, path).headers[.eTag]
            #expect(try await client.ask(.delete, path, whole).status == 204)
            #expect(try await container.read { models in try await models.fetchCount(FetchDescriptor<Photo>()) } == 0)
        }
    }

    @Test func whatClientsMayWriteInManyWaysIsUnderstood() async throws {
        try await withService { client, _, _ in
            let (path, ana) = try await client.trip("Fair")
            var small: HTTPFields = [:]
            small[.authorization] = ana[.authorization]?.replacingOccurrences(of: "Bearer", with: "bearer")
            #expect(try await client.ask(.patch, path, small, json: #"{"destination": "Rome"}"#).status == 200)
            #expect(try await client.ask(.get, "/search?q=%00").status == 422)
            #expect(try await client.ask(.get, "/search?q=a&q=b").status == 400)
            #expect(try await client.ask(.head, path).status == 200)
            #expect(try await client.ask(.get, "/trips?size=2&size=3").status == 400)
        }
    }

    @Test func aSearchThatFindsTooMuchAsksForMoreLetters() async throws {
        try await withService { client, container, _ in
            try await container.withContext { models in
                for number in 0..<51 {
                    models.insert(Trip(name: "Fair \(number)", destination: "Riga", startDate: .now, endDate: .now))
                }
            }
            let answer = try await client.ask(.get, "/search?q=Fair")
            #expect(answer.status == 422 && answer.body.contains("Ask for more letters."))
            #expect(try await client.ask(.get, "/search?q=Fair%2050").status == 200)
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
                    defer { stopping.finish() }
                    // Blocks a thread of its own for as long as PostgreSQL is down.
                    try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
                        Thread.detachNewThread { done.resume(with: Result { try server.restart(mode: .immediate) }) }
                    }
                    while try await client.ask(.get, "/health/ready").status != 200 {}
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

func business(_ name: String, month: Int = 5) -> String {
    #"{"name": "\#(name)", "destination": "Riga", "startDate": "2026-0\#(month)-01T00:00:00Z", "#
        + #""endDate": "2026-0\#(month)-03T00:00:00Z", "perdiem": 40}"#
}

struct Client: Sendable {
    let client: TestClient
    /// What the service logs, line by line.
    let log: AsyncStream<String>

    func ask(
        _ method: HTTPRequest.Method, _ path: String, _ headers: HTTPFields = [:], json: String? = nil,
        body: String? = nil
    ) async throws -> TestClient.Answer {
        var headers = headers
        if json != nil { headers[.contentType] = "application/json" }
        return try await client.ask(method, path, headers, body: (json ?? body).map { ByteBuffer(string: $0) })
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

/// Hands on what is logged.
struct LineLog: LogHandler {
    let lines: AsyncStream<String>.Continuation
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.notice

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) { lines.yield("\(event.level) \(event.message) \(event.metadata ?? [:])") }
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
        let (log, logged) = AsyncStream<String>.makeStream()
        let logger = Logger(label: "test") { _ in LineLog(lines: logged) }
        try await withApplication(
            { onPort in
                TripsService.application(
                    container, configuration: ApplicationConfiguration(address: .hostname("localhost", port: 0)),
                    logger: logger, onPort: onPort)
            }, { client in try await body(Client(client: client, log: log), container, server) })
    } catch {
        await container.close()
        throw error
    }
    await container.close()
}

@Suite(.timeLimit(.minutes(1))) struct ProcessTests {
    @Test func aServerWithALiveStreamEndsAtSIGTERM() async throws {
        try await withProcess { port, terminate in
            try await LiveStream.open("/trips/changes", port: port) { stream in
                try await stream.read(until: "retry: 2000")
                terminate()
                // Nothing is written any more: the stream has to end by itself.
                try await stream.read(until: "0\r\n\r\n")
            }
        }
    }

    @Test func aServerWhoseClientStopsInTheMiddleOfAPhotoEndsAtSIGTERM() async throws {
        try await withProcess { port, terminate in
            let client = Client(client: TestClient(port: port), log: AsyncStream { nil })
            let (path, ana) = try await client.trip("Fair")
            let photo = path + "/photo"
            let request =
                "PUT \(photo) HTTP/1.1\r\nHost: localhost\r\nAuthorization: \(ana[.authorization] ?? "")\r\n"
                + "Content-Type: image/png\r\nContent-Length: 1000\r\n\r\nhalf"
            try await LiveStream.send(ByteBuffer(string: request), port: port) { stream in
                // What was sent behind it is answered: the server has it.
                #expect(try await client.ask(.get, photo).status == 404)
                terminate()
                try await stream.readToEnd()
                #expect(stream.text.hasPrefix("HTTP/1.1 408 "), "\(stream.text)")
            }
        }
    }

    /// Runs the program on a PostgreSQL of its own, and expects that it ends well after `body`, which is given its port and what asks it
    /// to end.
    private func withProcess(
        _ body: @escaping @Sendable (Int, @escaping @Sendable () -> Void) async throws -> Void
    ) async throws {
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
            let data = output.fileHandleForReading.availableData
            try #require(!data.isEmpty, "the program has ended before it said where it listens")
            line += String(decoding: data, as: UTF8.self)
        }
        let url = try #require(URL(string: line.trimmingCharacters(in: .whitespacesAndNewlines)))
        let id = process.processIdentifier
        do { try await body(url.port ?? 80) { kill(id, SIGTERM) } } catch {
            kill(id, SIGKILL)
            throw error
        }
        var status = ends.makeAsyncIterator()
        #expect(await status.next() == 0)
    }
}
