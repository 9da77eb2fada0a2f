import SampleTripsModels
import Strata
import StrataContext
import StrataMigrations
import Testing

enum UndeclaredV1: VersionedSchema {
    static var versionIdentifier: Schema.Version { Schema.Version(1, 0, 0) }
    static var models: [any PersistentModel.Type] { [Trip.self] }

    @Model
    final class Trip {
        var name: String = ""
        var note: String?
        init() {}
    }
}

enum UndeclaredV2: VersionedSchema {
    static var versionIdentifier: Schema.Version { Schema.Version(2, 0, 0) }
    static var models: [any PersistentModel.Type] { [Trip.self] }

    @Model
    final class Trip {
        var name: String = ""
        init() {}
    }
}

enum UndeclaredPlan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [UndeclaredV1.self, UndeclaredV2.self] }
    static var stages: [MigrationStage] {
        [.lightweight(fromVersion: UndeclaredV1.self, toVersion: UndeclaredV2.self)]
    }
}

@Suite struct MigratingPlanTests {
    private func findings(_ plan: any SchemaMigrationPlan.Type) async throws -> [String] {
        let error = try await #require(throws: MigrationError.self) {
            try await ModelContainer(
                for: Schema(versionedSchema: SampleTripsSchemaV4.self), migrationPlan: plan,
                configurations: ModelConfiguration(isStoredInMemoryOnly: true))
        }
        #expect(error.code == .usage)
        return error.places
    }

    @Test("a missing stage is an error that names its versions")
    func missingStage() async throws {
        enum Plan: SchemaMigrationPlan {
            static var schemas: [any VersionedSchema.Type] { SampleTripsMigrationPlan.schemas }
            static var stages: [MigrationStage] { Array(SampleTripsMigrationPlan.stages.dropLast()) }
        }
        let findings = try await findings(Plan.self)
        #expect(
            findings == ["the stage from SampleTripsSchemaV3 (3.0.0) to SampleTripsSchemaV4 (4.0.0) is missing"])
    }

    @Test("stages in another order are an error")
    func order() async throws {
        enum Plan: SchemaMigrationPlan {
            static var schemas: [any VersionedSchema.Type] { SampleTripsMigrationPlan.schemas }
            static var stages: [MigrationStage] { SampleTripsMigrationPlan.stages.reversed() }
        }
        let findings = try await findings(Plan.self)
        #expect(findings == ["the stages are not in the order of the versions, or one is there twice"])
    }

    @Test("versions that do not ascend are an error, and so is a stage that skips one")
    func descending() async throws {
        enum Plan: SchemaMigrationPlan {
            static var schemas: [any VersionedSchema.Type] { [SampleTripsSchemaV2.self, SampleTripsSchemaV1.self] }
            static var stages: [MigrationStage] {
                [.lightweight(fromVersion: SampleTripsSchemaV1.self, toVersion: SampleTripsSchemaV4.self)]
            }
        }
        let findings = try await findings(Plan.self)
        #expect(findings.count == 3)
        #expect(findings.first?.hasPrefix("SampleTripsSchemaV1 (1.0.0) follows SampleTripsSchemaV2 (2.0.0)") == true)
        #expect(findings.last?.hasSuffix("is not between neighbours") == true)
    }

    @Test("a plan without versions is an error")
    func empty() async throws {
        enum Plan: SchemaMigrationPlan {
            static var schemas: [any VersionedSchema.Type] { [] }
            static var stages: [MigrationStage] { [] }
        }
        let findings = try await findings(Plan.self)
        #expect(findings == ["schemas is empty: a plan has at least one version"])
    }

    @Test("what must be declared is offered with the old version's class")
    func undeclared() throws {
        let chain = try MigrationChain(plan: UndeclaredPlan.self)
        let error = try #require(throws: MigrationError.self) { try chain.scripts(in: "public") }
        #expect(error.code == .planRefused)
        #expect(error.message == "Version 2.0.0 does not say what becomes of: Trip.note.")
        #expect(
            error.remedy?.contains(#".dropped(\UndeclaredV1.Trip.note), .consumed(\UndeclaredV1.Trip.note)"#) == true,
            "\(error.remedy ?? "")")
    }

    @Test("a schema that is no version of the plan is an error that names the classes")
    func otherSchema() async throws {
        let error = try await #require(throws: SwiftDataError.self) {
            try await ModelContainer(
                for: Trip.self, BusinessTrip.self, migrationPlan: SampleTripsMigrationPlan.self,
                configurations: ModelConfiguration(isStoredInMemoryOnly: true))
        }
        #expect(error.code == .invalidSchema)
        #expect(error.message.contains("- PersonalTrip is in the plan's newest version only"))
        #expect(!error.message.contains("BusinessTrip"))
    }
}
