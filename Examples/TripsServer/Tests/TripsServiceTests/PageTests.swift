import Foundation
import HTTPTypes
import Strata
import Testing

@testable import TripsService

@Suite(
    .enabled(if: Chromium.path != nil, "Chromium is not installed: apt-get install chromium"),
    .timeLimit(.minutes(2)))
struct PageTests {
    @Test func thePageFollowsChangesOnAPhoneAndTellsThem() async throws {
        try await withService { client, _, _ in
            let (path, ana) = try await client.trip("Fair")
            try await withChromium(width: 360, height: 640) { browser in
                try await browser.open("http://localhost:\(client.client.port)/")
                try await browser.see("Follows changes")
                try await browser.see("Fair")
                try await browser.see("1 trip")

                // Somebody else changes something, and the page is not loaded again.
                _ = try await browser.value(of: "document.getElementById('trips').firstChild.isTheSame = true")
                let long = String(repeating: "Llanfairpwllgwyngyll", count: 5)
                _ = try await client.ask(.post, "/trips/business", ana, json: business(long))
                try await browser.see("\(long) is new")
                #expect(try await client.ask(.patch, path, ana, json: #"{"destination": "Nida"}"#).status == 200)
                try await browser.see("Nida")
                try await browser.see("Fair has changed")
                let same = "[...document.querySelectorAll('li')].some((row) => row.isTheSame)"
                #expect(try await browser.value(of: same) == "true")

                // Nothing has to be moved sideways, and letters are as large as one reads.
                #expect(try await browser.value(of: "document.documentElement.scrollWidth <= innerWidth") == "true")
                let sizes =
                    "[...document.querySelectorAll('main *')].map((e) => parseFloat(getComputedStyle(e).fontSize))"
                let smallest = Double(try await browser.value(of: "Math.min(...\(sizes))"))
                #expect(smallest ?? 0 >= 16)
                let names = try await browser.accessibleNames()
                #expect(names.contains("heading Trips") && names.contains("heading Fair"), "\(names)")
                #expect(names.contains("list All trips, by their first day"), "\(names)")
                #expect(names.contains { $0.hasPrefix("listitem") } && names.contains { $0.hasPrefix("status") })
                #expect(names.contains { $0.hasPrefix("main") })
                let complaints = await browser.complaints
                #expect(complaints == [])
                try await browser.keep("trips-page")
            }
        }
    }
}
