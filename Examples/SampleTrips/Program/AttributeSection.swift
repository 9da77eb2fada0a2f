import Foundation
import Strata

/// What an attribute can be, and how it is asked for.
struct AttributeSection {
    let report: Report

    func run() async throws {
        report.section("Kinds of attributes")
        let container = try await ModelContainer(
            for: Guide.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
        try await create(ModelContext(container))
        try await read(ModelContext(container))
        try await ask(ModelContext(container))
        await container.close()
    }

    private func create(_ context: ModelContext) async throws {
        let ada = Guide(email: "ada@example.com", name: "Ada", level: .master)
        ada.languages = ["en", "fr"]
        ada.address = Guide.Address(street: "Rue de Rivoli 1", city: "Paris")
        ada.hourlyRate = 49.90
        ada.website = URL(string: "https://example.com/ada")
        ada.photo = Data(repeating: 7, count: 100_000)
        let bo = Guide(email: "bo@example.com", name: "Bo", level: .apprentice)
        bo.mentor = ada
        context.insert(ada)
        try await context.save()
        report.expect(bo.modelContext === context, "what an inserted object leads to is inserted too")
    }

    private func read(_ context: ModelContext) async throws {
        let guides = try await context.fetch(FetchDescriptor<Guide>(sortBy: [SortDescriptor(\.level, order: .reverse)]))
        let (ada, bo) = (guides[0], guides[1])
        report.expect(ada.level == .master && ada.languages == ["en", "fr"], "enumerations and arrays")
        report.expect(ada.address == Guide.Address(street: "Rue de Rivoli 1", city: "Paris"), "Codable values")
        report.expect(ada.hourlyRate == 49.90 && ada.website?.host() == "example.com", "decimals and URLs")
        report.expect(context.lazyLoadCount == 0, "external storage is not read with the object")
        report.expect(ada.photo?.count == 100_000 && context.lazyLoadCount == 1, "only when it is touched")
        report.expect(bo.mentor === ada, "a relationship of a class with itself")
    }

    private func ask(_ context: ModelContext) async throws {
        let speaksFrench = #Predicate<Guide> { $0.languages.contains("fr") }
        let isInParis = #Predicate<Guide> { $0.address?.city == "Paris" }
        let isMaster = #Predicate<Guide> { $0.level == .master && $0.hourlyRate < 50 }
        for (predicate, what) in [
            (speaksFrench, "an array can be searched"), (isInParis, "and a part of a Codable value"),
            (isMaster, "an enumeration and a decimal be compared"),
        ] {
            let guides = try await context.fetch(FetchDescriptor(predicate: predicate))
            report.expect(guides.map(\.name) == ["Ada"], what)
        }
    }
}
