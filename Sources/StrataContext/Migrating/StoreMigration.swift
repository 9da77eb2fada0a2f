import Logging
import StrataClient
import StrataMigrations
import StrataModels
import StrataRepository

/// Brings a store to the container's version of the plan, or looks whether it is there. Blocks.
struct StoreMigration: Sendable {
    /// What of the plan this store keeps.
    let contents: PlanContents
    private let chain: MigrationChain
    /// The container's version in the plan.
    let target: Int
    let policy: MigrationPolicy
    /// Whether the plan's migrations make triggers.
    var recordsHistory: Bool { chain.recordsHistory }

    /// Throws ``MigrationError`` for versions that cannot be frozen.
    init(_ contents: PlanContents, target: Int, policy: MigrationPolicy) throws {
        self.contents = contents
        self.target = target
        chain = try contents.chain()
        self.policy = policy
    }

    /// Where a store stands before anything is written.
    enum Standing {
        /// There are no tables of ours.
        case empty
        /// There are tables of this version, and no record of it.
        case unrecorded(Int)
        /// This version is recorded; `nil` while the first one is being made.
        case recorded(Int?)

        /// The version in the plan; -1 while the first one is being made, `nil` where there is nothing.
        var position: Int? {
            switch self {
            case .empty: nil
            case .unrecorded(let position): position
            case .recorded(let position): position ?? -1
            }
        }
    }

    /// Where the store stands. Reads only.
    ///
    /// Throws what forbids to open it: a database that is beyond the container's version, or at none of the plan's.
    func standing(in place: Place) throws -> Standing {
        let state = try runner(for: place, nil).state(of: [])
        let position = try state.version.map { try self.position(of: $0, in: place) }
        if let position, position >= target { try requireNotBeyond(position, state) }
        switch state {
        case .empty: return .empty
        case .unrecorded: return try unrecordedStanding(in: place)
        case .at, .inProgress: return .recorded(position)
        }
    }

    /// Takes the store from where it stands to a version of the plan, or looks whether nothing is left to do.
    ///
    /// - Parameters:
    ///   - closures: runs the code of the plan's stages.
    ///   - goal: the version, the container's where nothing is written.
    /// - Returns: the store's identity if its tables were created just now.
    func advance(_ place: Place, from standing: Standing, to goal: Int, _ closures: PlanClosures) throws
        -> StoreIdentity?
    {
        let runner = runner(for: place, closures)
        let policy = policy(in: place)
        switch standing {
        case .empty:
            return try create(goal, runner, policy, in: place)
        case .unrecorded(let position):
            try record(position, runner)
            if position < goal { try apply(place, runner, policy, from: position, to: goal) }
        case .recorded(let position):
            if (position ?? -1) < goal { try apply(place, runner, policy, from: position, to: goal) }
        }
        return nil
    }

    /// Whoever may not write only looks.
    func policy(in place: Place) -> MigrationPolicy { place.allowsSave ? policy : .verify }

    private func runner(for place: Place, _ closures: PlanClosures?) -> MigrationRunner {
        var options = RunnerOptions()
        for (index, version) in chain.versions.enumerated() { options.descriptions[index + 1] = version }
        options.searchesSchema = place.isTenant
        let logger = place.logger
        return MigrationRunner(
            configuration: place.configuration, schemaName: place.schemaName, options: options, closures: closures,
            report: { logger.log($0) })
    }

    private func version(_ index: Int) -> StageScript.Version {
        StageScript.Version(chain.versions[index].version, fingerprint: chain.versions[index].fingerprint)
    }

    // MARK: A record

    /// Where in the plan the recorded version is.
    private func position(of recorded: RecordedVersion, in place: Place) throws -> Int {
        if let position = chain.versions.firstIndex(where: { $0.version == recorded.version }) {
            guard chain.versions[position].fingerprint == recorded.fingerprint else {
                throw SwiftDataError(
                    .unknownSchema,
                    """
                    The database is at version \(recorded.version), which was another one when it was applied:
                    \(try lines(of: recorded, against: chain.versions[position], in: place))
                    A released version must not be edited: restore it, and make the change in a new version.
                    """)
            }
            return position
        }
        if let newest = chain.versions.last, recorded.version > newest.version {
            throw SwiftDataError(
                .backwardMigration,
                "The database is at version \(recorded.version), newer than the plan's newest, \(newest.version). Use a program that "
                    + "knows that version, or roll the stage back with a program that does.")
        }
        throw SwiftDataError(
            .unknownSchema,
            "The database is at version \(recorded.version), which the plan does not have: it has "
                + chain.versions.map(\.version.description).joined(separator: ", ")
                + ". Bring that version back into the plan.")
    }

