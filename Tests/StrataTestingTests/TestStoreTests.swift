import Strata
import StrataTesting
import Testing

@Suite struct TestStoreTests {
    @Test(arguments: 0..<6) func storesDoNotSeeEachOther(number: Int) async throws {
        try await withTestStore(for: Tour.self, Guide.self) { container in
            let context = ModelContext(container)
            Sample.tour.insert(number, into: context)
            try await context.save()
            #expect(try await ModelContext(container).fetchCount(FetchDescriptor<Tour>()) == number)
        }
    }

    @Test func copiesOfOneTemplateHaveIdentitiesOfTheirOwn() async throws {
        let first = try await identifierOfAnObject()
        let second = try await identifierOfAnObject()
        #expect(first.storeIdentifier != second.storeIdentifier)
        #expect(first != second)
    }

    private func identifierOfAnObject() async throws -> PersistentIdentifier {
        try await withTestStore(for: Tour.self, Guide.self) { container in
            let context = ModelContext(container)
            let guide = Sample.guide.insert(into: context)
            try await context.save()
            return guide.persistentModelID
        }
    }

    @Test func theHistoryOfACopyBeginsEmptyAndRecords() async throws {
        try await withTestStore(for: Tour.self, Guide.self) { container in
            let context = ModelContext(container)
            #expect(try await context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>()).isEmpty)
            Sample.guide.insert(into: context)
            try await context.save()
            #expect(try await context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>()).count == 1)
        }
    }

    /// What `history_adopt` would find to do is done: the template was generation 1, in a database of its own.
    @Test func aCopyIsInAGenerationOfItsOwn() async throws {
        try await withTestStore(for: Tour.self, Guide.self) { container in
            let found = try await ModelContext(container).fetch(
                String.self,
                sql: """
                    SELECT format('%s %s', s.generation, s.database_oid = d.oid) FROM strata.store AS s, pg_database AS d \
                    WHERE d.datname = current_database()
                    """)
            #expect(found == ["2 t"])
        }
    }

    @Test func theConfigurationIsTheTestsButForItsDatabase() async throws {
        try await withTestStore(for: Schema(Guide.self, Tour.self), configure: Self.touring) { container in
            let configuration = try #require(container.configurations.first)
            #expect(configuration.name == "tours")
            let context = ModelContext(container)
            Sample.guide.insert(into: context)
            try await context.save()
            let schemas = try await context.fetch(
                String.self, sql: "SELECT table_schema::text FROM information_schema.tables WHERE table_name = 'guide'")
            #expect(schemas == ["touring"])
        }
    }

    private static func touring(_ configuration: inout ModelConfiguration) {
        configuration = ModelConfiguration("tours", url: URL(fileURLWithPath: "/nowhere"))
        configuration.postgresSchema = "touring"
        configuration.recordsHistory = false
    }

    @Test func aTestsErrorIsTheOneThatIsThrown() async throws {
        struct Failure: Error {}
        await #expect(throws: Failure.self) {
            try await withTestStore(for: Guide.self, Tour.self) { _ in throw Failure() }
        }
    }

    @Test func aMigrationPlanMakesTheTables() async throws {
        for _ in 0..<2 {
            try await withTestStore(for: Schema(versionedSchema: ToursV1.self), migrationPlan: ToursPlan.self) {
                container in
                #expect(container.migrationPlan == ToursPlan.self)
                let context = ModelContext(container)
                Sample.guide.insert(into: context)
                try await context.save()
                let versions = try await context.fetch(Int.self, sql: "SELECT count(*) FROM strata.schema_version")
                #expect(versions == [1])
            }
        }
    }

    enum ToursV1: VersionedSchema {
        static var versionIdentifier: Schema.Version { Schema.Version(1, 0, 0) }
        static var models: [any PersistentModel.Type] { [Guide.self, Tour.self] }
    }

    enum ToursPlan: SchemaMigrationPlan {
        static var schemas: [any VersionedSchema.Type] { [ToursV1.self] }
        static var stages: [MigrationStage] { [] }
    }

    // MARK: Transactions that are rolled back

    @Test func nothingOfARolledBackTransactionStays() async throws {
        try await withTestStore(for: Guide.self, Tour.self) { container in
            let count = try await withRolledBackTransaction(in: container) { context in
                Sample.tour.insert(3, into: context)
                try await context.save()
                try await context.transaction { _ = Sample.tour.insert(into: context) }
                return try await context.fetchCount(FetchDescriptor<Tour>())
            }
            #expect(count == 4)
            #expect(try await ModelContext(container).fetchCount(FetchDescriptor<Tour>()) == 0)
        }
    }

    @Test func aBlockingTransactionIsRolledBackToo() async throws {
        try await withTestStore(for: Guide.self, Tour.self) { container in
            let count = try Self.count(container)
            #expect(count == 2)
            #expect(try await ModelContext(container).fetchCount(FetchDescriptor<Tour>()) == 0)
        }
    }

    private static func count(_ container: ModelContainer) throws -> Int {
        try withRolledBackTransaction(in: container) { context in
            Sample.tour.insert(2, into: context)
            try context.save()
            return try context.fetchCount(FetchDescriptor<Tour>())
        }
    }

    @Test func anErrorOfARolledBackTransactionIsThrown() async throws {
        struct Failure: Error {}
        try await withTestStore(for: Guide.self, Tour.self) { container in
            await #expect(throws: Failure.self) {
                try await withRolledBackTransaction(in: container) { context in
                    Sample.guide.insert(into: context)
                    try await context.save()
                    throw Failure()
                }
            }
            let left = try await ModelContext(container).fetchCount(FetchDescriptor<Guide>())
            #expect(left == 0)
        }
    }
}
