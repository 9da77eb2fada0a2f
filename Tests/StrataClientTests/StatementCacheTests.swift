import StrataTestSupport
import Testing

@testable import StrataClient

@Suite struct StatementCacheTests {
    @Test func theLeastRecentlyUsedGoesFirst() {
        var cache = StatementCache(limit: 2, prefix: "p")
        #expect(cache.decide(1, types: []) == .prepare("p_1", evicting: []))
        #expect(cache.decide(2, types: []) == .prepare("p_2", evicting: []))
        #expect(cache.decide(1, types: []) == .execute("p_1"))
        #expect(cache.decide(3, types: []) == .prepare("p_3", evicting: ["p_2"]))
        #expect(cache.decide(1, types: []) == .execute("p_1"))
        #expect(cache.decide(2, types: []) == .prepare("p_4", evicting: ["p_3"]))
        #expect(cache.count == 2)
    }

    @Test func `A text in use keeps its number, however many others come and go`() {
        var texts = InternedTexts(limit: 8)
        let used = texts.shared("used")
        let once = texts.shared("once")
        for number in 0..<1000 {
            _ = texts.shared("other \(number)")
            if number % 5 == 0 { #expect(texts.shared("used").id == used.id) }
            #expect(texts.count <= 16)
        }
        #expect(texts.shared("once").id != once.id)
    }

    @Test func otherParameterTypesMeanAnotherStatement() {
        var cache = StatementCache(limit: 2, prefix: "p")
        #expect(cache.decide(1, types: [20]) == .prepare("p_1", evicting: []))
        #expect(cache.decide(1, types: [20]) == .execute("p_1"))
        #expect(cache.decide(1, types: [25]) == .prepare("p_2", evicting: ["p_1"]))
    }

    @Test func whatWasNotPreparedIsForgottenAndWhatWasNotDeallocatedIsRemembered() {
        var cache = StatementCache(limit: 1, prefix: "p")
        _ = cache.decide(1, types: [])
        _ = cache.decide(2, types: [])
        cache.forget(2, name: "p_2")
        cache.forget(2, name: "p_9")
        cache.keepForLater("p_1")
        #expect(cache.count == 0)
        #expect(cache.takeLeftovers() == ["p_1"])
        #expect(cache.takeLeftovers() == [])
    }

    /// Compares with the plainest possible model, over many random uses.
    @Test func behavesLikeAList() {
        var cache = StatementCache(limit: 5, prefix: "p")
        var model: [UInt64] = []
        for _ in 0..<5000 {
            let id = UInt64.random(in: 0..<12)
            if Int.random(in: 0..<10) == 0, let index = model.firstIndex(of: id) {
                cache.discard(id)
                model.remove(at: index)
                #expect(cache.takeLeftovers().count == 1)
                continue
            }
            let decision = cache.decide(id, types: [])
            if let index = model.firstIndex(of: id) {
                model.append(model.remove(at: index))
                guard case .execute = decision else {
                    Issue.record("\(id) should have been prepared")
                    return
                }
            } else {
                guard case .prepare(_, let evicted) = decision else {
                    Issue.record("\(id) was not prepared")
                    return
                }
                #expect(evicted.count == (model.count == 5 ? 1 : 0))
                if model.count == 5 { model.removeFirst() }
                model.append(id)
            }
            #expect(cache.count == model.count)
        }
    }

    @Test func theServerHoldsNoMoreThanTheLimit() async throws {
        try await withTestDatabase { database in
            var configuration = database.configuration
            configuration.preparedStatements = .named(limit: 4)
            let connection = try await PostgresConnection.connect(configuration)
            defer { connection.close() }
            for number in 0..<20 {
                #expect(try await connection.column("SELECT \(number)", as: Int.self) == [number])
                _ = await postgresError { _ = try await connection.column("SELECT \(number) / 0", as: Int.self) }
            }
            let count = try await connection.column(
                "SELECT count(*) FROM pg_prepared_statements WHERE name LIKE 'strata%'", as: Int.self)
            #expect((count.first ?? nil).map { $0 <= 4 } == true)
        }
    }

    @Test func moreStatementsInABatchThanTheLimitStillWork() async throws {
        try await withTestDatabase { database in
            var configuration = database.configuration
            configuration.preparedStatements = .named(limit: 2)
            let connection = try await PostgresConnection.connect(configuration)
            defer { connection.close() }
            var sum = 0
            for _ in 0..<2 {
                var batch = PostgresBatch()
                for number in 0..<10 {
                    batch.add(PostgresStatement("SELECT \(number)"), onRow: { sum += Int($0.int32(0)) })
                }
                try await connection.run(batch)
            }
            #expect(sum == 90)
        }
    }

    @Test(arguments: [IsolationLevel.repeatableRead, .serializable])
    func whatIsDeallocatedBeforeATransactionLeavesItsIsolation(_ level: IsolationLevel) async throws {
        try await withTestDatabase { database in
            var configuration = database.configuration
            configuration.preparedStatements = .named(limit: 1)
            let connection = try await PostgresConnection.connect(configuration)
            defer { connection.close() }
            #expect(try await connection.column("SELECT 1", as: Int.self) == [1])
            for _ in 0..<2 {
                var found: [String] = []
                var batch = PostgresBatch()
                // Preparing it evicts the statement before.
                batch.begin(level)
                batch.add(
                    PostgresStatement("SHOW transaction_isolation"),
                    onRow: { found.append(try $0.decode(0, as: String.self)) })
                batch.commit()
                try await connection.run(batch)
                #expect(found == [level.rawValue.lowercased()])
            }
        }
    }

    @Test func aNameThatTheServerHasForgottenIsInNobodysWay() async throws {
        try await withTestDatabase { database in
            var configuration = database.configuration
            configuration.preparedStatements = .named(limit: 1)
            let recorder = StatementRecorder()
            let connection = try await PostgresConnection.connect(configuration, observer: recorder)
            defer { connection.close() }
            try await connection.execute("DEALLOCATE ALL")
            recorder.reset()
            var batch = PostgresBatch()
            var sum = 0
            batch.begin(.serializable)
            batch.add(PostgresStatement("SELECT 2"), onRow: { sum += Int($0.int32(0)) })
            batch.commit()
            try await connection.run(batch)
            #expect(sum == 2)
            #expect(recorder.roundTrips == 1, "nothing had to be done again")
        }
    }

    @Test func theSameTextWithOtherTypesIsNotMisread() async throws {
        try await withTestDatabase { database in
            let connection = try await database.connect()
            defer { connection.close() }
            let sql = "SELECT pg_typeof($1)::text"
            #expect(try await connection.column(sql, PostgresParameters(1), as: String.self) == ["bigint"])
            #expect(try await connection.column(sql, PostgresParameters("a"), as: String.self) == ["text"])
            #expect(try await connection.column(sql, PostgresParameters(1), as: String.self) == ["bigint"])
        }
    }

    @Test(arguments: [PreparedStatements.named(), .unnamed])
    func aChangedTableIsNoticedAndTheStatementPreparedAgain(_ kind: PreparedStatements) async throws {
        try await withTestDatabase { database in
            var configuration = database.configuration
            configuration.preparedStatements = kind
            let connection = try await PostgresConnection.connect(configuration)
            defer { connection.close() }
            try await connection.execute("CREATE TABLE t (a int8)", "INSERT INTO t VALUES (1)")
            #expect(try await connection.column("SELECT * FROM t", as: Int.self) == [1])
            try await connection.execute("ALTER TABLE t ALTER a TYPE text")
            #expect(try await connection.column("SELECT * FROM t", as: String.self) == ["1"])
            // Also when the transaction is part of the batch.
            try await connection.execute("ALTER TABLE t ALTER a TYPE int8 USING 5")
            var batch = PostgresBatch()
            var value: Int64?
            batch.begin()
            batch.add(PostgresStatement("SELECT * FROM t"), onRow: { value = $0.int64(0) })
            batch.commit()
            try await connection.run(batch)
            #expect(value == 5)
        }
    }

    @Test func statementsThatTheServerForgotArePreparedAgain() async throws {
        try await withTestDatabase { database in
            let connection = try await database.connect()
            defer { connection.close() }
            #expect(try await connection.column("SELECT 1", as: Int.self) == [1])
            try await connection.execute("DEALLOCATE ALL")
            #expect(try await connection.column("SELECT 1", as: Int.self) == [1])
            // In a transaction the client cannot repeat what came before, so it says that the caller can.
            let error = await postgresError {
                try await connection.execute("BEGIN", "DEALLOCATE ALL")
                _ = try await connection.column("SELECT 1", as: Int.self)
            }
            #expect(error?.code == .stalePreparedStatement)
            #expect(error?.isRetryable == true)
            try await connection.execute("ROLLBACK")
            #expect(try await connection.column("SELECT 1", as: Int.self) == [1])
        }
    }

    @Test func unnamedStatementsLeaveNothingOnTheServer() async throws {
        try await withTestDatabase { database in
            var configuration = database.configuration
            configuration.preparedStatements = .unnamed
            let connection = try await PostgresConnection.connect(configuration)
            defer { connection.close() }
            _ = try await connection.column("SELECT $1", PostgresParameters(1), as: Int.self)
            #expect(try await connection.column("SELECT count(*) FROM pg_prepared_statements", as: Int.self) == [0])
        }
    }
}
