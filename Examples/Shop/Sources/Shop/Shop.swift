import Foundation
import ShopModels
import Strata

/// `Shop add NAME CENTS STOCK`, `Shop order NAME QUANTITY` and `Shop list`.
@main
struct Shop {
    static func main() async {
        do {
            let container = try await ModelContainer(
                for: Schema(versionedSchema: Catalog.self), migrationPlan: CatalogPlan.self, migrations: policy)
            try await run(Array(CommandLine.arguments.dropFirst()), container)
            await container.close()
        } catch {
            // Thrown from main, it would come with a crash report of Swift's.
            FileHandle.standardError.write(Data("\(error)\n".utf8))
            exit(1)
        }
    }

    /// At a desk the program makes and changes its tables by itself. Where it runs for others, `ShopMigrations apply` does it before,
    /// and the program only looks whether it was done: set `MIGRATIONS=verify` there.
    static var policy: MigrationPolicy {
        ProcessInfo.processInfo.environment["MIGRATIONS"] == "verify" ? .verify : .apply
    }

    static func run(_ arguments: [String], _ container: ModelContainer) async throws {
        switch (arguments.first, arguments.count) {
        case ("add", 4):
            guard let price = Int(arguments[2]), let stock = Int(arguments[3]) else { return usage() }
            try await container.withContext { context in
                context.insert(Product(name: arguments[1], price: price, stock: stock))
            }
        case ("order", 3):
            guard let quantity = Int(arguments[2]), quantity > 0 else { return usage() }
            try await container.withContext { context in
                _ = try await context.placeOrder(of: arguments[1], quantity: quantity)
            }
        case ("list", 1):
            let lines = try await container.read(lazyLoading: .forbidden) { context in
                let products = try await context.fetch(FetchDescriptor<Product>(sortBy: [SortDescriptor(\.name)]))
                return products.map { "\($0.name): \($0.stock) at \($0.price) cents" }
                    + (try await context.newestOrders().map {
                        "\($0.placed.formatted(.iso8601)) \($0.quantity) \($0.product?.name ?? "")"
                    })
            }
            for line in lines { print(line) }
        default:
            usage()
        }
    }

    static func usage() {
        print("Shop add NAME CENTS STOCK | Shop order NAME QUANTITY | Shop list")
    }
}
