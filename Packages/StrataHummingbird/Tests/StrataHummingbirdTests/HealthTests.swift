import Glibc
import HTTPTypes
import Hummingbird
import Strata
import StrataHummingbird
import StrataLocalServer
import Testing

@Suite(.timeLimit(.minutes(1))) struct HealthTests {
    @Test func aServerThatDoesNotAnswerIsReportedInTime() async throws {
        let server = try LocalServer.temporary()
        defer { server.stop() }
        try await withTourServer(
            // Who waits for the server to stop what it was asked waits for an hour.
            configure: { $0.pool.cancellationTimeout = .seconds(3600) }, on: server,
            routes: { router, container in
                router.addRoutes(HealthRoutes(container, timeout: .seconds(50)).endpoints, atPath: "patient")
                router.addRoutes(HealthRoutes(container, timeout: .milliseconds(300)).endpoints, atPath: "health")
            },
            { served in
                #expect(try await served.ask(.get, "/patient/ready").status == 200)
                let pids = try await served.container.read { models in
                    try await models.fetch(
                        Int32.self, sql: "SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend'")
                }
                for pid in pids { kill(pid, SIGSTOP) }
                defer { for pid in pids { kill(pid, SIGCONT) } }
                let answer = try await served.ask(.get, "/health/ready")
                #expect(answer.status == 503)
                #expect(answer.headers[.cacheControl] == "no-store")
            })
    }

    @Test func tablesThatDoNotFitAnyMoreAreNoReadiness() async throws {
        try await withTourServer(
            routes: { router, container in router.addRoutes(HealthRoutes(container).endpoints, atPath: "health") },
            { server in
                try await server.container.withContext { context in
                    _ = try await context.execute("ALTER TABLE \(table: Stop.self) DROP COLUMN title")
                }
                let answer = try await server.ask(.get, "/health/ready")
                #expect(answer.status == 503)
                #expect(!answer.body.contains("column") && !answer.body.contains("stop"))
                #expect(server.logged.contains { $0.hasPrefix("warning Not ready") && $0.contains("title") })
            })
    }

    @Test func aProbeMayAskForTheHeadAlone() async throws {
        try await withTourServer(
            routes: { router, container in router.addRoutes(HealthRoutes(container).endpoints, atPath: "health") },
            { (server: TourServer) async throws -> Void in
                #expect(try await server.ask(.head, "/health/live").status == 200)
                #expect(try await server.ask(.head, "/health/ready").status == 200)
                #expect(try await server.ask(.get, "/health/live").headers[.cacheControl] == "no-store")
            })
    }

    @Test func aProcessIsAliveAndReadyOnlyWithItsDatabase() async throws {
        try await withTourServer(
            routes: { router, container in router.addRoutes(HealthRoutes(container).endpoints, atPath: "health") },
            { server in
                #expect(try await server.ask(.get, "/health/live").body == #"{"status":"live"}"#)
                let ready = try await server.ask(.get, "/health/ready")
                #expect(ready.status == 200)
                #expect(ready.body.contains(#""store":"default""#) && ready.body.contains(#""status":"ready""#))
                await server.container.close()
                let gone = try await server.ask(.get, "/health/ready")
                #expect(gone.status == 503)
                #expect(gone.headers[.retryAfter] == "2")
                #expect(try await server.ask(.get, "/health/live").status == 200)
            })
    }

    @Test func aConsumerThatIsBehindIsNoReadinessWhereItsLagMatters() async throws {
        try await withTourServer(
            routes: { router, container in
                let consumer = container.historyConsumer("guests", of: Tour.self)
                router.addRoutes(HealthRoutes(container, consumers: [consumer]).endpoints, atPath: "lenient")
                router.addRoutes(
                    HealthRoutes(container, consumers: [consumer], maximumLag: .seconds(3600)).endpoints,
                    atPath: "health")
                router.addRoutes(
                    HealthRoutes(container, consumers: [consumer], maximumLag: .zero).endpoints, atPath: "strict")
            },
            { server in
                let consumer = server.container.historyConsumer("guests", of: Tour.self)
                try await server.store([("Coast", "Riga")])
                // It has never handled anything: what it makes is not there yet.
                let new = try await server.ask(.get, "/health/ready")
                #expect(new.status == 503)
                #expect(new.body.contains("A consumer of the history is not ready."))
                #expect(
                    server.logged.contains { $0.hasPrefix("warning Not ready") && $0.contains("consumer guests: new") })
                #expect(try await server.ask(.get, "/lenient/ready").status == 200)

                _ = try await consumer.catchUp { _, _ in }
                let ready = try await server.ask(.get, "/strict/ready")
                #expect(ready.status == 200)
                #expect(ready.body.contains(#""consumer":"guests""#) && ready.body.contains(#""state":"up to date""#))

                try await server.store([("Hills", "Graz")])
                #expect(try await server.ask(.get, "/strict/ready").status == 503)
                let behind = try await server.ask(.get, "/health/ready")
                #expect(behind.status == 200)
                #expect(behind.body.contains(#""state":"behind by "#))

                // What it has not handled is gone: without a reload it will never be up to date.
                try await server.container.pruneHistory(olderThan: nil, keepingAtMost: 0)
                #expect(try await server.ask(.get, "/health/ready").status == 503)
                #expect(try await server.ask(.get, "/lenient/ready").body.contains("expired: it has to reload"))
            })
    }
}
