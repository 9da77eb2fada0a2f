extension MigrationChain {
    /// The scripts of all stages, as their files hold them; the first one creates the oldest version.
    ///
    /// Throws ``MigrationError`` when a stage would lose something that its changes do not account for.
    package func scripts(in schemaName: String) throws(MigrationError) -> [StageScript] {
        var scripts: [StageScript] = []
        for index in versions.indices { scripts.append(try script(at: index, in: schemaName)) }
        return scripts
    }

    /// What leads to a version from the one before it.
    package func script(at index: Int, in schemaName: String) throws(MigrationError) -> StageScript {
        try MigrationPlanner.script(
            number: index + 1, from: index > 0 ? versions[index - 1] : nil, to: versions[index],
            stage: stage(at: index), schemaName: schemaName, recordsHistory: recordsHistory
        ).clean()
    }

    /// The stage that leads to a version; for the first one it is empty.
    package func stage(at index: Int) -> Stage { stages.indices.contains(index - 1) ? stages[index - 1] : Stage() }
}
