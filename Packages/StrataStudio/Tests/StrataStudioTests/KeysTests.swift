import Foundation
import Strata
import StrataBrowsing
import Testing

@testable import StrataStudio

/// Pages of objects whose keys are texts and of several columns.
@Suite struct KeysTests {
    private static let schema = Schema([Country.self, Town.self, Street.self])

    private func fill(_ studio: StudioUnderTest) async throws {
        try await studio.container.withContext { context in
            let country = Country("a/b?", title: "Borderland")
            context.insert(country)
            let town = Town(country, 7, title: "Jena")
            context.insert(town)
            context.insert(Street("Long Lane", town))
            try await context.save()
        }
    }

    /// The address of a town's page: the JSON array `["a/b?", 7]`, with all but the unreserved characters by their bytes.
    private let town = "/c/Town/o/%5B%22a%2Fb%3F%22%2C%207%5D"

    @Test func pagesLeadToEachOtherByWholeKeys() async throws {
        try await withStudio(models: Self.schema) { studio in
            try await fill(studio)
            let list = try await studio.client.get(studio.path("/c/Town"))
            #expect(list.body.contains("href=\"\(studio.path(town))\""), "\(list.body)")
            let page = try await studio.client.get(studio.path(town))
            #expect(page.status == 200 && page.body.contains(">Jena</bdi>") && page.body.contains("Long Lane"))
            #expect(page.body.contains("href=\"\(studio.path("/c/Country/o/a%2Fb%3F"))\""), "\(page.body)")
            let country = try await studio.client.get(studio.path("/c/Country/o/a%2Fb%3F"))
            #expect(country.status == 200 && country.body.contains("href=\"\(studio.path(town))\""))
            let street = try #require(
                try await studio.client.get(studio.path("/c/Street")).body.firstMatch(of: /href="([^"]*\/o\/[0-9]+)"/)?
                    .1)
            #expect(try await studio.client.get(String(street)).body.contains("href=\"\(studio.path(town))\""))
            #expect(try await studio.client.get(studio.path("/c/Town/o/7")).body.contains("no object"))
        }
    }

    @Test func aKeyOfDotsHasAPage() async throws {
        try await withStudio(models: Self.schema) { studio in
            try await studio.container.withContext { context in
                for (code, title) in [(".", "One"), ("..", "Two"), ("~.", "Tilde")] {
                    context.insert(Country(code, title: title))
                }
                try await context.save()
            }
            let list = try await studio.client.get(studio.path("/c/Country")).body
            for (segment, title) in [("~.", "One"), ("~..", "Two"), ("~~.", "Tilde")] {
                let path = studio.path("/c/Country/o/\(segment)")
                #expect(list.contains("href=\"\(path)\""), "\(list)")
                #expect(try await studio.client.get(path).body.contains(">\(title)</bdi>"))
            }
        }
    }

    @Test func aNewObjectGetsTheKeyThatIsTypedIn() async throws {
        try await withStudio(models: Self.schema, allowsEdits: true) { studio in
            let path = studio.path("/c/Country/new")
            #expect(try await studio.client.get(path).body.contains("name=\"key\""))
            #expect(try await !studio.client.get(studio.path("/c/Town/new")).body.contains("name=\"key\""))
            let fields = [("key", "de"), ("property", "title"), ("source", "exactly"), ("value", "Germany")]
            let answer = try await studio.client.post(path, fields)
            #expect(answer.header("location") == studio.path("/c/Country/o/de"))
        }
    }

    @Test func anObjectIsEditedAndDeletedAndItsHistoryShown() async throws {
        try await withStudio(models: Self.schema, allowsEdits: true) { studio in
            try await fill(studio)
            func mark(_ path: String) async throws -> String {
                let form = try await studio.client.get(studio.path(path))
                return String(try #require(form.body.firstMatch(of: /name="mark" value="([^"]*)"/)?.1, "\(form.body)"))
            }
            let page = try await studio.client.get(studio.path(town)).body
            #expect(page.contains("Edit title") && !page.contains("Edit number") && !page.contains("Edit country"))
            let property = town + "/p/title"
            let edit = try await studio.client.post(
                studio.path(property), [("mark", try await mark(property)), ("value", "Gera")])
            #expect(edit.status == 303 && edit.header("location") == studio.path(town))
            #expect(try await studio.client.get(studio.path(town)).body.contains(">Gera</bdi>"))
            let history = try await studio.client.get(studio.path(town + "/history"))
            #expect(history.status == 200 && history.body.contains("<bdi>studio</bdi>"))
            let deletion = town + "/delete"
            let answer = try await studio.client.post(studio.path(deletion), [("mark", try await mark(deletion))])
            #expect(answer.status == 303)
            let left = try await studio.container.read { models in
                [
                    try await models.fetchCount(FetchDescriptor<Town>()),
                    try await models.fetchCount(FetchDescriptor<Street>()),
                    try await models.fetchCount(FetchDescriptor<Country>()),
                ]
            }
            #expect(left == [0, 0, 1])
        }
    }
}

@Model
final class Country {
    @Attribute(.primaryKey) var code: String
    var title: String
    @Relationship(deleteRule: .cascade, inverse: \Town.country) var towns: [Town] = []

    init(_ code: String, title: String) {
        self.code = code
        self.title = title
    }
}

@Model
final class Town {
    #PrimaryKey<Town>([\.country, \.number])
    var country: Country
    var number: Int
    var title: String
    @Relationship(deleteRule: .cascade, inverse: \Street.town) var streets: [Street] = []

    init(_ country: Country, _ number: Int, title: String) {
        self.country = country
        self.number = number
        self.title = title
    }
}

@Model
final class Street {
    var name: String
    var town: Town

    init(_ name: String, _ town: Town) {
        self.name = name
        self.town = town
    }
}
