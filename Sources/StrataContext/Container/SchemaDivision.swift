import StrataModels

/// Which configuration keeps which entities: each entity belongs to exactly one, and relationships stay within one.
struct SchemaDivision {
    let parts: [(configuration: ModelConfiguration, schema: Schema)]

    init(_ schema: Schema, among configurations: [ModelConfiguration]) throws {
        guard !schema.entities.isEmpty else {
            throw SwiftDataError(.invalidSchema, "The schema has no entities. Name at least one @Model class.")
        }
        let given = configurations.isEmpty ? [ModelConfiguration()] : configurations
        let duplicates = Dictionary(grouping: given, by: \.id).filter { $0.value.count > 1 }
        if let name = duplicates.values.first?.first?.name {
            throw SwiftDataError(
                .duplicateConfiguration,
                "Two configurations have the name \"\(name)\" and the same place. Give each its own.")
        }
        let explicit = given.filter { $0.schema != nil }
        var taken: [ObjectIdentifier: String] = [:]
        var parts: [(configuration: ModelConfiguration, schema: Schema)] = []
        for configuration in explicit {
            guard let part = configuration.schema else { continue }
            for entity in part.entities {
                guard schema.entity(for: entity.descriptor) != nil else {
                    throw SwiftDataError(
                        .configurationSchemaNotFoundInContainerSchema,
                        "The configuration \"\(configuration.name)\" holds \(entity.name), which is not in the container's "
                            + "schema. Name it in ModelContainer(for:).")
                }
                if let other = taken.updateValue(configuration.name, forKey: ObjectIdentifier(entity.descriptor)) {
                    throw SwiftDataError(
                        .duplicateConfiguration,
                        "\(entity.name) is kept by two configurations, \"\(other)\" and \"\(configuration.name)\". A class and "
                            + "everything its relationships lead to lives in one store.")
                }
            }
            parts.append((configuration, part))
        }
        let rest = schema.entities.filter { taken[ObjectIdentifier($0.descriptor)] == nil }
        let open = given.filter { $0.schema == nil }
        if open.count > 1 {
            throw SwiftDataError(
                .duplicateConfiguration,
                "The configurations \(open.map { "\"\($0.name)\"" }.joined(separator: " and ")) name no schema, so both would keep "
                    + "the same entities. Give all but one a schema.")
        }
        if let configuration = open.first {
            if !rest.isEmpty {
                parts.append((configuration, try Self.rest(rest, of: schema, configuration, taken)))
            }
        } else if let left = rest.first {
            throw SwiftDataError(
                .configurationSchemaNotFoundInContainerSchema,
                "No configuration keeps \(left.name). Add it to a configuration's schema, or add a configuration without one."
            )
        }
        // In the same order in every process, whichever order the configurations were given in.
        self.parts = parts.sorted { $0.configuration.id < $1.configuration.id }
    }

    /// What one configuration keeps because no other does.
    private static func rest(
        _ entities: [Schema.Entity], of schema: Schema, _ configuration: ModelConfiguration,
        _ taken: [ObjectIdentifier: String]
    ) throws -> Schema {
        guard entities.count < schema.entities.count else { return schema }
        let part = Schema(entities.map { $0.descriptor.type }, version: schema.version)
        for entity in part.entities {
            guard let other = taken[ObjectIdentifier(entity.descriptor)] else { continue }
            throw SwiftDataError(
                .duplicateConfiguration,
                "\(entity.name) is kept by the configuration \"\(other)\", and a relationship leads to it from a class that "
                    + "\"\(configuration.name)\" keeps. A class and everything its relationships lead to lives in one store."
            )
        }
        return part
    }
}
