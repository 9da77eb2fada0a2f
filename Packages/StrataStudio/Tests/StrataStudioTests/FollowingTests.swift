import Foundation
import Strata
import StrataBrowsing
import Testing

@testable import StrataStudio

@Suite struct FollowingTests {
    @Test func theHistoryOfAnObjectGoesOnAfterItsEnd() async throws {
        try await withStudio { studio in
            let key = try await studio.container.withContext { context in
                context.author = "ana"
                let tour = CityTour("By <night>", city: "Riga")
                context.insert(tour)
                try await context.save()
                tour.city = "Tartu"
                tour.price = 12
                try await context.save()
                let key = try tour.key
                context.delete(tour)
                try await context.save()
                return key
            }
            let schema = try await studio.browser.schema(named: studio.schema)
            let changes = try await studio.browser.history(of: key, of: "Tour", in: schema).changes
            #expect(changes.map(\.kind) == [.delete, .update, .insert])
            #expect(changes.allSatisfy { $0.className == "CityTour" && $0.transaction.author == "ana" })
            #expect(changes[1].properties == ["city", "price"])
            #expect(changes[0].preserved == ["name": "By <night>"])
            let gone = try await studio.client.get(studio.path("/c/CityTour/o/\(key)"))
            let link = try #require(gone.body.firstMatch(of: /href="([^"]*\/history)"/)?.1)
            let page = try await studio.client.get(String(link))
            #expect(page.body.contains("By &lt;night&gt;") && page.body.contains("<bdi>ana</bdi>"))
            #expect(try await studio.client.get(studio.path("/changes")).body.contains("CityTour \(key)"))
        }
    }

    @Test func anotherProgramsChangeIsToldWithItsClasses() async throws {
        try await withStudio { studio in
            let schema = try await studio.browser.schema(named: studio.schema)
            // Between the page and its stream.
            _ = try await studio.store { CityTour("By night", city: "Riga") }
            let live = studio.path("/live?since=\(schema.snapshot)")
            let text = try await studio.client.follow(live, until: "data: ") {}
            let id = try #require(text.firstMatch(of: /id: ([\d:,]+)/)?.1)
            let next = try await studio.client.follow(studio.path("/live?since=\(id)"), until: "data: ") {
                try await studio.container.withContext { context in
                    context.insert(Guide("Ana"))
                    try await context.save()
                }
            }
            #expect(next.contains(#"data: {"classes":["Guide"],"transactions":1}"#), "\(next)")
            #expect(try await studio.client.get(studio.path("/live?since=1")).status == 400)
            #expect(text.contains("text/event-stream"))
            #expect(text.contains(#"data: {"classes":["CityTour"],"transactions":1}"#), "\(text)")
        }
    }

    @Test func pagesSayWhatTheyFollow() async throws {
        try await withStudio { studio in
            let page = try await studio.client.get(studio.path("/c/Tour"))
            #expect(page.body.contains(/data-live="[^"]*\/live\?since=[\d:,]+" data-classes="Tour CityTour"/))
            #expect(try await studio.client.get("/activity").body.contains("data-seconds=\"2\""))
        }
    }
}
