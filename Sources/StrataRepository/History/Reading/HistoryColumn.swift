import StrataClient
import StrataModels

/// A property of a transaction that is a column of its header: to ask for, and to sort by.
struct HistoryColumn: Sendable {
    private let keyPath: any AnyKeyPath & Sendable
    let expression: SQLExpression
    /// What the header is sorted by.
    var order: SQLFragment

    private init(
        _ keyPath: any AnyKeyPath & Sendable, _ sql: SQLFragment, _ type: PostgresType, isOptional: Bool = false,
        _ name: String
    ) {
        self.keyPath = keyPath
        expression = SQLExpression(sql: sql, type: type, nullness: isOptional ? .none : .never, path: name)
        order = type == .text ? "\(sql) COLLATE \"C\"" : sql
    }

    func isOf(_ keyPath: AnyKeyPath) -> Bool { self.keyPath as AnyKeyPath == keyPath }

    typealias Subject = DefaultHistoryTransaction

    static let transactionIdentifier = identifier(\Subject.transactionIdentifier)

    private static func identifier(_ keyPath: any AnyKeyPath & Sendable) -> HistoryColumn {
        var column = HistoryColumn(keyPath, "(t.xid::text::bigint)", .int8, "transactionIdentifier")
        // So that the key's index serves: an earlier generation comes before a later one.
        column.order = "t.xid"
        return column
    }

    static let all: [HistoryColumn] = [
        transactionIdentifier, identifier(\Subject.id),
        HistoryColumn(\Subject.timestamp, "t.at", .timestamptz, "timestamp"),
        HistoryColumn(\Subject.author, "t.author", .text, isOptional: true, "author"),
        HistoryColumn(\Subject.bundleIdentifier, "coalesce(t.application, '')", .text, "bundleIdentifier"),
        HistoryColumn(\Subject.processIdentifier, "coalesce(t.process, '')", .text, "processIdentifier"),
        HistoryColumn(\Subject.actor, "t.actor", .text, "actor"),
        HistoryColumn(\Subject.role, "t.role", .text, isOptional: true, "role"),
    ]
}
