import Strata

// The code of the article Running a service: rows of many tenants in the same tables.

@Model final class Bill {
    @Attribute(.tenant) var tenant = ""
    @Attribute(.unique) var number: Int
    init(number: Int) { self.number = number }
}

enum RowTenants {
    static func bill(_ customer: String, in container: ModelContainer) async throws {
        let context = try await ModelContext(container, tenant: customer)
        context.insert(Bill(number: 1))
        try await context.save()
    }

    static func count(in container: ModelContainer) async throws -> Int {
        let everybody = try await container.allTenants()
        return try await ModelContext(everybody).fetchCount(FetchDescriptor<Bill>())
    }
}
