import StrataMigrations

/// What the next stage lets go by name, and how much of it the database has now.
struct PlannedLoss: Encodable, Sendable {
    /// `Trip.notes`, `Draft`.
    var subject: String
    /// `value`, `row` or `link`.
    var unit: String
    /// `nil` where counting took more than a minute.
    var count: Int64?

    /// `loses Trip.notes: 1,200 values`
    var text: String {
        "loses \(subject): " + (count.map { Int($0).counted(unit) } ?? "not counted within a minute")
    }
}

extension DatabaseWork {
    /// Counted for the next stage only: what is behind it may change its columns. None when its contract has begun.
    func losses(of stage: PendingStages.Stage?) throws -> [PlannedLoss] {
        guard let stage, let from = stage.script.from, !stage.hasBegunContract,
            let position = chain.versions.dropLast().firstIndex(where: {
                $0.version == from.version && $0.fingerprint == from.fingerprint
            }), chain.versions[position + 1].version == stage.script.to.version
        else { return [] }
        let losses = try MigrationPlanner.losses(
            from: chain.versions[position], to: chain.versions[position + 1], stage: chain.stages[position],
            schemaName: schemaName)
        guard !losses.isEmpty else { return [] }
        return try withConnection { connection in
            try losses.map { PlannedLoss(subject: $0.subject, unit: $0.unit, count: try $0.count(on: connection)) }
        }
    }
}

extension PendingStages.Stage {
    /// Whether names and columns may be those of the newer version by now.
    fileprivate var hasBegunContract: Bool {
        steps.count { $0.phase == .contract } < script.steps.count { $0.phase == .contract }
    }
}
