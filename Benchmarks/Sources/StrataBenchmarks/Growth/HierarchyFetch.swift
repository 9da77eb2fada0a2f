import Foundation
import PlainClient
import Strata

/// A fetch of all objects of a hierarchy, beside the best of four statements by hand.
struct HierarchyFetch<Root: PersistentModel>: Workload {
    let name: String
    let title: String
    let size: Int
    /// For the largest: of one class, this is W2 without subclasses.
    let limit: Double?
    private let sql: PlainTexts
    private let types: PlainTexts
    private let statements: Int

    /// Ways to write the query by hand.
    enum Way: String, CaseIterable {
        /// One join a subclass.
        case joins
        /// One part a class, all in one statement.
        case union
        /// One statement a class, all in one round trip.
        case statements
        /// One join with all subclasses.
        case level
    }

    init(_ hierarchy: Hierarchy, size: Int, _ way: Way) {
        name = "H\(hierarchy.subclasses.count + 1)"
        title = "fetch a hierarchy, by hand with \(way.rawValue)"
        self.size = size
        let texts = hierarchy.sql(way)
        sql = PlainTexts(texts.map(\.sql))
        types = PlainTexts(texts.map(\.types))
        statements = texts.count
        limit = hierarchy.subclasses.count + 1 == 20 ? 1.25 : nil
    }

    func plain(_ database: Database) throws -> () throws -> Outcome {
        {
            try database.plain.outcome(
                plain_fetch_all(database.plain.raw, sql.pointers, types.pointers, Int64(statements)))
        }
    }

    func strata(_ database: Database) throws -> () throws -> Outcome {
        {
            let context = ModelContext(database.container)
            let objects = try context.fetch(FetchDescriptor<Root>())
            return Outcome(count: objects.count, held: (context, objects))
        }
    }

    /// With the best way by hand, as this server finds it.
    static func best(_ hierarchy: Hierarchy, size: Int, on database: Database) throws -> HierarchyFetch {
        let works = Way.allCases.map { HierarchyFetch(hierarchy, size: size, $0) }
        var best = (work: works[0], time: Double.infinity)
        for work in works {
            for _ in 0..<4 {
                let (sample, _) = try Sample.take(try work.plain(database))
                if sample.elapsed < best.time { best = (work, sample.elapsed) }
            }
        }
        return best.work
    }
}

extension Hierarchy {
    fileprivate func sql<Root>(_ way: HierarchyFetch<Root>.Way) -> [(sql: String, types: String)] {
        let columns = "r.pk, r.class, r.name, r.number"
        if subclasses.isEmpty { return [("SELECT pk, name, number FROM \(root)", "ltl")] }
        func part(_ subclass: (name: String, table: String, column: String)) -> String {
            "SELECT \(columns), s.\(subclass.column) FROM \(subclass.table) s JOIN \(root) r ON r.pk = s.pk"
        }
        let className = root.prefix(1).uppercased() + root.dropFirst()
        let own = "SELECT \(columns), NULL::bigint FROM \(root) r WHERE r.class = '\(className)'"
        switch way {
        case .joins:
            let selected = subclasses.map { "\($0.table).\($0.column)" }.joined(separator: ", ")
            let joins = subclasses.map { "LEFT JOIN \($0.table) ON \($0.table).pk = r.pk" }.joined(separator: " ")
            return [
                (
                    "SELECT \(columns), \(selected) FROM \(root) r \(joins)",
                    "lttl" + String(repeating: "l", count: subclasses.count)
                )
            ]
        case .union: return [(([own] + subclasses.map(part)).joined(separator: " UNION ALL "), "lttll")]
        case .level:
            let rows = subclasses.map { "SELECT pk, \($0.column) AS extra FROM \($0.table)" }
            return [
                (
                    "SELECT \(columns), s.extra FROM \(root) r LEFT JOIN (\(rows.joined(separator: " UNION ALL "))) s "
                        + "ON s.pk = r.pk", "lttll"
                )
            ]
        case .statements: return ([own] + subclasses.map(part)).map { ($0, "lttll") }
        }
    }

    /// As many objects of each class.
    func fill(_ database: Database, count: Int) throws {
        let className = root.prefix(1).uppercased() + root.dropFirst()
        let names = ([className] + subclasses.map(\.name)).map { "'\($0)'" }.joined(separator: ", ")
        let (column, value) =
            subclasses.isEmpty ? ("", "") : ("class, ", "(array[\(names)])[i % \(subclasses.count + 1) + 1], ")
        try database.admin.execute(
            "SET session_replication_role = replica",
            """
            INSERT INTO \(root) (pk, \(column)name, number)
            SELECT i, \(value)'Object number ' || i, i FROM generate_series(1, \(count)) i
            """)
        for subclass in subclasses {
            try database.admin.execute(
                "INSERT INTO \(subclass.table) SELECT pk, pk FROM \(root) WHERE class = '\(subclass.name)' ORDER BY pk")
        }
        try database.admin.execute("RESET session_replication_role", "VACUUM (ANALYZE, FREEZE)")
    }
}
