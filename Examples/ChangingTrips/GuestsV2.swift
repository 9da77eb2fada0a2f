public import Foundation
public import Strata

/// The newest version: its classes have the plain names.
public enum GuestsV2: VersionedSchema {
    /// 2.0.0
    public static var versionIdentifier: Schema.Version { Schema.Version(2, 0, 0) }
    /// The classes of this version.
    public static var models: [any PersistentModel.Type] { [Guest.self, Visit.self, Room.self] }
}

/// Guests get an address.
public enum GuestsPlan: SchemaMigrationPlan {
    /// The versions, oldest first.
    public static var schemas: [any VersionedSchema.Type] { [GuestsV1.self, GuestsV2.self] }
    /// A stage for every pair of neighbours.
    public static var stages: [MigrationStage] {
        [.lightweight(fromVersion: GuestsV1.self, toVersion: GuestsV2.self)]
    }
}

/// Somebody who visits.
@Model
public final class Guest {
    /// What they are called.
    public var name: String
    /// Where they get their bills.
    public var mail: String?
    /// When they came.
    @Relationship(deleteRule: .cascade)
    public var visits: [Visit] = []

    /// A guest who has not come yet.
    public init(name: String) { self.name = name }
}

/// One stay of a guest.
@Model
public final class Visit {
    /// The first day.
    public var day: Date
    /// Who came.
    public var guest: Guest?
    /// Where they slept.
    public var room: Room?

    /// A stay of somebody.
    public init(day: Date, guest: Guest?) {
        self.day = day
        self.guest = guest
    }
}

/// A room of the house.
@Model
public final class Room {
    /// What stands on the door.
    public var number: Int
    /// Who slept there.
    public var visits: [Visit] = []

    /// A room without visits.
    public init(number: Int) { self.number = number }
}
