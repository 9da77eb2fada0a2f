import Foundation
import PackingModels

#if canImport(Strata)
import Strata

@main
struct PackingServer {
    static func main() async {
        do {
            let container = try await ModelContainer(
                for: Schema(PackingSchema.models), configurations: ModelConfiguration(isStoredInMemoryOnly: true))
            print(try await answer(container).joined(separator: "\n"))
            await container.close()
        } catch {
            print(error)
            exit(1)
        }
    }

    static func answer(_ container: ModelContainer) async throws -> [String] {
        try await container.withContext { context in
            let list = PackingList(name: "Kyoto")
            for title in ["Passport", "Umbrella", "Socks"] { list.append(title) }
            context.insert(list)
        }
        return try await container.read(lazyLoading: .forbidden) { context in
            var descriptor = FetchDescriptor<PackingItem>(sortBy: [SortDescriptor(\.place)])
            descriptor.relationshipKeyPathsForPrefetching = [\.list]
            return try await context.fetch(descriptor).map { "\($0.list?.name ?? "-"): \($0.title)" }
        }
    }
}
#else
@main
struct PackingServer {
    static func main() { print("The server runs on Linux.") }
}
#endif
