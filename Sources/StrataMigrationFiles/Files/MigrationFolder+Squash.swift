package import StrataMigrations

extension MigrationFolder {
    /// Writes a file that creates the newest version directly, for empty databases only; the stages stay for all others.
    ///
    /// Throws like ``check(_:schemaName:)``.
    ///
    /// - Returns: The names of the files that were written; none if they are there, or if there is one stage only.
    @discardableResult
    package func squash(_ chain: MigrationChain, schemaName: String) throws(MigrationError) -> [String] {
        guard chain.versions.count > 1, let creation = chain.squashed(in: schemaName) else {
            try check(chain, schemaName: schemaName)
            return []
        }
        let found = try mergedTexts()
        let (listed, unlisted) = Self.divided(found)
        let files = try MigrationFile(creation, replaces: 1...creation.number).files
        if listed[creation.stem + ".sql"] != nil {
            try check(chain, schemaName: schemaName)
            return []
        }
        // A squash that was interrupted wrote the file and not the sums.
        if unlisted.isEmpty { try check(chain, schemaName: schemaName) }
        try Self.requireInterrupted(unlisted, among: files, hasSums: found[SumFile.name] != nil)
        let merged = listed.merging(files.map { ($0.name, $0.text) }) { $1 }
        _ = try Self.contents(of: merged)
        try write(files, removing: [], sums: try Self.sums(of: merged))
        return files.map(\.name) + [SumFile.name]
    }
}

extension MigrationChain {
    /// What creates the newest version in an empty database, with a number after which the next stage follows.
    func squashed(in schemaName: String) -> StageScript? { squashed(at: versions.count - 1, in: schemaName) }

    func squashed(at index: Int, in schemaName: String) -> StageScript? {
        guard versions.indices.contains(index) else { return nil }
        let version = versions[index]
        let name = StageScript.squashedPrefix + MigrationPlanner.label(version.version)
        var script = Creation(
            version, schemaName: schemaName, number: index + 1, name: name, recordsHistory: recordsHistory
        ).script
        for position in 1...max(1, index) where position <= index {
            let stage = stage(at: position)
            var left = stage.changes.contains { if case .sql = $0.kind { true } else { false } } ? ["its SQL"] : []
            if stage.hasWillMigrate { left.append("willMigrate") }
            if stage.hasDidMigrate { left.append("didMigrate") }
            if left.isEmpty { continue }
            script.notes.append(
                "the stage to version \(versions[position].version) also runs \(left.joined(separator: " and ")); "
                    + "a database made by this file has not seen it")
        }
        return script
    }
}
