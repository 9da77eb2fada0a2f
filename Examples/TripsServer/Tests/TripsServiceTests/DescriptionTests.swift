import Foundation
import Hummingbird
import SampleTripsModels
import Strata
import Testing

@testable import TripsService

@Suite(.timeLimit(.minutes(2))) struct DescriptionTests {
    private typealias Object = [String: Any]

    private func described() throws -> Object {
        try #require(JSONSerialization.jsonObject(with: Data(TripsService.description.utf8)) as? Object)
    }

    @Test func theDescriptionNamesEachRouteAndNoOther() async throws {
        let container = try await TripsService.open(ModelConfiguration(isStoredInMemoryOnly: true))
        let served = TripsService.router(container).routes.filter { $0.method != .head }.map { route in
            let parts = route.path.description.split(separator: "/").map {
                $0.hasPrefix(":") ? "{\($0.dropFirst())}" : $0
            }
            return "\(route.method) /\(parts.joined(separator: "/"))"
        }
        let paths = try #require(try described()["paths"] as? [String: Object])
        let described = paths.flatMap { path, methods in
            methods.keys.filter { $0 != "parameters" }.map { "\($0.uppercased()) \(path)" }
        }
        let page: Set = ["GET /", "GET /live.js", "GET /live.css", "GET /favicon.ico", "GET /openapi.json"]
        #expect(Set(served).subtracting(page) == Set(described))
        await container.close()
    }

    @Test func whatIsAnsweredIsDescribed() async throws {
        try await withService { client, container, _ in
            let schemas = try #require((try described()["components"] as? Object)?["schemas"] as? [String: Object])
            let (path, _) = try await client.trip("Fair")
            try await container.withContext { context in
                let trip = try #require(try await context.fetch(FetchDescriptor<Trip>()).first)
                trip.bucketList.append(BucketListItem(title: "Pack"))
            }
            let trip =
                try JSONSerialization.jsonObject(with: Data(try await client.ask(.get, path).body.utf8)) as? Object
            expect(try #require(trip), isDescribedBy: "Trip", schemas)
            let items = try #require(trip?["bucketList"] as? [Object])
            expect(try #require(items.first), isDescribedBy: "BucketListItem", schemas)
            for (list, name) in [
                ("/trips", "TripInBrief"), ("/search?q=Fair", "TripInBrief"), ("/report", "DestinationReport"),
            ] {
                let answer = try await client.ask(.get, list).body
                let items = try JSONSerialization.jsonObject(with: Data(answer.utf8)) as? [Object]
                expect(try #require(items?.first), isDescribedBy: name, schemas)
            }
            let problem = try await client.ask(.get, "/trips/nothing").body
            expect(
                try #require(try JSONSerialization.jsonObject(with: Data(problem.utf8)) as? Object),
                isDescribedBy: "Problem", schemas)
        }
    }

    /// An object has what is required, and nothing that is not described.
    private func expect(_ object: Object, isDescribedBy name: String, _ schemas: [String: Object]) {
        var (required, known): (Set<String>, Set<String>) = ([], [])
        func take(_ schema: Object) {
            required.formUnion(schema["required"] as? [String] ?? [])
            known.formUnion((schema["properties"] as? Object ?? [:]).keys)
            for part in schema["allOf"] as? [Object] ?? [] {
                let other = (part["$ref"] as? String)?.split(separator: "/").last.flatMap { schemas[String($0)] }
                take(other ?? part)
            }
        }
        take(schemas[name] ?? [:])
        let keys = Set(object.keys)
        #expect(keys.isSuperset(of: required) && keys.isSubset(of: known), "\(name): \(keys.sorted())")
    }
}
