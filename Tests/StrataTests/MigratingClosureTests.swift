import Foundation
import SampleTripsModels
import Strata
import StrataClient
import StrataTestSupport
import Testing

/// The closures of stages, without the statements between them. One after the other: a plan notes what it saw in one place.
@Suite(.serialized) struct MigratingClosureTests {
    @Test("willMigrate works on the version before, in its own classes")
    func willMigrate() async throws {
        try await withMigratingStore { store in
            try await store.insertDuplicates()
            let closures = try PlanClosures(
                plan: SampleTripsMigrationPlan.self, configuration: store.database.configuration, schemaName: "public")
            try await offThePool { try closures.perform(.willMigrate, stage: 2) }
            try await store.with(SampleTripsSchemaV1.self, plan: nil) { context in
                var descriptor = FetchDescriptor<SampleTripsSchemaV1.Trip>(sortBy: [SortDescriptor(\.name)])
                descriptor.relationshipKeyPathsForPrefetching = [\.bucketList]
                let trips = try await context.fetch(descriptor)
                #expect(trips.map(\.name) == ["Kyoto", "Paris"])
                #expect(trips.last?.bucketList.map(\.title).sorted() == ["Louvre", "Seine"])
            }
        }
    }

    @Test("identifiers are equal in both closures, what is left unsaved is saved")
    func identifiers() async throws {
        try await withMigratingStore { store in
            try await store.with(MigratingReleased.self, plan: nil) { context in
                context.insert(MigratingReleased.Guest(name: "Ada"))
                try await context.save()
            }
            let seen = Seen()
            MigratingClosurePlan.seen.withLock { $0 = seen }
            let closures = try PlanClosures(
                plan: MigratingClosurePlan.self, configuration: store.database.configuration, schemaName: "public")
            try await offThePool { try closures.perform(.willMigrate, stage: 2) }
            try await store.database.execute("ALTER TABLE guest ADD COLUMN nickname text")
            try await offThePool { try closures.perform(.didMigrate, stage: 2) }
            #expect(seen.before.withLock { $0 }.count == 1)
            #expect(seen.before.withLock { $0 } == seen.after.withLock { $0 })
            #expect(try await store.texts("SELECT name || ' ' || nickname FROM guest") == ["ADA A."])
            let versions = (MigratingReleased.versionIdentifier, MigratingNicknames.versionIdentifier)
            #expect(
                try await store.texts(
                    "SELECT DISTINCT author FROM strata.history_transaction WHERE author IS NOT NULL")
                    == ["migration \(versions.0) -> \(versions.1)"])
        }
    }

    @Test("what a closure throws names the closure, and nothing it left is saved")
    func failure() async throws {
        try await withMigratingStore { store in
            try await store.with(MigratingReleased.self, plan: nil) { context in
                context.insert(MigratingReleased.Guest(name: "bad"))
                try await context.save()
            }
            let closures = try PlanClosures(
                plan: MigratingClosurePlan.self, configuration: store.database.configuration, schemaName: "public")
            let error = try await #require(throws: MigrationError.self) {
                try await offThePool { try closures.perform(.willMigrate, stage: 2) }
            }
            #expect(error.code == .stepFailed)
            #expect(error.message.hasPrefix("willMigrate from MigratingReleased to MigratingNicknames failed"))
            #expect(error.underlying is MigratingRefusal)
            #expect(try await store.texts("SELECT name FROM guest") == ["bad"])
            let missing = try await #require(throws: MigrationError.self) {
                try await offThePool { try closures.perform(.didMigrate, stage: 3) }
            }
            #expect(missing.code == .usage)
        }
    }
}

extension MigratingStore {
    /// Version 1 with two trips of one name.
    func insertDuplicates() async throws {
        try await with(SampleTripsSchemaV1.self, plan: nil) { context in
            for (number, name) in ["Paris", "Kyoto", "Paris"].enumerated() {
                let trip = SampleTripsSchemaV1.Trip(
                    name: name, destination: "somewhere", startDate: day(number), endDate: day(number + 5))
                context.insert(trip)
                if number == 0 { trip.bucketList = [SampleTripsSchemaV1.BucketListItem(title: "Louvre")] }
                if number == 2 { trip.bucketList = [SampleTripsSchemaV1.BucketListItem(title: "Seine")] }
            }
            try await context.save()
        }
    }
}

/// Blocking work may not block a thread of Swift's.
func offThePool(_ work: @escaping @Sendable () throws -> Void) async throws {
    try await withCheckedThrowingContinuation { continuation in
        DispatchQueue.global().async { continuation.resume(with: Result { try work() }) }
    }
}
