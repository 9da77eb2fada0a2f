package import StrataMigrations

extension MigrationFolder {
    /// Makes the sum file fit files that were edited on purpose, before any database had them.
    ///
    /// Throws ``MigrationError`` for files that do not belong together; an edit of the sum file is none.
    ///
    /// - Returns: What changed, a line each.
    @discardableResult
    package func hash() throws(MigrationError) -> [String] {
        let texts = try mergedTexts()
        _ = try Self.contents(of: texts)
        let sums = try Self.sums(of: texts)
        guard let text = texts[SumFile.name] else {
            if sums.lines.isEmpty { return [] }
            try write([], removing: [], sums: sums)
            return ["wrote \(SumFile.name)"]
        }
        let old = Self.checksums(in: [text])
        var changes = sums.lines.compactMap { line -> String? in
            guard let known = old[line.file] else { return "\(line.file) is new" }
            return known.contains(line.checksum) ? nil : "\(line.file) was edited"
        }
        let names = Set(sums.lines.map(\.file))
        changes += old.keys.filter { !names.contains($0) }.sorted().map { "\($0) is gone" }
        if changes.isEmpty, (try? SumFile(text: text)) != sums { changes = ["wrote \(SumFile.name) anew"] }
        if !changes.isEmpty { try write([], removing: [], sums: sums) }
        return changes
    }

    /// The sum file that fits the texts: each version before the stage that leads to it.
    static func sums(of texts: [String: String]) throws(MigrationError) -> SumFile {
        var files: [(order: Int, name: String, checksum: String)] = []
        for (index, schema) in try frozen(in: texts).enumerated() {
            files.append((index * 2, frozenName(schema.version), checksum(of: schema)))
        }
        for (name, text) in texts where name.hasSuffix(".sql") {
            let number = StageScript.parts(ofStem: String(name.prefix { $0 != "." }))?.number ?? 0
            files.append((number * 2 - 1, name, try MigrationFile.checksum(of: text, file: name)))
        }
        files.sort { ($0.order, $0.name) < ($1.order, $1.name) }
        return SumFile(files.map { ($0.name, $0.checksum) })
    }

    static func checkSums(of texts: [String: String]) throws(MigrationError) {
        let found = try sums(of: texts)
        guard let text = texts[SumFile.name] else {
            if found.lines.isEmpty { return }
            throw MigrationError(
                .integrity, "\(SumFile.name) is missing.", places: [SumFile.name],
                remedy: "restore it from version control; run generate again if it was interrupted")
        }
        let changes = changes(from: try SumFile(text: text), to: found)
        guard changes.isEmpty else {
            throw MigrationError(
                .integrity, "The files are not those of \(SumFile.name).", places: changes,
                remedy: "restore them from version control; where it was meant and no database has them, run hash; "
                    + "after a merge run rebase; after a generate that was interrupted run it again")
        }
    }

    /// What differs, a place each.
    static func changes(from old: SumFile, to new: SumFile) -> [String] {
        let before = Dictionary(old.lines.map { ($0.file, $0.checksum) }, uniquingKeysWith: { $1 })
        let after = Set(new.lines.map(\.file))
        return new.lines.compactMap { line in
            guard let checksum = before[line.file] else { return "\(line.file):1 is new" }
            return checksum == line.checksum ? nil : "\(line.file):1 was edited"
        } + old.lines.filter { !after.contains($0.file) }.map { "\($0.file):1 is missing" }
    }

    /// The checksums in sum files by name, whether or not a line follows from the line before.
    static func checksums(in sumTexts: [String]) -> [String: Set<String>] {
        var checksums: [String: Set<String>] = [:]
        for line in sumTexts.flatMap({ $0.split(whereSeparator: \.isNewline) }) where !line.hasPrefix("#") {
            let words = line.split(separator: " ")
            if words.count == 3 { checksums[String(words[0]), default: []].insert(String(words[1])) }
        }
        return checksums
    }

    private static func checksum(of schema: FrozenSchema) -> String {
        var digest = TokenDigest()
        // As it is read, so that a formatter may have been at it.
        digest.add(schema.canonicalJSON)
        return digest.hex
    }
}
