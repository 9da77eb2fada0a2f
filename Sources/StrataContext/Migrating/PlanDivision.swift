import StrataMigrations
import StrataModels

/// A plan whose classes are kept in several stores: which of them keeps what, in each version.
///
/// The container's version is divided by its configurations. From there it goes back: a class is kept where the class is that
/// the stage makes of it, and so are the classes that it is related to.
struct PlanDivision {
    /// What each store keeps of the plan, up to the container's version.
    let parts: [PlanContents]

    /// - Parameters:
    ///   - contents: the plan.
    ///   - target: the container's version in it.
    ///   - division: what each configuration keeps of that version.
    /// - Throws: ``SwiftDataError``: `unsupportedFeature` for what would move objects from one store to another;
    ///   `configurationSchemaNotFoundInContainerSchema` for a former class that no configuration keeps.
    init(
        _ contents: PlanContents, target: Int, among division: [(configuration: ModelConfiguration, schema: Schema)]
    ) throws(SwiftDataError) {
        guard division.count > 1 else {
            parts = [contents]
            return
        }
        let names = division.map(\.configuration.name)
        let open = division.firstIndex { $0.configuration.schema == nil }
        var keepers: [[String: Int]] = [[:]]
        for (index, part) in division.enumerated() {
            for entity in part.schema.entities { keepers[0][entity.name] = index }
        }
        for version in (0..<target).reversed() {
            keepers.insert(
                try Self.keepers(
                    contents.schemas[version], contents.stages[version], later: keepers[0], names: names, open: open),
                at: 0)
        }
        var parts: [PlanContents] = []
        for index in division.indices {
            parts.append(try Self.part(index, of: contents, keepers, names: names))
        }
        self.parts = parts
    }

    /// Who keeps each class of a version.
    private static func keepers(
        _ schema: Schema, _ stage: MigrationStage, later: [String: Int], names: [String], open: Int?
    ) throws(SwiftDataError) -> [String: Int] {
        let successors = stage.successors
        var keepers: [String: Int] = [:]
        for family in schema.relatedEntities {
            let known = Dictionary(
                grouping: family.filter { later[successors[$0.name] ?? $0.name] != nil },
                by: { later[successors[$0.name] ?? $0.name] ?? 0 })
            if known.count > 1 {
                let lines = known.sorted { $0.key < $1.key }.map { keeper, entities in
                    "\(entities.map(\.name).sorted().joined(separator: ", ")) in \"\(names[keeper])\""
                }
                throw SwiftDataError(
                    .unsupportedFeature,
                    "Version \(schema.version) relates classes that version \(stage.toVersion.versionIdentifier) keeps in several "
                        + "stores: \(lines.joined(separator: "; ")). No stage moves objects from one store to another: keep them "
                        + "in one configuration.")
            }
            guard let keeper = known.keys.first ?? open else {
                throw SwiftDataError(
                    .configurationSchemaNotFoundInContainerSchema,
                    "No configuration keeps \(family.map(\.name).joined(separator: ", ")) of version \(schema.version), of which "
                        + "version \(stage.toVersion.versionIdentifier) has nothing left. A configuration without a schema "
                        + "keeps what no other does.")
            }
            for entity in family { keepers[entity.name] = keeper }
        }
        return keepers
    }

    private static func part(
        _ index: Int, of contents: PlanContents, _ keepers: [[String: Int]], names: [String]
    ) throws(SwiftDataError) -> PlanContents {
        var stages: [MigrationStage] = []
        for (stage, (before, after)) in zip(contents.stages, zip(keepers, keepers.dropFirst())) {
            var changes: [SchemaChange] = []
            for change in stage.changes
            where try concerns(change, index, of: stage, before: before, after: after, names: names) {
                changes.append(change)
            }
            stages.append(stage.with(changes))
        }
        let schemas = zip(contents.schemas, keepers).map { schema, keepers in
            Schema(
                schema.entities.filter { keepers[$0.name] == index }.map { $0.descriptor.type }, version: schema.version
            )
        }
        return PlanContents(schemas: schemas, stages: stages, recordsHistory: contents.recordsHistory)
    }

    /// Whether a change is of a store. One that names nothing known is of all: the planner says what is wrong with it.
    private static func concerns(
        _ change: SchemaChange, _ index: Int, of stage: MigrationStage, before: [String: Int], after: [String: Int],
        names: [String]
    ) throws(SwiftDataError) -> Bool {
        let keepers: [Int?]
        switch change.kind {
        case .renamed(let old, let new): keepers = [before[old.entity], after[new.entity]]
        case .merged(let old, let remaining): keepers = [before[old], after[remaining]]
        case .dropped(let old), .consumed(let old): keepers = [before[old.entity]]
        case .split(let new, _): keepers = [after[new]]
        case .converted(let new, _), .filled(let new, _), .sideBySide(let new): keepers = [after[new.entity]]
        case .sql:
            throw SwiftDataError(
                .unsupportedFeature,
                "The stage to version \(stage.toVersion.versionIdentifier) has a statement of its own (.sql), and the container has "
                    + "\(names.count) stores: it does not say for which. Write it as code of the stage, or give the classes that it "
                    + "is about a container and a plan of their own.")
        }
        let known = Set(keepers.compactMap(\.self))
        guard known.count < 2 else {
            throw SwiftDataError(
                .unsupportedFeature,
                "The stage to version \(stage.toVersion.versionIdentifier) moves values from one store to another "
                    + "(\(known.sorted().map { "\"\(names[$0])\"" }.joined(separator: ", "))). Carry them over in its code, and "
                    + "say .consumed.")
        }
        return known.isEmpty || known.contains(index)
    }
}

extension MigrationStage {
    /// What becomes of classes under another name, by the name before.
    fileprivate var successors: [String: String] {
        var successors: [String: String] = [:]
        for change in changes {
            switch change.kind {
            case .renamed(let old, let new) where old.property == nil: successors[old.entity] = new.entity
            case .merged(let old, let remaining): successors[old] = remaining
            default: break
            }
        }
        return successors
    }
}

extension Schema {
    /// The entities in groups: those of a hierarchy, and those that relationships lead to, are in one.
    fileprivate var relatedEntities: [[Entity]] {
        var neighbours: [String: Set<String>] = [:]
        for entity in entities {
            for name in entity.relationships.map(\.destination) + [entity.superentityName].compactMap(\.self) {
                neighbours[entity.name, default: []].insert(name)
                neighbours[name, default: []].insert(entity.name)
            }
        }
        var groups: [[Entity]] = []
        var visited: Set<String> = []
        for entity in entities where !visited.contains(entity.name) {
            var group: [Entity] = []
            var pending = [entity.name]
            while let name = pending.popLast() {
                guard visited.insert(name).inserted, let entity = entitiesByName[name] else { continue }
                group.append(entity)
                pending += neighbours[name, default: []].sorted()
            }
            groups.append(group)
        }
        return groups
    }
}
