import Foundation
import SwiftData

// An actor written by hand, JSON from a service, notifications of saves.

@Model
final class Station {
    @Attribute(.unique) var code: String
    var name: String
    var elevation: Measurement<UnitLength>?
    var timeZone: String = TimeZone.current.identifier
    @Relationship(deleteRule: .cascade, inverse: \Observation.station)
    var observations: [Observation]? = []

    init(code: String, name: String) {
        self.code = code
        self.name = name
    }
}

@Model
final class Observation {
    var time: Date
    var celsius: Double
    var wind: Wind
    var conditions: [Condition]
    var station: Station?

    struct Wind: Codable {
        var speed: Double
        var gust: Double?
        var direction: Direction
    }

    enum Direction: String, Codable {
        case north = "N"
        case east = "E"
    }

    enum Condition: String, Codable, CaseIterable { case sun, cloud, rain, snow }

    init(time: Date, celsius: Double, wind: Wind, conditions: [Condition]) {
        self.time = time
        self.celsius = celsius
        self.wind = wind
        self.conditions = conditions
    }
}

struct StationResponse: Decodable {
    struct Reading: Decodable {
        let time: Date
        let temperature: Double
        let wind: Observation.Wind
        let conditions: [Observation.Condition]?
    }

    let code: String
    let name: String
    let meters: Double?
    let readings: [Reading]
}

actor WeatherImporter: ModelActor {
    nonisolated let modelContainer: ModelContainer
    nonisolated let modelExecutor: any ModelExecutor
    private var imported = 0

    init(container: ModelContainer) {
        modelContainer = container
        let context = ModelContext(container)
        context.autosaveEnabled = false
        modelExecutor = DefaultSerialModelExecutor(modelContext: context)
    }

    func load(_ data: Data) throws -> Int {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .secondsSince1970
        for response in try decoder.decode([StationResponse].self, from: data) {
            let station = Station(code: response.code, name: response.name)
            station.elevation = response.meters.map { Measurement(value: $0, unit: .meters) }
            modelContext.insert(station)
            station.observations?.append(
                contentsOf: response.readings.map {
                    Observation(
                        time: $0.time, celsius: $0.temperature, wind: $0.wind, conditions: $0.conditions ?? [])
                })
            imported += response.readings.count
        }
        try modelContext.save()
        return imported
    }

    func prune(before date: Date) throws {
        try modelContext.delete(model: Observation.self, where: #Predicate { $0.time < date })
        try modelContext.save()
    }
}

/// Counts what contexts saved.
final class SaveLog: @unchecked Sendable {
    private(set) var inserted = 0
    private(set) var deleted: [PersistentIdentifier] = []
    private var token: NSObjectProtocol?

    func start(_ context: ModelContext) {
        token = NotificationCenter.default.addObserver(
            forName: ModelContext.didSave, object: context, queue: nil
        ) { [weak self] notification in
            let key = ModelContext.NotificationKey.insertedIdentifiers.rawValue
            if let new = notification.userInfo?[key] as? [PersistentIdentifier] { self?.inserted += new.count }
            if let gone = notification.userInfo?[ModelContext.NotificationKey.deletedIdentifiers.rawValue]
                as? [PersistentIdentifier]
            {
                self?.deleted += gone
            }
        }
    }

    func stop() { if let token { NotificationCenter.default.removeObserver(token) } }
}

extension ModelContext {
    func warmest(at code: String, above celsius: Double) throws -> Observation? {
        var descriptor = FetchDescriptor<Observation>(
            predicate: #Predicate { $0.station?.code == code && $0.celsius > celsius },
            sortBy: [SortDescriptor(\.celsius, order: .reverse)])
        descriptor.fetchLimit = 1
        return try fetch(descriptor).first
    }

    func windy(from direction: Observation.Direction) throws -> [Observation] {
        try fetch(FetchDescriptor(predicate: #Predicate<Observation> { $0.wind.direction == direction }))
    }
}
