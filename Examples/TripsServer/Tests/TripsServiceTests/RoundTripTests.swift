import Foundation
import HTTPTypes
import Hummingbird
import Logging
import SampleTripsModels
import Strata
import StrataLocalServer
import StrataTesting
import Testing

@testable import TripsService

/// How often the routes wait for the database.
@Suite(.timeLimit(.minutes(1))) struct RoundTripTests {
    @Test func aListIsOneRoundTripAndWhoAsksAnother() async throws {
        try await withRoutes { client, container in
            let (_, ana) = try await client.trip("Fair")
            try await expectStatements("page of Trip", in: container) { () async throws in
                #expect(try await client.ask(.get, "/trips").status == 200)
            }
            try await expectRoundTrips(2, in: container) { () async throws in
                #expect(try await client.ask(.get, "/trips", ana).status == 200)
            }
        }
    }

    @Test func aTripIsTwoRoundTripsAndNobodyIsAskedForItsTag() async throws {
        try await withRoutes { client, container in
            let (path, _) = try await client.trip("Fair")
            try await expectStatements("fetch BusinessTrip by key", "load Trip.bucketList", in: container) {
                () async throws in
                #expect(try await client.ask(.get, path).headers[.eTag] != nil)
            }
            try await expectRoundTrips(2, in: container) { () async throws in _ = try await client.ask(.get, path) }
        }
    }

    @Test func aChangeIsFourRoundTrips() async throws {
        try await withRoutes { client, container in
            let (path, ana) = try await client.trip("Fair")
            var whole = ana
            whole[.ifMatch] = try await client.ask(.get, path).headers[.eTag]
            let conditional = whole
            // The account; BEGIN and the trip; its list; the change and COMMIT.
            try await expectRoundTrips(4, in: container) { () async throws in
                let answer = try await client.ask(.patch, path, conditional, json: #"{"destination": "Rome"}"#)
                #expect(answer.status == 200 && answer.body.contains(#""destination":"Rome""#))
            }
            #expect(try await client.ask(.get, path).body.contains(#""destination":"Rome""#))
        }
    }

    private func trip(_ answer: TestClient.Answer) throws -> ModelSnapshot<Trip> {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        return try decoder.decode(ModelSnapshot<Trip>.self, from: Data(answer.body.utf8))
    }

    @Test func theTagOfAChangeIsThatOfTheNextReading() async throws {
        try await withRoutes { client, _ in
            let (path, ana) = try await client.trip("Fair")
            let made = try await client.ask(
                .post, "/trips/business", ana,
                json: #"{"name": "A", "destination": "Oslo", "startDate": "2026-05-01T00:00:00Z", "#
                    + #""endDate": "2026-05-03T12:30:00Z"}"#)
            #expect(made.status == 201, "\(made.body)")
            let place = try #require(made.headers[.location])
            #expect(try await client.ask(.get, place).headers[.eTag] == made.headers[.eTag])
            // What the answer says before it is saved is what is read afterwards.
            #expect(try trip(try await client.ask(.get, place)) == trip(made))
            let changed = try await client.ask(.patch, path, ana, json: #"{"destination": "Rome"}"#)
            let read = try await client.ask(.get, path)
            #expect(read.headers[.eTag] == changed.headers[.eTag])
            #expect(try trip(read) == trip(changed))
        }
    }
}

/// The routes on a PostgreSQL of their own, without what works beside them: what is counted is theirs.
private func withRoutes(_ body: @escaping @Sendable (Client, ModelContainer) async throws -> Void) async throws {
    let server = try LocalServer.temporary()
    defer { server.stop() }
    let container = try await TripsService.open(
        ModelConfiguration(url: try #require(URL(string: server.url))), observers: [ExpectationObserver()])
    do {
        try await withApplication(
            { onPort in
                Application(
                    router: TripsService.router(container),
                    configuration: ApplicationConfiguration(address: .hostname("localhost", port: 0)),
                    onServerRunning: { channel in onPort(channel.localAddress?.port ?? 0) },
                    logger: Logger(label: "test"))
            },
            { client in try await body(Client(client: client, log: AsyncStream { nil }), container) })
    } catch {
        await container.close()
        throw error
    }
    await container.close()
}
