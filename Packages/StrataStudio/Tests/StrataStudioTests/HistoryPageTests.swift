import Foundation
import Strata
import StrataBrowsing
import Testing

@testable import StrataStudio

@Suite struct HistoryPageTests {
    /// The hidden fields of the form for the next page.
    private func next(_ page: StudioClient.Answer) -> [(String, String)]? {
        guard let transaction = page.body.firstMatch(of: /name="transaction" value="(\d+)"/)?.1,
            let change = page.body.firstMatch(of: /name="change" value="(\d+)"/)?.1
        else { return nil }
        return [("transaction", String(transaction)), ("change", String(change))]
    }

    @Test func theHistoryOfAnObjectIsReadPageByPage() async throws {
        try await withStudio { studio in
            let key = try await studio.store { CityTour("tour", city: "0") }
            try await studio.container.withContext { context in
                let tour = try await context.fetch(FetchDescriptor<CityTour>())[0]
                for number in 1...60 {
                    // Two tables: one change all the same, on one page.
                    tour.city = "\(number)"
                    tour.price = Double(number)
                    try await context.save()
                }
            }
            var page = try await studio.client.get(studio.path("/c/CityTour/o/\(key)/history"))
            var rows = 0
            var pages = 1
            while true {
                #expect(page.status == 200)
                rows += page.body.components(separatedBy: "<tr>").count - 2
                #expect(
                    page.body.components(separatedBy: "city, price").count
                        == page.body.components(separatedBy: ">changed<").count)
                guard let fields = next(page) else { break }
                page = try await studio.client.post(studio.path("/c/CityTour/o/\(key)/history"), fields)
                pages += 1
            }
            #expect(rows == 61 && pages > 1, "\(rows) rows on \(pages) pages")
            #expect(page.body.contains(">created<"))
        }
    }

    @Test func aTransactionThatIsLongerThanAPageIsOnSeveral() async throws {
        try await withStudio { studio in
            try await studio.container.withContext { context in
                for number in 1...120 { context.insert(Tour("Tour \(number)")) }
            }
            let schema = try await studio.browser.schema(named: studio.schema)
            var keys: [StoredKey?] = []
            var position: HistoryPosition?
            repeat {
                let page = try await studio.browser.latestChanges(in: schema, before: position)
                keys += page.changes.map(\.key)
                position = page.next
            } while position != nil
            #expect(keys.count == 120 && Set(keys).count == 120)
            let first = try await studio.client.get(studio.path("/changes"))
            let fields = try #require(next(first))
            #expect(try await studio.client.post(studio.path("/changes"), fields).body.contains(">created<"))
            #expect(try await studio.client.post(studio.path("/changes"), [("transaction", "x")]).status == 400)
        }
    }
}
