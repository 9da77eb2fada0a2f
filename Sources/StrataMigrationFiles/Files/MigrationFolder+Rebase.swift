package import StrataMigrations

extension MigrationFolder {
    /// Brings the files in order after a merge of two branches: numbers, frozen versions and sums follow the plan.
    ///
    /// A stage that is still between two neighbours of the plan keeps its text and gets its number. One whose neighbours
    /// changed is written anew, but only if nobody has edited it. Marks that the merge has left are resolved on the way:
    /// of two sides the one that the plan knows.
    ///
    /// Throws ``MigrationError`` with the code `integrity` for what a person must decide, by name, before anything is
    /// written.
    ///
    /// - Returns: What was done, a line each; nothing for a folder that is in order.
    @discardableResult
    package func rebase(_ chain: MigrationChain, schemaName: String) throws(MigrationError) -> [String] {
        let found = try texts()
        let files = try FolderRebase(found, chain: chain, schemaName: schemaName).files()
        let sums = try Self.sums(of: files)
        _ = try Self.contents(of: files)

        let written = files.filter { found[$0.key] != $0.value }.sorted { $0.key < $1.key }
        let removed = found.keys.filter { files[$0] == nil && $0 != SumFile.name }.sorted()
        guard !written.isEmpty || !removed.isEmpty || found[SumFile.name] != sums.text else { return [] }
        try write(written.map { ($0.key, $0.value) }, removing: removed, sums: sums)
        return written.map { found[$0.key] == nil ? "wrote \($0.key)" : "wrote \($0.key) anew" }
            + removed.map { "removed \($0)" } + ["wrote \(SumFile.name)"]
    }
}
