// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import Foundation
import SwiftData

// A layer of repositories that know no class: generic over the model, with identifiers that remember their type.

protocol Countable: PersistentModel {
    static var everything: FetchDescriptor<Self> { get }
}

protocol Stamped: AnyObject {
    var createdAt: Date { get set }
    var modifiedAt: Date? { get set }
}

extension Stamped {
    func stamp(_ date: Date = .now) { modifiedAt = date }
}

@Model
public final class Bookmark: Identifiable, Stamped, Countable {
    public var id: UUID = UUID()
    var title = ""
    var link: URL?
    var createdAt = Date.now
    var modifiedAt: Date?
    var visits = 0
    var isUnread = true
    var labels = [BookmarkLabel]()
    var keywords = Set<String>()

    init(title: String, link: String) {
        self.title = title
        self.link = URL(string: link)
    }

    static var everything: FetchDescriptor<Bookmark> { FetchDescriptor(sortBy: [SortDescriptor(\.title)]) }
}

@Model
public final class BookmarkLabel: Identifiable, Countable {
    @Attribute(.unique) public var id: String
    @Relationship(inverse: \Bookmark.labels) var bookmarks: [Bookmark]?

    init(id: String) { self.id = id }

    static var everything: FetchDescriptor<BookmarkLabel> { .init() }
}

/// An identifier that remembers whose it is.
struct Ref<Target: PersistentModel>: Hashable, Codable, Sendable {
    let raw: PersistentIdentifier
    init(_ target: Target) { raw = target.persistentModelID }
}

extension ModelContext {
    func resolve<T>(_ ref: Ref<T>) throws -> T? where T: PersistentModel {
        if let known: T = registeredModel(for: ref.raw) { return known }
        let raw = ref.raw
        var descriptor = FetchDescriptor<T>(predicate: #Predicate { $0.persistentModelID == raw })
        descriptor.fetchLimit = 1
        return try fetch(descriptor).first
    }

    func all<T: Countable>(_: T.Type = T.self) throws -> [T] { try fetch(T.everything) }

    func hasAny<T: PersistentModel>(_ type: T.Type, where predicate: Predicate<T>? = nil) -> Bool {
        var descriptor = FetchDescriptor<T>(predicate: predicate)
        descriptor.fetchLimit = 1
        return ((try? fetchCount(descriptor)) ?? 0) > 0
    }
}

protocol StoreRepository {
    associatedtype Entity: PersistentModel
    var context: ModelContext { get }
}

extension StoreRepository {
    func load(
        _ predicate: Predicate<Entity>? = nil, by order: [SortDescriptor<Entity>] = [], limit: Int? = nil
    ) throws -> [Entity] {
        var descriptor = FetchDescriptor<Entity>(predicate: predicate, sortBy: order)
        descriptor.fetchLimit = limit
        return try context.fetch(descriptor)
    }

    func find(_ identifier: PersistentIdentifier) throws -> Entity? {
        try load(#Predicate<Entity> { $0.persistentModelID == identifier }).first
    }

    func add(contentsOf entities: [Entity]) { entities.forEach(context.insert) }

    func removeAll(where predicate: Predicate<Entity>? = nil) throws {
        try context.delete(model: Entity.self, where: predicate)
    }

    /// Writes one property of all that match.
    func set<Value>(
        _ keyPath: ReferenceWritableKeyPath<Entity, Value>, to value: Value, where predicate: Predicate<Entity>
    ) throws -> Int {
        let matching = try load(predicate)
        matching.forEach { $0[keyPath: keyPath] = value }
        return matching.count
    }
}

struct DefaultRepository<Entity: PersistentModel>: StoreRepository { let context: ModelContext }

extension FetchDescriptor where T == Bookmark {
    static func labelled(_ name: String) -> Self {
        FetchDescriptor(
            predicate: #Predicate<Bookmark> { bookmark in bookmark.labels.contains { $0.id == name } },
            sortBy: [SortDescriptor(\.visits, order: .reverse), SortDescriptor(\.title)])
    }

    static var unread: Self {
        var descriptor = Self(predicate: #Predicate { $0.isUnread && $0.keywords.contains("later") })
        descriptor.relationshipKeyPathsForPrefetching = [\.labels]
        descriptor.propertiesToFetch = [\.title, \.link]
        return descriptor
    }
}
