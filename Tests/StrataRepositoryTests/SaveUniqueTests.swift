import StrataClient
import StrataModels
import StrataRepository
import Testing

/// Unique values.
@Suite struct SaveUniqueTests {
    typealias M = SaveModels

    @Test func aNewObjectWithAStoredValueUpdatesTheRowAndTakesItsKey() async throws {
        try await withTwoSaveStores { one, other in
            let stored = M.Trip("Rome", destination: "Italy")
            stored.items = [M.Item("Forum")]
            one.insert(stored)
            try await one.save()
            let fresh = M.Trip("Rome", days: 9)
            fresh.items = [M.Item("Pantheon")]
            let guest = M.Guest("Ann")
            fresh.guests = [guest]
            other.insert(fresh)
            let result = try await other.save()
            #expect(result.rekeyed.count == 1)
            #expect(fresh._$state.key == stored._$state.key)
            #expect(other.recorder.roundTrips == 2)
            #expect(
                try await one.rows("SELECT name || coalesce(destination, '-') || days::text FROM trip") == ["Rome-9"])
            // To-many relationships are united.
            #expect(
                try await one.rows("SELECT title FROM item JOIN trip ON trip.pk = item.trip ORDER BY 1") == [
                    "Forum", "Pantheon",
                ])
            #expect(try await one.rows("SELECT count(*)::text FROM guest_trips") == ["1"])
        }
    }

    @Test func ofSeveralNewObjectsWithOneValueTheLastWins() async throws {
        try await withSaveStore { store in
            let first = M.Trip("Rome", days: 1)
            first.items = [M.Item("one")]
            let second = M.Trip("Rome", days: 2)
            second.items = [M.Item("two")]
            store.insert(first, second, M.Trip("Paris"))
            let result = try await store.save()
            #expect(result.merged.count == 1)
            #expect(result.merged.first?.loser === first)
            #expect(result.merged.first?.winner === second)
            #expect(try await store.rows("SELECT name || days::text FROM trip ORDER BY 1") == ["Paris1", "Rome2"])
            #expect(
                try await store.rows(
                    "SELECT title FROM item JOIN trip ON trip.pk = item.trip AND trip.days = 2 ORDER BY 1") == [
                        "one", "two",
                    ])
        }
    }

    @Test func ignoreKeepsTheRowAndTheFirstOfSeveral() async throws {
        try await withTwoSaveStores { one, other in
            one.insert(M.Trip("Rome", days: 3))
            try await one.save()
            other.uniquePolicy = .ignore
            let again = M.Trip("Rome", days: 4)
            other.insert(again, M.Trip("Oslo", days: 5), M.Trip("Oslo", days: 6))
            let result = try await other.save()
            #expect(result.stale.count == 1)
            #expect(result.stale.first?.model === again)
            #expect(try await one.rows("SELECT name || days::text FROM trip ORDER BY 1") == ["Oslo5", "Rome3"])
        }
    }

    @Test func failNamesThePropertiesInOneRoundTrip() async throws {
        try await withTwoSaveStores { one, other in
            one.insert(M.Trip("Rome"))
            try await one.save()
            other.uniquePolicy = .fail
            other.insert(M.Trip("Rome"))
            let error = await other.failure()
            #expect(error?.code == .uniqueConstraint)
            #expect(error?.message.contains("Trip.name") == true)
            #expect(error?.sqlState == "23505")
            #expect(error?.description.contains("Rome") == false)
            #expect(other.recorder.flushes.first?.last?.hasPrefix("INSERT INTO") == true)
        }
    }

    @Test func nullNeverMatches() async throws {
        try await withSaveStore { store in
            store.insert(M.BusinessTrip("a"), M.BusinessTrip("b"))
            try await store.save()
            store.insert(M.BusinessTrip("c"))
            let result = try await store.save()
            #expect(result.rekeyed.isEmpty)
            #expect(try await store.rows("SELECT count(*)::text FROM business_trip") == ["3"])
        }
    }

    @Test func matchesOnDifferentRowsAreRefused() async throws {
        try await withSaveStore { store in
            let a = M.BusinessTrip("a")
            a.code = "A"
            let b = M.BusinessTrip("b")
            b.code = "B"
            store.insert(a, b)
            try await store.save()
            let both = M.BusinessTrip("a")
            both.code = "B"
            store.insert(both)
            let error = await store.failure()
            #expect(error?.code == .uniqueConstraint)
            #expect(error?.message.contains("Trip.name") == true)
            #expect(error?.message.contains("BusinessTrip.code") == true)
            #expect(Set(error?.identifiers.map(\.key) ?? []) == [a._$state.key, b._$state.key])
            #expect(store.connection.transactionStatus == .idle)
        }
    }

    @Test func aMatchOfAnotherClassIsRefused() async throws {
        try await withSaveStore { store in
            store.insert(M.BusinessTrip("a"))
            try await store.save()
            store.insert(M.Trip("a"))
            let error = await store.failure()
            #expect(error?.code == .uniqueConstraint)
            #expect(error?.message.contains("BusinessTrip") == true)
        }
    }

    @Test func aSubclassIsUpdatedInAllItsTables() async throws {
        try await withSaveStore { store in
            let a = M.BusinessTrip("a")
            a.code = "A"
            store.insert(a)
            try await store.save()
            let again = M.BusinessTrip("z", days: 8)
            again.code = "A"
            again.perdiem = 4
            store.insert(again)
            try await store.save()
            #expect(
                try await store.rows(
                    "SELECT name || days::text || perdiem::text FROM trip JOIN business_trip USING (pk)") == ["z84"])
        }
    }

    @Test func aValueThatADeletedObjectHadIsFree() async throws {
        try await withSaveStore { store in
            let old = M.Trip("Rome", days: 1)
            store.insert(old)
            try await store.save()
            store.delete(old)
            let fresh = M.Trip("Rome", days: 2)
            store.insert(fresh)
            let result = try await store.save()
            #expect(result.rekeyed.isEmpty)
            #expect(try await store.rows("SELECT pk::text FROM trip") == ["\(fresh._$state.key)"])
        }
    }

    @Test func aValueThatAnotherObjectGivesUpIsFree() async throws {
        try await withSaveStore { store in
            let old = M.Trip("Rome")
            store.insert(old)
            try await store.save()
            old.name = "Roma"
            store.insert(M.Trip("Rome"))
            let result = try await store.save()
            #expect(result.rekeyed.isEmpty)
            #expect(try await store.rows("SELECT name FROM trip ORDER BY 1") == ["Roma", "Rome"])
        }
    }

    @Test func aLostRaceIsRunAgain() async throws {
        try await withTwoSaveStores { one, other in
            // The other transaction holds the value without having committed it: the look-up does not see it, the insert
            // waits for it, and fails when it commits.
            one.isInsideTransaction = true
            var begin = PostgresBatch()
            begin.begin()
            try await one.connection.run(begin)
            one.insert(M.Trip("Rome", days: 1))
            try await one.save()
            let fresh = M.Trip("Rome", days: 2)
            other.insert(fresh)
            var race = try SaveExecution(other.request(), mapping: other.mapping)
            let lookup = try #require(try race.next())
            try await other.connection.run(lookup)
            var end = PostgresBatch()
            end.commit()
            try await one.connection.run(end)
            var failure: any Error = CancellationError()
            do { try await other.connection.perform(&race) } catch { failure = error }
            #expect(race.shouldRetry(failure))
            var recovery = race.recovery(from: failure, in: other.connection.transactionState)
            try await other.connection.perform(&recovery)
            #expect(recovery.error.code == .uniqueConstraint)
            #expect(other.connection.transactionStatus == .idle)
            try await other.save()
            #expect(try await one.rows("SELECT name || days::text FROM trip") == ["Rome2"])
        }
    }

    @Test func aSaveThatFailsAfterItsLookUpIsRolledBackOnce() async throws {
        try await withSaveStore { store in
            let rome = M.Trip("Rome")
            store.insert(rome)
            try await store.save()
            _ = try await store.rows("UPDATE trip SET days = 7")
            rome.days = 3
            store.insert(M.Trip("Paris"))
            let error = await store.failure()
            #expect(error?.code == .conflict)
            #expect(store.recorder.flushes.first?.first == "BEGIN")
            #expect(store.recorder.statements.filter { $0.hasPrefix("ROLLBACK") } == ["ROLLBACK"])
            #expect(store.connection.transactionStatus == .idle)
            #expect(try await store.rows("SELECT name || days::text FROM trip") == ["Rome7"])
        }
    }
}
