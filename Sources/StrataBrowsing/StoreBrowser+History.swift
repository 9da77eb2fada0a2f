public import Foundation
import StrataClient
import StrataRepository

/// What happened to an object within one transaction.
public struct RecordedChange: Sendable, Equatable {
    /// What happened.
    public enum Kind: String, Sendable {
        /// The object was made.
        case insert
        /// Some of its properties were changed.
        case update
        /// The object was deleted.
        case delete
        /// Values of the whole class were changed without a record of each.
        case reset
    }

    /// What happened.
    public let kind: Kind
    /// The object's class then, under the name it has now.
    public let className: String
    /// The object's key; `nil` where the whole class is meant.
    public let key: StoredKey?
    /// The properties that were changed by an update.
    public let properties: [String]
    /// The values that a deletion has kept, by property.
    public let preserved: [String: String]
    /// Its number: later changes have larger ones.
    public let number: Int64
    /// The transaction.
    public let transaction: RecordedTransaction
}

/// Who changed something, and when.
public struct RecordedTransaction: Sendable, Equatable {
    /// The transaction's number on the server.
    public let identifier: String
    /// When it first changed something.
    public let date: Date
    /// Who, as the application says.
    public let author: String?
    /// The user of the session.
    public let actor: String
    /// The role, where it is another.
    public let role: String?
    /// The name of the program.
    public let application: String?
    /// What the application noted beside: JSON.
    public let context: String?
}

/// Some changes of a history, the newest first.
public struct HistoryPage: Sendable, Equatable {
    /// The changes.
    public let changes: [RecordedChange]
    /// What to give as `before` for older ones; `nil` where there are none.
    public let next: HistoryPosition?
}

/// Where a page of a history ends: before a change.
public struct HistoryPosition: Sendable, Equatable {
    /// The change's transaction, as ``RecordedTransaction/identifier``.
    public let transaction: UInt64
    /// The change's number.
    public let number: Int64

    /// Before a change.
    public init(transaction: UInt64, number: Int64) {
        self.transaction = transaction
        self.number = number
    }
}

extension RecordedChange {
    /// One change an object and transaction: each of its tables has recorded its part.
    fileprivate static func coalesced(_ parts: [(root: Int32, change: RecordedChange)]) -> [RecordedChange] {
        struct Place: Hashable {
            var transaction: String
            /// A key is of one object within a hierarchy: two may have objects with the same key.
            var root: Int32
            var key: StoredKey?
        }
        var changes: [RecordedChange] = []
        var places: [Place: Int] = [:]
        for (root, part) in parts {
            let place = Place(transaction: part.transaction.identifier, root: root, key: part.key)
            guard part.key != nil, let index = places[place] else {
                places[place] = changes.count
                changes.append(part)
                continue
            }
            let other = changes[index]
            // An object that changes its class leaves the old one and comes as the new one: it stays.
            let kinds = Set([part.kind, other.kind])
            let kind: Kind =
                kinds == [.insert, .delete]
                ? .update : kinds.contains(.insert) ? .insert : kinds.contains(.delete) ? .delete : other.kind
            changes[index] = RecordedChange(
                kind: kind, className: other.className, key: other.key,
                properties: Set(other.properties + part.properties).sorted(),
                preserved: other.preserved.merging(part.preserved) { first, _ in first }, number: other.number,
                transaction: other.transaction)
        }
        return changes
    }
}

