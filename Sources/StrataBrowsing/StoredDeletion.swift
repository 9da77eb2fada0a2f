import StrataClient
import StrataRepository

/// The deletion of one object with all that goes along, by ``DeletionEffect``.
///
/// Foreign keys take along only what refers to a row, and of an object of a subclass only a part. So a recursive query follows what is said of
/// all relationships to all that goes, and one statement deletes it by the hierarchies' roots, as a save of the models does. Foreign keys
/// are checked when the statement ends: what forbids a deletion does not when it goes as well. A key that leads to no row, as it may where
/// nobody forbids that (`.noAction`), leads to no object.
struct StoredDeletion {
    /// A relationship that takes objects along, or forbids the deletion.
    private struct Edge {
        let name: String
        let takesAlong: Bool
        /// The hierarchy of the object that goes, by its place in `roots`.
        let source: Int
        /// The root of the hierarchy at the other end.
        let destination: StoredClass
        /// Where the links lie, with the keys of both ends.
        let table: TableName
        let own: KeyColumns
        let other: KeyColumns
    }

    private let key: StoredKey
    private let schema: StoredSchema
    /// The hierarchies of which objects may go, the object's own first.
    private var roots: [StoredClass]
    private var edges: [Edge] = []
    /// A relationship that would take objects along or forbid the deletion, and leads to a class that is not shown.
    private(set) var unseen: String?

    init(of key: StoredKey, _ storedClass: StoredClass, in schema: StoredSchema) {
        self.key = key
        self.schema = schema
        roots = [schema.chain(of: storedClass)[0]]
        var next = 0
        while next < roots.count {
            for member in schema.family(of: roots[next]) { follow(member, from: next) }
            next += 1
        }
    }

    private mutating func follow(_ storedClass: StoredClass, from source: Int) {
        for property in storedClass.properties {
            guard let destination = property.destination.flatMap(schema.storedClass(named:)) else { continue }
            add(
                "\(storedClass.name).\(property.name)", property.whenDeleted, from: source, to: destination,
                (storedClass.table, storedClass.key, destination.key.named(property.columns)))
        }
        for relationship in storedClass.relationships {
            guard let destination = schema.storedClass(named: relationship.destination) else {
                if relationship.whenDeleted == .deletes || relationship.whenDeleted == .forbids {
                    unseen = unseen ?? "\(storedClass.name).\(relationship.name)"
                }
                continue
            }
            // What no property of the class leads to has a name of its own.
            let name = relationship.name.contains(".") ? relationship.name : "\(storedClass.name).\(relationship.name)"
            switch relationship.storage {
            case .foreignKey(_, let holder):
                guard let holder = schema.storedClass(named: holder) else { continue }
                add(
                    name, relationship.whenDeleted, from: source, to: destination,
                    (holder.table, relationship.own, holder.key))
            case .pairs(let table, _, let other):
                add(
                    name, relationship.whenDeleted, from: source, to: destination,
                    (table, relationship.own, destination.key.named(other)))
            }
        }
    }

    private mutating func add(
        _ name: String, _ effect: DeletionEffect?, from source: Int, to destination: StoredClass,
        _ links: (table: String, own: KeyColumns, other: KeyColumns)
    ) {
        guard effect == .deletes || effect == .forbids else { return }
        let root = schema.chain(of: destination)[0]
        if effect == .deletes, place(of: root.name) == nil { roots.append(root) }
        edges.append(
            Edge(
                name: name, takesAlong: effect == .deletes, source: source, destination: root,
                table: TableName(schema: schema.name, name: links.table), own: links.own, other: links.other))
    }

    private func table(of storedClass: StoredClass) -> TableName {
        TableName(schema: schema.name, name: storedClass.table)
    }

    private func place(of root: String) -> Int? { roots.firstIndex { $0.name == root } }

    // MARK: SQL

    /// What forbids the deletion: relationships by their names, and to how many objects that stay they lead. `nil` where nothing can.
    var obstacles: SQLFragment? {
        let arms = edges.filter { !$0.takesAlong }.map { edge -> SQLFragment in
            var arm: SQLFragment = """
                SELECT \(bind: edge.name)::text, count(*) FROM doomed AS d \
                JOIN \(edge.table) AS t ON \(edge.own.isEqual(to: doomedKey(edge.source, "d"), of: "t")) \
                JOIN \(table(of: edge.destination)) AS r ON \(edge.destination.key.isEqual(to: edge.other, of: "t", "r")) \
                WHERE d.root = \(raw: String(edge.source))
                """
            if let place = place(of: edge.destination.name) {
                arm.append(
                    """
                     AND NOT EXISTS (SELECT FROM doomed AS o WHERE o.root = \(raw: String(place)) \
                    AND o.\(raw: edge.destination.key.kind.column) = \(edge.other.value(of: "t")))
                    """)
            }
            arm.append(raw: " HAVING count(*) > 0")
            return arm
        }
        return arms.isEmpty ? nil : "\(doomed) \(arms.joined(separator: " UNION ALL "))"
    }

