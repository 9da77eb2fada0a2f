import Foundation
import Strata
import StrataModelTestSupport
import StrataTestSupport
import Testing

@Suite struct RowLockTests {
    private func withVoyages(_ body: (ModelStore, ModelContext) async throws -> Void) async throws {
        try await withModelStore(Voyage.self, Cruise.self, Stop.self) { store in
            let context = ModelContext(store.container)
            for number in 0..<4 {
                let voyage =
                    number == 3 ? Cruise("v3", "Kiel", day: 3, decks: 3) : Voyage("v\(number)", "Kiel", day: number)
                context.insert(voyage)
                context.insert(Stop("s\(number)", of: voyage))
            }
            try await context.save()
            store.recorder.reset()
            try await body(store, ModelContext(store.container))
        }
    }

    private func stops(_ lock: RowLock?, limit: Int? = nil) -> FetchDescriptor<Stop> {
        var descriptor = FetchDescriptor<Stop>(
            predicate: #Predicate { $0.name != "none" }, sortBy: [SortDescriptor(\.name, order: .reverse)])
        (descriptor.lock, descriptor.fetchLimit) = (lock, limit)
        return descriptor
    }

    private func voyages(_ lock: RowLock) -> FetchDescriptor<Voyage> {
        var descriptor = FetchDescriptor<Voyage>(sortBy: [SortDescriptor(\.name)])
        descriptor.lock = lock
        return descriptor
    }

    @Test func `the lock is part of the one statement, behind order and limit`() async throws {
        try await withVoyages { store, context in
            let names = try await context.transaction {
                try await context.fetch(stops(.update, limit: 2)).map(\.name)
            }
            #expect(names == ["s3", "s2"])
            #expect(
                store.recorder.statements.first { $0.contains("FOR") } == """
                    SELECT t0."pk", t0."name", t0."voyage" FROM "public"."stop" AS t0 WHERE t0."name" <> $1::text \
                    ORDER BY t0."name" COLLATE "C" DESC, t0."pk" LIMIT 2 FOR UPDATE OF t0
                    """)
            let locks: [(RowLock, String)] = [
                (.noKeyUpdate, " FOR NO KEY UPDATE OF t0"), (.share, " FOR SHARE OF t0"),
                (.keyShare, " FOR KEY SHARE OF t0"),
                (.noWait, " FOR UPDATE OF t0 NOWAIT"), (.skipLocked, " FOR UPDATE OF t0 SKIP LOCKED"),
                (.share.skipLocked, " FOR SHARE OF t0 SKIP LOCKED"),
            ]
            for (lock, clause) in locks {
                store.recorder.reset()
                let count = try { try context.transaction(isolation: nil) { try context.fetch(stops(lock)).count } }()
                #expect(count == 4)
                #expect(store.recorder.statements.contains { $0.hasSuffix(clause) }, "\(store.recorder.statements)")
            }
        }
    }

