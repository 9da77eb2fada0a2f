import Foundation
import Strata
import StrataContext
import StrataMigrations
import Testing

/// A version that has classes of another one.
@Suite struct BorrowedClassesTests {
    private enum OwnedPlan: SchemaMigrationPlan {
        static var schemas: [any VersionedSchema.Type] { [OwnedV1.self, OwnedV2.self] }
        static var stages: [MigrationStage] { [.lightweight(fromVersion: OwnedV1.self, toVersion: OwnedV2.self)] }
    }

    private enum BorrowingPlan: SchemaMigrationPlan {
        static var schemas: [any VersionedSchema.Type] { [BorrowedV1.self, OwnedV2.self] }
        static var stages: [MigrationStage] { [.lightweight(fromVersion: BorrowedV1.self, toVersion: OwnedV2.self)] }
    }

    @Test("a version that borrows classes is frozen as one that has copies of them")
    func frozen() throws {
        let owned = try FrozenSchema(freezing: Schema(versionedSchema: OwnedV1.self))
        let borrowed = try FrozenSchema(freezing: Schema(versionedSchema: BorrowedV1.self))
        #expect(FrozenSchemaDifference(from: owned, to: borrowed).lines == [])
        #expect(borrowed == owned)
        #expect(borrowed.fingerprint == owned.fingerprint)
        #expect(Schema(versionedSchema: BorrowedV1.self) == Schema(versionedSchema: OwnedV1.self))
        #expect(Schema(versionedSchema: BorrowedV1.self).entities.count == 7)
    }

    @Test("the files of a plan are the same, whoever's classes its versions have")
    func files() throws {
        let owned = try MigrationChain(plan: OwnedPlan.self).scripts(in: "public")
        let borrowed = try MigrationChain(plan: BorrowingPlan.self).scripts(in: "public")
        #expect(borrowed.map { $0.steps.flatMap(\.statements) } == owned.map { $0.steps.flatMap(\.statements) })
        #expect(borrowed.last?.steps.flatMap(\.statements).contains { $0.contains("\"days\"") } == true)
    }

    @Test("a change of a borrowed class is a change of the version")
    func edited() throws {
        enum Edited: VersionedSchema {
            static var versionIdentifier: Schema.Version { Schema.Version(1, 0, 0) }
            static var models: [any PersistentModel.Type] { BorrowedV1.models.removing(OwnedV2.Car.self) }
        }
        let owned = try FrozenSchema(freezing: Schema(versionedSchema: OwnedV1.self))
        let edited = try FrozenSchema(freezing: Schema(versionedSchema: Edited.self))
        #expect(FrozenSchemaDifference(from: owned, to: edited).lines.contains { $0.contains("Car") })
        #expect(edited.fingerprint != owned.fingerprint)
    }

    @Test("replacing takes the class of the same name, and adds what has none")
    func replacing() {
        func names(_ types: [any PersistentModel.Type]) -> [ArraySlice<Substring>] {
            types.map { String(reflecting: $0).split(separator: ".").suffix(2) }
        }
        let models: [any PersistentModel.Type] = [OwnedV2.Trip.self, OwnedV2.Stop.self]
        #expect(
            names(models.replacing(OwnedV1.Trip.self, OwnedV1.Note.self))
                == [["OwnedV2", "Stop"], ["OwnedV1", "Trip"], ["OwnedV1", "Note"]])
        #expect(names(models.removing(OwnedV1.Trip.self, OwnedV1.Note.self)) == [["OwnedV2", "Stop"]])
    }

    @Test("a borrowed subclass of a class that is replaced is an error that names both classes")
    func subclass() throws {
        let error = try #require(throws: MigrationError.self) {
            try FrozenSchema(freezing: Schema(versionedSchema: BorrowedSubclassV1.self))
        }
        #expect(error.places.contains { $0.hasPrefix("Vehicle: several classes have this name") }, "\(error)")
    }

    @Test("code of a stage needs a version with classes of its own")
    func code() throws {
        enum Plan: SchemaMigrationPlan {
            static var schemas: [any VersionedSchema.Type] { [BorrowedV1.self, OwnedV2.self] }
            static var stages: [MigrationStage] {
                [
                    .custom(
                        fromVersion: BorrowedV1.self, toVersion: OwnedV2.self, willMigrate: { _ in }, didMigrate: nil)
                ]
            }
        }
        let error = try #require(throws: MigrationError.self) { try MigrationChain(plan: Plan.self) }
        #expect(error.code == .usage)
        #expect(
            error.places.contains { $0.hasPrefix("willMigrate, version 1.0.0: Stop.trip: it leads to ") }, "\(error)")
        #expect(error.places.contains { $0.hasSuffix("Remedy: give this version a Stop of its own.") }, "\(error)")
        // What the new version does is its own affair.
        enum Later: SchemaMigrationPlan {
            static var schemas: [any VersionedSchema.Type] { [BorrowedV1.self, OwnedV2.self] }
            static var stages: [MigrationStage] {
                [
                    .custom(
                        fromVersion: BorrowedV1.self, toVersion: OwnedV2.self, willMigrate: nil, didMigrate: { _ in })
                ]
            }
        }
        _ = try MigrationChain(plan: Later.self)
    }
}
