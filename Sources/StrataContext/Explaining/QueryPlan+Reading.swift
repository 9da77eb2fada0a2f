import Foundation
import StrataModels

/// The server's document (`EXPLAIN (FORMAT JSON)`).
extension QueryPlan {
    /// - Throws: `DecodingError` for a document of another form.
    package init(document: String, sql: String, keyIndexes: Set<String>) throws {
        let statements = try JSONDecoder().decode([Statement].self, from: Data(document.utf8))
        guard let statement = statements.first else {
            throw DecodingError.valueNotFound(
                Statement.self, DecodingError.Context(codingPath: [], debugDescription: "The server explained nothing.")
            )
        }
        self.init(
            root: statement.plan.node, sql: sql, keyIndexes: keyIndexes,
            planningTime: statement.planningTime.flatMap(Self.duration),
            executionTime: statement.executionTime.flatMap(Self.duration))
    }

    /// Milliseconds as the server writes them; `nil` for what no clock has measured, on which `Duration` would trap.
    private static func duration(_ milliseconds: Double) -> Duration? {
        (0..<1e15).contains(milliseconds) ? .milliseconds(milliseconds) : nil
    }

    private struct Statement: Decodable {
        let plan: Step
        let planningTime: Double?
        let executionTime: Double?

        enum CodingKeys: String, CodingKey {
            case plan = "Plan"
            case planningTime = "Planning Time"
            case executionTime = "Execution Time"
        }
    }

    private struct Step: Decodable {
        let node: Node

        private struct Key: CodingKey {
            let stringValue: String
            var intValue: Int? { nil }
            init(stringValue: String) { self.stringValue = stringValue }
            init?(intValue: Int) { nil }
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Key.self)
            func text(_ name: String) -> String? { try? container.decode(String.self, forKey: Key(stringValue: name)) }
            func number(_ name: String) -> Double? {
                try? container.decode(Double.self, forKey: Key(stringValue: name))
            }
            var conditions: [String: String] = [:]
            for key in container.allKeys {
                let name = key.stringValue
                if name.hasSuffix("Cond") || name.hasSuffix("Filter") { conditions[name] = text(name) }
                if name.hasSuffix("Key") {
                    conditions[name] = (try? container.decode([String].self, forKey: key))?.joined(separator: ", ")
                }
            }
            node = Node(
                kind: try container.decode(String.self, forKey: Key(stringValue: "Node Type")),
                table: text("Relation Name"), index: text("Index Name"), conditions: conditions,
                cost: number("Total Cost") ?? 0, expectedRows: number("Plan Rows") ?? 0, rows: number("Actual Rows"),
                loops: number("Actual Loops"), time: number("Actual Total Time").flatMap(QueryPlan.duration),
                sharedHitBlocks: number("Shared Hit Blocks"), sharedReadBlocks: number("Shared Read Blocks"),
                children: try container.decodeIfPresent([Step].self, forKey: Key(stringValue: "Plans"))?.map(\.node)
                    ?? [])
        }
    }
}
