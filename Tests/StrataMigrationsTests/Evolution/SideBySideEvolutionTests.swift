import StrataModels
import StrataTestSupport
import Testing

@testable import StrataMigrations

/// Properties that are renamed while old and new code run: each writes its own column, and both hold the same.
@Suite("Evolution: side by side") struct SideBySideEvolutionTests {
    enum Old {
        @Model class Item {
            @Attribute(.unique) var name: String = ""
            var note: String?
            var rank: String = "0"
            init() {}
        }
    }
    enum New {
        @Model class Item {
            @Attribute(.unique, originalName: "name") var title: String = ""
            @Attribute(originalName: "note") var remark: String?
            @Attribute(originalName: "rank") var place: Int = 0
            init() {}
        }
    }
    enum Filled {
        @Model class Item {
            @Attribute(.unique) var name: String = ""
            @Attribute(originalName: "note") var remark: String = "none"
            var rank: String = "0"
            init() {}
        }
    }
    enum Emptied {
        @Model class Item {
            @Attribute(.unique, originalName: "name") var title: String?
            var note: String?
            var rank: String = "0"
            init() {}
        }
    }
    enum Crossed {
        @Model class Item {
            @Attribute(.unique, originalName: "rank") var name: String = ""
            var note: String?
            init() {}
        }
    }
    enum Thing {
        @Model class Thing {
            @Attribute(.unique, originalName: "name") var title: String = ""
            var note: String?
            var rank: String = "0"
            init() {}
        }
    }

    static let all: [SchemaChange] = [
        .sideBySide(\New.Item.title), .sideBySide(\New.Item.remark), .sideBySide(\New.Item.place),
    ]
    static let seed = [
        """
        INSERT INTO item (pk, name, note, rank) VALUES (1, 'Rome', 'a', '007'), (2, 'Oslo', NULL, '2'), (3, 'Bern', 'c', '3'),
        (4, 'Kyiv', 'd', '4'), (5, 'Lima', 'e', '5')
        """
    ]
    static let afterExpand = [
        "INSERT INTO item (pk, name, note, rank) VALUES (10, 'old', 'o', '10')",
        "INSERT INTO item (pk, title, remark, place) VALUES (11, 'new', 'n', 11)",
        "UPDATE item SET name = 'Roma' WHERE pk = 1",
        "UPDATE item SET title = 'Christiania', remark = 'b' WHERE pk = 2",
        "UPDATE item SET place = 33 WHERE pk = 3",
        "DELETE FROM item WHERE pk = 4",
    ]
    static let afterBackfill = [
        "UPDATE item SET note = NULL WHERE pk = 10",
        "UPDATE item SET remark = NULL WHERE pk = 11",
        "UPDATE item SET rank = '-5' WHERE pk = 5",
        "INSERT INTO item (pk, name, note, rank) VALUES (20, 'later', NULL, '20')",
        "INSERT INTO item (pk, title, place) VALUES (21, 'latest', 21)",
    ]
    static let expected = [
        "1|Roma|a|7", "2|Christiania|b|2", "3|Bern|c|33", "5|Lima|e|-5", "10|old|nil|10", "11|new|nil|11",
        "20|later|nil|20", "21|latest|nil|21",
    ]

