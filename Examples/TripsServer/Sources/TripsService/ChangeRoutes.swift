import HTTPTypes
import Hummingbird
import SampleTripsModels
import Strata
import StrataHummingbird
import WorkQueue

extension TripsService {
    /// Live streams, and work for later.
    static func addChanges(to router: Router<BasicStrataRequestContext>, _ container: ModelContainer) {
        router.get("trips/changes") { request, _ in
            EventStream(container.history(after: try request.lastHistoryToken(), of: Trip.self)) { transaction in
                try ServerSentEvent(transaction, of: Trip.self)
            }
        }
        router.get("trips/live") { _, context in
            var next = FetchDescriptor<Trip>(sortBy: [SortDescriptor(\.startDate)])
            next.fetchLimit = 100
            return EventStream(try context.results(of: next)) { trips in
                try ServerSentEvent(json: trips.map { try $0.snapshot(only: \.name, \.destination, \.startDate) })
            }
        }
        router.post("trips/:id/reminder") { _, context in
            try context.requireAccount()
            let id = try context.parameters.require("id")
            try await context.write { models in
                let trip = try await models.model(Trip.self, named: id)
                models.insert(Job(trip.persistentModelID.urlPathComponent))
            }
            return HTTPResponse.Status.accepted
        }
    }
}
