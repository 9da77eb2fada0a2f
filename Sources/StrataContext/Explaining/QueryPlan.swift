import Foundation
import StrataModels

/// How the server carries out a fetch: the tree that `EXPLAIN` gives (PostgreSQL manual, "Using EXPLAIN").
///
/// ```swift
/// let plan = try await context.explain(FetchDescriptor<Trip>(sortBy: [SortDescriptor(\.startDate)]), analyze: true)
/// print(plan)
/// ```
///
/// Conditions hold values of the predicate: a plan is for the person who looks for a slow fetch, not for a log.
public struct QueryPlan: Sendable {
    /// One step of a plan, and the steps that give it rows.
    public struct Node: Sendable {
        /// `Index Scan`, `Seq Scan`, `Sort`, …
        public let kind: String
        /// The table that is read, if it is one.
        public let table: String?
        /// The index that is read, if it is one.
        public let index: String?
        /// What the server says of conditions and keys, by its names: `Index Cond`, `Filter`, `Sort Key`, ….
        public let conditions: [String: String]
        /// The cost of all rows, in the server's units.
        public let cost: Double
        /// How many rows the server expects.
        public let expectedRows: Double
        /// How many rows there were each time; `nil` without `analyze`.
        public let rows: Double?
        /// How often the step was carried out; `nil` without `analyze`.
        public let loops: Double?
        /// How long all rows took each time; `nil` without `analyze`.
        public let time: Duration?
        /// How many pages of tables and indexes this step and those below it found in the server's memory; `nil` without `analyze`.
        public let sharedHitBlocks: Double?
        /// How many they read from files; `nil` without `analyze`.
        public let sharedReadBlocks: Double?
        /// The steps that give this one its rows.
        public let children: [Node]
    }

    /// The last step, whose rows are the result.
    public let root: Node
    /// The statement that was explained.
    public let sql: String
    /// The indexes of primary keys.
    let keyIndexes: Set<String>
    /// How long planning took; `nil` without `analyze`.
    public let planningTime: Duration?
    /// How long carrying out took; `nil` without `analyze`.
    public let executionTime: Duration?

    /// All steps, each before those that give it rows.
    public var nodes: [Node] {
        func all(_ node: Node) -> [Node] { [node] + node.children.flatMap(all) }
        return all(root)
    }

    /// The names of the indexes that are read.
    public var indexes: Set<String> { Set(nodes.compactMap(\.index)) }

    /// The names of the tables that are read from one end to the other.
    public var tablesReadWhole: Set<String> {
        Set(nodes.filter { $0.kind.hasSuffix("Seq Scan") }.compactMap(\.table))
    }

    /// Throws, with the plan as text, unless an index is read: for tests.
    ///
    /// ```swift
    /// try await context.explain(descriptor, avoidsSequentialScans: true).requireIndex()
    /// ```
    /// - Parameter name: of the index; `nil` for any but those of primary keys, by which each join reads, where a condition finds its
    ///   rows or nothing has to be sorted.
    /// - Throws: ``SwiftDataError`` with the code `unsupportedFeature`.
    public func requireIndex(_ name: String? = nil) throws {
        guard let name else {
            guard tablesReadWhole.isEmpty, readsIndex else {
                throw Self.missing(
                    "reads no index, or reads \(tablesReadWhole.sorted().joined(separator: ", ")) from end to end", self
                )
            }
            return
        }
        guard indexes.contains(name) else { throw Self.missing("does not read the index \(name)", self) }
    }

    private var readsIndex: Bool {
        let isSorted = !nodes.contains { $0.kind == "Sort" }
        return nodes.contains { node in
            guard let index = node.index, !keyIndexes.contains(index) else { return false }
            return isSorted || node.conditions["Index Cond"] != nil
        }
    }

    private static func missing(_ what: String, _ plan: QueryPlan) -> SwiftDataError {
        SwiftDataError(
            .unsupportedFeature,
            "A fetch \(what). Declare an #Index for what its predicate compares and its order sorts by.",
            details: plan.description)
    }
}

extension QueryPlan: CustomStringConvertible {
    /// The tree, one step a line.
    public var description: String {
        var lines: [String] = []
        func write(_ node: Node, _ depth: Int) {
            let indent = String(repeating: "  ", count: depth)
            var line = indent + node.kind
            if let index = node.index { line += " using \(index)" }
            if let table = node.table { line += " on \(table)" }
            line += " (cost \(node.cost), \(Self.number(node.expectedRows)) rows expected"
            if let rows = node.rows { line += ", \(Self.number(rows)) rows" }
            if let loops = node.loops, loops != 1 { line += " × \(Self.number(loops))" }
            if let time = node.time { line += ", \(time / .milliseconds(1)) ms" }
            if let hit = node.sharedHitBlocks, let read = node.sharedReadBlocks {
                line += ", \(Self.number(hit)) pages in memory, \(Self.number(read)) from files"
            }
            lines.append(line + ")")
            for (name, text) in node.conditions.sorted(by: { $0.key < $1.key }) {
                lines.append("\(indent)    \(name): \(text)")
            }
            for child in node.children { write(child, depth + 1) }
        }
        write(root, 0)
        if let planningTime { lines.append("planned in \(planningTime / .milliseconds(1)) ms") }
        if let executionTime { lines.append("carried out in \(executionTime / .milliseconds(1)) ms") }
        return lines.joined(separator: "\n")
    }

    /// The server estimates numbers of rows that no `Int` holds.
    private static func number(_ value: Double) -> String {
        Int(exactly: value).map(String.init) ?? String(value)
    }
}
