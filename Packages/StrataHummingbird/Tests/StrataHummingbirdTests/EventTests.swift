import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import Strata
import StrataHummingbird
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1))) struct EventTests {
    @Test func transactionsArriveAsTheyAreCommittedAndAClientGoesOnWhereItWas() async throws {
        try await withTourServer(
            routes: { router, container in addEventRoutes(to: router, container) },
            { server in
                let port = server.client.port
                let token = try await LiveStream.open("/changes", port: port) { stream in
                    try await stream.read(until: "retry: 2000\n\n")
                    #expect(stream.text.lowercased().contains("content-type: text/event-stream"))
                    #expect(stream.text.lowercased().contains("cache-control: no-store"))
                    // Something is committed until the stream has begun to listen.
                    let changes = Task {
                        for number in 0... {
                            try await server.container.withContext { context in
                                context.insert(Tour("Coast \(number)", "Riga"))
                            }
                            try await Task.sleep(for: .milliseconds(50))
                        }
                    }
                    try await stream.read(until: "event: change")
                    changes.cancel()
                    _ = await changes.result
                    // Another class, behind all of them.
                    try await server.container.withContext { context in
                        context.insert(GuidedTour("Fjords", "Oslo", guide: "Liv"))
                    }
                    try await stream.read(until: "GuidedTour.")
                    try await stream.read(untilLast: "\n\n\r\n")
                    let event = stream.text.components(separatedBy: "id: ").last ?? ""
                    #expect(event.contains(#""change":"insert","class":"GuidedTour","object":"GuidedTour."#))
                    #expect(!event.contains("Riga") && !event.contains("Stop"))
                    return event.components(separatedBy: "\n")[0]
                }
                // Away: two transactions, one of them of another class.
                try await server.container.withContext { context in context.insert(Stop("Harbour")) }
                try await server.container.withContext { context in
                    context.insert(GuidedTour("Alps", "Graz", guide: "Ida"))
                }
                try await LiveStream.open("/changes", port: port, headers: ["Last-Event-ID": token]) { stream in
                    try await stream.read(until: "GuidedTour.")
                    #expect(stream.text.components(separatedBy: "event: change").count == 2, "\(stream.text)")
                }
            })
    }

    @Test func resultsArriveAgainWhenTheyChange() async throws {
        try await withTourServer(
            routes: { router, container in addEventRoutes(to: router, container) },
            { server in
                try await server.store([("Coast", "Riga")])
                try await LiveStream.open("/live", port: server.client.port) { stream in
                    try await stream.read(until: #""name":"Coast""#)
                    try await server.store([("Dunes", "Nida")])
                    try await stream.read(until: #""name":"Dunes""#)
                }
            })
    }

    @Test func whatIsNoTokenIsRefusedAndAnErrorOfTheSequenceIsAnEventThatForgetsIt() async throws {
        try await withTourServer(
            routes: { router, container in addEventRoutes(to: router, container) },
            { server in
                #expect(try await server.ask(.get, "/changes", [.init("Last-Event-ID")!: "17"]).status == 400)
                #expect(try await server.ask(.get, "/changes?after=x").status == 400)
                try await LiveStream.open("/failing", port: server.client.port) { stream in
                    try await stream.readToEnd()
                    #expect(
                        stream.text.contains("id: now\nevent: problem\ndata: {\"code\":\"historyTokenExpired\""))
                    #expect(stream.text.hasSuffix("0\r\n\r\n"))
                }
                // A client comes again to the URL that it knows, and its header says that it is not to begin there.
                try await LiveStream.open(
                    "/changes?after=17", port: server.client.port, headers: ["Last-Event-ID": "now"]
                ) { stream in
                    try await stream.read(until: "retry: ")
                    #expect(stream.text.hasPrefix("HTTP/1.1 200"))
                }
                // What passes is no reason to forget the place.
                try await LiveStream.open("/away", port: server.client.port) { stream in
                    try await stream.readToEnd()
                    #expect(stream.text.contains("event: problem\ndata: {") && !stream.text.contains("id:"))
                }
            })
    }

    @Test func commentsKeepAQuietStreamAlive() async throws {
        try await withTourServer(
            routes: { router, container in
                router.get("quiet") { _, _ in
                    EventStream(container.history(), heartbeat: .milliseconds(20)) { _ in nil }
                }
            },
            { server in
                try await LiveStream.open("/quiet", port: server.client.port) { stream in
                    try await stream.read(until: ":\n\n\r\n3\r\n:\n\n")
                }
            })
    }

    @Test func aClientThatLeavesEndsItsStreamThoughNothingIsSent() async throws {
        let (ends, ended) = AsyncStream<Void>.makeStream()
        try await withTourServer(
            routes: { router, container in
                router.get("watched") { _, _ in
                    EventStream(Watched(container.history()) { ended.yield() }, heartbeat: .seconds(3600)) { _ in nil }
                }
            },
            { server in
                try await LiveStream.open("/watched", port: server.client.port) { stream in
                    try await stream.read(until: "retry: ")
                }
                for await _ in ends { break }
            })
    }

    @Test func aSlowClientIsWaitedForAndOneThatTakesNothingIsLetGo() async throws {
        let made = Mutex(0)
        let (ends, ended) = AsyncStream<Void>.makeStream()
        let line = String(repeating: "x", count: 100_000)
        try await withTourServer(
            routes: { router, _ in
                router.get("flood") { _, _ in
                    let flood = Watched(
                        AsyncStream<Int> {
                            made.withLock {
                                $0 += 1
                                return $0
                            }
                        }, onEnd: { ended.yield() })
                    return EventStream(flood, patience: .milliseconds(500)) { _ in ServerSentEvent(data: line) }
                }
            },
            { server in
                // Reads nothing but the beginning.
                try await LiveStream.open("/flood", port: server.client.port) { stream in
                    try await stream.read(until: "retry: ")
                    for await _ in ends { break }
                    // Its connection ends, in the middle of what it did not take.
                    try await stream.skipToEnd()
                    #expect(!stream.text.hasSuffix("0\r\n\r\n"))
                }
            })
        // What the sockets and the client's channel hold, and no more.
        let count = made.withLock { $0 }
        #expect(count < 500, "\(count) events were made for a client that reads nothing")
    }

    @Test func aServiceThatShutsDownEndsItsStreamsAtOnce() async throws {
        try await shutDown(
            during: "/changes", after: "retry: ", routes: { addEventRoutes(to: $0, $1) },
            { stream, _ in
                // The end of the answer, not of the connection only.
                try await stream.readToEnd()
                #expect(stream.text.hasSuffix("0\r\n\r\n"), "\(stream.text)")
            })
    }

    @Test func aServiceShutsDownThoughAClientTakesNothingOfALargeEvent() async throws {
        let large = String(repeating: "x", count: 20_000_000)
        try await shutDown(
            during: "/large", after: "data: xxx",
            routes: { router, _ in
                router.get("large") { _, _ in
                    EventStream(AsyncStream<Int> { $0.yield(1) }) { _ in ServerSentEvent(data: large) }
                }
            },
            { stream, end in
                // It takes the beginning only, and what is left of the rest when the service has ended.
                for await _ in end {}
                try await stream.skipToEnd()
                #expect(!stream.text.hasSuffix("0\r\n\r\n"))
            })
    }
}

@Suite struct ServerSentEventTests {
    @Test func linesAndFieldsAreKeptApart() throws {
        #expect(ServerSentEvent(data: "a\nb\r\nc\rd").text == "data: a\ndata: b\ndata: c\ndata: d\n\n")
        #expect(ServerSentEvent(data: "", id: "", name: "x\nid: 3").text == "id: \nevent: xid: 3\ndata: \n\n")
        #expect(try ServerSentEvent(json: ["a": 1], id: "7").text == "id: 7\ndata: {\"a\":1}\n\n")
    }
}

private func addEventRoutes(to router: Router<BasicStrataRequestContext>, _ container: ModelContainer) {
    router.get("changes") { request, _ in
        EventStream(container.history(after: try request.lastHistoryToken(), of: Tour.self)) { transaction in
            try ServerSentEvent(transaction, of: Tour.self)
        }
    }
    router.get("live") { _, _ in
        EventStream(container.results(of: FetchDescriptor<Tour>(sortBy: [SortDescriptor(\.name)]))) { tours in
            try ServerSentEvent(json: tours.map { try $0.snapshot(only: \.name) })
        }
    }
    router.get("away") { _, _ in
        EventStream(AsyncStream<Int> { 1 }) { _ in
            throw Problem(.serviceUnavailable, retryAfter: .seconds(2))
        }
    }
    router.get("failing") { _, _ in
        EventStream(AsyncThrowingStream<Int, any Error> { throw SwiftDataError.historyTokenExpired }) { _ in nil }
    }
}

/// A sequence that says when its iteration has ended.
private struct Watched<Base: AsyncSequence & Sendable>: AsyncSequence, Sendable {
    private let base: Base
    private let onEnd: @Sendable () -> Void

    init(_ base: Base, onEnd: @escaping @Sendable () -> Void) {
        self.base = base
        self.onEnd = onEnd
    }

    final class AsyncIterator: AsyncIteratorProtocol {
        private var base: Base.AsyncIterator
        private let onEnd: @Sendable () -> Void

        init(_ base: Base.AsyncIterator, _ onEnd: @escaping @Sendable () -> Void) {
            self.base = base
            self.onEnd = onEnd
        }

        deinit { onEnd() }

        func next() async throws -> Base.Element? { try await next(isolation: #isolation) }

        func next(isolation actor: isolated (any Actor)?) async throws(any Error) -> Base.Element? {
            try await base.next(isolation: actor)
        }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(base.makeAsyncIterator(), onEnd) }
}
