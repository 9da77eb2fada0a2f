import StrataMigrations

/// What a folder becomes when it follows the plan again.
struct FolderRebase {
    private let chain: MigrationChain
    private let schemaName: String
    /// Of either branch.
    private let stages: [StageFiles]
    private let frozen: [(schema: FrozenSchema, text: String)]
    /// Of either branch's sum file.
    private let checksums: [String: Set<String>]

    init(_ texts: [String: String], chain: MigrationChain, schemaName: String) throws(MigrationError) {
        (self.chain, self.schemaName) = (chain, schemaName)
        var stages: [StageFiles] = []
        var frozen: [(schema: FrozenSchema, text: String)] = []
        let sides = try MergeSides(texts).texts
        for side in sides {
            for stem in MigrationFolder.stems(in: side) {
                let files = try StageFiles(stem, in: side)
                if !stages.contains(files) { stages.append(files) }
            }
            for schema in try MigrationFolder.frozen(in: side) where !frozen.contains(where: { $0.schema == schema }) {
                frozen.append((schema, side[MigrationFolder.frozenName(schema.version)] ?? schema.canonicalJSON))
            }
        }
        (self.stages, self.frozen) = (stages, frozen)
        checksums = MigrationFolder.checksums(in: sides.compactMap { $0[SumFile.name] })
    }

    /// All files but the sums.
    func files() throws(MigrationError) -> [String: String] {
        for (schema, _) in frozen where !chain.versions.contains(where: { $0.version == schema.version }) {
            throw MigrationError(
                .integrity, "The migration plan has no version \(schema.version), but the folder has.",
                places: [MigrationFolder.frozenName(schema.version) + ":1"],
                remedy: "put the versions of both branches into the plan, then run rebase")
        }
        var files: [String: String] = [:]
        var used: Set<StageFiles> = []
        for index in chain.versions.indices {
            let version = chain.versions[index]
            let written = frozen.filter { $0.schema.version == version.version }
            let kept = written.first { $0.schema.fingerprint == version.fingerprint }
            files[MigrationFolder.frozenName(version.version)] = kept?.text ?? version.canonicalJSON
            let (stage, taken) = try stageFiles(at: index, isEdited: kept == nil && !written.isEmpty)
            used.formUnion(taken)
            files.merge(stage.texts) { $1 }
        }
        for stage in stages where stage.script.isSquashed {
            used.insert(stage)
            if let kept = try squashed(stage) { files.merge(kept.texts) { $1 } }
        }
        for stage in stages where !used.contains(stage) {
            throw MigrationError(
                .integrity,
                "\(stage.script.stem).sql leads to version \(stage.script.to.version), which the plan does not have.",
                places: ["\(stage.script.stem).sql:4"],
                remedy: "put the versions of both branches into the plan, then run rebase")
        }
        return files
    }

    // MARK: - A stage

    /// The files of the stage that leads to a version, and those that they stand for.
    private func stageFiles(
        at index: Int, isEdited: Bool
    ) throws(MigrationError) -> (files: StageFiles, standFor: [StageFiles]) {
        let candidates = stages.filter {
            !$0.script.isSquashed && $0.script.to.version == chain.versions[index].version
        }
        let (from, to) = (chain.version(at: index - 1), chain.version(at: index))
        let fitting = candidates.filter { $0.script.from == from && $0.script.to == to }
        guard let kept = fitting.first(where: { $0.script.number == index + 1 }) ?? fitting.first else {
            if isEdited, candidates.isEmpty || candidates.contains(where: { $0.script.from == from }) {
                throw edited(at: index)
            }
            for candidate in candidates {
                try requireGenerated(candidate, "the version before it in the plan is another now")
            }
            return (try StageFiles(chain.script(at: index, in: schemaName)), candidates)
        }
        let files = try numbered(kept, index + 1)
        for candidate in candidates where candidate != kept {
            if let same = try? numbered(candidate, index + 1), same == files { continue }
            try requireGenerated(candidate, "the plan has \(kept.script.stem).sql of the other branch in its place")
        }
        return (files, candidates)
    }

    /// The same stage in its place in the plan.
    private func numbered(_ files: StageFiles, _ number: Int) throws(MigrationError) -> StageFiles {
        if files.script.number == number {
            if !isListed(files), generation(of: files) == nil { throw changed(files) }
            return files
        }
        if let stage = generation(of: files) {
            var renumbered = chain
            if number > 1 { renumbered.stages[number - 2] = stage }
            return try StageFiles(renumbered.script(at: number - 1, in: files.script.schemaName))
        }
        guard isListed(files) else { throw changed(files) }
        return try files.numbered(number)
    }

