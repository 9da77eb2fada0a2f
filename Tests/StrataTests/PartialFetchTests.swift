import Foundation
import Strata
import Testing

@Suite struct PartialFetchTests {
    private typealias Photo = Graph.Photo

    private func photos(_ number: Int, in store: GraphStore) async throws {
        let context = store.context()
        for index in 0..<number {
            let photo = Photo("T\(index)", pixels: Data([UInt8(index), 1, 2]))
            photo.caption = "C\(index)"
            photo.stars = index
            context.insert(photo)
        }
        try await context.save()
        store.recorder.reset()
    }

    @Test
    func `only the columns that were asked for are selected, and a touch loads the rest for all in one statement`()
        async throws
    {
        try await withGraphStore { store in
            try await photos(4, in: store)
            let context = store.context()
            var descriptor = FetchDescriptor<Photo>(sortBy: [SortDescriptor(\.title)])
            descriptor.propertiesToFetch = [\.title]
            let photos = try await context.fetch(descriptor)
            let sql = try #require(store.recorder.statements.first)
            #expect(sql.contains("\"title\""))
            #expect(!sql.contains("caption") && !sql.contains("stars") && !sql.contains("pixels"))
            #expect(photos.map(\.title) == ["T0", "T1", "T2", "T3"])
            #expect(store.recorder.roundTrips == 1)
            #expect(photos[0].caption == "C0")
            #expect(store.recorder.roundTrips == 2)
            #expect(photos.map(\.caption) == ["C0", "C1", "C2", "C3"])
            #expect(photos.map(\.stars) == [0, 1, 2, 3])
            #expect(photos.map { $0.album == nil } == [true, true, true, true])
            #expect(store.recorder.roundTrips == 2)
            #expect(context.lazyLoadCount == 1)
        }
    }

    @Test func `external storage is never selected until it is read, and then for one object`() async throws {
        try await withGraphStore { store in
            try await photos(3, in: store)
            let context = store.context()
            let photos = try await context.fetch(FetchDescriptor<Photo>(sortBy: [SortDescriptor(\.title)]))
            _ = photos.map(\.caption)
            #expect(!store.recorder.statements.contains { $0.contains("pixels") })
            #expect(photos[1].pixels == Data([1, 1, 2]))
            #expect(store.recorder.roundTrips == 2)
            #expect(store.recorder.statements.last?.contains("pixels") == true)
            #expect(photos[1].pixels?.count == 3)
            #expect(store.recorder.roundTrips == 2)
            #expect(photos[2].pixels == Data([2, 1, 2]))
            #expect(store.recorder.roundTrips == 3)
        }
    }

    @Test func `a property that was not fetched can be written, saved and rolled back`() async throws {
        try await withGraphStore { store in
            try await photos(2, in: store)
            let context = store.context()
            var descriptor = FetchDescriptor<Photo>(sortBy: [SortDescriptor(\.title)])
            descriptor.propertiesToFetch = [\.title]
            let photos = try await context.fetch(descriptor)
            photos[0].caption = "written"
            photos[0].pixels = Data([9])
            try await context.save()
            #expect(photos[0].stars == 0)
            photos[1].caption = "forgotten"
            context.rollback()
            #expect(photos[1].caption == "C1")
            let read = try await store.reader().fetch(FetchDescriptor<Photo>(sortBy: [SortDescriptor(\.title)]))
            #expect(read.map(\.caption) == ["written", "C1"])
            #expect(read.map(\.pixels?.count) == [1, 3])
        }
    }

    @Test func `a touch does not overwrite what is unsaved`() async throws {
        try await withGraphStore { store in
            try await photos(2, in: store)
            let context = store.context()
            var descriptor = FetchDescriptor<Photo>(sortBy: [SortDescriptor(\.title)])
            descriptor.propertiesToFetch = [\.title]
            let photos = try await context.fetch(descriptor)
            photos[0].caption = "mine"
            photos[1].stars = 77
            #expect(photos[0].stars == 0)
            #expect(photos[1].caption == "C1")
            #expect(photos.map(\.caption) == ["mine", "C1"])
            #expect(photos.map(\.stars) == [0, 77])
        }
    }

