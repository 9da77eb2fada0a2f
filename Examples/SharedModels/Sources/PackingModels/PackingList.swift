import Foundation
import SwiftData

/// What to take along, as the app and the server know it.
@Model
public final class PackingList {
    #Unique<PackingList>([\.name])
    /// Names the list.
    public var name: String
    @Relationship(deleteRule: .cascade, inverse: \PackingItem.list) var items: [PackingItem] = []

    /// An empty list.
    public init(name: String) {
        self.name = name
    }

    /// The items in their order: a relationship has none in SwiftData, so each item keeps its place.
    public var orderedItems: [PackingItem] { items.sorted { $0.place < $1.place } }

    /// Adds an item at the end.
    public func append(_ title: String, kind: PackingItem.Kind = .other) {
        items.append(PackingItem(title: title, kind: kind, place: (items.map(\.place).max() ?? 0) + 1))
    }
}

/// One thing on a list.
@Model
public final class PackingItem {
    /// What sort of thing.
    public enum Kind: String, Codable, Sendable {
        /// To wear.
        case clothes
        /// Papers.
        case papers
        /// Anything else.
        case other
    }

    /// What it is.
    public var title: String
    /// What sort of thing.
    public var kind: Kind
    /// The order on the list.
    public var place: Int
    /// The list that it is on.
    public var list: PackingList?

    init(title: String, kind: Kind, place: Int) {
        self.title = title
        self.kind = kind
        self.place = place
    }
}
