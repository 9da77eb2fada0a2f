import Foundation
import StrataClient
import StrataRepository
import StrataTestSupport

@testable import StrataMigrations

/// An object as a database has it, or as it is expected to be: every value as text, links as keys.
struct StoredObject: Hashable {
    var kind: String
    var key: Int64
    /// Without those that are empty.
    var values: [String: String]

    init(_ kind: String, _ key: Int64, _ values: [String: String] = [:]) {
        (self.kind, self.key, self.values) = (kind, key, values)
    }

    /// `Trip 3: code=1, name=Oslo`.
    var line: String {
        "\(kind) \(key): " + values.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: ", ")
    }
}

/// Reads and writes the objects of one version, whatever its classes are.
struct StoredObjects {
    let schema: FrozenSchema

    // MARK: Reading

    func read(from database: TestDatabase) async throws -> [String] {
        var lines: [String] = []
        for entity in schema.entities {
            for text in try await database.texts(query(entity)) {
                let values = try JSONDecoder().decode([String: String?].self, from: Data(text.utf8)).compactMapValues {
                    $0
                }
                var object = StoredObject(entity.name, Int64(values["pk"] ?? "") ?? 0, values)
                object.values["pk"] = nil
                lines.append(object.line)
            }
        }
        return lines.sorted()
    }

    private func query(_ entity: FrozenEntity) -> String {
        let chain = schema.chain(of: entity)
        var fields = ["'pk', t0.pk::text"]
        for (index, ancestor) in chain.enumerated() {
            fields += ancestor.columns.map { "'\($0.property)', \(Self.text($0, of: "t\(index)"))" }
            fields += ancestor.relationships.compactMap { links($0, of: ancestor) }
        }
        var from = "\(SQLFragment.quoted(chain[0].table)) AS t0"
        for (index, ancestor) in chain.enumerated().dropFirst() {
            from += " JOIN \(SQLFragment.quoted(ancestor.table)) AS t\(index) USING (pk)"
        }
        let isAlone = schema.children(of: chain[0]).isEmpty
        let condition = isAlone ? "" : " WHERE t0.class = \(SQLFragment.literal(entity.discriminator))"
        return "SELECT json_build_object(\(fields.joined(separator: ", ")))::text FROM \(from)\(condition)"
    }

    /// Keys of a to-many that no column of a property shows; of a pair of properties the first by name tells.
    private func links(_ relationship: FrozenRelationship, of entity: FrozenEntity) -> String? {
        let list: (String, String, String)
        switch relationship.storage {
        case .foreignKey: return nil
        case .inverseForeignKey(let table, let column):
            if relationship.inverse != nil { return nil }
            list = (table, "pk", column)
        case .joinTable(let table, let own, let other):
            if let inverse = relationship.inverse,
                (relationship.destination, inverse) < (entity.name, relationship.name)
            {
                return nil
            }
            list = (table, other, own)
        }
        let (table, value, key) = (SQLFragment.quoted(list.0), SQLFragment.quoted(list.1), SQLFragment.quoted(list.2))
        return """
            '\(relationship.name)', (SELECT string_agg(\(value)::text, ' ' ORDER BY \(value)) FROM \(table) WHERE \(key) = t0.pk)
            """
    }

    /// Points in time are written as UTC has them, whatever the session's time zone is.
    private static func text(_ column: FrozenColumn, of table: String) -> String {
        let name = "\(table).\(SQLFragment.quoted(column.column))"
        return column.type == "timestamptz" ? "(\(name) AT TIME ZONE 'UTC')::text" : "\(name)::text"
    }

    private static func value(_ literal: String, of column: FrozenColumn) -> String {
        column.type == "timestamptz" ? "\(literal)::timestamp AT TIME ZONE 'UTC'" : "\(literal)::\(column.type)"
    }

    // MARK: Writing

    /// Foreign keys are not looked at, so that the order does not matter.
    func insert(_ objects: [StoredObject], into database: TestDatabase) async throws {
        var statements = ["SET session_replication_role = replica"]
        var links: [String] = []
        for object in objects {
            guard let entity = schema.entity(named: object.kind) else { continue }
            for ancestor in schema.chain(of: entity) {
                var columns = ["pk": "\(object.key)"]
                if ancestor.parent == nil, !schema.children(of: ancestor).isEmpty {
                    columns["class"] = SQLFragment.literal(entity.discriminator)
                }
                for column in ancestor.columns {
                    guard let value = object.values[column.property] else { continue }
                    columns[column.column] = Self.value(SQLFragment.literal(value), of: column)
                }
                let sorted = columns.sorted { $0.key < $1.key }
                let names = sorted.map { SQLFragment.quoted($0.key) }.joined(separator: ", ")
                let values = sorted.map(\.value).joined(separator: ", ")
                statements.append("INSERT INTO \(SQLFragment.quoted(ancestor.table)) (\(names)) VALUES (\(values))")
                for relationship in ancestor.relationships {
                    links += (object.values[relationship.name] ?? "").split(separator: " ").compactMap {
                        link(relationship, object.key, String($0))
                    }
                }
            }
        }
        try await database.execute(statements + links)
    }

    private func link(_ relationship: FrozenRelationship, _ key: Int64, _ other: String) -> String? {
        switch relationship.storage {
        case .foreignKey: nil
        case .inverseForeignKey(let table, let column):
            "UPDATE \(SQLFragment.quoted(table)) SET \(SQLFragment.quoted(column)) = \(key) WHERE pk = \(other)"
        case .joinTable(let table, let own, let column):
            "INSERT INTO \(SQLFragment.quoted(table)) (\(SQLFragment.quoted(own)), \(SQLFragment.quoted(column))) VALUES (\(key), \(other))"
        }
    }
}
