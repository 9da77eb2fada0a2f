import Foundation
import Strata
import StrataBrowsing
import Testing

@testable import StrataStudio

@Suite struct DeletingTests {
    private func mark(_ studio: StudioUnderTest, _ path: String) async throws -> String {
        let form = try await studio.client.get(studio.path(path))
        return String(try #require(form.body.firstMatch(of: /name="mark" value="([^"]*)"/)?.1, "\(form.body)"))
    }

    @Test func anObjectGoesWithWhatItsRulesSayAndTheHistoryKnowsWhoDidIt() async throws {
        try await withStudio(allowsEdits: true) { studio in
            let key = try await studio.container.withContext { context in
                let tour = CityTour("By night", city: "Riga")
                tour.stops = [Stop("The clock"), Stop("The river")]
                tour.guides = [Guide("Ana")]
                context.insert(tour)
                try await context.save()
                return try tour.key
            }
            #expect(
                try await studio.client.get(studio.path("/c/CityTour/o/\(key)")).body.contains("/o/\(key)/delete\""))
            // The page of its superclass leads to the object as well.
            let path = "/c/Tour/o/\(key)/delete"
            let form = try await studio.client.get(studio.path(path))
            #expect(form.body.contains("Delete CityTour \(key)") && form.body.contains(">Riga</bdi>"))
            let answer = try await studio.client.post(
                studio.path("/c/CityTour/o/\(key)/delete"), [("mark", try await mark(studio, path))])
            #expect(answer.status == 303)
            #expect(answer.header("location") == studio.path("/c/CityTour"))
            let counts = try await studio.container.read { models in
                [
                    try await models.fetchCount(FetchDescriptor<Tour>()),
                    try await models.fetchCount(FetchDescriptor<Stop>()),
                    try await models.fetchCount(FetchDescriptor<Guide>()),
                ]
            }
            #expect(counts == [0, 0, 1])
            let schema = try await studio.browser.schema(named: studio.schema)
            let changes = try await studio.browser.history(of: key, of: "CityTour", in: schema).changes
            #expect(changes.map(\.kind) == [.delete, .insert])
            #expect(changes.first?.transaction.author == "studio")
            #expect(changes.first?.preserved == ["name": "By night"])
            #expect(try await studio.client.get(studio.path(path)).body.contains("no object"))
        }
    }

    @Test func whatSomebodyElseHasChangedMeanwhileStays() async throws {
        try await withStudio(allowsEdits: true) { studio in
            let key = try await studio.store { CityTour("tour", city: "Riga") }
            let path = "/c/CityTour/o/\(key)/delete"
            let shown = try await mark(studio, path)
            // In the table of the subclass.
            try await studio.container.withContext { context in
                try await context.fetch(FetchDescriptor<CityTour>())[0].city = "Tallinn"
            }
            let answer = try await studio.client.post(studio.path(path), [("mark", shown)])
            #expect(answer.status == 409)
            #expect(answer.body.contains("Tallinn") && answer.body.contains("changed by somebody else"))
            let now = try #require(answer.body.firstMatch(of: /name="mark" value="([^"]*)"/)?.1)
            #expect(try await studio.client.post(studio.path(path), [("mark", String(now))]).status == 303)
            #expect(try await studio.client.post(studio.path(path), [("mark", String(now))]).status == 404)
            #expect(try await studio.client.post(studio.path(path), []).status == 400)
        }
    }

    @Test func aStudioThatOnlyReadsDeletesNothing() async throws {
        try await withStudio { studio in
            let key = try await studio.store { Tour("tour") }
            #expect(!(try await studio.client.get(studio.path("/c/Tour/o/\(key)"))).body.contains("/delete"))
            #expect(try await studio.client.post(studio.path("/c/Tour/o/\(key)/delete"), [("mark", "x")]).status == 403)
            #expect(try await studio.client.get(studio.path("/c/Tour/o/\(key)")).status == 200)
        }
    }
}
