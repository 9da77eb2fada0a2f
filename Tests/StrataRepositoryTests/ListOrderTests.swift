import StrataModels
import StrataRepository
import Testing

/// Where the positions of ordered relationships stand.
@Suite struct ListOrderTests {
    @Test func `positions stand beside the owner's key`() {
        let definition = DatabaseDefinition(StoreMapping(Schema(ListOrderModels.Models.Trip.self)))
        let columns = Dictionary(
            uniqueKeysWithValues: definition.tables.map { table in
                (table.name, table.columns.map { "\($0.name) \($0.type)\($0.isNullable ? "" : " NOT NULL")" })
            })
        #expect(columns["stop"] == ["pk bigint NOT NULL", "trip bigint", "stops_position bigint"])
        #expect(
            columns["note"] == [
                "pk bigint NOT NULL", "text text NOT NULL", "trip_notes bigint", "notes_position bigint",
            ])
        #expect(
            columns["guest_places"] == [
                "guest_pk bigint NOT NULL", "trip_pk bigint NOT NULL", "places_position bigint",
                "places_position_2 bigint",
            ])
    }

    @Test func `two orders of one name in one table are a finding`() {
        let schema = Schema(ListOrderModels.Wrong.Trip.self, ListOrderModels.Wrong.Day.self)
        let findings = SchemaValidation.findings(schema, mapping: StoreMapping(schema)).map(\.description)
        #expect(
            findings == [
                "Trip.stops: its column would be called stops_position in the table stop, as that of Day.stops. Remedy: "
                    + "rename one of them so that the names differ in snake case."
            ])
    }

    @Test func `a to-one relationship has no order`() {
        let schema = Schema(ListOrderModels.Single.Trip.self)
        #expect(
            SchemaValidation.findings(schema, mapping: StoreMapping(schema)).map(\.description) == [
                "Trip.stop: a to-one relationship cannot be .ordered: there is one object at most. Remedy: remove .ordered, or "
                    + "put it on the array at the other end."
            ])
        #expect(schema.entitiesByName["Trip"]?.relationships.first?.isOrdered == true)
    }
}

/// Trips with ordered relationships, right and wrong.
enum ListOrderModels {
    enum Models {
        @Model final class Trip {
            var name: String = ""
            @Relationship(.ordered, inverse: \Stop.trip) var stops: [Stop] = []
            @Relationship(.ordered, inverse: nil) var notes: [Note] = []
            @Relationship(.ordered, inverse: \Guest.places) var places: [Guest] = []
        }
        @Model final class Stop { var trip: Trip? }
        @Model final class Note { var text: String = "" }
        @Model final class Guest { @Relationship(.ordered) var places: [Trip] = [] }
    }

    enum Wrong {
        @Model final class Stop {
            var day: Day?
            var trip: Trip?
        }
        @Model final class Day { @Relationship(.ordered, inverse: \Stop.day) var stops: [Stop] = [] }
        @Model final class Trip { @Relationship(.ordered, inverse: \Stop.trip) var stops: [Stop] = [] }
    }

    enum Single {
        /// The macro refuses the option where it sees it.
        static let option = Schema.Relationship.Option.ordered

        @Model final class Trip { @Relationship(ListOrderModels.Single.option, inverse: nil) var stop: Stop? }
        @Model final class Stop { var title: String = "" }
    }
}
