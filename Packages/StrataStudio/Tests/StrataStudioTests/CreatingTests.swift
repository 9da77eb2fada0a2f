import Foundation
import Strata
import StrataBrowsing
import Testing

@testable import StrataStudio

@Suite struct CreatingTests {
    /// What a browser would send: every field of the form, those that are named with a value.
    private func fields(
        _ studio: StudioUnderTest, _ path: String, _ values: [String: String], sources: [String: String] = [:]
    ) async throws -> [(String, String)] {
        let form = try await studio.client.get(studio.path(path)).body
        let names = form.matches(of: /name="property" value="([^"]*)"/).map { String($0.1) }
        #expect(Set(names).isSuperset(of: values.keys))
        let exact = form.components(separatedBy: "name=\"property\"").dropFirst()
            .map { $0.contains("name=\"source\" value=\"exactly\"") }
        return zip(names, exact).flatMap { name, isExact in
            [
                ("property", name), ("value", values[name] ?? ""),
                ("source", sources[name] ?? (isExact ? "exactly" : "")),
            ]
        }
    }

    @Test func anObjectOfASubclassIsMadeInAllItsTables() async throws {
        try await withStudio(allowsEdits: true) { studio in
            #expect(try await studio.client.get(studio.path("/c/CityTour")).body.contains("/c/CityTour/new\""))
            let answer = try await studio.client.post(
                studio.path("/c/CityTour/new"),
                try await fields(
                    studio, "/c/CityTour/new",
                    [
                        "name": "By <night>", "notes": "first\r\nsecond", "price": "12.5",
                        "startDate": "2026-05-01T18:00:00Z", "city": "Rīga",
                    ]))
            #expect(answer.status == 303, "\(answer.body)")
            let tours = try await studio.container.read { models in
                try await models.fetch(FetchDescriptor<CityTour>()).map {
                    [$0.name, $0.notes ?? "", "\($0.price)", $0.city, "\($0.startDate.timeIntervalSince1970)"]
                }
            }
            #expect(tours == [["By <night>", "first\nsecond", "12.5", "Rīga", "1777658400.0"]])
            let key = try #require(
                try await studio.container.read { models in
                    try await models.fetch(FetchDescriptor<CityTour>()).first?.key
                })
            #expect(answer.header("location") == studio.path("/c/CityTour/o/\(key)"))
            // A program of Strata's goes on with it, and the history knows who made it.
            try await studio.container.withContext { context in
                let tour = try await context.fetch(FetchDescriptor<CityTour>())[0]
                tour.city = "Riga"
                tour.stops = [Stop("The clock")]
            }
            let schema = try await studio.browser.schema(named: studio.schema)
            let changes = try await studio.browser.history(of: key, of: "CityTour", in: schema).changes
            #expect(changes.map(\.kind) == [.update, .insert])
            #expect(changes.last?.transaction.author == "studio")
        }
    }

    @Test func nothingIsNullOrTheDefaultOrAnEmptyTextAsOneSays() async throws {
        try await withStudio(allowsEdits: true) { studio in
            let values = ["name": "a", "price": "1", "startDate": "2026-05-01"]
            for (name, sources) in [("a", [:]), ("b", ["notes": "exactly"]), ("c", ["notes": "null"])] {
                let sent = try await fields(
                    studio, "/c/Tour/new", values.merging(["name": name]) { $1 }, sources: sources)
                #expect(try await studio.client.post(studio.path("/c/Tour/new"), sent).status == 303)
            }
            let notes = try await studio.container.read { models in
                try await models.fetch(FetchDescriptor<Tour>(sortBy: [SortDescriptor(\.name)])).map(\.notes)
            }
            #expect(notes == [nil, "", nil])
        }
    }

    @Test func whatTheDatabaseDoesNotTakeIsSaidAndTheFormKeepsTheRest() async throws {
        try await withStudio(allowsEdits: true) { studio in
            _ = try await studio.store { Tour("taken") }
            let path = studio.path("/c/Tour/new")
            var values = ["name": "taken", "price": "1", "startDate": "2026-05-01"]
            let taken = try await studio.client.post(path, try await fields(studio, "/c/Tour/new", values))
            #expect(taken.status == 403)
            #expect(taken.body.contains("SQLSTATE 23505") && taken.body.contains("taken</textarea>"))
            values["name"] = "free"
            values["price"] = "a lot"
            let wrong = try await studio.client.post(path, try await fields(studio, "/c/Tour/new", values))
            #expect(wrong.status == 422)
            #expect(wrong.body.contains("SQLSTATE 22P02") && wrong.body.contains("value=\"a lot\""))
            #expect(try await studio.client.post(path, [("property", "name")]).status == 400)
            #expect(try await studio.client.get(studio.path("/c/Nothing/new")).status == 404)
            let count = try await studio.container.read { models in
                try await models.fetchCount(FetchDescriptor<Tour>())
            }
            #expect(count == 1)
        }
    }

    @Test func anAbstractClassHasNoObjectsOfItsOwnWhereNoMigrationSaysSoEither() async throws {
        try await withStudio(allowsEdits: true) { studio in
            let name = studio.schema + "_abstract"
            let container = try await ModelContainer(
                for: Schema([Vehicle.self, Bus.self]),
                configurations: [
                    ModelConfiguration(url: try #require(URL(string: studio.databaseURL)), postgresSchema: name)
                ])
            let schema = try await studio.browser.schema(named: name)
            #expect(schema.source == .history)
            #expect(schema.storedClass(named: "Vehicle")?.isAbstract == true)
            #expect(!(try await studio.client.get("/s/\(name)/c/Vehicle")).body.contains("/c/Vehicle/new"))
            let error = await #expect(throws: BrowsingError.self) {
                try await studio.browser.create(
                    [InitialValue(property: "wheels", source: .text("4"))], of: "Vehicle", in: schema)
            }
            #expect(error?.code == .refused)
            _ = try await studio.browser.create(
                [
                    InitialValue(property: "wheels", source: .text("6")),
                    InitialValue(property: "seats", source: .text("50")),
                ], of: "Bus", in: schema)
            let found = try await container.read { models in
                try await models.fetch(FetchDescriptor<Vehicle>()).map { type(of: $0) == Bus.self }
            }
            #expect(found == [true])
            await container.close()
        }
    }

    @Test func aStudioThatOnlyReadsMakesNothing() async throws {
        try await withStudio { studio in
            #expect(!(try await studio.client.get(studio.path("/c/Tour"))).body.contains("/c/Tour/new"))
            #expect(try await studio.client.get(studio.path("/c/Tour/new")).body.contains("--allow-edits"))
            #expect(try await studio.client.post(studio.path("/c/Tour/new"), []).status == 403)
            let schema = try await studio.browser.schema(named: studio.schema)
            let error = await #expect(throws: BrowsingError.self) {
                try await studio.browser.create([], of: "Tour", in: schema)
            }
            #expect(error?.code == .refused)
        }
    }
}

@Model class Vehicle {
    class var isAbstract: Bool { true }
    var wheels: Int
    init(wheels: Int) { self.wheels = wheels }
}

@Model final class Bus: Vehicle {
    var seats: Int
    init(wheels: Int, seats: Int) {
        self.seats = seats
        super.init(wheels: wheels)
    }
}
