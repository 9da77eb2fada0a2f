import HTTPTypes
import Strata
import StrataHummingbird
import Testing

@Suite struct ConditionTests {
    @Test func aTagChangesWithEachValueAndWithNothingElse() async throws {
        try await withTourServer { server in
            let path = "/tours/" + (try await server.store([("Coast", "Riga")])[0])
            let first = try await server.ask(.get, path)
            let tag = try #require(first.headers[.eTag])
            #expect(tag.hasPrefix("\"") && tag.contains("budget-") && tag.contains("destination-"))
            #expect(EntityTag(tag)?.description == tag)

            let same = try await server.ask(.get, path, [.ifNoneMatch: "\"other\", W/\(tag)"])
            #expect(same.status == 304)
            #expect(same.body == "")
            #expect(same.headers[.eTag] == tag)

            let changed = try await server.ask(.patch, path, json: #"{"budget": 12}"#)
            #expect(changed.headers[.eTag] != tag)
            #expect(try await server.ask(.get, path, [.ifNoneMatch: tag]).status == 200)
        }
    }

    @Test func aChangeOfAnotherPropertyIsNoReasonToRefuseAndOneOfTheSameIs() async throws {
        try await withTourServer { server in
            let path = "/tours/" + (try await server.store([("Coast", "Riga")])[0])
            let tag = try #require(try await server.ask(.get, path).headers[.eTag])
            _ = try await server.ask(.patch, path, json: #"{"destination": "Rome"}"#)

            #expect(try await server.ask(.patch, path, [.ifMatch: tag], json: #"{"budget": 12}"#).status == 200)
            let refused = try await server.ask(
                .patch, path, [.ifMatch: tag], json: #"{"budget": 13, "destination": "Pisa"}"#)
            #expect(refused.status == 412)
            #expect(
                refused.body
                    == ##"{"code":"conflict","detail":"Somebody else changed this meanwhile. Read it again before you change it.","##
                    + ##""errors":[{"detail":"was changed by somebody else","pointer":"#/budget"},"##
                    + ##"{"detail":"was changed by somebody else","pointer":"#/destination"}],"##
                    + ##""status":412,"title":"Precondition Failed"}"##)
            #expect(try await server.ask(.patch, path, [.ifMatch: "*"], json: #"{"budget": 13}"#).status == 200)
            #expect(try await server.ask(.patch, path, [.ifMatch: "\"older\""], json: #"{"budget": 14}"#).status == 412)
            // A change of anything is one too many for what takes all of it away.
            #expect(try await server.ask(.delete, path, [.ifMatch: tag]).status == 412)
        }
    }

    @Test func aTagThatDoesNotShowAPropertyIsNoPermissionToChangeIt() async throws {
        try await withTourServer { server in
            let path = "/tours/" + (try await server.store([("Coast", "Riga")])[0])
            // What a list shows, for example: the name alone.
            let tag = try await server.container.read { models in
                try EntityTag(try await models.snapshots(of: FetchDescriptor<Tour>(), only: \.name)[0]).description
            }
            #expect(try await server.ask(.patch, path, [.ifMatch: tag], json: #"{"budget": 12}"#).status == 412)
            #expect(try await server.ask(.delete, path, [.ifMatch: tag]).status == 412)
            #expect(try await server.ask(.delete, path, [.ifMatch: "\"a-1\""]).status == 412)
            #expect(try await server.ask(.patch, path, [.ifMatch: tag], json: #"{"name": "Dunes"}"#).status == 200)
        }
    }

    @Test func aClientThatHasItAlreadyIsToldForHowLongItMayKeepIt() async throws {
        try await withTourServer(
            routes: { router, _ in
                router.get("kept") { _, context in
                    try await context.read { models in
                        try SnapshotResponse(
                            try await models.snapshots(of: FetchDescriptor<Tour>(), only: \.name)[0],
                            headers: [.cacheControl: "max-age=60", .vary: "Authorization"])
                    }
                }
            },
            { server in
                try await server.store([("Coast", "Riga")])
                let tag = try #require(try await server.ask(.get, "/kept").headers[.eTag])
                let same = try await server.ask(.get, "/kept", [.ifNoneMatch: tag])
                #expect(same.status == 304)
                #expect(same.headers[.cacheControl] == "max-age=60")
                #expect(same.headers[.vary] == "Authorization")
            })
    }

    @Test func whoComesBetweenTheCheckAndTheSaveIsFoundByTheSave() async throws {
        try await withTourServer(
            routes: { router, container in
                addTourRoutes(to: router)
                router.patch("raced/:tour") { request, context in
                    let name = try context.parameters.require("tour")
                    let patch = try await request.patch(of: Tour.self, context)
                    return try await context.write(attempts: 1) { models in
                        let tour = try await models.model(Tour.self, named: name)
                        try request.requireMatch(
                            of: try await models.snapshots(of: [tour], only: \.name, \.destination, \.budget)[0], patch)
                        try await container.withContext { others in
                            try await others.model(Tour.self, named: name).destination = "Rome"
                        }
                        try await models.apply(patch, to: tour, allowing: \.destination)
                        return HTTPResponse.Status.ok
                    }
                }
            },
            { (server: TourServer) async throws -> Void in
                let component = try await server.store([("Coast", "Riga")])[0]
                let tag = try #require(try await server.ask(.get, "/tours/\(component)").headers[.eTag])
                let refused = try await server.ask(
                    .patch, "/raced/\(component)", [.ifMatch: tag], json: #"{"destination": "Pisa"}"#)
                #expect(refused.status == 412)
                #expect(refused.body.contains(##""pointer":"#/destination""##))
                #expect(!refused.body.contains("Rome"))
                // Rome again, which is no change: nobody stands in the way.
                _ = try await server.ask(.patch, "/tours/\(component)", json: #"{"destination": "Graz"}"#)
                let conflict = try await server.ask(.patch, "/raced/\(component)", json: #"{"destination": "Pisa"}"#)
                #expect(conflict.status == 409)
            })
    }

    @Test(arguments: ["", "\"", "\"\"", "x", "\"name\"", "\"name-\"", "\"name-1-!\"", "\"%zz-1\"", "W/\"name-1\""])
    func whatIsNoTagOfOursIsNone(_ text: String) {
        #expect(EntityTag(text) == nil)
    }
}
