import Foundation
import StrataModels
import StrataTestSupport
import Testing

@testable import StrataMigrations

/// What the plan says wrongly, or does not say: told before anything is written, with the line that was probably meant.
@Suite("Evolution: declarations") struct DeclarationEvolutionTests {
    enum V1 {
        @Model class Trip {
            var nmae: String = ""
            var seats: Int = 0
            init() {}
        }
    }
    enum V2 {
        @Model class Trip {
            var name: String = ""
            var seats: Int = 0
            init() {}
        }
    }
    enum Mistyped {
        @Model class Trip {
            @Attribute(originalName: "mane") var name: String = ""
            var nmae: String = ""
            var seats: Int = 0
            init() {}
        }
    }
    enum MistypedLink {
        @Model class Trip {
            var nmae: String = ""
            var seats: Int = 0
            @Relationship(originalName: "halts", inverse: \Stop.trip) var stops: [Stop] = []
            init() {}
        }
        @Model class Stop {
            var trip: Trip?
            init() {}
        }
    }
    enum Journeys {
        @Model class Journey {
            var nmae: String = ""
            var seats: Int = 0
            init() {}
        }
    }
    enum Told {
        @Model class Trip {
            @Attribute(originalName: "nmae") var name: String = ""
            var seats: Int = 0
            init() {}
        }
    }
    enum Later {
        @Model class Trip {
            @Attribute(originalName: "nmae") var name: String = ""
            var seats: Int?
            init() {}
        }
    }

    private func refusal(
        _ before: [any PersistentModel.Type], _ after: [any PersistentModel.Type], changes: [SchemaChange] = []
    ) -> MigrationError? {
        #expect(throws: MigrationError.self) {
            let evolution = try Evolution(before, after, changes: changes)
            var stage = evolution.stage
            stage.oldTypeNames = ["Trip": "V1.Trip"]
            stage.newTypeNames = ["Trip": "V2.Trip"]
            _ = try MigrationChain(versions: [evolution.before, evolution.after], stages: [stage])
                .scripts(in: "public")
        }
    }

    @Test func `an original name that the version before does not have is refused, with what is there`() {
        let error = refusal([V1.Trip.self], [Mistyped.Trip.self])
        #expect(error?.code == .usage)
        #expect(
            error?.message
                == "Trip.name has the originalName mane, and Trip has no such property in version 1.0.0. "
                + "There are: nmae, seats.")
        #expect(error?.places == ["Trip.name"])
        #expect(error?.remedy?.contains("originalName: \"nmae\"") == true)
    }

    @Test func `so is that of a relationship`() {
        let error = refusal([V1.Trip.self], [MistypedLink.Trip.self, MistypedLink.Stop.self])
        #expect(error?.message.contains("Trip.stops has the originalName halts") == true)
    }

    @Test func `a rename that was done in an earlier version stands where it is`() throws {
        let evolution = try Evolution([Told.Trip.self], [Later.Trip.self])
        #expect(throws: Never.self) { try evolution.scripts() }
    }

    @Test func `a property that is gone beside one that is new: the rename is offered`() {
        let error = refusal([V1.Trip.self], [V2.Trip.self])
        #expect(error?.code == .planRefused)
        #expect(
            error?.remedy?.hasPrefix("did you mean .renamed(\\V1.Trip.nmae, to: \\V2.Trip.name)? Else ") == true,
            "\(error?.remedy ?? "")")
    }

    @Test func `a class that is gone beside one that is new: the rename is offered`() {
        let error = refusal([V1.Trip.self], [Journeys.Journey.self])
        #expect(error?.code == .planRefused)
        #expect(
            error?.remedy?.hasPrefix("did you mean .renamed(V1.Trip.self, to: Journey.self)? Else ") == true,
            "\(error?.remedy ?? "")")
    }

    @Test func `a default that is the moment gives all rows one, and the plan says so`() throws {
        let notes = try Evolution([OldMoment.Item.self], [NewMoment.Item.self]).scripts()[1].notes
        #expect(
            notes.contains(
                "Item.created: the rows without a value all get one instant, that of the migration"))
    }
    enum OldMoment {
        @Model class Item {
            init() {}
        }
    }
    enum NewMoment {
        @Model class Item {
            var created: Date = Date.now
            init() {}
        }
    }
}
