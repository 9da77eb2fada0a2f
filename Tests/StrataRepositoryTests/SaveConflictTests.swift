import StrataClient
import StrataModels
import StrataRepository
import Testing

/// Two contexts with the same row.
@Suite struct SaveConflictTests {
    typealias M = SaveModels

    /// A trip in one store, and the same in another.
    private func pair(_ one: SaveStore, _ other: SaveStore) async throws -> (M.Trip, M.Trip) {
        let trip = M.Trip("Rome", destination: "Italy", days: 2)
        one.insert(trip)
        try await one.save()
        return (trip, try one.twin(of: trip, in: other) { M.Trip("Rome", destination: "Italy", days: 2) })
    }

    @Test func differentPropertiesOfOneRowBothWin() async throws {
        try await withTwoSaveStores { one, other in
            let (first, second) = try await pair(one, other)
            first.days = 5
            second.destination = "Lazio"
            try await one.save()
            try await other.save()
            #expect(try await one.rows("SELECT days::text || destination FROM trip") == ["5Lazio"])
        }
    }

    @Test func theSamePropertyIsAConflictAndNothingIsWritten() async throws {
        try await withTwoSaveStores { one, other in
            let (first, second) = try await pair(one, other)
            first.destination = "Lazio"
            second.destination = "Vatican"
            second.name = "Roma"
            other.insert(M.Note("new"))
            try await one.save()
            let error = await other.failure()
            #expect(error?.code == .conflict)
            #expect(error?.isRetryable == true)
            #expect(error?.message.contains("Trip.destination") == true)
            #expect(error?.message.contains("Trip.name") == false)
            #expect(error?.description.contains("Lazio") == false)
            #expect(error?.debugDescription.contains("is Lazio in the database, Vatican here") == true)
            #expect(error?.identifiers == [second.persistentModelID])
            #expect(second.hasChanges)
            #expect(try await one.rows("SELECT name || destination FROM trip") == ["RomeLazio"])
            #expect(try await one.rows("SELECT count(*)::text FROM note") == ["0"])
        }
    }

    @Test func aRowThatIsGoneIsNamed() async throws {
        try await withTwoSaveStores { one, other in
            let (first, second) = try await pair(one, other)
            one.delete(first)
            try await one.save()
            second.days = 9
            let error = await other.failure()
            #expect(error?.code == .modelNotFound)
            #expect(error?.identifiers == [second.persistentModelID])
        }
    }

    @Test func overwriteWritesTheContextsValue() async throws {
        try await withTwoSaveStores { one, other in
            let (first, second) = try await pair(one, other)
            first.destination = "Lazio"
            second.destination = nil
            other.conflictPolicy = .overwrite
            try await one.save()
            try await other.save()
            #expect(try await one.rows("SELECT coalesce(destination, 'null') FROM trip") == ["null"])
        }
    }

    @Test func keepStoreLeavesTheLosingPropertyAndWritesTheOthers() async throws {
        try await withTwoSaveStores { one, other in
            let (first, second) = try await pair(one, other)
            first.destination = "Lazio"
            second.destination = "Vatican"
            second.days = 7
            other.conflictPolicy = .keepStore
            try await one.save()
            let result = try await other.save()
            #expect(try await one.rows("SELECT destination || days::text FROM trip") == ["Lazio7"])
            #expect(result.stale.count == 1)
            #expect(result.stale.first?.model === second)
            #expect(result.stale.first?.slots == SlotSet([1]))
            #expect(other.recorder.roundTrips == 1)
        }
    }

    @Test func keepStoreReportsRowsThatAreGone() async throws {
        try await withTwoSaveStores { one, other in
            let (first, second) = try await pair(one, other)
            one.delete(first)
            try await one.save()
            second.days = 9
            other.conflictPolicy = .keepStore
            let result = try await other.save()
            #expect(result.gone.count == 1)
        }
    }

    @Test func deletingARowThatIsGoneIsFine() async throws {
        try await withTwoSaveStores { one, other in
            let (first, second) = try await pair(one, other)
            one.delete(first)
            other.delete(second)
            try await one.save()
            try await other.save()
            #expect(try await one.rows("SELECT count(*)::text FROM trip") == ["0"])
        }
    }

    @Test func insideATransactionAFailedSaveLeavesTheTransactionUsable() async throws {
        try await withTwoSaveStores { one, other in
            let (first, second) = try await pair(one, other)
            first.days = 5
            try await one.save()
            other.isInsideTransaction = true
            var batch = PostgresBatch()
            batch.begin()
            try await other.connection.run(batch)
            other.insert(M.Note("kept"))
            try await other.save()
            #expect(other.recorder.statements.first == #"SAVEPOINT "strata_save""#)
            #expect(other.recorder.roundTrips == 1)
            second.days = 6
            #expect(await other.failure()?.code == .conflict)
            other.insert(M.Note("kept too"))
            second._$state.clearChanges()
            try await other.save()
            var end = PostgresBatch()
            end.commit()
            try await other.connection.run(end)
            #expect(try await one.rows("SELECT text FROM note ORDER BY 1") == ["kept", "kept too"])
        }
    }

    @Test func theBlockingTwinDoesTheSame() async throws {
        try await withTwoSaveStores { one, other in
            let (first, second) = try await pair(one, other)
            first.days = 5
            second.days = 6
            try await one.save()
            func saveBlocking(_ store: SaveStore) throws -> SaveResult {
                var save = try SaveAttempts(store.request(), mapping: store.mapping)
                try store.connection.perform(&save)
                return save.result
            }
            do {
                _ = try saveBlocking(other)
                Issue.record("the conflict was not found")
            } catch SwiftDataError.conflict {}
            other.conflictPolicy = .overwrite
            #expect(try saveBlocking(other).updatedCount == 1)
        }
    }
}
