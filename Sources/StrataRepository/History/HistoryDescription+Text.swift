import Foundation

extension HistoryDescription {
    /// The same without what was before, and without remarks: two are compared by what they record.
    package var withoutFormerNames: HistoryDescription {
        HistoryDescription(
            entities: entities.map { entity in
                var entity = entity
                entity.was = []
                entity.isAbstract = nil
                for index in entity.properties.indices { entity.properties[index].was = [] }
                return entity
            }, links: links)
    }

    /// JSON for people: a paragraph for each class, in lines of 110 columns, and nothing that is as usual.
    package var readableJSON: String {
        var lines = ["{\"entities\": ["]
        for (index, entity) in entities.enumerated() {
            // Without the brace that closes it: the list of properties goes on.
            let beginning = String(Self.text(UsualEntity(entity)).dropLast()) + ",\"properties\":["
            lines += Self.wrapped(beginning, entity.properties.map { Self.text(UsualProperty($0)) })
            lines[lines.count - 1] += index == entities.count - 1 ? "]}" : "]},"
        }
        lines.append("], \"links\": [")
        if !links.isEmpty { lines.append(links.map { "  " + Self.text($0) }.joined(separator: ",\n")) }
        return (lines + ["]}"]).joined(separator: "\n")
    }

    private static func wrapped(_ beginning: String, _ items: [String]) -> [String] {
        var lines = ["  " + beginning]
        for (index, item) in items.enumerated() {
            let text = item + (index == items.count - 1 ? "" : ",")
            if index == 0 || lines[lines.count - 1].count + text.count > 109 {
                lines.append("    " + text)
            } else {
                lines[lines.count - 1] += " " + text
            }
        }
        return lines
    }

    /// A part of a description as JSON on one line.
    static func text(_ value: some Encodable) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Encoding fails for numbers that are not finite only; a description holds strings, booleans and arrays of them.
        guard let data = try? encoder.encode(value) else { preconditionFailure("history description not encodable") }
        return String(decoding: data, as: UTF8.self)
    }
}

/// What is not as usual of a class, without its properties.
private struct UsualEntity: Encodable {
    var name: String
    var was: [String]?
    var parent: String?
    var table: String
    var `class`: String?
    var classes: [String]
    var isAbstract: Bool?

    init(_ entity: HistoryDescription.Entity) {
        name = entity.name
        was = entity.was.isEmpty ? nil : entity.was
        isAbstract = entity.isAbstract
        (parent, table, `class`, classes) = (entity.parent, entity.table, entity.class, entity.classes)
    }
}

/// What is not as usual of a property.
private struct UsualProperty: Encodable {
    var name: String
    var was: [String]?
    var column: String?
    var columns: [String]?
    var external: Bool?
    var preserved: Bool?

    init(_ property: HistoryDescription.Property) {
        (name, column, columns) = (property.name, property.column, property.columns)
        was = property.was.isEmpty ? nil : property.was
        external = property.external ? true : nil
        preserved = property.preserved ? true : nil
    }
}

// MARK: - Reading

/// What is as usual may be left out.
extension HistoryDescription.Entity {
    private enum Key: String, CodingKey { case name, was, parent, table, `class`, classes, properties, isAbstract }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        self.init(
            name: try container.decode(String.self, forKey: .name),
            was: try container.decodeIfPresent([String].self, forKey: .was) ?? [],
            parent: try container.decodeIfPresent(String.self, forKey: .parent),
            table: try container.decode(String.self, forKey: .table),
            class: try container.decodeIfPresent(String.self, forKey: .class),
            classes: try container.decode([String].self, forKey: .classes),
            properties: try container.decode([HistoryDescription.Property].self, forKey: .properties),
            isAbstract: try container.decodeIfPresent(Bool.self, forKey: .isAbstract) ?? false)
    }
}

extension HistoryDescription.Property {
    private enum Key: String, CodingKey { case name, was, column, columns, external, preserved }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        self.init(
            name: try container.decode(String.self, forKey: .name),
            was: try container.decodeIfPresent([String].self, forKey: .was) ?? [],
            column: try container.decodeIfPresent(String.self, forKey: .column),
            columns: try container.decodeIfPresent([String].self, forKey: .columns),
            external: try container.decodeIfPresent(Bool.self, forKey: .external) ?? false,
            preserved: try container.decodeIfPresent(Bool.self, forKey: .preserved) ?? false)
    }
}
