import Strata
import Testing

@Model class Craft {
    var name: String
    init(name: String) { self.name = name }
}

/// Not marked `@Model`, on purpose.
final class Glider: Craft {
    var span = 18.0
}

@Suite struct UnmarkedSubclassTests {
    @Test func `a container refuses a subclass that is not marked`() async throws {
        let error = await #expect(throws: SwiftDataError.self) {
            _ = try await ModelContainer(
                for: Craft.self, Glider.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
        }
        #expect(error?.code == .invalidSchema)
        #expect(error?.message.contains("write @Model before class Glider") == true)
    }

    @Test func `inserting and fetching one is an error, and nothing is stored`() async throws {
        try await withModelStore(Craft.self) { store in
            let context = ModelContext(store.container)
            context.insert(Glider(name: "ASK 21"))
            await #expect(throws: SwiftDataError.self) { try await context.save() }
            await #expect(throws: SwiftDataError.self) { _ = try await context.fetch(FetchDescriptor<Glider>()) }
            let count = try await context.fetchCount(FetchDescriptor<Craft>())
            #expect(count == 0)
        }
    }
}
