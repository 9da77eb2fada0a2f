import Foundation
import SwiftData

@Model
final class Artist {
    @Attribute(.unique) var name: String
    var country: String?
    var formed: Int?
    @Relationship(deleteRule: .cascade, inverse: \Album.artist) var albums: [Album] = []

    init(name: String, country: String? = nil) {
        self.name = name
        self.country = country
    }
}

@Model
final class Album {
    var title: String
    var year: Int
    var artist: Artist?
    @Relationship(deleteRule: .cascade, inverse: \Track.album) var tracks: [Track] = []
    @Attribute(.ephemeral) var artworkCache: Data?

    init(title: String, year: Int, artist: Artist? = nil) {
        self.title = title
        self.year = year
        self.artist = artist
    }

    var length: TimeInterval { tracks.map(\.length).reduce(0, +) }
}

@Model
final class Track {
    var title: String
    var number: Int
    var length: TimeInterval
    var playCount: Int = 0
    var lyrics: String?
    var album: Album?
    var playlists: [Playlist] = []

    init(title: String, number: Int, length: TimeInterval) {
        self.title = title
        self.number = number
        self.length = length
    }
}

@Model
final class Playlist {
    var name: String
    var isSmart: Bool = false
    var createdAt: Date = Date.now
    @Relationship(deleteRule: .nullify, inverse: \Track.playlists) var tracks: [Track] = []

    init(name: String) { self.name = name }
}

extension Track {
    static var mostPlayed: FetchDescriptor<Track> {
        var descriptor = FetchDescriptor<Track>(
            predicate: #Predicate<Track> { $0.playCount > 0 },
            sortBy: [SortDescriptor(\.playCount, order: .reverse), SortDescriptor(\.title)])
        descriptor.fetchLimit = 10
        descriptor.includePendingChanges = false
        return descriptor
    }
}

struct MusicLibrary {
    let modelContext: ModelContext

    func importAlbum(_ title: String, year: Int, by artistName: String, tracks: [(String, TimeInterval)]) throws
        -> Album
    {
        let artist = Artist(name: artistName)
        let album = Album(title: title, year: year)
        modelContext.insert(artist)
        modelContext.insert(album)
        artist.albums.append(album)
        for (index, track) in tracks.enumerated() {
            album.tracks.append(Track(title: track.0, number: index + 1, length: track.1))
        }
        try modelContext.save()
        return album
    }

    func play(_ track: Track) { track.playCount += 1 }

    func mostPlayed() throws -> [Track] { try modelContext.fetch(Track.mostPlayed) }

    func tracks(by artist: String, longerThan seconds: TimeInterval = 0) throws -> [Track] {
        let predicate = #Predicate<Track> { $0.album?.artist?.name == artist && $0.length > seconds }
        return try modelContext.fetch(
            FetchDescriptor(predicate: predicate, sortBy: [SortDescriptor(\.album?.year), SortDescriptor(\.number)]))
    }

    func albums(between years: ClosedRange<Int>) throws -> [Album] {
        let (first, last) = (years.lowerBound, years.upperBound)
        return try modelContext.fetch(
            FetchDescriptor<Album>(
                predicate: #Predicate { $0.year >= first && $0.year <= last }, sortBy: [.init(\.year)]))
    }

    func playlists(containing track: Track) throws -> [Playlist] {
        let id = track.persistentModelID
        return try modelContext.fetch(
            FetchDescriptor<Playlist>(
                predicate: #Predicate { playlist in playlist.tracks.contains { $0.persistentModelID == id } }))
    }

    func page(_ number: Int, size: Int) throws -> [Track] {
        var descriptor = FetchDescriptor<Track>(sortBy: [SortDescriptor(\.title)])
        descriptor.fetchOffset = number * size
        descriptor.fetchLimit = size
        return try modelContext.fetch(descriptor)
    }

    func lazily() throws -> FetchResultsCollection<Track> {
        var descriptor = FetchDescriptor<Track>(sortBy: [SortDescriptor(\.title)])
        descriptor.includePendingChanges = false
        return try modelContext.fetch(descriptor, batchSize: 2)
    }
}
