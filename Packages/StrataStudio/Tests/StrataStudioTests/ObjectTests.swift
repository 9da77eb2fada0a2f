import Foundation
import Strata
import StrataBrowsing
import Testing

@testable import StrataStudio

@Suite struct ObjectTests {
    @Test func classesAreFoundWithoutModels() async throws {
        try await withStudio { studio in
            let schema = try await studio.browser.schema(named: studio.schema)
            #expect(schema.source == .history)
            #expect(schema.classes.map(\.name) == ["CityTour", "Guide", "Stop", "Tour"])
            let city = try #require(schema.storedClass(named: "CityTour"))
            #expect(schema.chain(of: city).map(\.name) == ["Tour", "CityTour"])
            #expect(schema.storedClass(named: "Stop")?.properties.map(\.destination) == [nil, "Tour"])
            #expect(schema.storedClass(named: "Tour")?.relationships.map(\.destination).sorted() == ["Guide", "Stop"])

            let page = try await studio.client.get(studio.path())
            #expect(page.status == 200)
            for name in ["CityTour", "Guide", "Stop", "Tour"] {
                #expect(page.body.contains("href=\"\(studio.path())/c/\(name)\""), "\(page.body)")
            }
            #expect(try await studio.client.get("/").body.contains("href=\"\(studio.path())\""))
            #expect(try await studio.client.get("/s/nothing").status == 404)
            #expect(try await studio.client.get(studio.path("/c/Nothing")).status == 404)
        }
    }

    @Test func aListHasItsPagesByKeysAndEachObjectItsClass() async throws {
        try await withStudio { studio in
            try await studio.container.withContext { context in
                for number in 1...60 { context.insert(Tour("Tour \(number)")) }
                context.insert(CityTour("By night", city: "Riga"))
                try await context.save()
            }
            let first = try await studio.client.get(studio.path("/c/Tour"))
            #expect(first.body.contains(">61 objects<"))
            #expect(first.body.components(separatedBy: "<tr>").count - 2 == 50)
            let after = try #require(first.body.firstMatch(of: /name="after" value="(\d+)"/)?.1)
            let second = try await studio.client.post(studio.path("/c/Tour"), [("after", String(after))])
            #expect(second.body.components(separatedBy: "<tr>").count - 2 == 11)
            #expect(second.body.contains("<bdi>CityTour</bdi>"))
            #expect(!second.body.contains("name=\"after\""))
            #expect(try await studio.client.get(studio.path("/c/CityTour")).body.contains(">1 object<"))
        }
    }

    @Test func anObjectLeadsToThoseItIsRelatedTo() async throws {
        try await withStudio { studio in
            let (tour, stop, guide) = try await studio.container.withContext { context in
                let tour = CityTour("By night", city: "Riga")
                let guide = Guide("Ana")
                tour.stops = (1...12).map { Stop("Stop \($0)") }
                tour.guides = [guide]
                context.insert(tour)
                try await context.save()
                return (try tour.key, try tour.stops[0].key, try guide.key)
            }
            // Asked as an object of the superclass, it comes with what its class adds.
            let page = try await studio.client.get(studio.path("/c/Tour/o/\(tour)"))
            #expect(page.status == 200)
            #expect(page.body.contains(">Riga</bdi>"))
            #expect(page.body.contains("href=\"\(studio.path("/c/Guide/o/\(guide)"))\""))
            #expect(page.body.contains("href=\"\(studio.path("/c/Stop/o/\(stop)"))\""))
            let all = try #require(page.body.firstMatch(of: /href="([^"]*\/r\/[^"]*)">All of them/)?.1)
            let list = try await studio.client.get(String(all))
            #expect(list.body.contains(">Stop 12<"))

            let other = try await studio.client.get(studio.path("/c/Stop/o/\(stop)"))
            #expect(
                other.body.contains("href=\"\(studio.path("/c/Tour/o/\(tour)"))\"><bdi dir=\"auto\">By night</bdi>"))
            let back = try await studio.client.get(studio.path("/c/Guide/o/\(guide)"))
            #expect(back.body.contains("By night"))
            #expect(try await studio.client.get(studio.path("/c/Tour/o/999")).body.contains("no object"))
        }
    }

    private static let hostileTexts = [
        "<script>alert(1)</script>", "\"quoted\" 'twice' `thrice`", "</textarea></bdi><img src=x onerror=alert(1)>",
        "\u{202E}txt.exe", "שלום עולם", "line\r\nfeed\tand \u{1}\u{1B}[31m", "{{7*7}} ${7*7} &lt; %3C", "NULL", "",
    ]

    @Test func hostileValuesAreTextAndNothingElse() async throws {
        try await withStudio(allowsEdits: true) { studio in
            for text in Self.hostileTexts {
                let key = try await studio.store { Tour(text, notes: text) }
                for path in ["/c/Tour", "/c/Tour/o/\(key)", "/c/Tour/o/\(key)/p/notes", "/c/Tour/o/\(key)/history"] {
                    let page = try await studio.client.get(studio.path(path))
                    #expect(page.status == 200)
                    // Of scripts there is the one of the studio, of pictures none.
                    #expect(page.body.components(separatedBy: "<script").count == 2)
                    #expect(!page.body.contains("<img") && !page.body.contains("onerror=\""))
                    // A field gives back what it got.
                    #expect(!page.body.unicodeScalars.contains("\u{202E}") || path.hasSuffix("/notes"))
                }
            }
        }
    }

    @Test func nothingIsNotTheWordForNothing() async throws {
        try await withStudio { studio in
            let without = try await studio.store { Tour("without") }
            let word = try await studio.store { Tour("word", notes: "NULL") }
            let null = "<span class=\"null\">NULL</span>"
            let first = try await studio.client.get(studio.path("/c/Tour/o/\(without)"))
            #expect(first.body.components(separatedBy: null).count == 3, "notes and map")
            let second = try await studio.client.get(studio.path("/c/Tour/o/\(word)"))
            #expect(second.body.components(separatedBy: null).count == 2, "map")
            #expect(second.body.contains(">NULL</bdi>"))
        }
    }

    @Test func longValuesComeCutWithTheirSize() async throws {
        try await withStudio { studio in
            let key = try await studio.store {
                Tour("long", notes: String(repeating: "é<", count: 500_000), map: Data(repeating: 0xAB, count: 300_000))
            }
            let list = try await studio.client.get(studio.path("/c/Tour"))
            #expect(list.body.utf8.count < 20_000)
            #expect(list.body.contains("1.5 MB in all"))
            let page = try await studio.client.get(studio.path("/c/Tour/o/\(key)"))
            #expect(page.body.utf8.count < 150_000)
            #expect(page.body.contains("1.5 MB in all"))
            #expect(page.body.contains("300 kB ") && page.body.contains("abababab"))
        }
    }
}
