package import StrataMigrations

extension MigrationFolder {
    /// Writes the newest version and the stage that leads to it anew, as the plan has them now, and what else is missing.
    ///
    /// A folder cannot know whether a database has them: the caller must. Only files that are as they were generated are
    /// replaced.
    ///
    /// Throws like ``generate(_:schemaName:)``, and `integrity` for files that were edited by hand.
    ///
    /// - Returns: The names of the files that were written, and of those that were removed; none if all is as planned.
    @discardableResult
    package func rewrite(
        _ chain: MigrationChain, schemaName: String
    ) throws(MigrationError) -> (written: [String], removed: [String]) {
        let found = try mergedTexts()
        try Self.requireUnedited(found, of: chain)
        let (missing, kept) = try Self.missing(of: chain, schemaName: schemaName, in: try Self.older(found, of: chain))
        let merged = kept.merging(missing.map { ($0.name, $0.text) }) { $1 }
        let sums = try Self.sums(of: merged)

        let written = missing.filter { found[$0.name] != $0.text }
        let removed = found.keys.filter { merged[$0] == nil && $0 != SumFile.name }.sorted()
        guard !written.isEmpty || !removed.isEmpty || found[SumFile.name] != sums.text else { return ([], []) }
        try write(written, removing: removed, sums: sums)
        return (written.map(\.name) + [SumFile.name], removed)
    }

    /// Whether a file is the frozen form of the newest version, or of the stage that leads to it.
    private static func isNewest(_ file: String, of chain: MigrationChain) -> Bool {
        guard let newest = chain.versions.last?.version else { return false }
        if file == frozenName(newest) { return true }
        return StageScript.parts(ofStem: String(file.prefix { $0 != "." }))?.number == chain.versions.count
    }

    private static func requireUnedited(_ texts: [String: String], of chain: MigrationChain) throws(MigrationError) {
        guard let newest = chain.versions.last?.version else { return }
        for stem in stems(in: texts) where isNewest(stem, of: chain) {
            let script = try StageFiles(stem, in: texts).script
            guard !script.isSquashed else {
                throw MigrationError(
                    .integrity, "\(stem).sql stands for the stage that would be written anew.",
                    places: ["\(stem).sql:1"],
                    remedy: "remove it, run hash, generate --rewrite and squash")
            }
            if let generation = script.generation, !generation.isEdited { continue }
            throw MigrationError(
                .integrity, "\(stem).sql was edited by hand, and is not written anew.", places: ["\(stem).sql:1"],
                remedy:
                    "keep a copy, remove its files with \(frozenName(newest)), run hash and then generate, bring the "
                    + "edits into the new files and run hash")
        }
    }

    /// The texts without the newest version, which the sum file does not have either.
    private static func older(
        _ texts: [String: String], of chain: MigrationChain
    ) throws(MigrationError) -> [String: String] {
        var older = texts.filter { !isNewest($0.key, of: chain) }
        if let text = texts[SumFile.name] {
            let lines = try SumFile(text: text).lines.filter { !isNewest($0.file, of: chain) }
            older[SumFile.name] = SumFile(lines.map { ($0.file, $0.checksum) }).text
        }
        return older
    }
}