    @Test func `what old and new code write is seen by both, and stays`() async throws {
        let evolution = try Evolution([Old.Item.self], [New.Item.self], changes: Self.all)
        try await evolution.withDatabase("side_by_side", seed: Self.seed) { database, runner, scripts in
            try await blocking { try runner.apply(scripts, through: .expand) }
            for statement in Self.afterExpand { try await database.execute(statement) }
            #expect(
                try await evolution.texts(
                    "SELECT pk, name, note, rank FROM item WHERE pk IN (2, 3, 11) ORDER BY pk", on: database)
                    == ["2|Christiania|b|2", "3|Bern|c|33", "11|new|n|11"])
            #expect(
                try await evolution.texts(
                    "SELECT pk, title, remark, place FROM item WHERE pk IN (1, 10) ORDER BY pk", on: database)
                    == ["1|Roma|nil|nil", "10|old|o|10"])
            try await blocking { try runner.apply(scripts, through: .backfill) }
            for statement in Self.afterBackfill { try await database.execute(statement) }
            #expect(
                try await evolution.texts(
                    "SELECT pk, name, note, rank FROM item WHERE pk IN (1, 5, 11, 21) ORDER BY pk", on: database)
                    == ["1|Roma|a|007", "5|Lima|e|-5", "11|new|nil|11", "21|latest|nil|21"])
            try await blocking { try runner.apply(scripts) }
            try await evolution.expectCatalog(evolution.after, on: database, "after", #_sourceLocation)
            #expect(
                try await evolution.texts("SELECT pk, title, remark, place FROM item ORDER BY pk", on: database)
                    == Self.expected)
        }
    }

    @Test func `rows are copied, also when the run is ended after each step`()
        async throws
    {
        try await Evolution([Old.Item.self], [New.Item.self], changes: Self.all).run(
            seed: Self.seed, expecting: "SELECT title, remark, place FROM item ORDER BY pk",
            is: ["Rome|a|7", "Oslo|nil|2", "Bern|c|3", "Kyiv|d|4", "Lima|e|5"],
            returning: .changed(
                note:
                    "going back, Item.rank is converted from bigint: what was written in another form than PostgreSQL writes comes back in that one"
            ))
    }

    @Test func `no name changes in a switch`() throws {
        let script = try Evolution([Old.Item.self], [New.Item.self], changes: Self.all).scripts()[1]
        #expect(!script.steps.contains { $0.title.hasPrefix("switch") })
        #expect(!script.notes.contains { $0.contains("must be stopped") })
        let renamed = try Evolution([Old.Item.self], [New.Item.self]).scripts()[1]
        #expect(renamed.steps.contains { $0.title.hasPrefix("switch") })
    }

    @Test func `a new type under a new name is side by side without a word`() async throws {
        let evolution = try Evolution(
            [AttributeEvolutionTests.Plain.Item.self], [AttributeEvolutionTests.Counted.Item.self])
        let scripts = try evolution.scripts()
        // Old code need not be stopped.
        #expect(scripts[1].notes.allSatisfy { $0.hasPrefix("going back, ") })
        try await withTestDatabase("side_by_side") { database in
            let runner = MigrationRunner(configuration: database.configuration, schemaName: "public")
            try await blocking { try runner.apply([scripts[0]]) }
            try await database.execute("INSERT INTO item (pk, name) VALUES (1, '007')")
            try await blocking { try runner.apply(scripts, through: .backfill) }
            try await database.execute(
                "INSERT INTO item (pk, count) VALUES (2, 5)", "INSERT INTO item (pk, name) VALUES (3, '6')")
            #expect(
                try await evolution.texts("SELECT name, count FROM item ORDER BY pk", on: database)
                    == ["007|7", "5|5", "6|6"])
            try await blocking { try runner.apply(scripts) }
            #expect(try await evolution.texts("SELECT count FROM item ORDER BY pk", on: database) == ["7", "5", "6"])
        }
    }

    @Test func `the way back is side by side as well`() async throws {
        let evolution = try Evolution([Old.Item.self], [New.Item.self], changes: Self.all)
        guard case .steps(let steps, _) = try evolution.scripts()[1].down else {
            Issue.record("no way back")
            return
        }
        #expect(steps.contains { $0.title == "copy item.title to name" })
        try await evolution.runAndReturn(
            seed: Self.seed, between: ["INSERT INTO item (pk, title, place) VALUES (9, 'x', 9)"],
            expecting: "SELECT pk, name, note, rank FROM item ORDER BY pk",
            is: ["1|Rome|a|7", "2|Oslo|nil|2", "3|Bern|c|3", "4|Kyiv|d|4", "5|Lima|e|5", "9|x|nil|9"])
    }

    @Test(arguments: [MigrationPhase.expand, .backfill])
    func `a stage that is not complete leaves the old column as it was`(_ phase: MigrationPhase) async throws {
        try await Evolution([Old.Item.self], [New.Item.self], changes: Self.all).runAndUndo(
            seed: Self.seed, through: phase, expecting: "SELECT name, note, rank FROM item ORDER BY pk",
            is: ["Rome|a|007", "Oslo|nil|2", "Bern|c|3", "Kyiv|d|4", "Lima|e|5"])
    }

    @Test func `empty values are filled in the new column only`() async throws {
        let evolution = try Evolution([Old.Item.self], [Filled.Item.self], changes: [.sideBySide(\Filled.Item.remark)])
        try await evolution.run(
            seed: Self.seed, expecting: "SELECT remark FROM item ORDER BY pk", is: ["a", "none", "c", "d", "e"],
            returning: .changed(note: "going back, Item.note keeps what it is filled with where it is empty now"))
        try await evolution.withDatabase("side_by_side", seed: Self.seed) { database, runner, scripts in
            try await blocking { try runner.apply(scripts, through: .backfill) }
            try await database.execute(
                "INSERT INTO item (pk, name, rank) VALUES (6, 'old', '')",
                "INSERT INTO item (pk, name, remark, rank) VALUES (7, 'new', 'r', '')")
            #expect(
                try await evolution.texts(
                    "SELECT pk, note, remark FROM item WHERE pk IN (2, 6, 7) ORDER BY pk", on: database)
                    == ["2|nil|none", "6|nil|none", "7|r|r"])
        }
    }

    @Test func `a relationship is renamed side by side`() async throws {
        try await Evolution(
            [LinkModels.ToOne.Trip.self, LinkModels.ToOne.Stop.self],
            [LinkModels.Renamed.Trip.self, LinkModels.Renamed.Stop.self],
            changes: [.sideBySide(\LinkModels.Renamed.Stop.journey)]
        ).run(
            seed: LinkModels.toOne, expecting: "SELECT pk, journey FROM stop ORDER BY pk", is: ["1|1", "2|1", "3|nil"],
            returning: .whole)
    }

    struct Refusal: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var after: any PersistentModel.Type
        var changes: [SchemaChange]
    }
    static let refusals = [
        Refusal(testDescription: "it keeps its name", after: Old.Item.self, changes: [.sideBySide(\Old.Item.note)]),
        Refusal(
            testDescription: "its declared conversion has no way back", after: New.Item.self,
            changes: [.sideBySide(\New.Item.remark), .converted(\New.Item.remark, using: "upper(note)")]),
        Refusal(
            testDescription: "old code reads no empty values", after: Emptied.Item.self,
            changes: [.sideBySide(\Emptied.Item.title)]),
        Refusal(
            testDescription: "has another column name", after: Crossed.Item.self,
            changes: [.sideBySide(\Crossed.Item.name), .dropped(\Old.Item.name)]),
        Refusal(
            testDescription: "its class has another table", after: Thing.Thing.self,
            changes: [.sideBySide(\Thing.Thing.title), .renamed(Old.Item.self, to: Thing.Thing.self)]),
        Refusal(
            testDescription: "it continues no older property", after: New.Item.self,
            changes: [.sideBySide(\New.Item.remark), .dropped(\Old.Item.note)]),
    ]

    @Test(arguments: refusals) func `what cannot stand side by side is refused when files are generated`(
        _ refusal: Refusal
    ) throws {
        let evolution = try Evolution([Old.Item.self], [refusal.after], changes: refusal.changes)
        let error = #expect(throws: MigrationError.self) { _ = try evolution.scripts() }
        #expect(error?.code == .usage)
        #expect(error?.message.contains(refusal.testDescription) == true, "\(error?.message ?? "")")
    }

    @Test func `numbers cannot stand beside texts that are none`() throws {
        let evolution = try Evolution(
            [New.Item.self], [Old.Item.self],
            changes: [
                .renamed(\New.Item.title, to: \Old.Item.name), .renamed(\New.Item.remark, to: \Old.Item.note),
                .renamed(\New.Item.place, to: \Old.Item.rank), .sideBySide(\Old.Item.rank),
            ])
        let error = #expect(throws: MigrationError.self) { _ = try evolution.scripts() }
        #expect(error?.code == .usage)
        #expect(error?.message.contains("not every text has a bigint") == true, "\(error?.message ?? "")")
    }
}
