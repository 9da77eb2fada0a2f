package import StrataMigrations
import StrataModels

extension MigrationFolder {
    /// Writes what the folder lacks of a chain: frozen versions, stages, and the sums. What exists is never overwritten;
    /// a second run writes nothing, and one after a crash completes it.
    ///
    /// Throws like ``contents()``, `integrity` for a written version that the code no longer describes as it was, with the
    /// fields that differ, and what planning a stage throws.
    ///
    /// - Parameter schemaName: The PostgreSQL schema new statements name.
    /// - Returns: The names of the files that were written.
    @discardableResult
    package func generate(_ chain: MigrationChain, schemaName: String) throws(MigrationError) -> [String] {
        let (missing, texts) = try Self.missing(of: chain, schemaName: schemaName, in: try mergedTexts())
        if missing.isEmpty { return [] }
        let merged = texts.merging(missing.map { ($0.name, $0.text) }) { $1 }
        try write(missing, removing: [], sums: try Self.sums(of: merged))
        return missing.map(\.name) + [SumFile.name]
    }

    /// The same without writing.
    ///
    /// Throws like ``generate(_:schemaName:)``, and `difference` with the names of what is missing.
    package func check(_ chain: MigrationChain, schemaName: String) throws(MigrationError) {
        let missing = try Self.missing(of: chain, schemaName: schemaName, in: try mergedTexts()).files
        guard missing.isEmpty else {
            throw MigrationError(
                .difference, "The folder lacks files of the migration plan.", places: missing.map(\.name),
                remedy: "run generate and commit what it writes")
        }
    }

    /// - Returns: The files to write, and those that are there and in the sum file.
    static func missing(
        of chain: MigrationChain, schemaName: String, in found: [String: String]
    ) throws(MigrationError) -> (files: [(name: String, text: String)], texts: [String: String]) {
        let (listed, unlisted) = divided(found)
        let contents = try contents(of: listed)
        if listed[SumFile.name] != nil { try checkSums(of: listed) }
        try requireVersions(contents, of: chain)

        var missing: [(name: String, text: String)] = []
        for version in chain.versions where !contents.frozen.contains(where: { $0.version == version.version }) {
            missing.append((frozenName(version.version), version.canonicalJSON))
        }
        let written = chain.asWritten(in: contents.frozen)
        for index in chain.versions.indices {
            if let existing = contents.scripts.first(where: { $0.number == index + 1 }) {
                try requireStage(existing, at: index, of: chain, schemaName: schemaName)
            } else {
                missing += try MigrationFile(try written.script(at: index, in: schemaName)).files
            }
        }
        try requireInterrupted(unlisted, among: missing, hasSums: found[SumFile.name] != nil)
        return (missing, listed)
    }

    /// Those files that the sum file has, and those that it has not.
    static func divided(_ texts: [String: String]) -> (listed: [String: String], unlisted: [String: String]) {
        let names = texts[SumFile.name].map { Set(checksums(in: [$0]).keys) } ?? []
        let listed = texts.filter { $0.key == SumFile.name || names.contains($0.key) }
        return (listed, texts.filter { listed[$0.key] == nil })
    }

    /// A file without a sum is what a command left that was interrupted while it wrote that very file.
    static func requireInterrupted(
        _ unlisted: [String: String], among files: [(name: String, text: String)], hasSums: Bool
    ) throws(MigrationError) {
        let others = unlisted.filter { name, text in !files.contains { $0.name == name && $0.text == text } }
        guard !others.isEmpty else { return }
        throw MigrationError(
            .integrity,
            hasSums ? "There are files that \(SumFile.name) does not have." : "\(SumFile.name) is missing.",
            places: others.keys.sorted().map { "\($0):1 is new" },
            remedy: "after a merge run rebase; run hash if they were written by hand")
    }

    /// What is written down is what the plan says.
    private static func requireVersions(_ contents: Contents, of chain: MigrationChain) throws(MigrationError) {
        for version in chain.versions {
            guard let frozen = contents.frozen.first(where: { $0.version == version.version }) else { continue }
            let difference = FrozenSchemaDifference(from: frozen, to: version)
            guard difference.isEmpty else { throw edited(version, difference, of: chain) }
        }
        for frozen in contents.frozen where !chain.versions.contains(where: { $0.version == frozen.version }) {
            throw MigrationError(
                .integrity, "The migration plan has no version \(frozen.version), but the folder has.",
                places: [frozenName(frozen.version) + ":1"], remedy: "keep released versions in the plan")
        }
        if let script = contents.scripts.first(where: { $0.number > chain.versions.count }) {
            throw MigrationError(
                .integrity, "\(script.stem).sql leads beyond the migration plan.", places: ["\(script.stem).sql:4"],
                remedy: "keep released versions in the plan")
        }
    }

