import Foundation
import HTTPTypes
import Hummingbird
import SampleTripsModels
import Strata
import StrataHummingbird

extension TripsService {
    /// Trips: lists, one, new ones of both kinds, changes.
    ///
    /// Answers are made of what is in memory, before anything is saved: what `write` saves at its end goes out with COMMIT, in one round trip. New
    /// objects with `uniquePolicy = .fail`: by any other they might become a row that is there.
    static func addTrips(to router: Router<BasicStrataRequestContext>) {
        router.get("trips") { request, context in
            let place = try PagePlace(of: request, size: 20, maximumSize: 100)
            return try await context.read { models in
                let byStart = FetchDescriptor<Trip>(sortBy: [SortDescriptor(\.startDate)])
                let page = try await models.fetchPage(byStart, at: place)
                let items = try await models.snapshots(of: page.objects, only: \.name, \.destination, \.startDate)
                return PageResponse(items, of: page)
            }
        }
        router.get("trips/:id") { _, context in
            let id = try context.parameters.require("id")
            return try await context.read { models in
                try await answer(try await models.model(Trip.self, named: id), in: models)
            }
        }
        router.post("trips/business") { request, context in
            try context.requireAccount()
            let patch = try await request.patch(of: BusinessTrip.self, context)
            return try await context.write { models in
                models.uniquePolicy = .fail
                let trip = try await models.insert(
                    patch, allowing: \.name, \.destination, \.startDate, \.endDate, \.perdiem)
                return try await answer(trip, in: models, status: .created)
            }
        }
        router.post("trips/personal") { request, context in
            try context.requireAccount()
            let patch = try await request.patch(of: PersonalTrip.self, context)
            return try await context.write { models in
                models.uniquePolicy = .fail
                let trip = try await models.insert(
                    patch, allowing: \.name, \.destination, \.startDate, \.endDate, \.reason)
                return try await answer(trip, in: models, status: .created)
            }
        }
        router.patch("trips/:id") { request, context in
            try context.requireAccount()
            let id = try context.parameters.require("id")
            let patch = try await request.patch(of: Trip.self, context)
            return try await context.write { models in
                let trip = try await models.model(Trip.self, named: id)
                try request.requireMatch(of: try await shown(trip, in: models), patch)
                try await models.apply(patch, to: trip, allowing: \.name, \.destination, \.startDate, \.endDate)
                // Its list is in memory: taken from the object, without a look at the database.
                return try SnapshotResponse(
                    try trip.snapshot(only: \.name, \.destination, \.startDate, \.endDate, \.bucketList))
            }
        }
        router.delete("trips/:id") { request, context in
            try context.requireAccount()
            let id = try context.parameters.require("id")
            return try await context.write { models in
                let trip = try await models.model(Trip.self, named: id)
                // Who puts a photo refers to the trip. With its row locked, all that will ever be there are there.
                let key = trip.persistentModelID
                var row = FetchDescriptor<Trip>(predicate: #Predicate { $0.persistentModelID == key })
                row.lock = .update
                guard try await models.fetch(row).first != nil else { throw Problem(.notFound) }
                try request.requireMatch(of: try await shown(trip, in: models), isRequired: true)
                try models.delete(model: Photo.self, where: Photo.one(of: key).predicate)
                models.delete(trip)
                return HTTPResponse.Status.noContent
            }
        }
    }

    /// What clients see of a trip.
    static func shown(_ trip: Trip, in models: ModelContext) async throws -> ModelSnapshot<Trip> {
        try await models.snapshots(of: [trip], only: \.name, \.destination, \.startDate, \.endDate, \.bucketList)[0]
    }

    private static func answer(
        _ trip: Trip, in models: ModelContext, status: HTTPResponse.Status = .ok
    ) async throws -> SnapshotResponse<Trip> {
        let headers: HTTPFields =
            status == .created ? [.location: "/trips/\(trip.persistentModelID.urlPathComponent)"] : [:]
        return try SnapshotResponse(try await shown(trip, in: models), status: status, headers: headers)
    }
}