    @Test func `a class with subclasses is locked in the tables of all of them`() async throws {
        try await withVoyages { store, context in
            try await context.transaction {
                let all = try await context.fetch(voyages(.update))
                #expect(all.map(\.name) == ["v0", "v1", "v2", "v3"])
                #expect(all[3] is Cruise)
                #expect(
                    store.recorder.flushes.map { $0.filter { $0 != "BEGIN" } } == [
                        [
                            "SELECT t0.\"pk\" FROM \"public\".\"voyage\" AS t0 ORDER BY t0.\"name\" COLLATE \"C\" ASC, t0.\"pk\" FOR UPDATE OF t0"
                        ],
                        [
                            "SELECT \"pk\" FROM \"public\".\"cruise\" WHERE \"pk\" = ANY($1::bigint[]) ORDER BY \"pk\" FOR UPDATE",
                            store.recorder.statements.last ?? "",
                        ],
                    ])
                // The row of the subclass is locked too: another one is not let at it.
                let error = await #expect(throws: PostgresError.self) {
                    try await store.database.execute("SET lock_timeout = 1", "UPDATE cruise SET decks = 9")
                }
                #expect(error?.sqlState == "55P03")
            }
            store.recorder.reset()
            try await context.transaction {
                var cruises = FetchDescriptor<Cruise>()
                cruises.lock = .update
                let found = try await context.fetch(cruises)
                #expect(found.count == 1)
                #expect(store.recorder.roundTrips == 1)
                #expect(store.recorder.statements.last?.contains(" FOR UPDATE OF t") == true)
            }
        }
    }

    @Test func `an object has the values that its row has once it is locked`() async throws {
        try await withVoyages { store, context in
            let known = try await context.fetch(voyages(.update).unlocked)
            try await store.database.execute("UPDATE voyage SET home_port = 'Oslo'", "UPDATE cruise SET decks = 12")
            try await context.transaction {
                let locked = try await context.fetch(voyages(.share))
                #expect(locked[3] === known[3])
                #expect(known.map(\.homePort) == ["Oslo", "Oslo", "Oslo", "Oslo"])
                #expect((known[3] as? Cruise)?.decks == 12)
                // Changed and saved without a conflict.
                known[0].homePort = "Bergen"
                try await context.save()
            }
        }
    }

    @Test func `a locked row is waited for, refused or left out`() async throws {
        try await withVoyages { store, context in
            try await context.transaction {
                let first = try await context.fetch(stops(.update, limit: 1))
                #expect(first.map(\.name) == ["s3"])
                let other = ModelContext(store.container)
                let free = try await other.transaction { try await other.fetch(stops(.skipLocked)).map(\.name) }
                #expect(free == ["s2", "s1", "s0"])
                let error = await #expect(throws: SwiftDataError.self) {
                    try await other.transaction { _ = try await other.fetch(stops(.noWait)) }
                }
                #expect(error?.underlying?.sqlState == "55P03")
                #expect(error?.isRetryable == true)
                // Who only reads is not concerned.
                let all = try await other.fetch(stops(nil))
                #expect(all.count == 4)
            }
        }
    }

    @Test func `a change of a locked object has no savepoint, which would be a second locker of its row`() async throws
    {
        try await withVoyages { store, context in
            try await context.transaction {
                try await context.fetch(stops(.skipLocked, limit: 1)).first?.name = "done"
            }
            #expect(store.recorder.roundTrips == 2)
            #expect(
                store.recorder.statements.first { $0.contains("FOR UPDATE") } == """
                    SELECT t0."pk", t0."name", t0."voyage" FROM "public"."stop" AS t0 WHERE t0."name" <> $1::text \
                    ORDER BY t0."name" COLLATE "C" DESC LIMIT 1 FOR UPDATE OF t0 SKIP LOCKED
                    """)
            #expect(store.recorder.statements.first == "BEGIN")
            #expect(store.recorder.statements.last == "COMMIT")
            #expect(!store.recorder.statements.contains { $0.contains("SAVEPOINT") }, "\(store.recorder.statements)")
            let names = try await store.database.texts("SELECT name FROM stop ORDER BY name")
            #expect(names == ["done", "s0", "s1", "s2"])
        }
    }

    /// What the transaction has written before must be there still when it is asked what stood in the way.
    @Test(arguments: [false, true])
    func `a transaction whose last save meets a conflict is rolled back whole`(hasWritten: Bool) async throws {
        try await withVoyages { store, context in
            let stop = try #require(try await context.fetch(stops(nil, limit: 1)).first)
            store.recorder.reset()
            let error = await #expect(throws: SwiftDataError.self) {
                try await context.transaction {
                    if hasWritten {
                        context.insert(Stop("new", of: nil))
                        try await context.save()
                    }
                    try await store.database.execute("UPDATE stop SET name = 'theirs' WHERE name = 's3'")
                    stop.name = "mine"
                }
            }
            #expect(error?.code == .conflict)
            #expect(error?.conflicts.map(\.qualifiedName) == ["Stop.name"])
            let last = store.recorder.flushes.last { $0.contains { $0.contains("UPDATE") } } ?? []
            #expect(last.contains { $0.hasPrefix("SAVEPOINT") } == hasWritten, "\(store.recorder.flushes)")
            #expect(stop.name == "s3" || stop.name == "theirs")
            let names = try await store.database.texts("SELECT name FROM stop ORDER BY name")
            #expect(names == ["s0", "s1", "s2", "theirs"])
            // The context goes on.
            stop.name = "again"
            let again = await #expect(throws: SwiftDataError.self) { try await context.save() }
            #expect(again?.code == .conflict)
        }
    }

    @Test func `a skipped row of a subclass leaves its object out`() async throws {
        try await withVoyages { store, context in
            let holder = ModelContext(store.container)
            try await holder.transaction {
                try await holder.execute("UPDATE \(table: Cruise.self) SET \(column: \Cruise.decks) = \(8)")
                let free = try await context.transaction { try await context.fetch(voyages(.skipLocked)).map(\.name) }
                #expect(free == ["v0", "v1", "v2"])
            }
        }
    }

    @Test func `what a subclass's row became while it was waited for is asked again`() async throws {
        try await withVoyages { store, _ in
            let (isHeld, mayEnd) = (AsyncStream<Void>.makeStream(), AsyncStream<Void>.makeStream())
            async let holding: Void = store.container.withContext(isolation: .readCommitted) { holder in
                try await holder.execute("UPDATE \(table: Cruise.self) SET \(column: \Cruise.decks) = \(9)")
                isHeld.continuation.finish()
                for await _ in mayEnd.stream {}
            }
            for await _ in isHeld.stream {}
            async let found = store.container.withContext(isolation: .readCommitted) { context in
                var deep = FetchDescriptor<Voyage>(predicate: #Predicate { ($0 as? Cruise)?.decks == 3 })
                deep.lock = .update
                return try await context.fetch(deep).map(\.name)
            }
            try await waitUntil { try await store.isWaitingForLock() }
            mayEnd.continuation.finish()
            try await holding
            #expect(try await found == [])
        }
    }

    @Test func `a limit is filled from behind the rows that were left out`() async throws {
        try await withVoyages { store, context in
            let insertion = ModelContext(store.container)
            insertion.insert(Cruise("v4", "Kiel", day: 4, decks: 4))
            try await insertion.save()
            let holder = ModelContext(store.container)
            try await holder.transaction {
                try await holder.execute(
                    "UPDATE \(table: Cruise.self) SET \(column: \Cruise.decks) = \(8) WHERE \(column: \Cruise.decks) = \(4)"
                )
                var last = FetchDescriptor<Voyage>(sortBy: [SortDescriptor(\.name, order: .reverse)])
                (last.lock, last.fetchLimit) = (.skipLocked, 2)
                let free = try await context.transaction { try await context.fetch(last).map(\.name) }
                #expect(free == ["v3", "v2"])
                last.fetchLimit = 9
                let all = try await context.transaction { try await context.fetch(last).map(\.name) }
                #expect(all == ["v3", "v2", "v1", "v0"])
            }
        }
    }

    @Test func `a lock and a choice of properties go together, also over subclasses`() async throws {
        try await withVoyages { store, context in
            var names = voyages(.update)
            names.propertiesToFetch = [\.name]
            store.recorder.reset()
            try await context.transaction {
                let found = try await context.fetch(names)
                #expect(found.map(\.name) == ["v0", "v1", "v2", "v3"])
            }
            #expect(!store.recorder.statements.contains { $0.contains("home_port") }, "\(store.recorder.statements)")
        }
    }

    @Test func `outside of a transaction, and beside unsaved changes, a lock is refused`() async throws {
        try await withVoyages { store, context in
            func refusal(_ body: () async throws -> Void) async -> String {
                do { try await body() } catch let error as SwiftDataError {
                    return error.code == .unsupportedFeature ? error.message : "\(error)"
                } catch {
                    return "another error: \(error)"
                }
                return "none"
            }
            #expect(await refusal { _ = try await context.fetch(stops(.update)) }.contains("no transaction is open"))
            #expect(await refusal { _ = try await context.fetchCount(stops(.update)) }.contains("only fetch(_:) takes"))
            #expect(await refusal { _ = try await context.fetchPage(stops(.update)) }.contains("only fetch(_:) takes"))
            #expect(
                await refusal { try await context.enumerate(stops(.update)) { _ in } }.contains("only fetch(_:) takes"))
            #expect(store.recorder.statements.isEmpty)
            try await context.transaction {
                context.insert(Stop("new", of: nil))
                #expect(await refusal { _ = try await context.fetch(stops(.update)) }.contains("Call save() first"))
                try await context.save()
                let all = try await context.fetch(stops(.update))
                #expect(all.count == 5)
            }
        }
    }
}

extension FetchDescriptor {
    fileprivate var unlocked: FetchDescriptor {
        var descriptor = self
        descriptor.lock = nil
        return descriptor
    }
}
