import Foundation
import SwiftData

// News: model actors that hand values to other actors, task groups, streams, identifiers that cross.

@Model
final class Feed {
    #Unique<Feed>([\.url])
    var url: URL
    var title: String
    var etag: String?
    @Relationship(deleteRule: .cascade, inverse: \Headline.feed) var headlines: [Headline] = []

    init(url: URL, title: String) {
        self.url = url
        self.title = title
    }
}

@Model
final class Headline {
    #Unique<Headline>([\.guid])
    #Index<Headline>([\.published])
    var guid: String
    var title: String
    var published: Date
    var isRead = false
    var feed: Feed?

    init(guid: String, title: String, published: Date) {
        self.guid = guid
        self.title = title
        self.published = published
    }
}

struct HeadlineDTO: Codable, Hashable, Identifiable, Sendable {
    let id: PersistentIdentifier
    let title: String
    let feedTitle: String?

    init(_ headline: Headline) {
        id = headline.persistentModelID
        title = headline.title
        feedTitle = headline.feed?.title
    }
}

struct FeedPayload: Sendable {
    struct Item: Sendable { var guid: String, title: String, published: Date }

    let url: URL
    let title: String
    let items: [Item]
}

protocol FeedService: Sendable {
    func load(_ url: URL) async throws -> FeedPayload
}

@ModelActor
actor HeadlineStore {
    private(set) var refreshes = 0

    static func make(for container: ModelContainer) async -> HeadlineStore {
        await Task.detached { HeadlineStore(modelContainer: container) }.value
    }

    func refresh(_ urls: [URL], from service: some FeedService) async throws -> [PersistentIdentifier] {
        let payloads = try await withThrowingTaskGroup(of: FeedPayload.self) { group in
            for url in urls { group.addTask { try await service.load(url) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        refreshes += 1
        return try payloads.sorted { $0.title < $1.title }.map { try save($0) }
    }

    private func save(_ payload: FeedPayload) throws -> PersistentIdentifier {
        let url = payload.url
        let known = try modelContext.fetch(FetchDescriptor<Feed>(predicate: #Predicate { $0.url == url })).first
        let feed = known ?? Feed(url: url, title: payload.title)
        if known == nil { modelContext.insert(feed) }
        for item in payload.items {
            let headline = Headline(guid: item.guid, title: item.title, published: item.published)
            modelContext.insert(headline)
            headline.feed = feed
        }
        try modelContext.save()
        return feed.persistentModelID
    }

    func latest(_ count: Int, unreadOnly: Bool = false) throws -> [HeadlineDTO] {
        var descriptor = FetchDescriptor<Headline>(
            predicate: #Predicate { unreadOnly ? !$0.isRead : true },
            sortBy: [SortDescriptor(\.published, order: .reverse)])
        descriptor.fetchLimit = count
        descriptor.relationshipKeyPathsForPrefetching = [\.feed]
        return try modelContext.fetch(descriptor).map(HeadlineDTO.init)
    }

    func markRead(_ ids: Set<PersistentIdentifier>) throws {
        let headlines = try modelContext.fetch(
            FetchDescriptor<Headline>(predicate: #Predicate { ids.contains($0.persistentModelID) }))
        headlines.forEach { $0.isRead = true }
        try modelContext.save()
    }

    func title(of id: PersistentIdentifier) -> String? { self[id, as: Feed.self]?.title }

    func fetchData<T: PersistentModel, Result: Sendable>(
        predicate: Predicate<T>? = nil, sortBy: [SortDescriptor<T>] = [], transform: @Sendable (T) -> Result
    ) throws -> [Result] {
        try modelContext.fetch(FetchDescriptor<T>(predicate: predicate, sortBy: sortBy)).map(transform)
    }
}

final class HeadlineCenter: Sendable {
    let container: ModelContainer
    private let store: HeadlineStore

    init(container: ModelContainer) async {
        self.container = container
        store = await HeadlineStore.make(for: container)
    }

    func stream(_ urls: [URL], from service: some FeedService) -> AsyncThrowingStream<HeadlineDTO, any Error> {
        AsyncThrowingStream { continuation in
            let task = Task {
                do {
                    _ = try await store.refresh(urls, from: service)
                    for headline in try await store.latest(10) { continuation.yield(headline) }
                    continuation.finish()
                } catch {
                    continuation.finish(throwing: error)
                }
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    func readAll() async throws -> Int {
        let ids = try await store.latest(.max >> 32).map(\.id)
        try await store.markRead(Set(ids))
        return try await store.latest(10, unreadOnly: true).count
    }

    func titles() async throws -> [String] {
        try await store.fetchData(sortBy: [SortDescriptor(\Feed.title)]) { $0.title }
    }

    @MainActor
    func show(_ dto: HeadlineDTO) -> Headline? {
        container.mainContext.model(for: dto.id) as? Headline
    }
}
