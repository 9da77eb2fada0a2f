import Foundation
import Requests
import Strata

/// A tree, read by recursive queries: in SQL of the caller's, and as a view.
struct TreeSection {
    let report: Report

    func run() async throws {
        report.section("Trees and views")
        let container = try await ModelContainer(
            for: Category.self, CategoryDepth.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
        let context = ModelContext(container)
        let travel = Category("Travel")
        let asia = Category("Asia", in: travel)
        for model in [travel, asia, Category("Japan", in: asia), Category("Europe", in: travel), Category("Cooking")] {
            context.insert(model)
        }
        try await context.save()
        let names = try await Category.tree(from: travel, in: context).map(\.name)
        report.expect(
            names == ["Travel", "Asia", "Europe", "Japan"], "a branch of a tree is one query, level by level")
        let deep = try await context.fetch(
            FetchDescriptor<CategoryDepth>(predicate: #Predicate { $0.depth > 1 }), selecting: \.category?.name, \.depth
        )
        report.expect(deep.map(\.0) == ["Japan"] && deep.map(\.1) == [2], "a view is fetched as any class")
        await container.close()
    }
}
