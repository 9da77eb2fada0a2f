import Foundation
import StrataClient
import StrataModels
import StrataRepository

/// Objects in memory and the same objects in a database, without a context between.
final class PredicateWorld {
    var journeys: [Journey] = []
    var stops: [Stop] = []
    var towns: [Town] = []
    var guests: [Guest] = []
    private let registry = SilentContext()

    var all: [any PersistentModel] { journeys + stops + towns + guests }

    init(seed: UInt64) {
        var samples = PredicateSamples(seed: seed)
        towns = (0..<14).map { _ in
            Town(city: samples.string(), country: samples.maybe(samples.string()), population: samples.small())
        }
        for town in towns where samples.chance(2) { town.capital = samples.one(of: towns) }
        guests = (0..<12).map { _ in Guest(name: samples.string(), age: samples.small()) }
        for guest in guests where samples.chance(2) { guest.host = samples.one(of: guests) }
        journeys = (0..<70).map { _ in makeJourney(&samples) }
        stops = (0..<90).map { _ in
            let stop = Stop(
                title: samples.string(), minutes: samples.small(), isDone: samples.flag(),
                note: samples.maybe(samples.string()))
            stop.journey = samples.maybe(samples.one(of: journeys))
            stop.town = samples.maybe(samples.one(of: towns))
            return stop
        }
        for town in towns where samples.chance(2) { samples.one(of: journeys).towns.append(town) }
        for guest in guests {
            guest.journeys = Array(Set(samples.some(of: journeys, upTo: 12)))
        }
        for (index, model) in all.enumerated() {
            let entity = type(of: model)._$descriptor.entityName
            model._$state.register(
                model, key: RowKey(Int64(index + 1)), identity: EntityIdentity(store: "test", entityName: entity),
                in: registry,
                phase: .registered)
        }
    }

    private func makeJourney(_ samples: inout PredicateSamples) -> Journey {
        let name = samples.string()
        let code = samples.one(of: PredicateSamples.codes)
        let address = samples.address()
        let journey: Journey
        switch samples.number(below: 5) {
        case 0, 1: journey = Journey(name: name, code: code, address: address)
        case 2:
            let business = BusinessJourney(name: name, code: code, address: address)
            (business.perdiem, business.client) = (samples.double(), samples.maybe(samples.one(of: towns)))
            journey = business
        case 3:
            let first = FirstClassJourney(name: name, code: code, address: address)
            (first.perdiem, first.lounge) = (samples.double(), samples.maybe(samples.string()))
            journey = first
        default:
            let camping = CampingJourney(name: name, code: code, address: address)
            camping.tents = samples.small()
            journey = camping
        }
        journey.nickname = samples.maybe(samples.string())
        journey.rating = samples.integer()
        journey.budget = samples.maybe(samples.small())
        journey.small = Int16(samples.small())
        journey.big = samples.one(of: [0, 1, 5, .max])
        journey.score = samples.double()
        journey.discount = samples.maybe(samples.double())
        journey.ratio = samples.one(of: PredicateSamples.floats)
        journey.price = samples.one(of: PredicateSamples.decimals)
        journey.isOpen = samples.flag()
        journey.isPaid = samples.maybe(samples.flag())
        journey.weather = samples.weather()
        journey.lastWeather = samples.maybe(samples.weather())
        journey.level = samples.one(of: PredicateSamples.levels)
        journey.start = samples.date()
        journey.end = samples.maybe(samples.date())
        journey.link = samples.maybe(samples.one(of: PredicateSamples.links))
        journey.photo = samples.maybe(samples.one(of: PredicateSamples.datas))
        journey.tags = samples.some(of: PredicateSamples.strings, upTo: 4)
        journey.marks = samples.maybe(samples.some(of: PredicateSamples.integers, upTo: 3))
        journey.kinds = samples.some(of: Weather.allCases, upTo: 2)
        journey.formerAddress = samples.maybe(samples.address())
        journey.home = samples.maybe(samples.one(of: towns))
        return journey
    }

