import OrderedCollections
import StrataRepository

/// One named thing of a schema or a database with what there is to say of it, in the form in which two are compared.
struct ComparedPart {
    enum Kind: String {
        case entity, attribute, relationship
        case table, column, index, check, sequence, view
        case primaryKey = "primary key"
        case unique = "unique constraint"
        case foreignKey = "foreign key"

        /// Whether a database takes no notice of the name.
        var isRelabelled: Bool {
            switch self {
            case .primaryKey, .unique, .foreignKey, .check, .index: true
            default: false
            }
        }
    }

    var kind: Kind
    var name: String
    /// The name with what it belongs to: `Trip.name`, `trip.name`.
    var place: String
    var fields: [String: JSONTree]
    var children: [ComparedPart] = []

    /// `column trip.name`.
    var label: String { "\(kind.rawValue) \(place)" }

    fileprivate var key: String { "\(kind.rawValue)\u{0}\(name)" }
}

/// What changed between two lists of parts.
enum PartChange {
    case added(ComparedPart)
    case removed(ComparedPart)
    /// The same thing by another name.
    case renamed(ComparedPart, to: ComparedPart)
    case changed(ComparedPart, field: String, from: JSONTree?, to: JSONTree?)

    /// In the order of the old list, with what is new after it.
    static func between(_ old: [ComparedPart], _ new: [ComparedPart]) -> [PartChange] {
        let oldByKey = OrderedDictionary(old.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
        var added = OrderedDictionary(new.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
        let newByKey = added
        var changes: [PartChange] = []
        for key in oldByKey.keys where newByKey[key] != nil { added[key] = nil }
        for (key, part) in oldByKey {
            if let other = newByKey[key] {
                changes += fields(of: part, other)
                changes += between(part.children, other.children)
            } else if part.kind.isRelabelled,
                let same = added.values.first(where: { $0.kind == part.kind && $0.fields == part.fields })
            {
                added[same.key] = nil
                changes.append(.renamed(part, to: same))
            } else {
                changes.append(.removed(part))
            }
        }
        return changes + added.values.map { .added($0) }
    }

    private static func fields(of part: ComparedPart, _ other: ComparedPart) -> [PartChange] {
        Set(part.fields.keys).union(other.fields.keys).sorted()
            .filter { part.fields[$0] != other.fields[$0] }
            .map { .changed(part, field: $0, from: part.fields[$0], to: other.fields[$0]) }
    }
}

extension FrozenSchema {
    /// Entities first, then tables. Whatever a frozen value holds is compared: the fields are those of its JSON.
    var parts: [ComparedPart] {
        let schema = normalized
        return schema.entities.map { entity in
            ComparedPart(
                kind: .entity, name: entity.name, place: entity.name,
                fields: JSONTree(entity).fields(without: "name", "attributes", "relationships", "isAbstract"),
                children: entity.attributes.map {
                    ComparedPart(
                        kind: .attribute, name: $0.name, place: "\(entity.name).\($0.name)",
                        fields: JSONTree($0).fields(without: "name"))
                }
                    + entity.relationships.map {
                        ComparedPart(
                            kind: .relationship, name: $0.name, place: "\(entity.name).\($0.name)",
                            fields: JSONTree($0).fields(without: "name"))
                    })
        } + schema.database.parts
    }
}

extension DatabaseDefinition {
    /// Of a definition that is normalized.
    var parts: [ComparedPart] {
        tables.map(\.part) + sequences.map { ComparedPart(.sequence, $0.name, JSONTree($0)) } + views.map(\.part)
    }
}

extension TableDefinition {
    fileprivate var part: ComparedPart {
        let lists = ["columns", "primaryKey", "uniques", "foreignKeys", "checks", "indexes"]
        var part = ComparedPart(.table, name, JSONTree(self))
        for list in lists { part.fields[list] = nil }
        part.fields["partitioning"] = partitioning.map { division in
            .text("by \(division.column)" + (division.period.map { ", every \($0.rawValue)" } ?? ""))
        }
        part.children += columns.map { ComparedPart(.column, $0.name, JSONTree($0), in: name) }
        part.children += [primaryKey].compactMap { $0 }
            .map { ComparedPart(.primaryKey, $0.name, JSONTree($0), in: name) }
        part.children += uniques.map { ComparedPart(.unique, $0.name, JSONTree($0), in: name) }
        part.children += foreignKeys.map { ComparedPart(.foreignKey, $0.name, JSONTree($0), in: name) }
        part.children += checks.map { ComparedPart(.check, $0.name, JSONTree($0), in: name) }
        part.children += indexes.map(comparedPart)
        return part
    }
}

extension TableDefinition {
    /// Its keys as people write them.
    private func comparedPart(of index: IndexDefinition) -> ComparedPart {
        var part = ComparedPart(.index, index.name, JSONTree(index), in: name)
        part.fields["columns"] = .list(index.keys.map { .text($0.description) })
        return part
    }
}

extension ViewDefinition {
    fileprivate var part: ComparedPart {
        var part = ComparedPart(.view, name, JSONTree(self))
        part.fields["columns"] = nil
        part.children = columns.map { ComparedPart(.column, $0.name, JSONTree($0), in: name) }
        return part
    }
}

extension ComparedPart {
    fileprivate init(_ kind: Kind, _ name: String, _ tree: JSONTree, in table: String? = nil) {
        self.init(
            kind: kind, name: name, place: table.map { "\($0).\(name)" } ?? name, fields: tree.fields(without: "name"))
    }
}

extension JSONTree {
    fileprivate func fields(without names: String...) -> [String: JSONTree] {
        fields.filter { !names.contains($0.key) }
    }
}
