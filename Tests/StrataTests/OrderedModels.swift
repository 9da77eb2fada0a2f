import Strata

/// Models with ordered relationships of every kind.
enum Ordered {
    static let types: [any PersistentModel.Type] = [
        Route.self, Halt.self, Playlist.self, Song.self, Chore.self, Deck.self, Card.self, Train.self, Wagon.self,
        SleepingCar.self,
    ]

    @Model final class Route {
        var name: String
        @Relationship(.ordered, deleteRule: .cascade, inverse: \Halt.route) var halts: [Halt] = []
        init(_ name: String, halts: [Halt] = []) {
            self.name = name
            self.halts = halts
        }
    }

    @Model final class Halt {
        var name: String
        var route: Route?
        init(_ name: String, route: Route? = nil) {
            self.name = name
            self.route = route
        }
    }

    /// Both sides have an order of their own.
    @Model final class Playlist {
        var name: String
        @Relationship(.ordered, inverse: \Song.playlists) var songs: [Song] = []
        init(_ name: String) { self.name = name }
    }

    @Model final class Song {
        var title: String
        @Relationship(.ordered) var playlists: [Playlist] = []
        init(_ title: String) { self.title = title }
    }

    /// Leads to its own class.
    @Model final class Chore {
        var name: String
        var parent: Chore?
        @Relationship(.ordered, inverse: \Chore.parent) var steps: [Chore]?
        init(_ name: String) { self.name = name }
    }

    /// Without an inverse.
    @Model final class Deck {
        var name: String
        @Relationship(.ordered, inverse: nil) var cards: [Card] = []
        init(_ name: String) { self.name = name }
    }

    @Model final class Card {
        @Attribute(.unique) var face: String
        init(_ face: String) { self.face = face }
    }

    /// The key stands in the table of a subclass.
    @Model final class Train {
        var number: Int
        @Relationship(.ordered, inverse: \SleepingCar.train) var sleepers: [SleepingCar] = []
        init(_ number: Int) { self.number = number }
    }

    @Model class Wagon {
        var code: String
        init(_ code: String) { self.code = code }
    }

    @Model final class SleepingCar: Wagon {
        var beds: Int = 0
        var train: Train?
        override init(_ code: String) { super.init(code) }
    }
}

/// Runs `body` with a fresh store for the models of ``Ordered``.
func withOrderedStore(_ label: String = "", _ body: (ModelStore) async throws -> Void) async throws {
    try await withModelStore(of: Schema(Ordered.types), label, body)
}
