package import StrataMigrations
import StrataModels

extension PlanContents {
    /// The plan as plain values, for planning and comparing.
    package func chain() throws(MigrationError) -> MigrationChain {
        var versions: [FrozenSchema] = []
        for schema in schemas { versions.append(try FrozenSchema(freezing: schema)) }
        return MigrationChain(
            versions: versions,
            stages: zip(stages, zip(schemas, schemas.dropFirst())).map { stage, neighbours in
                MigrationChain.Stage(
                    changes: stage.changes, hasWillMigrate: stage.closure(.willMigrate) != nil,
                    hasDidMigrate: stage.closure(.didMigrate) != nil, oldTypeNames: neighbours.0.typeNames,
                    newTypeNames: neighbours.1.typeNames)
            }, recordsHistory: recordsHistory)
    }
}

extension MigrationChain {
    /// A plan without its types and closures.
    ///
    /// Throws ``MigrationError`` with the code `usage` when versions and stages do not fit together.
    package init(plan: any SchemaMigrationPlan.Type) throws(MigrationError) {
        self = try PlanContents(plan).chain()
    }
}

extension PlanContents {
    /// Which version a container's schema is: the one of the same classes, the newest where there are several.
    ///
    /// Throws ``SwiftDataError`` with the code `invalidSchema` when it is none of them.
    func position(of schema: Schema) throws(SwiftDataError) -> Int {
        if let position = schemas.lastIndex(of: schema) ?? schemas.lastIndex(where: { $0.types == schema.types }) {
            return position
        }
        var lines: [String] = []
        if let newest = schemas.last {
            lines += newest.entities.filter { !schema.types.contains(ObjectIdentifier($0.descriptor)) }
                .map { "- \($0.descriptor.type) is in the plan's newest version only" }
            lines += schema.entities.filter { !newest.types.contains(ObjectIdentifier($0.descriptor)) }
                .map { "- \($0.descriptor.type) is in the container's schema only" }
        }
        throw SwiftDataError(
            .invalidSchema,
            "The container's schema is none of the migration plan's versions:\n" + lines.joined(separator: "\n")
                + "\nOpen it with Schema(versionedSchema:) of the plan's newest version.")
    }
}

extension Schema {
    /// What the program calls the classes, without the module.
    fileprivate var typeNames: [String: String] {
        Dictionary(
            entities.map { entity in
                let name = String(reflecting: entity.descriptor.type).split(separator: ".").dropFirst()
                // A class within a function has no name that others could write.
                return (entity.name, name.contains { $0.contains("(") } ? entity.name : name.joined(separator: "."))
            }, uniquingKeysWith: { $1 })
    }

    fileprivate var types: Set<ObjectIdentifier> { Set(entities.map { ObjectIdentifier($0.descriptor) }) }
}
