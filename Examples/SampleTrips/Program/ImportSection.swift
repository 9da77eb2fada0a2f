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

/// Reads a file of any length into the database.
struct PriceList {
    let container: ModelContainer

    /// New products are inserted; of those that are there, name and price are updated.
    func read(_ file: URL) async throws -> Int {
        var rows = try CSVRows(file)
        var count = 0
        while true {
            let batch = rows.next(5_000)
            guard !batch.isEmpty else { return count }
            try await container.withContext { context in
                context.uniquePolicy = .upsert(updating: \Product.name, \.price)
                for row in batch {
                    guard row.count == 3, let price = Decimal(string: row[2]) else { throw BadRow(fields: row) }
                    context.insert(Product(sku: row[0], name: row[1], price: price))
                }
            }
            count += batch.count
        }
    }

    struct BadRow: Error {
        let fields: [String]
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
        let list = PriceList(container: container)
        try priceList(price: 1).write(to: file, atomically: true, encoding: .utf8)
        let inserted = try await list.read(file)
        report.expect(inserted == 50_000, "\(inserted) rows were read, in batches of 5,000")
        let context = ModelContext(container)
        let first = try await product("sku-1", in: context)
        first?.stock = 7
        try await context.save()
        try priceList(price: 2).write(to: file, atomically: true, encoding: .utf8)
        _ = try await list.read(file)
        let again = ModelContext(container)
        let updated = try await product("sku-1", in: again)
        report.expect(updated?.price == 2 && updated?.stock == 7, "the second time prices change, and the stock stays")
        report.expect(
            try await again.fetchCount(FetchDescriptor<Product>()) == 50_000, "and there is one row for each product")
        await container.close()
    }

    private func product(_ sku: String, in context: ModelContext) async throws -> Product? {
        try await context.fetch(FetchDescriptor<Product>(predicate: #Predicate { $0.sku == sku })).first
    }

    private func priceList(price: Int) -> String {
        (1...50_000).map { "sku-\($0),\"Product \($0), boxed\",\(price)\n" }.joined()
    }
}
