import Foundation
import StrataClient
import StrataModels
import StrataRepository

/// Parcels in memory and the same parcels in a database.
final class ParcelWorld {
    private(set) var parcels: [Parcel] = []
    private var couriers: [Courier] = []
    private let registry = SilentContext()

    init(seed: UInt64) {
        var samples = PredicateSamples(seed: seed)
        couriers = (0..<5).map { _ in
            let courier = Courier(name: samples.string())
            courier.home = samples.maybe(samples.label())
            return courier
        }
        parcels = (0..<90).map { _ in
            let parcel = Parcel(
                name: samples.string(), number: samples.small(), items: samples.list(3) { $0.item() },
                shapes: samples.list(3) { $0.shape() }, shape: samples.shape(),
                marks: Set(samples.some(of: PredicateSamples.strings, upTo: 4)), label: samples.label(),
                settings: samples.dictionary { $0.string() }, flags: samples.dictionary { $0.flag() },
                places: samples.places { $0.string() }, contacts: samples.dictionary { $0.part() },
                sent: Date(timeIntervalSince1970: Double(samples.small())))
            parcel.nickname = samples.maybe(samples.key())
            parcel.spares = samples.maybe(samples.list(2) { $0.item() })
            parcel.formerShape = samples.maybe(samples.shape())
            parcel.oldLabel = samples.maybe(samples.label())
            parcel.limits = samples.maybe(samples.dictionary { $0.small() })
            parcel.courier = samples.maybe(samples.one(of: couriers))
            return parcel
        }
        for (index, model) in all.enumerated() {
            let entity = type(of: model)._$descriptor.entityName
            model._$state.register(
                model, key: RowKey(Int64(index + 1)), identity: EntityIdentity(store: "test", entityName: entity),
                in: registry,
                phase: .registered)
        }
    }

    private var all: [any PersistentModel] { couriers + parcels }

    /// Creates the tables and writes every object.
    func write(to connection: PostgresConnection) async throws {
        let mapping = ParcelModels.mapping
        var batch = PostgresBatch()
        for statement in TableCreation.all(mapping) { batch.add(try statement.statement()) }
        for model in all {
            guard let entity = mapping.entity(for: type(of: model)) else { continue }
            batch.add(try PredicateWorld.insert(model, into: entity))
        }
        for parcel in parcels {
            guard let key = parcel.courier?._$state.key else { continue }
            let sql: SQLFragment = "UPDATE parcel SET courier = \(bind: key) WHERE pk = \(bind: parcel._$state.key)"
            batch.add(try sql.statement())
        }
        try await connection.run(batch)
    }
}

extension PredicateSamples {
    /// Few, so that they are found; two of them are one to Swift.
    static let keys = ["theme", "n", "é", "e\u{301}", "", "a.b", "0", "it's"]
    static let labels = ["x", "y", "PARIS"]

    mutating func key() -> String { one(of: Self.keys) }

    mutating func list<T>(_ count: Int, _ make: (inout PredicateSamples) -> T) -> [T] {
        (0..<number(below: count + 1)).map { _ in make(&self) }
    }

    mutating func dictionary<T>(_ make: (inout PredicateSamples) -> T) -> [String: T] {
        var result: [String: T] = [:]
        for _ in 0..<number(below: 5) { result[key()] = make(&self) }
        return result
    }

    mutating func places<T>(_ make: (inout PredicateSamples) -> T) -> [Int: T] {
        var result: [Int: T] = [:]
        for _ in 0..<number(below: 4) { result[small()] = make(&self) }
        return result
    }

    mutating func shape() -> Shape {
        switch number(below: 3) {
        case 0: .letter
        case 1: .box(width: number(below: 2), height: maybe(number(below: 2)))
        default: .roll(one(of: Self.labels))
        }
    }

    mutating func part() -> Item.Part {
        Item.Part(name: one(of: Self.labels), weight: maybe(one(of: [0, -0.0, 0.1, 2.5])))
    }

    mutating func item() -> Item {
        Item(
            title: one(of: Self.labels), amount: number(below: 3), isFragile: flag(), note: maybe(one(of: Self.labels)),
            weather: weather(), packed: Date(timeIntervalSince1970: 0.25 + Double(number(below: 2))),
            parts: list(2) { $0.part() })
    }

    mutating func label() -> Label {
        Label(
            lines: some(of: Self.strings, upTo: 4), extra: maybe(some(of: Self.strings, upTo: 3)),
            scores: list(3) { $0.maybe($0.number(below: 3)) }, matrix: list(3) { $0.list(2) { $0.number(below: 3) } },
            items: list(2) { $0.item() }, codes: Set(some(of: Self.codes, upTo: 3)),
            settings: dictionary { $0.string() }, limits: maybe(dictionary { $0.small() }),
            places: places { Double($0.small()) },
            owner: .init(names: some(of: Self.labels, upTo: 2), ages: dictionary { $0.small() }))
    }
}
