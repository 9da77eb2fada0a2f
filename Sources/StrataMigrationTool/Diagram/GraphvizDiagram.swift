package import StrataMigrations

/// The classes of a frozen schema in the language of Graphviz.
package struct GraphvizDiagram {
    package let schema: FrozenSchema

    package init(_ schema: FrozenSchema) {
        self.schema = schema
    }

    package var dot: String {
        var lines = [
            "digraph schema {",
            "    rankdir=BT;",
            "    node [shape=record, fontname=\"Helvetica\", fontsize=10];",
            "    edge [fontname=\"Helvetica\", fontsize=9];",
        ]
        for entity in schema.entities {
            let properties = entity.attributes.map { attribute in
                let isMarked = attribute.isOptional && !attribute.valueType.hasSuffix("?")
                return Self.record("\(attribute.name): \(attribute.valueType)\(isMarked ? "?" : "")") + "\\l"
            }
            let label = "{\(Self.record(entity.name))|\(properties.joined())}"
            lines.append("    \(Self.quoted(entity.name)) [label=\"\(label)\"];")
        }
        for entity in schema.entities {
            guard let parent = entity.parent else { continue }
            lines.append("    \(Self.quoted(entity.name)) -> \(Self.quoted(parent)) [arrowhead=empty];")
        }
        for edge in RelationshipEdge.all(in: schema) {
            let attributes = [
                "dir=none", "constraint=false", "label=\(Self.quoted(edge.label))",
                "taillabel=\(Self.quoted(edge.sourceCount))", "headlabel=\(Self.quoted(edge.targetCount))",
            ]
            lines.append(
                "    \(Self.quoted(edge.source)) -> \(Self.quoted(edge.target)) [\(attributes.joined(separator: ", "))];"
            )
        }
        return (lines + ["}"]).map { $0 + "\n" }.joined()
    }

    private static func quoted(_ text: String) -> String { "\"" + text.replacing("\"", with: "\\\"") + "\"" }

    /// In a record's label these characters make fields.
    private static func record(_ text: String) -> String {
        String(text.flatMap { "{}|<>\"\\ ".contains($0) ? ["\\", $0] : [$0] })
    }
}
