import Foundation
import SwiftData

// Large values, partial fetches, prefetching, caches that are not stored.

@Model
class Photo {
    @Attribute(.unique, .preserveValueOnDeletion) var fileName: String
    @Attribute(.externalStorage, originalName: "data") var original: Data
    @Attribute(.externalStorage) private var thumbnailData: Data? = nil
    @Attribute(.ephemeral) var uploadProgress: Double = 0
    @Attribute(.spotlight, .allowsCloudEncryption) var caption: String?
    var takenAt: Date
    var iso: UInt16 = 100
    var exposure: Float = 0.01
    var size: Size
    var isHidden: Bool = false { didSet { changes += 1 } }
    @Relationship(deleteRule: .nullify) var albums: [PhotoAlbum] = []
    @Relationship(deleteRule: .cascade, inverse: \Face.photo) var faces: [Face]? = nil

    @Transient var changes: Int = 0
    @Transient private var cache: [String: Data] = [:]

    struct Size: Codable, Hashable { var width = 0, height = 0 }

    init(fileName: String, original: Data, takenAt: Date = .init(), size: Size = Size()) {
        self.fileName = fileName
        self.original = original
        self.takenAt = takenAt
        self.size = size
    }

    var thumbnail: Data? {
        get {
            if let cached = cache["thumbnail"] { return cached }
            cache["thumbnail"] = thumbnailData
            return thumbnailData
        }
        set {
            thumbnailData = newValue
            cache.removeAll()
        }
    }
}

@Model
class PhotoAlbum {
    var name: String
    var sorting: Sorting = Sorting.newest
    @Relationship(inverse: \Photo.albums) var photos: [Photo]
    @Relationship var cover: Photo?

    enum Sorting: Int, Codable { case newest, oldest, name }

    init(name: String, photos: [Photo] = []) {
        self.name = name
        self.photos = photos
    }

    var sorted: [Photo] {
        switch sorting {
        case .newest: photos.sorted(using: SortDescriptor(\.takenAt, order: .reverse))
        case .oldest: photos.sorted(using: [KeyPathComparator(\.takenAt)])
        case .name: photos.sorted { $0.fileName < $1.fileName }
        }
    }
}

@Model
class Face {
    var name: String
    var box: [Double]
    var photo: Photo?
    init(name: String, box: [Double]) {
        self.name = name
        self.box = box
    }
}

struct PhotoLibrary {
    var context: ModelContext

    func captions() throws -> [(String, String)] {
        var descriptor = FetchDescriptor<Photo>(
            predicate: #Predicate { $0.caption != nil && !$0.isHidden }, sortBy: [SortDescriptor(\.fileName)])
        descriptor.propertiesToFetch = [\.fileName, \.caption]
        return try context.fetch(descriptor).map { ($0.fileName, $0.caption!) }
    }

    func wide() throws -> [Photo] {
        var descriptor = FetchDescriptor<Photo>(predicate: #Predicate { $0.size.width > $0.size.height * 2 })
        descriptor.relationshipKeyPathsForPrefetching = [\Photo.albums, \Photo.faces]
        descriptor.fetchLimit = 100
        return try context.fetch(descriptor)
    }

    func showing(_ name: String) throws -> [Photo] {
        try context.fetch(
            FetchDescriptor<Photo>(
                predicate: #Predicate { $0.faces?.contains { $0.name == name } == true },
                sortBy: [SortDescriptor(\.takenAt, order: .reverse)]))
    }

    func notInAlbums() throws -> Int {
        try context.fetchCount(FetchDescriptor<Photo>(predicate: #Predicate { $0.albums.isEmpty }))
    }

    func shrinkAll() throws -> Int {
        var count = 0
        let descriptor = FetchDescriptor<Photo>(sortBy: [SortDescriptor(\.takenAt)])
        try context.enumerate(descriptor, batchSize: 20, allowEscapingMutations: true) { photo in
            photo.thumbnail = photo.original.prefix(4)
            count += 1
        }
        try context.save()
        return count
    }
}
