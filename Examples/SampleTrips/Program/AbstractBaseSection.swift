import Strata

@Model
class Document {
    static let isAbstract = true
    var title: String
    init(title: String) { self.title = title }
}

@Model
final class Ticket: Document {
    var seat: String = ""
}

@Model
final class Voucher: Document {
    var value: Int = 0
}

/// A class that only its subclasses have objects of.
struct AbstractBaseSection {
    let report: Report

    func run() async throws {
        report.section("A base without objects of its own")
        let container = try await ModelContainer(
            for: Ticket.self, Voucher.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
        let context = ModelContext(container)
        context.insert(Ticket(title: "Night train"))
        context.insert(Voucher(title: "Breakfast"))
        try await context.save()
        let documents = try await context.fetch(FetchDescriptor<Document>(sortBy: [SortDescriptor(\.title)]))
        report.expect(documents.map(\.title) == ["Breakfast", "Night train"], "a fetch finds those of its subclasses")
        context.insert(Document(title: "Something"))
        await report.expect(.modelValidationFailure, "an object of the base itself is refused") {
            try await context.save()
        }
        await container.close()
    }
}
