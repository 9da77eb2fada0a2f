import StrataMigrations
import StrataModels

/// A plan's versions and stages, once they were found to fit together.
package struct PlanContents: Sendable {
    package let schemas: [Schema]
    package let stages: [MigrationStage]
    package let recordsHistory: Bool

    /// Throws ``MigrationError`` with the code `usage` and every finding.
    package init(_ plan: any SchemaMigrationPlan.Type) throws(MigrationError) {
        let versions = plan.schemas
        let stages = plan.stages
        let findings = Self.findings(versions, stages)
        guard findings.isEmpty else {
            throw MigrationError(
                .usage, "The migration plan \(plan) does not hold together.", places: findings,
                remedy: "List the versions oldest first, and a stage for every pair of neighbours in the same order.")
        }
        schemas = versions.map { Schema(versionedSchema: $0) }
        self.stages = stages
        recordsHistory = plan.recordsHistory
        let unusable = zip(stages, zip(schemas, schemas.dropFirst())).flatMap { stage, versions in
            Self.unusable(stage, .willMigrate, versions.0) + Self.unusable(stage, .didMigrate, versions.1)
        }
        guard unusable.isEmpty else {
            throw MigrationError(
                .usage, "The migration plan \(plan) runs code on versions that have no objects of their own.",
                places: unusable,
                remedy: "Give these versions their own copies of the classes named, or do the work without code.")
        }
    }

    /// Why code cannot have objects of its version.
    private static func unusable(_ stage: MigrationStage, _ closure: StageClosure, _ schema: Schema) -> [String] {
        guard stage.closure(closure) != nil else { return [] }
        return SchemaValidation.objectFindings(schema).map { "\(closure.rawValue), version \(schema.version): \($0)" }
    }

    /// A part of a plan that holds together.
    init(schemas: [Schema], stages: [MigrationStage], recordsHistory: Bool) {
        self.schemas = schemas
        self.stages = stages
        self.recordsHistory = recordsHistory
    }

    private static func findings(_ versions: [any VersionedSchema.Type], _ stages: [MigrationStage]) -> [String] {
        guard !versions.isEmpty else { return ["schemas is empty: a plan has at least one version"] }
        var findings: [String] = []
        for (earlier, later) in zip(versions, versions.dropFirst())
        where earlier.versionIdentifier >= later.versionIdentifier {
            findings.append(
                "\(name(later)) follows \(name(earlier)): every version needs a greater number than the last")
        }
        let wanted = zip(versions, versions.dropFirst()).map { (from: $0, to: $1) }
        for (from, to) in wanted where !stages.contains(where: { $0.fromVersion == from && $0.toVersion == to }) {
            findings.append("the stage from \(name(from)) to \(name(to)) is missing")
        }
        for stage in stages where !wanted.contains(where: { $0.from == stage.fromVersion && $0.to == stage.toVersion })
        {
            findings.append(
                "the stage from \(name(stage.fromVersion)) to \(name(stage.toVersion)) is not between neighbours")
        }
        if findings.isEmpty {
            let isOrdered =
                stages.count == wanted.count
                && zip(stages, wanted).allSatisfy { $0.fromVersion == $1.from && $0.toVersion == $1.to }
            if !isOrdered { findings.append("the stages are not in the order of the versions, or one is there twice") }
        }
        return findings
    }

    private static func name(_ version: any VersionedSchema.Type) -> String {
        "\(version) (\(version.versionIdentifier))"
    }
}
