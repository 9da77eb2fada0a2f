import StrataClient
import StrataModels
import StrataRepository

/// Loads a tree of relationships for objects that are in memory: one round trip a level, whatever the number of paths.
final class PrefetchExecution: StoreOperation {
    private let session: StoreSession
    private var level: [(tree: PrefetchTree, owners: [any PersistentModel])]
    private var running: [(load: RelationshipLoad, tree: PrefetchTree)] = []

    init(_ tree: PrefetchTree, of owners: [any PersistentModel], session: StoreSession) {
        self.session = session
        level = [(tree, owners)]
        session.unit.mayHoldCycles = true
    }

    func next() throws -> PostgresBatch? {
        finishRunning()
        while !level.isEmpty {
            let batch = try nextLevel()
            if !batch.isEmpty { return batch }
            // Everything of this level was in memory.
            finishRunning()
        }
        return nil
    }

    private func nextLevel() throws -> PostgresBatch {
        var batch = PostgresBatch()
        for (tree, owners) in level {
            for branch in tree.branches where !owners.isEmpty {
                let load = RelationshipLoad(branch.mapping, of: branch.owners(among: owners), registry: session)
                try load.addStatement(to: &batch)
                running.append((load, branch.tree))
            }
        }
        level.removeAll()
        return batch
    }

    private func finishRunning() {
        for (load, tree) in running {
            load.finish()
            if !tree.branches.isEmpty { level.append((tree, load.reached)) }
        }
        running.removeAll()
    }
}
