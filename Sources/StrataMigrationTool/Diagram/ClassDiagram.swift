package import StrataMigrations

/// The classes of a frozen schema as a Mermaid class diagram: superclasses, properties, relationships.
package struct ClassDiagram {
    package let schema: FrozenSchema

    package init(_ schema: FrozenSchema) {
        self.schema = schema
    }

    package var mermaid: String {
        var lines = ["classDiagram"]
        for entity in schema.entities { lines += declaration(of: entity) }
        for entity in schema.entities {
            if let parent = entity.parent { lines.append("    \(parent) <|-- \(entity.name)") }
        }
        lines += RelationshipEdge.all(in: schema).map { edge in
            let ends = "\(edge.source) \"\(edge.sourceCount)\" -- \"\(edge.targetCount)\" \(edge.target)"
            return "    \(ends) : \(edge.label)"
        }
        return lines.map { $0 + "\n" }.joined()
    }

    private func declaration(of entity: FrozenEntity) -> [String] {
        guard !entity.attributes.isEmpty else { return ["    class \(entity.name)"] }
        let properties = entity.attributes.map { attribute in
            "        +\(Self.type(attribute)) \(attribute.name)"
        }
        return ["    class \(entity.name) {"] + properties + ["    }"]
    }

    /// Mermaid writes generic types with tildes, and takes braces and brackets of other kinds for its own.
    private static func type(_ attribute: FrozenAttribute) -> String {
        let isMarked = attribute.isOptional && !attribute.valueType.hasSuffix("?")
        let name = attribute.valueType + (isMarked && !attribute.valueType.hasPrefix("Optional<") ? "?" : "")
        return name.replacing("<", with: "~").replacing(">", with: "~").replacing(" ", with: "")
    }
}
