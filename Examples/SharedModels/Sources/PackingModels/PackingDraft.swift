import Foundation
import SwiftData

/// Notes that nobody has to follow.
@Model
public final class PackingDraft {
    /// An option of the server's: to SwiftData it is a constant like any other.
    public static let recordsHistory = false
    /// What is written.
    public var text: String

    /// A draft.
    public init(text: String) {
        self.text = text
    }
}

#if os(Linux)
/// A tour past several lists: only the server has it, with its order in the database.
@Model
public final class PackingRoute {
    /// Names the route.
    public var name: String
    @Relationship(.ordered) var lists: [PackingList] = []

    /// A route past these lists.
    public init(name: String, lists: [PackingList]) {
        self.name = name
        self.lists = lists
    }
}
#endif

/// The classes of the store: those of the app, and on the server its own.
public enum PackingSchema {
    /// What a container is opened for.
    public static var models: [any PersistentModel.Type] {
        let shared: [any PersistentModel.Type] = [PackingList.self, PackingItem.self, PackingDraft.self]
        #if os(Linux)
        return shared + [PackingRoute.self]
        #else
        return shared
        #endif
    }
}
