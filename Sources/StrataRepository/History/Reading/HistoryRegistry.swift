import StrataClient
import StrataModels
import Synchronization

/// The numbers by which changes name entities and properties, as far as this container knows these.
///
/// The database gives each number once, so what is known stays right.
struct HistoryRegistry: Sendable {
    /// One number of an entity: it has several where a hierarchy has more than 63 properties, one a word of the masks.
    struct Entity: Sendable {
        let name: String
        let root: Int32
        let word: Int
        /// `nil` for one that the container's schema does not have.
        let maker: (any HistoryChangeMaking)?
        /// The index of ``maker``'s class.
        let index: Int
        /// What the keys of ``maker``'s class are.
        let keyKind: RowKey.Kind?

        /// A key that was read without knowing the class: a text may look like a UUID.
        func key(_ key: RowKey) -> RowKey {
            keyKind == .text && !key.isText ? RowKey(text: key.description) ?? key : key
        }
    }

    /// What a bit of a mask stands for in one class.
    struct Bits: Sendable {
        var slots: [Int?] = []
        var names: [String] = []
    }

    private(set) var entities: [Int32: Entity] = [:]
    /// How many bits there are in a hierarchy, by the number of its root.
    private var counts: [Int32: Int] = [:]
    private var bits: [BitsKey: Bits] = [:]

    /// A class under one number of its hierarchy: it gets another when it was not recorded for a while.
    private struct BitsKey: Hashable {
        let root: Int32
        let index: Int
    }

    /// What the bits mean in the masks of an entity's changes.
    func bits(of entity: Entity) -> Bits { bits[BitsKey(root: entity.root, index: entity.index)] ?? Bits() }

    init(_ rows: HistoryRegistryRows, mapping: StoreMapping) {
        let known = Dictionary(mapping.entities.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        var names: [Int32: String] = [:]
        for row in rows.entities {
            // Either name: a migration under way may have given the entity another already, or not yet.
            let entity = known[row.name] ?? row.nextName.flatMap { known[$0] }
            let name = entity?.name ?? row.name
            names[row.id] = name
            entities[row.id] = Entity(
                name: name, root: row.root, word: row.word,
                maker: entity?.descriptor.historyChangeMaker,
                index: entity?.index ?? -1, keyKind: entity?.keyKind)
        }
        var properties: [Int32: [HistoryRegistryRows.Property]] = [:]
        for row in rows.properties {
            properties[row.root, default: []].append(row)
            counts[row.root] = max(counts[row.root] ?? 0, row.bit + 1)
        }
        for entity in entities.values where entity.word == 0 && entity.maker != nil {
            let mapping = mapping.entities[entity.index]
            bits[BitsKey(root: entity.root, index: entity.index)] = Self.bits(
                properties[entity.root] ?? [], of: mapping, names)
        }
    }

    /// The latest number of an entity: a registry with another one is from later.
    var last: Int32 { entities.keys.max() ?? 0 }

    /// How many bits the properties of this store have: they only grow.
    var bitCount: Int { counts.values.reduce(0, +) }

    /// Whether the number of an entity is known, and so are the bits of a mask under it.
    func knows(_ id: Int32, _ mask: Int64) -> Bool {
        guard let entity = entities[id] else { return false }
        guard entity.maker != nil, mask != 0 else { return true }
        let last = 63 - UInt64(bitPattern: mask).leadingZeroBitCount
        return entity.word * 63 + last < counts[entity.root] ?? 0
    }

    private static func bits(
        _ properties: [HistoryRegistryRows.Property], of mapping: EntityMapping, _ names: [Int32: String]
    ) -> Bits {
        var bits = Bits()
        let chain = Dictionary(mapping.chain.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        let last = properties.map(\.bit).max() ?? -1
        bits.slots = Array(repeating: nil, count: last + 1)
        bits.names = Array(repeating: "", count: last + 1)
        for property in properties {
            bits.names[property.bit] = property.name
            guard let owner = names[property.entity].flatMap({ chain[$0] }), !property.isRetired else { continue }
            let candidates = mapping.descriptor.properties[owner.descriptor.ownSlots]
            let found =
                candidates.first { $0.name == property.name } ?? candidates.first { $0.name == property.nextName }
            guard let found else { continue }
            bits.slots[property.bit] = found.slot
            bits.names[property.bit] = found.name
        }
        return bits
    }
}

/// The registry's rows as they are in the database.
struct HistoryRegistryRows {
    struct Entity {
        let id: Int32
        let name: String
        let nextName: String?
        let root: Int32
        let word: Int
    }

    struct Property {
        let root: Int32
        let bit: Int
        let entity: Int32
        let name: String
        let nextName: String?
        let isRetired: Bool
    }

    var entities: [Entity] = []
    var properties: [Property] = []

    static func statements(of schemaName: String) throws -> (entities: PostgresStatement, properties: PostgresStatement)
    {
        let entities: SQLFragment = """
            SELECT e.id, e.name, e.next_name, e.root, e.word::integer \
            FROM \(HistorySchema.entity) AS e JOIN \(LibrarySchema.store) AS st ON st.number = e.store \
            WHERE st.schema_name = \(bind: schemaName)
            """
        let properties: SQLFragment = """
            SELECT p.root, p.bit::integer, p.entity, p.name, p.next_name, p.retired FROM \(HistorySchema.property) AS p \
            WHERE p.root IN (SELECT e.root FROM \(HistorySchema.entity) AS e \
            JOIN \(LibrarySchema.store) AS st ON st.number = e.store WHERE st.schema_name = \(bind: schemaName))
            """
        return (
            try entities.statement(name: "entities of history").storingNothing,
            try properties.statement(name: "properties of history").storingNothing
        )
    }

    mutating func takeEntity(_ row: PostgresRow) throws {
        entities.append(
            Entity(
                id: try row.decode(0), name: try row.decode(1), nextName: try row.decodeIfPresent(2),
                root: try row.decode(3), word: Int(try row.decode(4, as: Int32.self))))
    }

    mutating func takeProperty(_ row: PostgresRow) throws {
        properties.append(
            Property(
                root: try row.decode(0), bit: Int(try row.decode(1, as: Int32.self)), entity: try row.decode(2),
                name: try row.decode(3), nextName: try row.decodeIfPresent(4), isRetired: try row.decode(5)))
    }
}

/// The registry of one store, read when it is first needed and when a number turns up that it does not have.
package final class HistoryRegistryCache: Sendable {
    private let value = Mutex<HistoryRegistry?>(nil)

    package init() {}

    var current: HistoryRegistry? { value.withLock { $0 } }

    /// Keeps what was read, unless what is known is from later.
    func learn(_ registry: HistoryRegistry) {
        value.withLock { known in
            if let known, known.last > registry.last || known.bitCount > registry.bitCount { return }
            known = registry
        }
    }
}