    @Test func `a partial fetch leaves what is in memory, a full one completes it`() async throws {
        try await withGraphStore { store in
            try await photos(1, in: store)
            let context = store.context()
            let full = try await context.only(Photo.self)
            var descriptor = FetchDescriptor<Photo>()
            descriptor.propertiesToFetch = [\.title]
            _ = try await context.fetch(descriptor)
            store.recorder.reset()
            #expect(full.caption == "C0")
            #expect(store.recorder.roundTrips == 0)
            let other = store.context()
            let partial = try #require(try await other.fetch(descriptor).first)
            _ = try await other.fetch(FetchDescriptor<Photo>())
            store.recorder.reset()
            #expect(partial.caption == "C0")
            #expect(store.recorder.roundTrips == 0)
        }
    }

    @Test func `a relationship among the properties to fetch that has a column is fetched`() async throws {
        try await withGraphStore { store in
            let album = Graph.Album("A")
            album.photos = [Photo("p")]
            try await store.save(album)
            let context = store.context()
            var descriptor = FetchDescriptor<Photo>()
            descriptor.propertiesToFetch = [\.title, \.album]
            let photo = try #require(try await context.fetch(descriptor).first)
            #expect(photo.album?.name == "A")
            #expect(store.recorder.roundTrips == 2)
        }
    }

    @Test func `a to-one that was not fetched can be set, and its old partner knows`() async throws {
        try await withGraphStore { store in
            let (first, second) = (Graph.Album("A"), Graph.Album("B"))
            first.photos = [Photo("p")]
            try await store.save(first, second)
            let context = store.context()
            let albums = try await context.fetch(FetchDescriptor<Graph.Album>(sortBy: [SortDescriptor(\.name)]))
            #expect(albums.map { $0.photos?.count } == [1, 0])
            let other = store.context()
            let others = try await other.fetch(FetchDescriptor<Graph.Album>(sortBy: [SortDescriptor(\.name)]))
            var descriptor = FetchDescriptor<Photo>()
            descriptor.propertiesToFetch = [\.title]
            let photo = try #require(try await other.fetch(descriptor).first)
            photo.album = others[1]
            #expect(others.map { $0.photos?.count } == [0, 1])
            try await other.save()
            #expect(try await store.reader().only(Photo.self).album?.name == "B")
        }
    }

    @Test func `a name that is no stored property is refused before anything is sent`() async throws {
        try await withGraphStore { store in
            let context = store.context()
            for keyPath: PartialKeyPath<Photo> in [\.title.count, \.persistentModelID] {
                var descriptor = FetchDescriptor<Photo>()
                descriptor.propertiesToFetch = [keyPath]
                await expectError(.unsupportedKeyPath) { _ = try await context.fetch(descriptor) }
            }
            #expect(store.recorder.roundTrips == 0)
        }
    }

    @Test func `a deleted and reinserted partial object is complete`() async throws {
        try await withGraphStore { store in
            try await photos(1, in: store)
            let context = store.context()
            var descriptor = FetchDescriptor<Photo>()
            descriptor.propertiesToFetch = [\.title]
            let photo = try #require(try await context.fetch(descriptor).first)
            context.delete(photo)
            context.insert(photo)
            #expect(photo.caption == "C0")
            try await context.save()
            #expect(try await store.reader().only(Photo.self).caption == "C0")
        }
    }

    @Test func `an ephemeral property makes an object dirty and is not stored`() async throws {
        try await withGraphStore { store in
            try await photos(1, in: store)
            let context = store.context()
            let photo = try await context.only(Photo.self)
            photo.isSelected = true
            #expect(photo.hasChanges)
            try await context.save()
            #expect(photo.isSelected)
            #expect(!photo.hasChanges)
            _ = try await context.all(Photo.self)
            #expect(photo.isSelected)
            #expect(try await store.reader().only(Photo.self).isSelected == false)
        }
    }
}
