import HTTPTypes
import Strata
import StrataHummingbird
import Testing

@Suite struct RowLevelSecurityTests {
    /// Policies that let a role see and write the tours to one destination.
    private static func policies(for role: String) -> [SQLStatement] {
        [
            "CREATE ROLE \(raw: role)",
            "ALTER TABLE \(table: Tour.self) ENABLE ROW LEVEL SECURITY",
            """
            CREATE POLICY destinations ON \(table: Tour.self) TO \(raw: role)
            USING (\(column: \Tour.destination) = current_setting('app.destination', true))
            """,
            // What every login of an application has: its tables' schema, and the library's.
            """
            DO $$ DECLARE place name; BEGIN
                FOR place IN SELECT schemaname FROM pg_policies WHERE policyname = 'destinations'
                    UNION SELECT schemaname FROM pg_tables WHERE schemaname LIKE 'strata%' LOOP
                    EXECUTE format('GRANT USAGE ON SCHEMA %I TO \(raw: role)', place);
                    EXECUTE format('GRANT SELECT, INSERT ON ALL TABLES IN SCHEMA %I TO \(raw: role)', place);
                END LOOP;
            END $$
            """,
            "GRANT ALL ON \(table: Tour.self), \(table: GuidedTour.self), \(table: Stop.self) TO \(raw: role)",
        ]
    }

    @Test func policiesSeeTheSettingsOfReadsAndWrites() async throws {
        try await withTourServer(
            prepare: { access, request, _ in
                guard let destination = request.headers[.init("X-Destination")!] else { return }
                access.settings = ["app.destination": destination, "role": "tour_guest"]
            },
            { server in
                let paths = try await server.store([("Coast", "Riga"), ("Hills", "Graz")]).map { "/tours/\($0)" }
                try await server.container.withContext { context in
                    for policy in Self.policies(for: "tour_guest") { _ = try await context.execute(policy) }
                }
                let riga: HTTPFields = [.init("X-Destination")!: "Riga"]
                let all = try await server.ask(.get, "/tours")
                #expect(all.body.contains("Coast") && all.body.contains("Hills"))

                let some = try await server.ask(.get, "/tours", riga)
                #expect(some.status == 200, "\(server.logged)")
                #expect(some.body.contains("Coast") && !some.body.contains("Hills"))
                #expect(try await server.ask(.get, paths[1], riga).status == 404)
                // What a policy does not let pass is 42501.
                let moved = try await server.ask(.patch, paths[0], riga, json: #"{"destination": "Rome"}"#)
                #expect(moved.status == 403, "\(moved.body)")
                #expect(
                    server.logged.contains { $0.contains("violates row-level security policy") }, "\(server.logged)")
                // A setting does not outlive its request, also on the connection that had it.
                #expect(try await server.ask(.get, "/tours").body.contains("Hills"))
                // A value is a parameter, whatever it says.
                let odd: HTTPFields = [.init("X-Destination")!: "'); DROP TABLE tour; --"]
                #expect(try await server.ask(.get, "/tours", odd).body == "[]")
            })
    }

    @Test func settingsCostNoRoundTrip() async throws {
        try await withTourServer(
            prepare: { access, request, _ in
                if request.uri.queryParameters["tenant"] != nil {
                    access.settings = ["app.tenant": "17", "app.zone": "north"]
                }
            },
            { server in
                _ = try await server.ask(.get, "/tours?tenant=17")
                _ = server.statements.taken()
                _ = try await server.ask(.get, "/tours")
                #expect(server.statements.taken() == ["page of Tour"])
                _ = try await server.ask(.get, "/tours?tenant=17")
                // In the batch of the statement: without BEGIN, and without COMMIT.
                #expect(
                    server.statements.taken() == [
                        "SELECT pg_catalog.set_config($1, $2, true), pg_catalog.set_config($3, $4, true)",
                        "page of Tour",
                    ])
            })
    }

    @Test func aLiveResultIsWhatItsClientMaySee() async throws {
        try await withTourServer(
            prepare: { access, request, _ in
                guard let destination = request.headers[.init("X-Destination")!] else { return }
                access.settings = ["app.destination": destination, "role": "tour_watcher"]
            },
            routes: { router, _ in
                router.get("live") { _, context in
                    let byName = FetchDescriptor<Tour>(sortBy: [SortDescriptor(\.name)])
                    return EventStream(try context.results(of: byName)) { tours in
                        try ServerSentEvent(json: tours.map { try $0.snapshot(only: \.name) })
                    }
                }
            },
            { server in
                try await server.store([("Coast", "Riga"), ("Hills", "Graz")])
                try await server.container.withContext { context in
                    for policy in Self.policies(for: "tour_watcher") { _ = try await context.execute(policy) }
                }
                try await LiveStream.open(
                    "/live", port: server.client.port, headers: ["X-Destination": "Riga"]
                ) { stream in
                    try await stream.read(until: #""name":"Coast""#)
                    try await server.store([("Moor", "Graz"), ("Dunes", "Riga")])
                    try await stream.read(until: #""name":"Dunes""#)
                    #expect(!stream.text.contains("Hills") && !stream.text.contains("Moor"), "\(stream.text)")
                }
            })
    }
}
