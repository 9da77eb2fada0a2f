import StrataModels
import StrataTestSupport
import Testing

@testable import StrataMigrations

/// What a stage loses, by the planner's own account, with the queries that count it.
@Suite("What a stage loses") struct StageLossTests {
    enum Old {
        @Model class Trip {
            var name = ""
            init() {}
        }
        @Model class Draft: Trip {
            var notes = ""
        }
        @Model class Memo: Draft {}
    }
    enum New {
        @Model class Trip {
            var name = ""
            init() {}
        }
        @Model class Memo: Trip {}
    }
    enum Linked {
        @Model class Trip {
            @Relationship(inverse: \Tag.trips) var tags: [Tag] = []
            init() {}
        }
        @Model class Tag {
            var trips: [Trip] = []
            init() {}
        }
    }
    enum Unlinked {
        @Model class Trip {
            init() {}
        }
        @Model class Tag {
            init() {}
        }
    }

    private func losses(
        _ old: [any PersistentModel.Type], _ new: [any PersistentModel.Type], _ changes: [SchemaChange]
    ) throws -> [String] {
        try MigrationPlanner.losses(
            from: FrozenSchema(freezing: Schema(old, version: Schema.Version(1, 0, 0))),
            to: FrozenSchema(freezing: Schema(new, version: Schema.Version(2, 0, 0))),
            stage: MigrationChain.Stage(changes: changes), schemaName: "public"
        ).map { "\($0.subject), \($0.unit): \($0.query)" }
    }

    @Test func `a class above others loses its rows, and their values`() throws {
        let found = try losses(
            [Old.Trip.self, Old.Draft.self, Old.Memo.self], [New.Trip.self, New.Memo.self], [.dropped(Old.Draft.self)])
        #expect(
            found == [
                #"Draft, row: SELECT count(*) FROM "public"."trip" WHERE "class" = 'Draft'"#,
                #"Draft.notes, value: SELECT count("notes") FROM "public"."draft""#,
            ])
    }

    @Test func `pairs are counted at one of their ends`() throws {
        let found = try losses(
            [Linked.Trip.self, Linked.Tag.self], [Unlinked.Trip.self, Unlinked.Tag.self],
            [.dropped(\Linked.Trip.tags), .dropped(\Linked.Tag.trips)])
        #expect(found.count == 1)
        #expect(found.first?.contains(#".t"#) == true && found.first?.contains(", link: SELECT count(*) FROM") == true)
    }

    @Test func `what a custom stage uses up is not lost`() throws {
        let found = try losses(
            [Linked.Trip.self, Linked.Tag.self], [Unlinked.Trip.self, Unlinked.Tag.self],
            [.consumed(\Linked.Trip.tags), .consumed(\Linked.Tag.trips)])
        #expect(found == [])
    }
}
