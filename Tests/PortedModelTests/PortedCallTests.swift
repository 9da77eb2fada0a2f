import Foundation
import StrataTestSupport
import SwiftData
import Testing

@testable import PortedModels

/// Calls of SwiftData that few apps make.
@Suite struct PortedCallTests {
    private func withMusic(_ body: (ModelContainer) throws -> Void) async throws {
        try await withPortedStore(Artist.self, Playlist.self) { container in
            let library = MusicLibrary(modelContext: ModelContext(container))
            _ = try library.importAlbum(
                "All", year: 2001, by: "Duo", tracks: ["A", "B", "C", "D", "E"].map { ($0, 60) })
            try body(container)
        }
    }

    private func sorted() -> FetchDescriptor<Track> { FetchDescriptor<Track>(sortBy: [SortDescriptor(\.title)]) }

    @Test func `a container is erased as a whole`() async throws {
        try await withMusic { container in
            try container.erase()
            #expect(try container.count(Artist.self) == 0)
            #expect(try container.count(Track.self) == 0)
            _ = try MusicLibrary(modelContext: ModelContext(container))
                .importAlbum("Next", year: 2002, by: "Duo", tracks: [])
            #expect(try container.count(Album.self) == 1)
        }
    }

    @available(*, deprecated, message: "deleteAllData() is the older spelling")
    @Test func `the older spelling of erasing does the same`() async throws {
        try await withMusic { container in
            container.deleteAllData()
            let count = try container.count(Track.self)
            #expect(count == 0)
        }
    }

    @Test func `what cannot be saved cannot be erased`() async throws {
        try await withTestDatabase { database in
            let url = try #require(database.foundationURL)
            let schema = Schema([Habit.self])
            let writer = try ModelContainer(for: schema, configurations: ModelConfiguration(url: url))
            let reader = try ModelContainer(
                for: schema, configurations: ModelConfiguration(url: url, allowsSave: false))
            let habit = Habit(name: "Run")
            let context = ModelContext(writer)
            context.insert(habit)
            try context.save()
            #expect { try reader.erase() } throws: { ($0 as? SwiftDataError) == .readOnly }
            #expect(try context.fetchCount(FetchDescriptor<Habit>()) == 1)
            try writer.erase()
            #expect(try ModelContext(writer).fetchCount(FetchDescriptor<Habit>()) == 0)
            await reader.close()
            await writer.close()
        }
    }

    @Test func `erasing is noted in the history`() async throws {
        try await withMusic { container in
            let context = ModelContext(container)
            let before = try context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>()).count
            try container.erase()
            let after = try context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>())
            #expect(after.count == before + 1)
            let deletions = after.last?.changes.count { if case .delete = $0 { true } else { false } }
            #expect(deletions == 7)
        }
    }

    @Test func `a fetch in batches reads what is asked for`() async throws {
        try await withMusic { container in
            let context = ModelContext(container)
            var descriptor = sorted()
            descriptor.relationshipKeyPathsForPrefetching = [\.album?.artist]
            let tracks = try context.fetch(descriptor, batchSize: 2)
            #expect(tracks.count == 5)
            #expect(tracks[4].title == "E")
            #expect(context.registeredModel(for: try context.fetchIdentifiers(sorted())[0]) as Track? == nil)
            #expect(tracks.map(\.title) == ["A", "B", "C", "D", "E"])
            #expect(tracks.reversed().map(\.title) == ["E", "D", "C", "B", "A"])
            #expect(tracks.first?.album?.artist?.name == "Duo")
            #expect(context.lazyLoadCount == 0)
            #expect(try context.fetchIdentifiers(sorted(), batchSize: 3).count == 5)
            #expect(throws: SwiftDataError.self) { _ = try context.fetch(sorted(), batchSize: 0) }
        }
    }

    @Test func `unsaved changes take part in a fetch in batches`() async throws {
        try await withMusic { container in
            let context = ModelContext(container)
            let tracks = try context.fetch(sorted())
            context.insert(Track(title: "Aa", number: 6, length: 1))
            tracks[1].title = "Z"
            context.delete(tracks[2])
            #expect(try context.fetch(sorted(), batchSize: 2).map(\.title) == ["A", "Aa", "D", "E", "Z"])
        }
    }

    @Test func `a row that is gone when its batch is read is reported`() async throws {
        try await withMusic { container in
            let context = ModelContext(container)
            let tracks = try context.fetch(sorted(), batchSize: 2)
            let other = ModelContext(container)
            try other.delete(model: Track.self, where: #Predicate { $0.title == "D" })
            try other.save()
            #expect(tracks[2].title == "C")
            #expect(tracks[3].title == "")
            #expect { try context.throwUnreportedErrors() } throws: {
                ($0 as? SwiftDataError) == .modelNotFound
            }
            #expect(tracks[4].title == "E")
            try context.throwUnreportedErrors()
        }
    }

    @Test func `asynchronous functions fetch in batches too`() async throws {
        try await withTestDatabase { database in
            let url = try #require(database.foundationURL)
            let container = try ModelContainer(for: Habit.self, configurations: ModelConfiguration(url: url))
            let context = ModelContext(container)
            for name in ["A", "B", "C"] { context.insert(Habit(name: name)) }
            try context.save()
            let descriptor = FetchDescriptor<Habit>(sortBy: [SortDescriptor(\.name)])
            let habits = try ModelContext(container).fetch(descriptor, batchSize: 2)
            #expect(habits.map(\.name) == ["A", "B", "C"])
            #expect(try context.fetchIdentifiers(descriptor, batchSize: 2).count == 3)
            await container.close()
        }
    }

    @Test func `relationships and values are loaded again without await`() async throws {
        try await withMusic { container in
            let context = ModelContext(container)
            let tracks = try context.fetch(sorted())
            try context.load(tracks, \.album?.artist)
            #expect(Set(tracks.compactMap { $0.album?.artist?.name }) == ["Duo"])
            #expect(context.lazyLoadCount == 0)
            let other = ModelContext(container)
            try #require(other.fetch(sorted()).first).title = "Changed"
            try other.save()
            #expect(tracks[0].title == "A")
            try context.refresh(tracks)
            #expect(tracks[0].title == "Changed")
            #expect(throws: SwiftDataError.self) { try other.refresh(tracks) }
        }
    }

    @Test func `an editing state names its context`() async throws {
        try await withMusic { container in
            let (context, other) = (ModelContext(container), ModelContext(container))
            let state = context.editingState
            #expect(state == context.editingState && state.id != other.editingState.id)
            context.author = "importer"
            #expect(context.editingState.id == state.id && context.editingState.author == "importer")
        }
    }
}