extension StoreBrowser {
    /// What the history has of one object, the newest first: `limit` changes, or some fewer, as a transaction is not shared between pages. Empty
    /// for a store without a history.
    ///
    /// The history has no index by objects: its newest changes are looked through backwards until `limit` were found. On a long history that
    /// may take longer than the browser waits: `timeout`. A limit may be from 1 to 10,000: `refused`.
    public func history(
        of key: StoredKey, of className: String, in schema: StoredSchema, before: HistoryPosition? = nil,
        limit: Int = 50
    ) async throws -> HistoryPage {
        let rootClass = schema.chain(of: try schema.requireClass(className))[0]
        let root = rootClass.name
        // A key that is no number stands among the preserved values (decision 0037).
        let isObject: SQLFragment =
            rootClass.key.kind == .integer
            ? Int64(key.text).map { "c.pk = \(bind: $0)" } ?? "FALSE"
            : "c.pk IS NULL AND c.tomb ->> 'key' = \(rootClass.key.recorded(key))"
        let hierarchy: SQLFragment = """
            \(isObject) AND c.entity = ANY(ARRAY(SELECT x.id FROM \(HistorySchema.entity) AS x WHERE x.root IN (\
            SELECT r.root FROM \(HistorySchema.entity) AS r JOIN \(LibrarySchema.store) AS s ON s.number = r.store \
            WHERE s.schema_name = \(bind: schema.name) AND (r.name = \(bind: root) OR r.next_name = \(bind: root)))))
            """
        return try await changes(in: schema, before: before, limit: limit, where: hierarchy)
    }

    /// The newest changes of a store's history, the newest first. Empty for a store without a history. A limit may be from 1 to 10,000:
    /// `refused`.
    public func latestChanges(
        in schema: StoredSchema, before: HistoryPosition? = nil, limit: Int = 50
    ) async throws -> HistoryPage {
        let ofStore: SQLFragment = """
            c.entity = ANY(ARRAY(SELECT x.id FROM \(HistorySchema.entity) AS x JOIN \(LibrarySchema.store) AS s \
            ON s.number = x.store WHERE s.schema_name = \(bind: schema.name)))
            """
        return try await changes(in: schema, before: before, limit: limit, where: ofStore)
    }

    private func changes(
        in schema: StoredSchema, before: HistoryPosition?, limit: Int, where condition: SQLFragment
    ) async throws -> HistoryPage {
        try Self.require(limit, in: Self.pageSizes)
        var condition = condition
        if let before {
            let transaction = String(before.transaction)
            condition.append(" AND (c.xid, c.seq) < (\(bind: transaction)::xid8, \(bind: before.number))")
        }
        let matching = condition
        return try await read("read the history") { connection in
            guard try await connection.has(HistorySchema.change, HistorySchema.transaction) else {
                return HistoryPage(changes: [], next: nil)
            }
            // The key of the changes begins with the transaction: its index is walked backwards.
            let rows = try await connection.rows(
                """
                SELECT c.seq, c.op::text, c.pk, c.props, c.tomb::text, e.name, e.root, e.word::integer, t.xid::text, t.at, \
                t.author, t.actor, t.role, t.application, t.context, c.tomb ->> 'key' FROM (\
                SELECT c.* FROM \(HistorySchema.change) AS c WHERE \(matching) ORDER BY c.xid DESC, c.seq DESC \
                LIMIT \(raw: String(limit + 1))) AS c \
                JOIN \(HistorySchema.entity) AS e ON e.id = c.entity \
                JOIN \(HistorySchema.transaction) AS t ON t.store = e.store AND t.generation = c.generation AND t.xid = c.xid \
                ORDER BY c.xid DESC, c.seq DESC
                """, "changes", ChangeRow.init)
            let names = try await Self.propertyNames(of: Set(rows.map(\.root)), connection)
            let parts = Self.page(rows.map { ($0.root, $0.change(names)) }, limit)
            return HistoryPage(
                changes: RecordedChange.coalesced(parts),
                next: parts.count < rows.count ? parts.last.flatMap { HistoryPosition($0.change) } : nil)
        }
    }

    /// As many as are asked for, without the beginning of a transaction whose rest would be on the next page: a change of several
    /// tables would be two. A transaction that is longer than a page is shared all the same.
    private static func page(
        _ parts: [(root: Int32, change: RecordedChange)], _ limit: Int
    ) -> [(root: Int32, change: RecordedChange)] {
        guard parts.count > limit else { return parts }
        let next = parts[limit].change.transaction.identifier
        let whole = parts.prefix(limit).filter { $0.change.transaction.identifier != next }
        return whole.isEmpty ? Array(parts.prefix(limit)) : whole
    }

