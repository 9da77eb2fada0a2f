import StrataMigrations
import StrataModels
import StrataRepository

/// Brings all stores of a container to one version of its plan. Blocks.
///
/// Several stores go stage by stage: none begins a stage before all have ended the one before. So the code of a stage finds the
/// objects of all stores in its version: `willMigrate` runs before the first store begins, `didMigrate` when the last one is
/// complete. The stores are in an order that is the same in every process.
struct ContainerMigration: Sendable {
    let stores: [(migration: StoreMigration, place: StoreMigration.Place)]

    /// Returns, store by store, the identity of those whose tables were created here.
    func run() throws -> [StoreIdentity?] {
        var standings = try stores.map { migration, place in
            try explaining(place) { try migration.standing(in: place) }
        }
        var created: [StoreIdentity?] = stores.map { _ in nil }
        for goal in goals(standings) {
            try requireStep(to: goal, standings)
            // What only looks, looks once.
            for (index, (migration, place)) in stores.enumerated()
            where goal == migration.target || migration.policy(in: place) == .apply {
                let closures = closures(ofStore: index)
                let identity = try explaining(place) {
                    try migration.advance(place, from: standings[index], to: goal, closures)
                }
                // What was created and migrated since has to be looked at again.
                created[index] = goal == migration.target ? identity : nil
                standings[index] = .recorded(max(standings[index].position ?? goal, goal))
            }
        }
        return created
    }

    /// The versions that all stores reach before one goes on: of one store only the last.
    ///
    /// An empty store beside others begins with the version that the furthest behind of them has.
    private func goals(_ standings: [StoreMigration.Standing]) -> [Int] {
        guard let target = stores.first?.migration.target else { return [] }
        guard stores.count > 1, let first = standings.compactMap(\.position).min(), first < target else {
            return [target]
        }
        return Array(max(first, 0)...target)
    }

    /// The code of a stage needs the other stores where the stage begins.
    private func requireStep(to goal: Int, _ standings: [StoreMigration.Standing]) throws {
        guard stores.count > 1, goal > 0, let contents = stores.first?.migration.contents,
            contents.stages[goal - 1].isCustom
        else { return }
        let positions = standings.map { $0.position ?? goal }
        guard
            let behind = stores.indices.first(where: {
                positions[$0] < goal && stores[$0].migration.policy(in: stores[$0].place) == .apply
            })
        else { return }
        // An interruption leaves stores at the beginning of the order that have ended the stage.
        guard
            let ahead = positions[behind...].firstIndex(where: { $0 >= goal })
                ?? positions.firstIndex(where: { $0 > goal })
        else { return }
        let versions = contents.schemas.map(\.version)
        throw SwiftDataError(
            .unsupportedFeature,
            "The stage from \(versions[goal - 1]) to \(versions[goal]) runs code over several stores, and the store "
                + "\(stores[ahead].place.name) is at version \(versions[positions[ahead]]) already, while "
                + "\(stores[behind].place.name) is not. Bring that one to \(versions[goal]) by a plan of its own, or restore both "
                + "to one version.")
    }

    private func closures(ofStore index: Int) -> PlanClosures {
        var moments: Set<StageClosure> = []
        if index == 0 { moments.insert(.willMigrate) }
        if index == stores.count - 1 { moments.insert(.didMigrate) }
        return PlanClosures(
            stores.map { migration, place in
                PlanClosures.Part(
                    contents: migration.contents, server: place.configuration, schemaName: place.schemaName)
            },
            moments: moments, logger: stores[index].place.logger)
    }

    private func explaining<Result>(_ place: StoreMigration.Place, _ body: () throws -> Result) throws -> Result {
        do { return try body() } catch { throw place.explain(error) }
    }
}
