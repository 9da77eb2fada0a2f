import HTTPTypes
import Hummingbird
import SampleTripsModels
import Strata
import StrataHummingbird

extension TripsService {
    /// `PUT /trips/:id/photo` takes a picture, `GET` gives it.
    static func addPhotos(to router: Router<BasicStrataRequestContext>) {
        router.put("trips/:id/photo") { request, context in
            try context.requireAccount()
            let id = try context.parameters.require("id")
            let upload = try await request.upload(of: ["image/jpeg", "image/png", "image/webp"], upTo: 5_000_000)
            return try await context.write { models in
                let trip = try await models.model(Trip.self, named: id)
                // Of several at the same time the last one stays: `trip` is unique, and an insertion is an upsert.
                models.insert(Photo(upload.data, contentType: upload.contentType, of: trip))
                return HTTPResponse.Status.noContent
            }
        }
        router.get("trips/:id/photo") { _, context in
            let id = try context.parameters.require("id")
            return try await context.read { models in
                let trip = try await models.model(Trip.self, named: id)
                let found = try await models.fetch(
                    Photo.one(of: trip.persistentModelID), selecting: \.data, \.contentType)
                guard let (data, contentType) = found.first else {
                    throw Problem(.notFound, detail: "This trip has no photo.")
                }
                return DataResponse(data, contentType: contentType, headers: [.cacheControl: "no-cache"])
            }
        }
    }
}