    /// What the bits of the masks stand for.
    private static func propertyNames(
        of roots: Set<Int32>, _ connection: PostgresConnection
    ) async throws -> [PropertyBit: String] {
        let rows = try await connection.rows(
            """
            SELECT p.root, p.bit::integer, p.name FROM \(HistorySchema.property) AS p \
            WHERE p.root = ANY(\(bind: roots.sorted()))
            """, "names of properties"
        ) {
            (
                PropertyBit(root: try $0.decode(0), bit: Int(try $0.decode(1, as: Int32.self))),
                try $0.decode(2, as: String.self)
            )
        }
        return Dictionary(rows) { first, _ in first }
    }
}

extension HistoryPosition {
    fileprivate init?(_ change: RecordedChange) {
        guard let transaction = UInt64(change.transaction.identifier) else { return nil }
        self.init(transaction: transaction, number: change.number)
    }
}

private struct PropertyBit: Hashable {
    var root: Int32
    var bit: Int
}

/// A row of the history, with its transaction.
private struct ChangeRow {
    let root: Int32
    private let number: Int64
    private let operation: String
    private let key: StoredKey?
    private let mask: Int64?
    /// What a deletion has kept, by bits.
    private let kept: [String: KeptValue]
    private let className: String
    private let word: Int
    private let transaction: RecordedTransaction

    init(_ row: PostgresRow) throws {
        number = try row.decode(0)
        operation = try row.decode(1)
        // One that is no number stands among the preserved values.
        key =
            try row.decodeIfPresent(2, as: Int64.self).map { StoredKey($0) }
            ?? row.decodeIfPresent(15, as: String.self).flatMap { StoredKey($0) }
        mask = try row.decodeIfPresent(3)
        kept =
            try row.decodeIfPresent(4, as: String.self)
            .flatMap { try? JSONDecoder().decode([String: KeptValue].self, from: Data($0.utf8)) } ?? [:]
        className = try row.decode(5)
        root = try row.decode(6)
        word = Int(try row.decode(7, as: Int32.self))
        transaction = RecordedTransaction(
            identifier: try row.decode(8), date: try row.decode(9, as: Date.self), author: try row.decodeIfPresent(10),
            actor: try row.decode(11), role: try row.decodeIfPresent(12), application: try row.decodeIfPresent(13),
            context: try row.decodeIfPresent(14))
    }

    func change(_ names: [PropertyBit: String]) -> RecordedChange {
        let bits = UInt64(bitPattern: mask ?? 0)
        let properties = (0..<63).filter { bits >> $0 & 1 == 1 }
            .compactMap { names[PropertyBit(root: root, bit: word * 63 + $0)] }
        return RecordedChange(
            kind: kind, className: className, key: key, properties: properties.sorted(), preserved: preserved(names),
            number: number, transaction: transaction)
    }

    /// A subclass's rows come with a small letter: what became of them became of a part of the object.
    private var kind: RecordedChange.Kind {
        switch operation {
        case "I": .insert
        case "D": .delete
        case "U", "u", "i", "d": .update
        default: .reset
        }
    }

    /// Values by their bits, as a deletion keeps them.
    private func preserved(_ names: [PropertyBit: String]) -> [String: String] {
        Dictionary(
            kept.compactMap { bit, value in
                Int(bit).flatMap { names[PropertyBit(root: root, bit: $0)] }.map { ($0, value.text) }
            }
        ) { first, _ in first }
    }
}

/// Any JSON, as people read it.
private struct KeptValue: Decodable {
    let text: String

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            text = "NULL"
        } else if let value = try? container.decode(String.self) {
            text = value
        } else if let value = try? container.decode(Bool.self) {
            text = String(value)
        } else if let value = try? container.decode(Decimal.self) {
            text = "\(value)"
        } else if let values = try? container.decode([KeptValue].self) {
            text = "[" + values.map(\.text).joined(separator: ", ") + "]"
        } else {
            let fields = try container.decode([String: KeptValue].self)
            text =
                "{" + fields.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value.text)" }.joined(separator: ", ")
                + "}"
        }
    }
}
