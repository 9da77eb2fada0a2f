import Foundation
import SwiftData

@Model
final class Podcast: Codable {
    enum CodingKeys: String, CodingKey {
        case title
        case feedURL = "feed_url"
        case categories, episodes
    }

    var title: String
    @Attribute(.unique) var feedURL: URL
    var categories: [String]
    var subscribedAt: Date?
    @Relationship(deleteRule: .cascade, inverse: \Episode.podcast) var episodes: [Episode]

    init(title: String, feedURL: URL, categories: [String] = []) {
        self.title = title
        self.feedURL = feedURL
        self.categories = categories
        self.episodes = []
    }

    required init(from decoder: Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        title = try container.decode(String.self, forKey: .title)
        feedURL = try container.decode(URL.self, forKey: .feedURL)
        categories = try container.decodeIfPresent([String].self, forKey: .categories) ?? []
        episodes = try container.decode([Episode].self, forKey: .episodes)
    }

    func encode(to encoder: Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(title, forKey: .title)
        try container.encode(feedURL, forKey: .feedURL)
        try container.encode(categories, forKey: .categories)
        try container.encode(episodes, forKey: .episodes)
    }
}

@Model
final class Episode: Codable {
    enum CodingKeys: CodingKey {
        case guid, title, published, duration
    }

    @Attribute(.unique) var guid: String
    var title: String
    var published: Date
    var duration: TimeInterval
    var isDownloaded: Bool = false
    var podcast: Podcast?
    @Relationship(deleteRule: .cascade, inverse: \PlaybackState.episode) var playback: PlaybackState?

    init(guid: String, title: String, published: Date, duration: TimeInterval) {
        self.guid = guid
        self.title = title
        self.published = published
        self.duration = duration
    }

    required init(from decoder: Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.guid = try container.decode(String.self, forKey: .guid)
        self.title = try container.decode(String.self, forKey: .title)
        self.published = try container.decode(Date.self, forKey: .published)
        self.duration = try container.decode(TimeInterval.self, forKey: .duration)
    }

    func encode(to encoder: Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(guid, forKey: .guid)
        try container.encode(title, forKey: .title)
        try container.encode(published, forKey: .published)
        try container.encode(duration, forKey: .duration)
    }

    var progress: Double {
        guard let playback, duration > 0 else { return 0 }
        return playback.position / duration
    }
}

@Model
final class PlaybackState {
    var position: TimeInterval
    var speed: Float
    var updatedAt: Date
    var episode: Episode?

    init(position: TimeInterval = 0, speed: Float = 1) {
        self.position = position
        self.speed = speed
        self.updatedAt = Date()
    }
}

final class PodcastImporter {
    let modelContext: ModelContext

    init(modelContext: ModelContext) {
        self.modelContext = modelContext
    }

    @discardableResult
    func importFeed(_ json: Data) throws -> Podcast {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        let podcast = try decoder.decode(Podcast.self, from: json)
        modelContext.insert(podcast)
        try modelContext.save()
        return podcast
    }

    func export(_ podcast: Podcast) throws -> Data {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        encoder.outputFormatting = .sortedKeys
        return try encoder.encode(podcast)
    }

    func play(_ episode: Episode, to position: TimeInterval) {
        if let playback = episode.playback {
            playback.position = position
        } else {
            episode.playback = PlaybackState(position: position)
        }
    }

    func unplayed() throws -> [Episode] {
        let descriptor = FetchDescriptor<Episode>(
            predicate: #Predicate { $0.playback == nil || ($0.playback?.position ?? 0) == 0 },
            sortBy: [SortDescriptor(\.published, order: .reverse)])
        return try modelContext.fetch(descriptor)
    }

    func episodes(ofPodcast title: String?) throws -> [Episode] {
        try modelContext.fetch(
            FetchDescriptor<Episode>(
                predicate: #Predicate { $0.podcast?.title == title },
                sortBy: [SortDescriptor(\.podcast?.title), SortDescriptor(\.title)]))
    }
}
