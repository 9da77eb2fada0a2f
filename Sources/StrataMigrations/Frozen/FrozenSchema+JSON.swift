import Foundation
package import StrataModels
import StrataRepository

extension FrozenSchema {
    private enum CodingKeys: String, CodingKey { case version, entities, database }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let text = try container.decode(String.self, forKey: .version)
        guard let version = Schema.Version(dotted: text) else {
            throw DecodingError.dataCorruptedError(
                forKey: .version, in: container, debugDescription: "\"\(text)\" is no version such as \"1.4.0\"")
        }
        self.init(
            version: version, entities: try container.decode([FrozenEntity].self, forKey: .entities),
            database: try container.decode(DatabaseDefinition.self, forKey: .database))
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(version.description, forKey: .version)
        try container.encode(entities, forKey: .entities)
        try container.encode(database, forKey: .database)
    }

    /// What stands in `schema/V4.json`: the same text for the same schema, on every platform and for ever.
    package var canonicalJSON: String { JSONTree(self).pretty() + "\n" }

    /// The lower-case hexadecimal SHA-256 of what the schema means: everything but the version, but the order in
    /// which properties, cases and columns were declared, but which classes are abstract, which changes no table, and but the
    /// indexes that `.spotlight` stands for: the option had none once, and versions of then go on.
    package var fingerprint: String {
        var schema = normalized
        for index in schema.entities.indices { schema.entities[index].isAbstract = nil }
        var fields = JSONTree(schema).fields
        fields["version"] = nil
        return SHA256.hexadecimal(of: JSONTree.object(fields).compact)
    }

    /// The same with everything in the order of names, and without the indexes that an option stands for.
    var normalized: FrozenSchema {
        var schema = self
        for entity in entities.filter({ $0.spotlightIndex != nil }) { schema.removeSpotlightIndex(of: entity) }
        schema.entities.sort { $0.name < $1.name }
        for index in schema.entities.indices {
            schema.entities[index].attributes.sort { $0.name < $1.name }
            schema.entities[index].relationships.sort { $0.name < $1.name }
            schema.entities[index].uniques.sort { $0.lexicographicallyPrecedes($1) }
            schema.entities[index].indexes.sort {
                ([$0.method] + $0.properties).lexicographicallyPrecedes([$1.method] + $1.properties)
            }
            for slot in schema.entities[index].attributes.indices {
                schema.entities[index].attributes[slot].options.sort()
                schema.entities[index].attributes[slot].cases?.sort()
            }
        }
        schema.database = schema.database.normalized
        return schema
    }
}

extension FrozenSchema {
    fileprivate mutating func removeSpotlightIndex(of entity: FrozenEntity) {
        guard let index = entity.spotlightIndex else { return }
        let columns = index.properties.compactMap { name in entity.attributes.first { $0.name == name }?.column }
        for place in entities.indices where entities[place].name == entity.name {
            entities[place].indexes.removeAll { $0 == index }
        }
        for place in database.tables.indices where database.tables[place].name == entity.table {
            database.tables[place].indexes.removeAll { $0.method == index.method && $0.columns == columns }
        }
    }
}

extension FrozenEntity {
    /// The index that `.spotlight` of its properties stands for; `nil` where it has none.
    fileprivate var spotlightIndex: FrozenIndex? {
        indexes.first { index in
            index.method == Schema.ModelIndex.Method.fullText(language: "simple").rawValue
                && Set(index.properties) == Set(attributes.filter { $0.options.contains(.spotlight) }.map(\.name))
        }
    }
}

extension DatabaseDefinition {
    /// The same with everything in the order of names, columns and the values of checks as well.
    var normalized: DatabaseDefinition {
        var definition = sorted
        for index in definition.tables.indices {
            definition.tables[index].columns.sort { $0.name < $1.name }
            for place in definition.tables[index].checks.indices {
                guard case .isOneOf(let column, let values) = definition.tables[index].checks[place].condition else {
                    continue
                }
                definition.tables[index].checks[place].condition = .isOneOf(column: column, values: values.sorted())
            }
        }
        return definition
    }
}

extension Schema.Version {
    /// `1.4.0`, and nothing else.
    package init?(dotted text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map { Int($0) }
        guard parts.count == 3, let major = parts[0], let minor = parts[1], let patch = parts[2] else { return nil }
        self.init(major, minor, patch)
        guard description == text else { return nil }
    }
}
