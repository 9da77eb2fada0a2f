import Foundation
import Strata

/// A price list of a shop.
@Model final class Product {
    @Attribute(.unique) var sku: String
    var name: String
    var price: Decimal
    /// Counted in the shop; the price list knows nothing of it.
    var stock = 0

    init(sku: String, name: String, price: Decimal) {
        self.sku = sku
        self.name = name
        self.price = price
    }
}

/// 50,000 rows of CSV, twice: the second time they are updates.
struct ImportSection {
    let report: Report

    func run() async throws {
        report.section("Importing")
        let container = try await ModelContainer(
            for: Product.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("prices-\(UUID().uuidString).csv")
        defer { try? FileManager.default.removeItem(at: file) }
        let context = ModelContext(container)
        try priceList(price: 1).write(to: file, atomically: true, encoding: .utf8)
        let result = try await context.importCSV(
            from: file, into: Product.self, \.sku, \.name, \.price, uniquePolicy: .upsert)
        report.expect(result.insertedCount == 50_000, "\(result.insertedCount) rows were read")
        let first = try await product("sku-1", in: context)
        first?.stock = 7
        try await context.save()
        try priceList(price: 2).write(to: file, atomically: true, encoding: .utf8)
        try await context.importCSV(
            from: file, into: Product.self, \.sku, \.name, \.price, uniquePolicy: .upsert)
        let again = ModelContext(container)
        let updated = try await product("sku-1", in: again)
        report.expect(updated?.price == 2 && updated?.stock == 7, "the second time prices change, and the stock stays")
        report.expect(
            try await again.fetchCount(FetchDescriptor<Product>()) == 50_000, "and there is one row for each product")
        let written = try await again.exportCSV(
            FetchDescriptor<Product>(sortBy: [SortDescriptor(\.sku)]), selecting: \.sku, \.stock, to: file)
        report.expect(written == 50_000, "and all of it is written into a file")
        await container.close()
    }

    private func product(_ sku: String, in context: ModelContext) async throws -> Product? {
        try await context.fetch(FetchDescriptor<Product>(predicate: #Predicate { $0.sku == sku })).first
    }

    private func priceList(price: Int) -> String {
        "sku,name,price\n" + (1...50_000).map { "sku-\($0),\"Product \($0), boxed\",\(price)\n" }.joined()
    }
}
