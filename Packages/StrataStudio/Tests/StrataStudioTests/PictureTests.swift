import Foundation
import Strata
import StrataBrowsing
import Testing

@testable import StrataStudio

@Suite struct PictureTests {
    @Test func classesAreLinksAndSubclassesStandBeneathTheirSuperclass() async throws {
        try await withStudio { studio in
            let schema = try await studio.browser.schema(named: studio.schema)
            let picture = SchemaPicture(schema)
            let (tour, city) = (try #require(picture.box(named: "Tour")), try #require(picture.box(named: "CityTour")))
            #expect(city.x > tour.x && city.y >= tour.y + tour.height)
            #expect(picture.lines.map(\.kind).filter { $0 == .subclass }.count == 1)
            #expect(
                picture.lines.contains { $0.kind == .toOne && $0.from == "Stop" && $0.to == "Tour" && $0.row != nil })
            #expect(picture.lines.filter { $0.kind == .pairs }.count == 1)
            let page = try await studio.client.get(studio.path("/picture"))
            #expect(page.status == 200)
            for name in ["Tour", "CityTour", "Stop", "Guide"] { #expect(page.body.contains("data-box=\"\(name)\"")) }
            #expect(!page.body.contains("style="))
        }
    }

    @Test(arguments: [1, 5, 60, 200]) func boxesOfManyClassesDoNotCoverEachOther(count: Int) async throws {
        try await withStudio { studio in
            let name = studio.schema + "_many"
            try await studio.execute(
                ["CREATE SCHEMA \(name)"]
                    + (0..<count).map { number in
                        let references = [number / 2, number / 3].filter { $0 < number }
                            .enumerated().map { ", reference_\($0) bigint REFERENCES \(name).table_\($1)" }.joined()
                        return
                            "CREATE TABLE \(name).table_\(number) (id bigint PRIMARY KEY, name text NOT NULL, note text\(references))"
                    })
            let schema = try await studio.browser.schema(named: name)
            #expect(schema.source == .tables)
            let picture = SchemaPicture(schema)
            #expect(picture.boxes.count == count)
            for (place, box) in picture.boxes.enumerated() {
                #expect(box.x >= 0 && box.y >= 0)
                #expect(box.x + box.width <= picture.width && box.y + box.height <= picture.height)
                for other in picture.boxes[(place + 1)...] {
                    #expect(
                        box.x + box.width <= other.x || other.x + other.width <= box.x || box.y + box.height <= other.y
                            || other.y + other.height <= box.y, "\(box.name) covers \(other.name)")
                }
            }
            #expect(try await studio.client.get("/s/\(name)/picture").status == 200)
        }
    }
}

extension StudioUnderTest {
    /// Runs statements as somebody beside Strata.
    func execute(_ statements: [String]) async throws {
        try await container.withContext { context in
            for statement in statements { try await context.execute("\(raw: statement)") }
        }
    }
}
