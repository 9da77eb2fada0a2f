import Foundation
import SwiftData

typealias Journey = TravelSchemaV3.Journey
typealias Waypoint = TravelSchemaV3.Waypoint

enum TravelSchemaV1: VersionedSchema {
    static var versionIdentifier = Schema.Version(1, 0, 0)

    static var models: [any PersistentModel.Type] {
        [Journey.self, Waypoint.self]
    }

    @Model
    final class Journey {
        var name: String
        var start: Date
        @Relationship(deleteRule: .cascade, inverse: \Waypoint.journey) var waypoints: [Waypoint] = []

        init(name: String, start: Date) {
            self.name = name
            self.start = start
        }
    }

    @Model
    final class Waypoint {
        var place: String
        var journey: Journey?

        init(place: String) {
            self.place = place
        }
    }
}

enum TravelSchemaV2: VersionedSchema {
    static var versionIdentifier = Schema.Version(2, 0, 0)

    static var models: [any PersistentModel.Type] {
        [Journey.self, Waypoint.self]
    }

    @Model
    final class Journey {
        @Attribute(.unique) var name: String
        var start: Date
        @Relationship(deleteRule: .cascade, inverse: \Waypoint.journey) var waypoints: [Waypoint] = []

        init(name: String, start: Date) {
            self.name = name
            self.start = start
        }
    }

    @Model
    final class Waypoint {
        var place: String
        var journey: Journey?

        init(place: String) {
            self.place = place
        }
    }
}

enum TravelSchemaV3: VersionedSchema {
    static let versionIdentifier = Schema.Version(3, 0, 0)

    static var models: [any PersistentModel.Type] {
        [Journey.self, Waypoint.self]
    }

    @Model
    final class Journey {
        @Attribute(.unique) var name: String
        @Attribute(originalName: "start") var startDate: Date
        var rating: Int = 0
        var mood: String?
        @Relationship(deleteRule: .cascade, inverse: \Waypoint.journey) var waypoints: [Waypoint] = []

        init(name: String, startDate: Date, rating: Int = 0) {
            self.name = name
            self.startDate = startDate
            self.rating = rating
        }
    }

    @Model
    final class Waypoint {
        var place: String
        var latitude: Double?
        var longitude: Double?
        var journey: Journey?

        init(place: String) {
            self.place = place
        }
    }
}

enum TravelMigrationPlan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] {
        [TravelSchemaV1.self, TravelSchemaV2.self, TravelSchemaV3.self]
    }

    static var stages: [MigrationStage] {
        [migrateV1toV2, migrateV2toV3]
    }

    static let migrateV1toV2 = MigrationStage.custom(
        fromVersion: TravelSchemaV1.self,
        toVersion: TravelSchemaV2.self,
        willMigrate: { context in
            let journeys = try context.fetch(
                FetchDescriptor<TravelSchemaV1.Journey>(sortBy: [SortDescriptor(\.start)]))
            var used = Set<String>()
            for journey in journeys {
                if used.contains(journey.name) {
                    journey.name += " (\(used.count))"
                }
                used.insert(journey.name)
            }
            try context.save()
        },
        didMigrate: nil
    )

    static let migrateV2toV3 = MigrationStage.lightweight(
        fromVersion: TravelSchemaV2.self,
        toVersion: TravelSchemaV3.self
    )
}

final class TravelPlanner {
    let context: ModelContext
    init(context: ModelContext) { self.context = context }

    func journeys(after date: Date) throws -> [Journey] {
        try context.fetch(
            FetchDescriptor<Journey>(
                predicate: #Predicate { $0.startDate > date }, sortBy: [SortDescriptor(\.startDate)]))
    }

    func rate(_ journey: Journey, _ rating: Int) {
        journey.rating = rating
    }

    func addWaypoints(_ places: [String], to journey: Journey) {
        for place in places {
            let waypoint = Waypoint(place: place)
            waypoint.journey = journey
        }
    }
}