    /// Deletes all that goes; returns how many objects a trigger has kept.
    var statement: SQLFragment {
        var sql = doomed
        var deletedRoots: [String] = []
        for (place, root) in roots.enumerated() {
            for (number, member) in schema.family(of: root).enumerated() where goesByItself(member, below: root) {
                let part = "d\(place)_\(number)"
                if member == root { deletedRoots.append(part) }
                sql.append(
                    """
                    , \(raw: part) AS (DELETE FROM \(TableName(schema: schema.name, name: member.table)) \
                    WHERE \(member.key.isAmong("ARRAY(SELECT \(raw: root.key.kind.column) FROM doomed WHERE root = \(raw: String(place)))")) RETURNING 1)
                    """)
            }
        }
        // Foreign keys act when the statement ends: until then each object is there to be deleted.
        let deleted = deletedRoots.map { " - (SELECT count(*) FROM \($0))" }.joined()
        sql.append(raw: " SELECT (SELECT count(*) FROM doomed)\(deleted)")
        return sql
    }

    /// `WITH RECURSIVE doomed(root, pk, id, code) AS (…)`, hierarchy and key of all that goes: a number, a UUID, or a text.
    private var doomed: SQLFragment {
        let first: SQLFragment = roots[0].key.bound(key) ?? "NULL"
        var sql: SQLFragment =
            "WITH RECURSIVE doomed(root, pk, id, code) AS (SELECT 0, \(roots[0].key.kind.columns(first))"
        let arms = edges.filter(\.takesAlong).map { edge -> SQLFragment in
            let other: SQLFragment = edge.other.value(of: "t")
            return """
                SELECT \(raw: String(place(of: edge.destination.name) ?? 0)), \(edge.destination.key.kind.columns(other)) FROM \(edge.table) AS t \
                JOIN \(table(of: edge.destination)) AS r ON \(edge.destination.key.isEqual(to: edge.other, of: "t", "r")) \
                WHERE d.root = \(raw: String(edge.source)) AND \(edge.own.isEqual(to: doomedKey(edge.source, "d"), of: "t"))
                """
        }
        if !arms.isEmpty {
            let targets = arms.joined(separator: " UNION ALL ")
            sql.append(
                " UNION SELECT e.root, e.pk, e.id, e.code FROM doomed AS d CROSS JOIN LATERAL (\(targets)) AS e(root, pk, id, code)"
            )
        }
        sql.append(raw: ")")
        return sql
    }

    /// The key of an object that goes, of one of the hierarchies.
    private func doomedKey(_ root: Int, _ row: SQLFragment) -> SQLFragment {
        "\(row).\(raw: roots[root].key.kind.column)"
    }

    /// Whether rows of a class's table are deleted by a statement of their own. Of a subclass's table the root's rows take them along where its key
    /// cascades, but maybe only after the server has checked what else they refer to.
    private func goesByItself(_ member: StoredClass, below root: StoredClass) -> Bool {
        guard member != root else { return true }
        let references = schema.tables.first { $0.name == member.table }?.references ?? []
        let cascades = references.contains { $0.columns == member.keyColumns && $0.whenDeleted == .deletes }
        return member.table != root.table && (!cascades || references.contains { $0.columns != member.keyColumns })
    }
}

extension RowKey.Kind {
    /// The column of what goes that has keys of this kind.
    fileprivate var column: String {
        switch self {
        case .integer: "pk"
        case .uuid: "id"
        case .text, .date: "code"
        }
    }

    /// All columns, for a key of this kind. Those of a recursive query have one collation, which gives way to that of what a key is compared with.
    fileprivate func columns(_ key: SQLFragment) -> SQLFragment {
        switch self {
        case .integer: "\(key)::bigint, NULL::uuid, NULL::text"
        case .uuid: "NULL::bigint, \(key)::uuid, NULL::text"
        case .text, .date: "NULL::bigint, NULL::uuid, \(key)::text COLLATE \"default\""
        }
    }
}

extension StoredSchema {
    /// A root and all classes below it.
    fileprivate func family(of root: StoredClass) -> [StoredClass] {
        classes.filter { chain(of: $0)[0].name == root.name }
    }
}
