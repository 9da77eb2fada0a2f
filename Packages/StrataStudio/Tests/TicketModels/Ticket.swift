public import Strata

/// What the database knows little of without migrations: an enumeration, and rules of deletion.
@Model public final class Ticket {
    /// What it allows.
    public enum Grade: String, CaseIterable, Codable, Sendable {
        case simple, flexible
    }

    /// Its name.
    public var name: String
    /// What it allows.
    public var grade: Grade = Grade.simple
    /// What it is for; as long as there are any it stays.
    @Relationship(deleteRule: .deny, inverse: \Journey.tickets) public var journeys: [Journey] = []

    /// A simple one.
    public init(_ name: String) { self.name = name }
}

/// Where a ticket leads.
@Model public final class Journey {
    /// The place.
    public var destination: String
    /// The tickets that are good for the journey.
    public var tickets: [Ticket] = []

    /// A journey to a place.
    public init(_ destination: String) { self.destination = destination }
}
