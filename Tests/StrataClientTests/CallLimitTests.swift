import CLibPQ
import StrataTestSupport
import Testing

@testable import StrataClient

/// A server that answers is told how long a call may take.
@Suite(.timeLimit(.minutes(5))) struct CallLimitTests {
    private func withConnection(
        preparedStatements: PreparedStatements = .named(),
        _ body: (PostgresConnection, StatementRecorder) async throws -> Void
    ) async throws {
        try await withTestDatabase { database in
            let recorder = StatementRecorder()
            var configuration = database.configuration
            configuration.preparedStatements = preparedStatements
            let connection = try await PostgresConnection.connect(configuration, observer: recorder)
            defer { connection.close() }
            try await body(connection, recorder)
        }
    }

    private static let told = "SELECT pg_catalog.set_config('statement_timeout', $1, true)"

    @Test(arguments: [PreparedStatements.named(), .unnamed])
    func theServerIsToldInTheSameRoundTrip(_ preparedStatements: PreparedStatements) async throws {
        try await withConnection(preparedStatements: preparedStatements) { connection, recorder in
            let told = try await connection.within(.seconds(1000)) {
                try await connection.column("SELECT current_setting('statement_timeout')", as: String.self)[0]
            }
            #expect(recorder.statements == [Self.told, "SELECT current_setting('statement_timeout')"])
            #expect(recorder.roundTrips == 1)
            // Milliseconds, or minutes where the server finds them whole.
            #expect(told?.hasSuffix("ms") == true || told == "1000s", "\(told ?? "")")
            // Nothing of it stays: neither here nor with the next client of a pooler.
            let value1 = try await connection.column("SELECT current_setting('statement_timeout')", as: String.self)
            #expect(value1 == ["0"])
        }
    }

    @Test func theServerEndsWhatTakesLonger() async throws {
        try await withConnection { connection, _ in
            let error = await postgresError {
                try await connection.within(.milliseconds(200)) { try await connection.execute("SELECT pg_sleep(600)") }
            }
            #expect(error?.code == .timeout && error?.sqlState == "57014")
            #expect(
                error?.message == "The call took longer than its time of 0.2 s. The server has stopped the statement.")
            #expect(connection.isUsable && connection.transactionStatus == .idle)
            let value2 = try await connection.column("SELECT 1", as: Int.self)
            #expect(value2 == [1])
        }
    }

    @Test func allRoundTripsOfACallShareItsTime() async throws {
        try await withConnection { connection, recorder in
            let error = await postgresError {
                try await connection.within(.milliseconds(1)) {
                    try await waitUntil { connection.callLimit.map { $0.end <= .now } ?? false }
                    try await connection.execute("SELECT 1")
                }
            }
            #expect(error?.code == .timeout && error?.wasSent == false)
            #expect(error?.message == "The call took longer than its time of 0.001 s. Nothing more was sent.")
            #expect(recorder.roundTrips == 0)
        }
    }

    @Test func aTransactionForgetsTheTimeOfAnEarlierCall() async throws {
        try await withConnection { connection, recorder in
            try await connection.withTransaction { connection in
                try await connection.within(.seconds(1000)) { try await connection.execute("SELECT 1") }
                let setting = try await connection.column(
                    "SELECT current_setting('statement_timeout')", as: String.self)
                #expect(setting == ["0"])
            }
            #expect(
                recorder.statements == [
                    "BEGIN", Self.told, "SELECT 1", "SET LOCAL statement_timeout TO DEFAULT",
                    "SELECT current_setting('statement_timeout')", "COMMIT",
                ])
        }
    }

    /// The server undoes what it was told behind the savepoint, the taking back of a time too.
    @Test func goingBackToASavepointBringsATimeBack() async throws {
        try await withConnection { connection, _ in
            try await connection.withTransaction { connection in
                try await connection.within(.seconds(1000)) { try await connection.execute("SELECT 1") }
                struct Failure: Error {}
                await #expect(throws: Failure.self) {
                    try await connection.withTransaction { connection in
                        try await connection.execute("SELECT 2")
                        throw Failure()
                    }
                }
                let setting = try await connection.column(
                    "SELECT current_setting('statement_timeout')", as: String.self)
                #expect(setting == ["0"])
            }
        }
    }

    /// The watch is one of its own: the shared one looks for other connections all the time, and would find the silence by that.
    @Test func aLongLimitHidesNoSilence() async throws {
        try await withTestDatabase { database in
            let connection = try await PostgresConnection.connect(database.configuration)
            defer { connection.close() }
            let (watch, patience) = (AnswerWatch(), AnswerPatience(silence: .milliseconds(100)))
            let cancellation = QueryCancellation(
                connection: try connection.requireUsable(), grace: .seconds(3600), patience: patience)
            watch.add(1, patience, cancellation)
            cancellation.begin()
            patience.beginWait()
            let end = MonotonicTime.now + .seconds(3600)
            watch.look(by: end)
            // While somebody waits there is always a next look.
            try #require(try #require(watch.nextLook) < end)
            try await waitUntil { cancellation.reason == .silence }
            patience.endWait()
            cancellation.endAndWait()
        }
    }

    /// An answer that lies in the socket, as while all of the caller's threads are busy, is a sign of the server.
    @Test func anAnswerThatNobodyReadsIsNoSilence() async throws {
        try await withTestDatabase { database in
            let connection = try await PostgresConnection.connect(database.configuration)
            defer { connection.close() }
            let (watch, patience) = (AnswerWatch(), AnswerPatience(silence: .milliseconds(40)))
            let raw = try connection.requireUsable()
            let cancellation = QueryCancellation(connection: raw, grace: .seconds(3600), patience: patience)
            try #require(PQsendQuery(raw, "SELECT 1") == 1)
            try await waitUntil { SocketPoll.hasInput(PQsocket(raw)) }
            watch.add(1, patience, cancellation)
            cancellation.begin()
            patience.beginWait()
            watch.look(by: .now)
            try await Task.sleep(for: .milliseconds(200))
            #expect(cancellation.reason == nil)
            // Read, with nothing behind it: from here on the server is silent.
            while let result = PQgetResult(raw) { PQclear(result) }
            try await waitUntil { cancellation.reason == .silence }
            patience.endWait()
            cancellation.endAndWait()
        }
    }

    /// Looks that other connections have asked for do not count here: the watch is one of its own.
    @Test func aLongLimitPutsOffNoLook() throws {
        let (watch, end) = (AnswerWatch(), MonotonicTime.now + .seconds(3600))
        watch.look(by: end)
        let first = try #require(watch.nextLook)
        #expect(first < end)
        watch.look(by: end)
        #expect(watch.nextLook == first)
    }

    @Test func aSilenceEndsAStatementOfAServerThatAnswers() async throws {
        try await withTestDatabase { database in
            let connection = try await PostgresConnection.connect(
                database.configuration, limits: AnswerLimits(silence: .seconds(1)))
            defer { connection.close() }
            let error = await postgresError { try await connection.execute("SELECT pg_sleep(600)") }
            #expect(error?.code == .timeout && error?.sqlState == "57014")
            #expect(error?.message.hasSuffix("It was asked to stop the statement, and did.") == true)
            #expect(connection.isUsable)
            let value3 = try await connection.column("SELECT 1", as: Int.self)
            #expect(value3 == [1])
        }
    }

    /// Rows that come are a sign.
    @Test func whatComesInTimeIsNotEnded() async throws {
        try await withTestDatabase { database in
            let connection = try await PostgresConnection.connect(
                database.configuration, limits: AnswerLimits(silence: .seconds(2)))
            defer { connection.close() }
            // Wider than the server's buffer, so that each row is on its way at once.
            let sql = "SELECT repeat('x', 20000) FROM generate_series(1, 30), LATERAL (SELECT pg_sleep(0.1)) AS s"
            let value4 = try await connection.column(sql, as: String.self).count
            #expect(value4 == 30)
        }
    }
}