    static func edited(
        _ version: FrozenSchema, _ difference: FrozenSchemaDifference, of chain: MigrationChain
    ) -> MigrationError {
        let name = frozenName(version.version)
        let isNewest = version.version == chain.versions.last?.version
        return MigrationError(
            .integrity,
            isNewest
                ? "The models are not version \(version.version) as it was written down."
                : "Version \(version.version) was changed after it was written down.",
            places: [name + ":1"] + difference.lines,
            remedy: (isNewest ? "make a new version of the change" : "undo the change and make a new version of it")
                + "; or, " + rewriting(version.version, of: chain))
    }

    /// What to do about the files of a version that no database has seen.
    private static func rewriting(_ version: Schema.Version, of chain: MigrationChain) -> String {
        let unseen = "if no database has version \(version) yet, "
        if version == chain.versions.last?.version { return unseen + "run generate --rewrite" }
        return unseen
            + "remove \(frozenName(version)) with the stage that leads to it, and all later ones, run hash and "
            + "then generate"
    }

    private static func requireStage(
        _ script: StageScript, at index: Int, of chain: MigrationChain, schemaName: String
    ) throws(MigrationError) {
        guard script.from == chain.version(at: index - 1), script.to == chain.version(at: index) else {
            throw MigrationError(
                .integrity, "\(script.stem).sql is not between the versions of the plan.",
                places: ["\(script.stem).sql:3"], remedy: "run rebase after a merge")
        }
        guard script.schemaName == schemaName else {
            throw MigrationError(
                .usage,
                "\(script.stem).sql is written for the schema \"\(script.schemaName)\", not for \"\(schemaName)\".",
                places: ["\(script.stem).sql:5"], remedy: "name the schema, or a folder of its own for each schema")
        }
        let stage = chain.stage(at: index)
        let planned = Set(
            (stage.hasWillMigrate ? [StageClosure.willMigrate] : []) + (stage.hasDidMigrate ? [.didMigrate] : []))
        let written = script.closures
        guard planned != written else { return try requireDeclarations(script, stage, of: chain) }
        let words = planned.symmetricDifference(written).map(\.rawValue).sorted().joined(separator: " and ")
        throw MigrationError(
            .integrity, "The plan and \(script.stem).sql do not agree about \(words).",
            places: ["\(script.stem).sql:1"],
            remedy: "a stage that is written down keeps its closures; or, " + rewriting(script.to.version, of: chain))
    }

    /// A file tells what its stage declared when it was generated. What a later library would write for the same
    /// declarations does not matter, and neither do files that were written by hand.
    private static func requireDeclarations(
        _ script: StageScript, _ stage: MigrationChain.Stage, of chain: MigrationChain
    ) throws(MigrationError) {
        guard let generation = script.generation, generation.changes != stage.declaration else { return }
        throw MigrationError(
            .integrity,
            "\(script.stem).sql is not what the plan says now: the changes of its stage are others than when it was "
                + "generated.",
            places: ["\(script.stem).sql:1"],
            remedy: "undo the edit of the plan; or, " + rewriting(script.to.version, of: chain))
    }
}

extension MigrationChain {
    /// The same with the versions that are written down as they are written. What a later library finds in the classes besides,
    /// such as an index that an option had not then, is part of the next stage.
    fileprivate func asWritten(in frozen: [FrozenSchema]) -> MigrationChain {
        var chain = self
        for index in versions.indices.dropLast() {
            if let version = frozen.first(where: { $0.version == versions[index].version }) {
                chain.versions[index] = version
            }
        }
        return chain
    }

    func version(at index: Int) -> StageScript.Version? {
        guard versions.indices.contains(index) else { return nil }
        return StageScript.Version(versions[index].version, fingerprint: versions[index].fingerprint)
    }
}

extension StageScript {
    /// What only the program that holds the plan can run.
    var closures: Set<StageClosure> {
        Set(steps.compactMap { if case .closure(let closure) = $0.execution { closure } else { nil } })
    }
}