    private func lines(of recorded: RecordedVersion, against version: FrozenSchema, in place: Place) throws -> String {
        var lines: [String] = []
        if let text = recorded.description,
            let then = try? FrozenSchema(canonicalJSON: text, file: "strata.schema_version")
        {
            lines = FrozenSchemaDifference(from: then, to: version).lines
        }
        // Files that psql applies record no description: the tables say what they can.
        if lines.isEmpty { lines = try differences(of: [version], in: place).lines[0] }
        if lines.isEmpty { lines = ["its fingerprint was \(recorded.fingerprint)"] }
        return lines.map { "- " + $0 }.joined(separator: "\n")
    }

    /// The database is where the container is, or further.
    private func requireNotBeyond(_ position: Int, _ state: MigrationState) throws {
        if position > target {
            throw SwiftDataError(
                .backwardMigration,
                "The database is at version \(chain.versions[position].version), the container's schema is "
                    + "\(chain.versions[target].version). Open it with the newer schema, or roll the stage back.")
        }
        // A stage of a newer program may be under way: until it contracts, this version goes on.
        guard case .inProgress(_, let progress) = state else { return }
        if progress.isRollback {
            throw MigrationError(
                .difference, "A rollback is under way: \(progress.stage) is not complete.",
                remedy: "run the rollback again")
        }
        guard progress.begun < .contract else {
            throw SwiftDataError(
                .backwardMigration,
                "The database is leaving version \(chain.versions[position].version): the stage \(progress.stage) has begun its "
                    + "phase contract, from which on nothing carries over what this version writes. Use a program of the "
                    + "version that the stage leads to.")
        }
    }

    private func apply(
        _ place: Place, _ runner: MigrationRunner, _ policy: MigrationPolicy, from position: Int?, to goal: Int
    ) throws {
        let chain = MigrationChain(
            versions: Array(chain.versions.prefix(goal + 1)), stages: Array(chain.stages.prefix(goal)),
            recordsHistory: chain.recordsHistory)
        let scripts = try Self.scripts(of: chain, in: place)
        guard policy == .verify else {
            try runner.apply(scripts)
            return
        }
        var steps = scripts.dropFirst((position ?? -1) + 1).flatMap(\.steps)
        if case .inProgress(_, let progress) = try runner.state(of: scripts) {
            steps.removeAll { progress.done.contains($0.id) }
        }
        try requireUsable(steps, isOnlyNewest: position == target - 1)
    }

    private static func scripts(of chain: MigrationChain, in place: Place) throws -> [StageScript] {
        guard place.isTenant else { return try chain.scripts(in: place.schemaName) }
        return try chain.scripts(in: place.planSchemaName).map { try $0.moved(to: place.schemaName) }
    }

    /// The steps of contract take away what only the version before needs: code of the new version can do without
    /// them, unless one of them gives it a name or moves its data.
    private func requireUsable(_ pending: [MigrationStep], isOnlyNewest: Bool) throws {
        let version = chain.versions[target].version
        let isContractLeft = isOnlyNewest && pending.allSatisfy { $0.phase == .contract }
        let needed = isContractLeft ? pending.neededByNewCode : pending
        guard !needed.isEmpty else { return }
        let places = needed.map { "step \($0.id), phase \($0.phase): \($0.title)" }
        guard isContractLeft else {
            throw MigrationError(
                .difference, "The database is not at version \(version): \(pending.count) steps are pending.",
                places: places, remedy: "apply the migrations, then start again")
        }
        throw MigrationError(
            .difference,
            "The database is not at version \(version): steps of phase contract are pending that code of this version needs.",
            places: places,
            remedy: "stop the code of the version before, apply the phase contract, then start again")
    }

    // MARK: No record

    private func create(_ goal: Int, _ runner: MigrationRunner, _ policy: MigrationPolicy, in place: Place) throws
        -> StoreIdentity
    {
        guard policy == .apply else {
            throw MigrationError(
                .difference, "The database has no tables: version \(chain.versions[target].version) is not applied.",
                remedy: "apply the migrations, then start again")
        }
        let mapping = StoreMapping(contents.schemas[goal], in: place.schemaName, recordsHistory: recordsHistory)
        let identity = try place.pool.withConnection(for: "create the tables") { connection in
            // A tenant that somebody else has made meanwhile is not handed over.
            try StorePreparation.create(mapping, on: connection, onlyNew: place.isTenant)
        }
        try runner.baseline(version(goal), description: chain.versions[goal], recordsHistory: recordsHistory)
        return identity
    }

