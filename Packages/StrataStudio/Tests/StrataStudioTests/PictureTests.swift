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

    @Test func boxesOfManyClassesDoNotCoverEachOther() async throws {
        try await withStudio { studio in
            for count in [1, 5, 60, 200] { try await check(count, studio) }
        }
    }

    private func check(_ count: Int, _ studio: StudioUnderTest) async throws {
        let name = studio.schema + "_\(count)"
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
        var wrong: [String] = []
        for (place, box) in picture.boxes.enumerated() {
            let (right, bottom) = (box.x + box.width, box.y + box.height)
            if box.x < 0 || box.y < 0 || right > picture.width || bottom > picture.height { wrong.append(box.name) }
            for other in picture.boxes[(place + 1)...] {
                let isBeside = right <= other.x || other.x + other.width <= box.x
                let isAbove = bottom <= other.y || other.y + other.height <= box.y
                if !isBeside && !isAbove { wrong.append("\(box.name) covers \(other.name)") }
            }
        }
        #expect(wrong == [])
        #expect(try await studio.client.get("/s/\(name)/picture").status == 200)
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
