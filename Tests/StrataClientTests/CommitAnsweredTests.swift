import StrataClient
import StrataTestSupport
import Testing

/// A COMMIT that was answered is stored, whatever becomes of the connection afterwards.
@Suite(.onPrivateServer) struct CommitAnsweredTests {
    private func withProxy(
        _ cut: CuttingProxy.Cut, cutAt trigger: String = "COMMIT",
        _ body: (PostgresConnection, _ stored: () async throws -> Int?) async throws -> Void
    ) async throws {
        try await withTestDatabase { database in
            try await database.execute("CREATE TABLE t (n int8)")
            let check = try await database.connect()
            defer { check.close() }
            let proxy = try CuttingProxy(before: database.configuration, cutAt: trigger, cut)
            defer { proxy.stop() }
            let connection = try await PostgresConnection.connect(proxy.configuration(for: database.configuration))
            defer { connection.close() }
            try await body(connection) { try await check.column("SELECT count(*) FROM t", as: Int.self)[0] }
        }
    }

    private static let cuts = [CuttingProxy.Cut.farewellAfterAnswer("COMMIT"), .afterAnswer("COMMIT")]

    private func insertion(committing: Bool) -> PostgresBatch {
        var batch = PostgresBatch()
        batch.add(PostgresStatement("INSERT INTO t VALUES (1)"))
        if committing { batch.commit() }
        return batch
    }

    @Test(arguments: cuts) func aBatchThatEndsWithCommitSucceeds(_ cut: CuttingProxy.Cut) async throws {
        try await withProxy(cut) { connection, stored in
            var batch = PostgresBatch()
            batch.begin()
            batch.add(PostgresStatement("INSERT INTO t VALUES (1)"))
            batch.commit()
            try await connection.run(batch)
            #expect(!connection.isUsable && connection.transactionStatus == .idle && !connection.hasTransaction)
            let count = try await stored()
            #expect(count == 1)
            let next = await postgresError { try await connection.execute("SELECT 1") }
            #expect(next?.code == .connectionLost && next?.wasSent == false && next?.isRetryable == true)
        }
    }

    @Test(arguments: cuts) func aCommitInAPacketOfItsOwnSucceeds(_ cut: CuttingProxy.Cut) async throws {
        try await withProxy(cut) { connection, stored in
            try await connection.withTransaction { try await $0.run(insertion(committing: false)) }
            #expect(!connection.isUsable)
            let count = try await stored()
            #expect(count == 1)
        }
    }

    @Test(arguments: cuts) func aTransactionWhoseBodyCommitsIsNotCommittedAgain(_ cut: CuttingProxy.Cut) async throws {
        try await withProxy(cut) { connection, stored in
            try await connection.withTransaction(isolation: .serializable) {
                try await $0.run(insertion(committing: true))
            }
            #expect(!connection.isUsable)
            let count = try await stored()
            #expect(count == 1)
        }
    }

    @Test(arguments: cuts) func aMissingAnswerBehindCommitIsAnUnknownOutcome(_ cut: CuttingProxy.Cut) async throws {
        try await withProxy(cut) { connection, stored in
            let error = await postgresError {
                var batch = PostgresBatch()
                batch.begin()
                batch.add(PostgresStatement("INSERT INTO t VALUES (1)"))
                batch.commit()
                batch.add(PostgresStatement("INSERT INTO t VALUES (2)"))
                try await connection.run(batch)
            }
            let count = try await stored()
            #expect(error?.code == .outcomeUnknown)
            #expect(error?.isRetryable == false)
            #expect(count == 2)
        }
    }

    /// Such a statement is committed by the synchronisation point that follows it, which is answered later.
    @Test func aLoneStatementIsStoredOnlyWithWhatFollowsItsAnswer() async throws {
        try await withProxy(.afterAnswer("INSERT 0 1"), cutAt: "INSERT") { connection, stored in
            let error = await postgresError {
                var batch = PostgresBatch()
                batch.addCommitting(PostgresStatement("INSERT INTO t VALUES (1)"))
                try await connection.run(batch)
            }
            let count = try await stored()
            #expect(error?.code == .outcomeUnknown)
            #expect(error?.isRetryable == false)
            #expect(count == 1)
        }
    }

    @Test func aBlockingTransactionSucceeds() async throws {
        try await withProxy(.farewellAfterAnswer("COMMIT")) { connection, stored in
            func blocking() throws { try connection.withTransaction { try $0.run(insertion(committing: false)) } }
            try await Task.detached { try blocking() }.value
            let count = try await stored()
            #expect(count == 1)
        }
    }
}