    /// Tables that were made by a container without a plan, before there was one; or by others.
    private func unrecordedStanding(in place: Place) throws -> Standing {
        let differences = try differences(of: chain.versions, in: place)
        if differences.areNone { return .empty }
        let position = try adoptable(differences.lines)
        try requireCompared(differences)
        guard policy(in: place) == .apply else {
            throw MigrationError(
                .difference,
                "The database has tables of version \(chain.versions[position].version), but no record of migrations.",
                remedy: "record it with baseline, or open it once with migrations: .apply")
        }
        if position > target { try requireNotBeyond(position, .empty) }
        return .unrecorded(position)
    }

    private func record(_ position: Int, _ runner: MigrationRunner) throws {
        try runner.baseline(
            version(position), description: chain.versions[position], recordsHistory: chain.recordsHistory)
    }

    /// The version whose tables these are.
    private func adoptable(_ differences: [[String]]) throws(SwiftDataError) -> Int {
        if differences.indices.contains(target), differences[target].isEmpty { return target }
        if let position = differences.lastIndex(where: \.isEmpty) { return position }
        let nearest = differences.indices.min { differences[$0].count < differences[$1].count } ?? target
        throw SwiftDataError(
            .unknownSchema,
            """
            The database has tables but no record of migrations, and they are those of no version of the plan. Version \
            \(chain.versions[nearest].version) is the nearest:
            \(differences[nearest].map { "- " + $0 }.joined(separator: "\n"))
            Change the tables to one of the versions, or record with baseline which one they stand for.
            """)
    }

    /// Throws where the tables may be those of several versions, since only conditions tell these apart and the role may not compare them.
    private func requireCompared(_ differences: Differences) throws(MigrationError) {
        let fitting = zip(chain.versions, differences.lines).filter { $1.isEmpty }.map(\.0)
        guard let unread = differences.unread.first, Set(fitting.map(\.database.conditions)).count > 1 else { return }
        throw MigrationError(
            .difference,
            "The database has tables but no record of migrations, and what tells the versions "
                + fitting.map(\.version.description).joined(separator: ", ") + " apart could not be compared.",
            places: [unread],
            remedy:
                "let the role make temporary tables (GRANT TEMPORARY), or record with baseline which version they are of"
        )
    }

    private typealias Differences = (areNone: Bool, lines: [[String]], unread: [String])

    /// Where the tables differ from each of the versions, one line each; whether there are no tables at all; and what could not be compared.
    /// Only those tables count that belong to any version of the plan; what else is in the schema is not ours.
    private func differences(of versions: [FrozenSchema], in place: Place) throws -> Differences {
        let ours = Set(chain.versions.flatMap { $0.database.tables.map(\.name) })
        return try place.pool.withConnection(for: "compare the tables with the plan") { connection in
            var found = try CatalogInspection.read(schemaName: place.schemaName, connection: connection).definition
            found.tables.removeAll { !ours.contains($0.name) }
            found.sequences = []
            let printed = try versions.map { try PrintedDefinition($0.database, found: found, on: connection) }
            let lines = printed.map { CatalogDifference(expected: $0.definition, found: found).lines }
            return (found.tables.isEmpty, lines, printed.flatMap(\.unread))
        }
    }
}

extension StoreMigration {
    /// The PostgreSQL schema to migrate.
    struct Place: Sendable {
        /// The store, for messages.
        let name: String
        let configuration: PostgresConfiguration
        let pool: PostgresPool
        let schemaName: String
        /// The schema that statements of the plan's own may name: of a tenant the container's, in whose place the tenant's is put.
        let planSchemaName: String
        let allowsSave: Bool
        let logger: Logger
        /// What a failure is for whoever opens the container.
        let explain: @Sendable (any Error) -> any Error

        var isTenant: Bool { planSchemaName != schemaName }
    }
}

extension Logger {
    /// What people watch a start-up for at level info or above, everything else below.
    fileprivate func log(_ event: MigrationEvent) {
        switch event {
        case .waitingForRunner(let holder, _):
            notice(
                "waiting for another process to migrate", metadata: ["holder": "\(holder.map { "\($0)" } ?? "unknown")"]
            )
        case .stageStarted(let stage): notice("migrating", metadata: ["stage": "\(stage)"])
        case .stageFinished(let stage, let version):
            notice("migrated", metadata: ["stage": "\(stage)", "version": "\(version)"])
        case .stepFinished(let step, let title, _, _):
            info("step done", metadata: ["step": "\(step)", "title": "\(title)"])
        case .stepWaiting(let step, let blockers):
            notice("waiting for a lock", metadata: ["step": "\(step)", "blockers": "\(blockers.map { "\($0)" })"])
        case .stepRetry(let step, let attempt, _, let reason, _):
            notice("trying again", metadata: ["step": "\(step)", "attempt": "\(attempt)", "reason": "\(reason)"])
        default: debug("\(event)")
        }
    }
}
