import Foundation
import Requests
import Strata

/// Words that PostgreSQL looks for, and how well each note fits.
struct SearchSection {
    let report: Report

    func run() async throws {
        report.section("Searching")
        let container = try await ModelContainer(
            for: Note.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
        let context = ModelContext(container)
        context.insert(Note("Gardens of Kyoto", "Moss, gravel and maples: a garden for each season."))
        context.insert(Note("Trains", "From Kyoto to Nara, past somebody's garden."))
        context.insert(Note("Nara", "Deer."))
        try await context.save()
        let found = try await Note.search("kyoto garden", in: context).map(\.title)
        report.expect(found == ["Gardens of Kyoto", "Trains"], "words are found in any form, the best note first")
        let others = try await Note.search("nara -kyoto", in: context).map(\.title)
        report.expect(others == ["Nara"], "words may be left out")
        let words = "kyoto"
        var best = FetchDescriptor<Note>(predicate: #Predicate { $0.matches(words) })
        best.orderBy = [.reverse(.rank(words))]
        let ranks = try await context.fetch(best, selecting: .value(\.title), .rank(words))
        report.expect(
            ranks.map(\.1) == ranks.map(\.1).sorted(by: >) && ranks.count == 2, "the rank is a value as others are")
        let excerpts = try await context.fetch(
            best, selecting: .value(\.title), .excerpt(of: \.body, matching: words, start: "**", end: "**"))
        report.expect(
            excerpts.contains { $0.1?.contains("**Kyoto**") == true }, "an excerpt shows the words where they stand")
        await container.close()
    }
}
