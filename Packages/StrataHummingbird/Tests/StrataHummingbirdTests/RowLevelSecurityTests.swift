import HTTPTypes
import Strata
import StrataHummingbird
import Testing

@Suite struct RowLevelSecurityTests {
    /// Policies that let a role see and write the tours to one destination.
    private static let policies: [SQLStatement] = [
        "CREATE ROLE tour_guest",
        "ALTER TABLE \(table: Tour.self) ENABLE ROW LEVEL SECURITY",
        """
        CREATE POLICY destinations ON \(table: Tour.self) TO tour_guest
        USING (\(column: \Tour.destination) = current_setting('app.destination', true))
        """,
        // What every login of an application has: its tables' schema, and the library's.
        """
        DO $$ DECLARE place name; BEGIN
            FOR place IN SELECT schemaname FROM pg_policies WHERE policyname = 'destinations'
                UNION SELECT schemaname FROM pg_tables WHERE schemaname LIKE 'strata%' LOOP
                EXECUTE format('GRANT USAGE ON SCHEMA %I TO tour_guest', place);
                EXECUTE format('GRANT SELECT, INSERT ON ALL TABLES IN SCHEMA %I TO tour_guest', place);
            END LOOP;
        END $$
        """,
        "GRANT ALL ON \(table: Tour.self), \(table: GuidedTour.self), \(table: Stop.self) TO tour_guest",
    ]

    @Test func policiesSeeTheSettingsOfReadsAndWrites() async throws {
        try await withTourServer(
            prepare: { access, request, _ in
                guard let destination = request.headers[.init("X-Destination")!] else { return }
                access.settings = ["app.destination": destination, "role": "tour_guest"]
            },
            { server in
                let paths = try await server.store([("Coast", "Riga"), ("Hills", "Graz")]).map { "/tours/\($0)" }
                try await server.container.withContext { context in
                    for policy in Self.policies { _ = try await context.execute(policy) }
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

    @Test func settingsMakeATransactionAndOnlyWhereThereAreAny() async throws {
        try await withTourServer(
            prepare: { access, request, _ in
                if request.uri.queryParameters["tenant"] != nil { access.settings = ["app.tenant": "17"] }
            },
            { server in
                _ = try await server.ask(.get, "/tours?tenant=17")
                _ = server.statements.taken()
                _ = try await server.ask(.get, "/tours")
                #expect(server.statements.taken() == ["page of Tour"])
                _ = try await server.ask(.get, "/tours?tenant=17")
                let taken = server.statements.taken()
                // What commits is one round trip.
                #expect(
                    taken.prefix(3) == ["BEGIN ISOLATION LEVEL READ COMMITTED READ ONLY", "SQL", "page of Tour"],
                    "\(taken)")
            })
    }
}
