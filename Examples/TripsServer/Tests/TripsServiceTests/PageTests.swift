import Foundation
import HTTPTypes
import Strata
import Testing

@testable import TripsService

@Suite(
    .enabled(if: Chromium.isWanted, "Chromium is not installed: apt-get install chromium"),
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

                // What comes, goes or moves is the only row that is touched.
                try await browser.watchRows()
                let early = try await client.ask(.post, "/trips/business", ana, json: business("Early", month: 4))
                try await browser.see("Early is new")
                #expect(try await browser.touchedRows() == "Early")
                #expect(try await browser.rows() == "Early Fair \(long)")
                let later = #"{"startDate": "2026-06-01T00:00:00Z", "endDate": "2026-06-02T00:00:00Z"}"#
                let earlyPath = try #require(early.headers[.location])
                #expect(try await client.ask(.patch, earlyPath, ana, json: later).status == 200)
                try await browser.see("Early has changed")
                #expect(try await browser.touchedRows() == "Early Early")
                #expect(try await browser.rows() == "Fair \(long) Early")
                let back = #"{"startDate": "2026-04-01T00:00:00Z"}"#
                let tag = try await client.ask(.patch, earlyPath, ana, json: back).headers[.eTag]
                try await browser.wait(for: "document.querySelector('li h2').textContent === 'Early'")
                #expect(try await browser.touchedRows() == "Early Early")
                var whole = ana
                whole[.ifMatch] = tag
                #expect(try await client.ask(.delete, earlyPath, whole).status == 204)
                try await browser.see("Early is gone")
                #expect(try await browser.touchedRows() == "Early")
                #expect(try await browser.rows() == "Fair \(long)")

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

extension Chromium {
    /// Notes the rows that are put in or taken out from now on.
    fileprivate func watchRows() async throws {
        _ = try await value(
            of: """
                (() => {
                  window.touched = []
                  new MutationObserver((records) => records.forEach((record) =>
                    [...record.removedNodes, ...record.addedNodes].forEach((row) => touched.push(row.firstChild.textContent))
                  )).observe(document.getElementById('trips'), { childList: true })
                })()
                """)
    }

    /// The names of the rows that were put in or taken out since the last call.
    fileprivate func touchedRows() async throws -> String { try await value(of: "touched.splice(0).join(' ')") }

    /// The names of all rows, in their order.
    fileprivate func rows() async throws -> String {
        try await value(of: "[...document.querySelectorAll('li h2')].map((name) => name.textContent).join(' ')")
    }
}