    /// Creates the tables and writes every object, one table after the other, then the foreign keys.
    func write(to connection: PostgresConnection, _ mapping: StoreMapping) async throws {
        var batch = PostgresBatch()
        for statement in TableCreation.all(mapping) { batch.add(try statement.statement()) }
        for model in all {
            guard let entity = mapping.entity(for: type(of: model)) else { continue }
            for owner in entity.chain { batch.add(try Self.insert(model, into: owner)) }
        }
        for model in all {
            guard let entity = mapping.entity(for: type(of: model)) else { continue }
            for relationship in entity.relationships.compactMap({ $0 }) {
                for statement in try links(of: model, by: relationship) { batch.add(try statement.statement()) }
            }
        }
        try await connection.run(batch)
    }

    /// Writes an object's own columns of one class of its chain.
    static func insert(_ model: any PersistentModel, into owner: EntityMapping) throws -> PostgresStatement {
        var columns = [owner.key.list(of: "")]
        var parameters = PostgresParameters()
        try parameters.append(model._$state.key)
        if let classColumn = owner.ownClassColumn {
            columns.append(SQLFragment.quoted(classColumn))
            try parameters.append(type(of: model)._$descriptor.entityName)
        }
        for column in owner.ownColumns {
            guard let slot = column.slot, let attribute = owner.descriptor.properties[slot] as? AnyAttributeProperty
            else { continue }
            columns.append(SQLFragment.quoted(column.name))
            try type(of: model)._$descriptor.properties[attribute.slot].appendStoredValue(of: model, to: &parameters)
        }
        let places = (1...columns.count).map { "$\($0)" }.joined(separator: ", ")
        let table = SQLFragment.quoted(owner.table.schema) + "." + SQLFragment.quoted(owner.table.name)
        return PostgresStatement(
            "INSERT INTO \(table) (\(columns.joined(separator: ", "))) VALUES (\(places))", parameters: parameters)
    }

    private func links(of model: any PersistentModel, by relationship: RelationshipMapping) throws -> [SQLFragment] {
        guard
            let property = type(of: model)._$descriptor.properties[relationship.property.slot] as? RelationshipProperty
        else { return [] }
        let key = model._$state.key
        let targets = property.loadedObjects(of: model).map { $0._$state.key }
        switch relationship.storage {
        case .foreignKey(let column):
            return targets.map {
                "UPDATE \(relationship.owner.table) SET \(identifier: column.name) = \(bind: $0) WHERE pk = \(bind: key)"
            }
        case .inverseForeignKey(let holder, let column) where relationship.isHidden:
            return targets.map {
                "UPDATE \(holder.table) SET \(identifier: column.name) = \(bind: key) WHERE pk = \(bind: $0)"
            }
        case .joinTable(let table, let own, let other) where own == table.firstKey:
            return targets.map {
                "INSERT INTO \(table.table) (\(own.list()), \(other.list())) VALUES (\(bind: key), \(bind: $0))"
            }
        default: return []
        }
    }
}

extension ModelProperty {
    fileprivate func appendStoredValue(of model: any PersistentModel, to parameters: inout PostgresParameters) throws {
        try (self as? AnyAttributeProperty)?.appendStored(in: model, to: &parameters)
    }
}

/// A context that only gives objects an identity.
final class SilentContext: ObjectContext {
    func forget(_ state: ModelState) {}
    func modelDidChange(_ state: ModelState) {}
    func insertedModelDidChange(_ state: ModelState) {}
    func insertRelated(_ model: any PersistentModel) {}
    func registered(key: RowKey, root: ModelDescriptor) -> (any PersistentModel)? { nil }
    func loadAttribute(_ property: any ModelProperty, of model: any PersistentModel) {}
    func loadRelationship(_ property: RelationshipProperty, of model: any PersistentModel) {}
    func noteUnfulfilled(_ property: any ModelProperty, of model: any PersistentModel) {}
    func noteForeignObject(_ property: RelationshipProperty, of model: any PersistentModel) {}
}
