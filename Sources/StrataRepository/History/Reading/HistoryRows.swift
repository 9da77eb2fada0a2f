import Foundation
import StrataClient
import StrataModels

/// The result of ``HistoryStatement`` as it arrives: small values in flat arrays, a transaction after the other.
struct HistoryRows {
    struct Change {
        let number: Int64
        /// -1 where there is none: of a class that is to be read again.
        let key: RowKey
        let properties: Int64
        let entity: Int32
        /// `I`, `U`, `D`, `R`; small where it is of a subclass's table.
        let operation: UInt8
        /// Where its tombstone begins in ``HistoryRows/tombstones``; -1 without.
        let tombstone: Int32
    }

    struct Header {
        let transaction: Int64
        let generation: Int64
        let isLater: Bool
        let timestamp: Date
        let author: String?
        let actor: String
        let role: String?
        let application: String?
        let process: String?
        let context: String?
        /// Its changes are those before this index, from the end of the one before.
        let end: Int
        let last: Int64
    }

    private(set) var changes: [Change] = []
    /// Every number of an entity in ``changes``, with all bits that are set under it.
    private(set) var masks: [Int32: Int64] = [:]
    private var lastEntity: Int32 = -1
    private var lastMask: Int64 = 0
    private(set) var headers: [Header] = []
    private(set) var tombstones: [[UInt8]] = []
    private(set) var snapshot: HistorySnapshot?
    /// Whether the limit left something out.
    private(set) var isCut = false
    /// Whether there is more than the page has looked at: ``snapshot`` is what that was (``HistoryWindow``).
    private(set) var endsWindow = false

    mutating func take(_ row: PostgresRow) throws {
        typealias Column = HistoryStatement.Column
        func at(_ column: Column) -> Int { column.rawValue }
        let header = row.bytes(at(.header))
        guard !row.isNull(at(.number)) else {
            if let header { try takeResult(PostgresRecord(header)) }
            return
        }
        let number = row.int64(at(.number))
        var tombstone: Int32 = -1
        var key: RowKey = row.isNull(at(.key)) ? -1 : row.key(at(.key), .integer)
        if let bytes = row.bytes(at(.tombstone)) {
            // After the version of the binary form.
            let text = Array(UnsafeRawBufferPointer(rebasing: bytes.dropFirst()))
            // A key that is no number stands among the values.
            let named = key == -1 ? Self.key(in: text) : nil
            if let named { key = named.key }
            if named?.isAlone != true {
                tombstone = Int32(tombstones.count)
                tombstones.append(text)
            }
        }
        let entity = row.int32(at(.entity))
        // NULL reads as zero.
        let properties = row.int64(at(.properties))
        // Most rows are about the same as the one before.
        if entity != lastEntity || lastMask | properties != lastMask {
            lastEntity = entity
            lastMask = masks[entity, default: 0] | properties
            masks[entity] = lastMask
        }
        changes.append(
            Change(
                number: number, key: key,
                properties: properties,
                entity: entity, operation: row.bytes(at(.operation))?.first ?? 0,
                tombstone: tombstone))
        if let header { try takeHeader(PostgresRecord(header), last: number) }
    }

    /// The key that a row has among its preserved values, and whether it has no others.
    ///
    /// What is written as a UUID is taken for one; whoever knows the class knows better (``HistoryRegistry/Entity/key(_:)``).
    private static func key(in text: [UInt8]) -> (key: RowKey, isAlone: Bool)? {
        let members = StoredJSON(text: text[...]).members()
        guard let member = members.first(where: { $0.name == HistorySchema.keyMember }) else { return nil }
        // Of several columns it is an array, as the server writes one everywhere.
        if member.value.text.first == UInt8(ascii: "[") {
            return RowKey(text: String(decoding: member.value.text, as: UTF8.self)).map { ($0, members.count == 1) }
        }
        guard let text = member.value.string else { return nil }
        let uuid = RowKey(text, of: .uuid)
        guard let key = uuid?.description == text ? uuid : RowKey(text: text) else { return nil }
        return (key, members.count == 1)
    }

    private mutating func takeResult(_ record: PostgresRecord) throws {
        var record = record
        snapshot = try HistorySnapshot(postgresBytes: record.value())
        isCut = try record.bool()
        endsWindow = try record.bool()
    }

    private mutating func takeHeader(_ record: PostgresRecord, last: Int64) throws {
        var record = record
        headers.append(
            Header(
                transaction: try record.int64(), generation: try record.int64(),
                isLater: try record.bool(), timestamp: try record.date(),
                author: try record.stringIfPresent(), actor: try record.string(),
                role: try record.stringIfPresent(), application: try record.stringIfPresent(),
                process: try record.stringIfPresent(), context: try record.stringIfPresent(),
                end: changes.count, last: last))
    }
}
