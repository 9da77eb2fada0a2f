extension MigrationChain {
    /// The scripts of all stages; the first one creates the oldest version.
    ///
    /// Throws ``MigrationError`` when a stage would lose something that its changes do not account for.
    package func scripts(in schemaName: String) throws(MigrationError) -> [StageScript] {
        guard let first = versions.first else { return [] }
        var scripts = [
            try MigrationPlanner.script(number: 1, from: nil, to: first, stage: Stage(), schemaName: schemaName)
        ]
        for (index, stage) in stages.enumerated() where index + 1 < versions.count {
            scripts.append(
                try MigrationPlanner.script(
                    number: index + 2, from: versions[index], to: versions[index + 1], stage: stage,
                    schemaName: schemaName))
        }
        return scripts
    }
}
