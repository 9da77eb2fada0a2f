/// What is still to be done on a database, from its record and the files.
package struct PendingStages: Sendable {
    package struct Stage: Sendable {
        package var script: StageScript
        /// Those that are not done, in order.
        package var steps: [MigrationStep]
        /// Whether some are done.
        package var isStarted: Bool
    }

    package var stages: [Stage]

    /// What is said about a folder that lacks files of the plan: the wrong one, or one that `generate` has not filled.
    package static let missingFilesRemedy = "run generate, or name the folder with --dir"

    /// - Throws: `MigrationError`: `integrity` where the record names a version that the files write down differently,
    ///   or that they do not have, `difference` where there are no files, `usage` for tables without a record.
    package init(_ state: MigrationState, scripts: [StageScript]) throws(MigrationError) {
        stages = []
        var position: StageScript.Version?
        switch state {
        case .empty: position = nil
        case .unrecorded(let tables):
            throw MigrationError(
                .usage, "The database has tables, but no record of migrations.",
                places: tables.prefix(5).map { "table \($0)" }
                    + (tables.count > 5 ? ["and \(tables.count - 5) more"] : []),
                remedy: "adopt it with baseline")
        case .at(let version): position = try Self.position(of: version, in: scripts)
        case .inProgress(let version, let progress):
            position = try version.map { recorded throws(MigrationError) in
                try Self.position(of: recorded, in: scripts)
            }
            guard !progress.isRollback else {
                throw MigrationError(
                    .difference, "The rollback \(progress.stage) was interrupted.", remedy: "run rollback again")
            }
            guard let script = scripts.first(where: { $0.stage == progress.stage }) else {
                throw MigrationError(
                    .integrity, "The stage \(progress.stage) was begun, and no file of this name is there.",
                    remedy: "bring its file back")
            }
            let steps = script.steps.filter { progress.pending.contains($0.id) }
            stages.append(Stage(script: script, steps: steps, isStarted: !progress.done.isEmpty))
            position = script.to
        }
        // Squashed files start from nothing as well; the last of them is the shortest way.
        while let script = position == nil
            ? scripts.last(where: { $0.from == nil }) : scripts.first(where: { $0.from == position })
        {
            stages.append(Stage(script: script, steps: script.steps, isStarted: false))
            position = script.to
        }
    }

    private static func position(
        of recorded: RecordedVersion, in scripts: [StageScript]
    ) throws(MigrationError) -> StageScript.Version {
        guard !scripts.isEmpty else {
            throw MigrationError(
                .difference, "The database is at version \(recorded.version), and there are no migration files.",
                remedy: missingFilesRemedy)
        }
        let same = scripts.flatMap { [$0.from, $0.to].compactMap { $0 } }.filter { $0.version == recorded.version }
        guard let known = same.first else {
            let isNewer = scripts.allSatisfy { $0.to.version < recorded.version }
            throw MigrationError(
                .integrity,
                isNewer
                    ? "The database is newer than the code: it is at version \(recorded.version), to which no file leads."
                    : "The database is at version \(recorded.version), to which no file leads.",
                remedy: isNewer ? "use the code that knows version \(recorded.version)" : "bring its files back")
        }
        guard same.contains(where: { $0.fingerprint == recorded.fingerprint }) else {
            throw MigrationError(
                .integrity, "Version \(recorded.version) was changed after it was applied.",
                places: ["recorded \(recorded.fingerprint)", "expected \(known.fingerprint)"],
                remedy: "restore the released version, and make a new one of the change")
        }
        return StageScript.Version(recorded.version, fingerprint: recorded.fingerprint)
    }
}