    private func squashed(_ files: StageFiles) throws(MigrationError) -> StageFiles? {
        let index = chain.versions.indices.first { chain.version(at: $0) == files.script.to }
        if let index, files.script.number == index + 1 {
            guard isListed(files) else { throw changed(files) }
            return files
        }
        try requireGeneratedSquash(files)
        // One for a version that the plan does not have is of no use to anybody any more.
        guard let index, let script = chain.squashed(at: index, in: files.script.schemaName) else { return nil }
        return try StageFiles(script, replaces: 1...script.number)
    }

    // MARK: - Edits

    /// The stage of the plan from which the files were generated as they are; `nil` for files that somebody has edited.
    private func generation(of files: StageFiles) -> MigrationChain.Stage? {
        let script = files.script
        guard let to = schema(script.to) else { return nil }
        let from = script.from.flatMap { schema($0) }
        guard (from == nil) == (script.from == nil) else { return nil }
        for stage in [MigrationChain.Stage()] + chain.stages {
            let planned = try? MigrationPlanner.script(
                number: script.number, from: from, to: to, stage: stage, schemaName: script.schemaName,
                recordsHistory: chain.recordsHistory)
            if let planned, (try? StageFiles(planned)) == files { return stage }
        }
        return nil
    }

    private func schema(_ version: StageScript.Version) -> FrozenSchema? {
        (frozen.map(\.schema) + chain.versions).first {
            $0.version == version.version && $0.fingerprint == version.fingerprint
        }
    }

    /// Whether the sum file of a branch has the files as they are, or does not have them at all.
    private func isListed(_ files: StageFiles) -> Bool {
        files.texts.allSatisfy { name, text in
            guard let known = checksums[name] else { return true }
            return (try? MigrationFile.checksum(of: text, file: name)).map { known.contains($0) } ?? false
        }
    }

    private func requireGenerated(_ files: StageFiles, _ reason: String) throws(MigrationError) {
        guard generation(of: files) == nil else { return }
        let name = files.script.stem + ".sql"
        throw MigrationError(
            .integrity, "\(name) has to be written anew, because \(reason), and it was edited by hand.",
            places: ["\(name):1"],
            remedy:
                "keep a copy, remove its files with \(MigrationFolder.frozenName(files.script.to.version)), run rebase, "
                + "bring the edits into the new files and run hash")
    }

    private func requireGeneratedSquash(_ files: StageFiles) throws(MigrationError) {
        let script = files.script
        if let schema = schema(script.to) {
            for recordsHistory in [true, false] {
                let creation = Creation(
                    schema, schemaName: script.schemaName, number: script.number, name: script.name,
                    recordsHistory: recordsHistory
                ).script
                if try creation.clean().checksum == script.checksum { return }
            }
        }
        throw MigrationError(
            .integrity, "\(script.stem).sql does not fit the plan any more, and it was edited by hand.",
            places: ["\(script.stem).sql:1"], remedy: "keep a copy, remove it, run rebase and then squash")
    }

    private func changed(_ files: StageFiles) -> MigrationError {
        MigrationError(
            .integrity, "\(files.script.stem).sql is not as \(SumFile.name) has it.",
            places: ["\(files.script.stem).sql:1"],
            remedy: "restore it from version control; where the edit was meant and no database has it, run hash first")
    }

    /// A version that is written down otherwise, and not because another one came before it.
    private func edited(at index: Int) -> MigrationError {
        let version = chain.versions[index]
        let written = frozen.map(\.schema).filter { $0.version == version.version }
        guard written.count > 1, let ours = written.first, let theirs = written.last else {
            let difference = written.first.map { FrozenSchemaDifference(from: $0, to: version) }
            return MigrationFolder.edited(
                version, difference ?? FrozenSchemaDifference(from: version, to: version), of: chain)
        }
        return MigrationError(
            .integrity, "Version \(version.version) of the plan is that of neither branch.",
            places: [MigrationFolder.frozenName(version.version) + ":1"]
                + FrozenSchemaDifference(from: ours, to: version).lines.map { "to ours: " + $0 }
                + FrozenSchemaDifference(from: theirs, to: version).lines.map { "to theirs: " + $0 },
            remedy: "leave it as one branch has it, and make a new version of what the other one changes")
    }
}
