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

    /// Bands in a schema of their own, with a plan whose record has the rules or without one.
    private func withBands(
        withPlan: Bool,
        _ body: @escaping @Sendable (StudioUnderTest, ModelContainer, String, StoredKey) async throws -> Void
    ) async throws {
        try await withStudio(allowsEdits: true) { studio in
            let name = studio.schema + "_bands"
            let configuration = ModelConfiguration(
                url: try #require(URL(string: studio.databaseURL)), postgresSchema: name)
            let container =
                if withPlan {
                    try await ModelContainer(
                        for: Schema(versionedSchema: BandVersion.self), migrationPlan: BandPlan.self,
                        configurations: [configuration])
                } else {
                    try await ModelContainer(for: Schema(BandVersion.models), configurations: [configuration])
                }
            let key = try await container.withContext { context in
                let band = Band("The Keys")
                band.manager = Manager("Ilze")
                band.songs = [Song("Joined"), Song("Alone")]
                band.fans = [Fan("Ana"), Fan("Jonas")]
                band.demos = [Demo("First")]
                context.insert(band)
                let other = Band("The Rows")
                other.songs = [band.songs[0]]
                context.insert(other)
                try await context.save()
                return try band.key
            }
            try await body(studio, container, "/s/\(name)/c/Band/o/\(key)/delete", key)
            await container.close()
        }
    }

    private func counts(_ container: ModelContainer) async throws -> [String: Int] {
        try await container.read { models in
            [
                "bands": try await models.fetchCount(FetchDescriptor<Band>()),
                "managers": try await models.fetchCount(FetchDescriptor<Manager>()),
                "songs": try await models.fetchCount(FetchDescriptor<Song>()),
                "fans": try await models.fetchCount(FetchDescriptor<Fan>()),
                "recordings": try await models.fetchCount(FetchDescriptor<Recording>()),
            ]
        }
    }

    private func delete(_ studio: StudioUnderTest, _ path: String) async throws -> StudioClient.Answer {
        let form = try await studio.client.get(path)
        let mark = String(try #require(form.body.firstMatch(of: /name="mark" value="([^"]*)"/)?.1, "\(form.body)"))
        return try await studio.client.post(path, [("mark", mark)])
    }

    @Test func whatTheRulesForbidIsNotDeletedThoughForeignKeysAllowIt() async throws {
        try await withBands(withPlan: true) { studio, container, path, _ in
            let form = try await studio.client.get(path).body
            for words in [
                "fans</bdi>: there must be none", "songs</bdi>: its objects are deleted too",
                "manager</bdi>: its objects are deleted too", "demos</bdi>: its objects are deleted too",
            ] {
                #expect(form.contains(words), "\(words): \(form)")
            }
            // What a foreign key forbids.
            try await container.withContext { context in
                for demo in try await context.fetch(FetchDescriptor<Demo>()) { context.delete(demo) }
            }
            let before = try await counts(container)
            let answer = try await delete(studio, path)
            #expect(answer.status == 403)
            #expect(answer.body.contains("Band.fans leads to 2 objects"), "\(answer.body)")
            #expect(try await counts(container) == before)
            let fans = try await container.read { models in
                try await models.fetch(FetchDescriptor<Band>()).map { $0.fans.count }
            }
            #expect(fans.sorted() == [0, 2])
        }
    }

    /// As a reference may where no foreign key holds its target (`.noAction`), or where somebody has written beside it.
    @Test func aReferenceThatLeadsToNoRowIsInNobodysWay() async throws {
        try await withBands(withPlan: true) { studio, container, path, key in
            try await container.withContext { context in
                for fan in try await context.fetch(FetchDescriptor<Fan>()) { context.delete(fan) }
                try await context.save()
                try await context.execute("ALTER TABLE \(Manager.self) DISABLE TRIGGER ALL")
                try await context.execute("DELETE FROM \(Manager.self)")
            }
            let dangling = try await container.read { models in
                try await models.fetch(
                    Int.self,
                    sql:
                        "SELECT count(*) FROM \(Band.self) WHERE pk = \(Int64(key.description) ?? 0) AND \(\Band.manager) IS NOT NULL"
                )
            }
            #expect(dangling == [1])
            #expect(try await delete(studio, path).status == 303)
            #expect(try await counts(container)["bands"] == 1)
        }
    }

    @Test func whatTheRulesTakeAlongGoesThoughNoForeignKeyTakesIt() async throws {
        try await withBands(withPlan: true) { studio, container, path, key in
            try await container.withContext { context in
                for band in try await context.fetch(FetchDescriptor<Band>()) { band.fans = [] }
            }
            #expect(try await delete(studio, path).status == 303)
            // The song that another band has as well, the manager whose key the band held, the recording of a subclass.
            #expect(
                try await counts(container) == ["bands": 1, "managers": 0, "songs": 0, "fans": 2, "recordings": 0])
            let schema = try await studio.browser.schema(named: studio.schema + "_bands")
            let changes = try await studio.browser.history(of: key, of: "Band", in: schema).changes
            #expect(changes.first?.kind == .delete && changes.first?.transaction.author == "studio")
        }
    }

    @Test func whereTheRulesAreNotKnownTheForeignKeysActAndThePageSaysSo() async throws {
        try await withBands(withPlan: false) { studio, container, path, _ in
            let form = try await studio.client.get(path).body
            #expect(form.contains("The rules of the models are not known here"))
            #expect(form.contains("fans</bdi>: its objects stay, and lead to nothing"), "\(form)")
            // Only the model could take the rest of a demo along.
            #expect(form.contains("Demo.band</bdi>: there must be none"), "\(form)")
            let refused = try await delete(studio, path)
            #expect(refused.status == 403 && refused.body.contains("Demo.band leads to an object"))
            try await container.withContext { context in
                for demo in try await context.fetch(FetchDescriptor<Demo>()) { context.delete(demo) }
            }
            #expect(try await delete(studio, path).status == 303)
            #expect(
                try await counts(container) == ["bands": 1, "managers": 1, "songs": 2, "fans": 2, "recordings": 0])
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

/// Rules that no foreign key carries out.
@Model final class Band {
    var name: String
    @Relationship(deleteRule: .cascade) var manager: Manager?
    @Relationship(deleteRule: .cascade, inverse: \Song.bands) var songs: [Song] = []
    @Relationship(deleteRule: .deny, inverse: \Fan.bands) var fans: [Fan] = []
    @Relationship(deleteRule: .cascade, inverse: \Demo.band) var demos: [Demo] = []

    init(_ name: String) { self.name = name }
}

@Model final class Manager {
    var name: String
    init(_ name: String) { self.name = name }
}

@Model final class Song {
    var title: String
    var bands: [Band] = []
    init(_ title: String) { self.title = title }
}

@Model final class Fan {
    var name: String
    var bands: [Band] = []
    init(_ name: String) { self.name = name }
}

@Model class Recording {
    var title: String
    init(_ title: String) { self.title = title }
}

@Model final class Demo: Recording {
    var band: Band?
}

enum BandPlan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [BandVersion.self] }
    static var stages: [MigrationStage] { [] }
}

enum BandVersion: VersionedSchema {
    static let versionIdentifier = Schema.Version(1, 0, 0)
    static var models: [any PersistentModel.Type] {
        [Band.self, Manager.self, Song.self, Fan.self, Recording.self, Demo.self]
    }
}
