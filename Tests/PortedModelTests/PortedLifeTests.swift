import Foundation
import StrataTestSupport
import SwiftData
import Testing

@testable import PortedModels

/// Source of apps for everything else, unchanged, on a server.
@Suite struct PortedLifeTests {
    @Test func `workouts`() async throws {
        try await withPortedStore(Workout.self) { container in
            let log = WorkoutLog(context: ModelContext(container))
            let squat = Exercise(name: "Squat", muscles: [.legs, .core], goal: .distance(meters: 1, pace: nil))
            squat.settings["rack"] = 4
            let workout = log.start("Monday")
            workout.restTimerIsRunning = true
            for weight in [60.0, 80, 100] { log.log(squat, weight: weight, repetitions: 5, in: workout) }
            log.log(Exercise(plankFor: 60), weight: 0, repetitions: 1, in: log.start("Tuesday"))
            try log.finish(workout, after: 3600)

            let other = WorkoutLog(context: ModelContext(container))
            let again = try #require(other.finishedWorkouts().first)
            #expect(again.duration == 3600 && again.volume == 1200 && !again.restTimerIsRunning)
            let exercise = try #require(again.sets.first?.exercise)
            #expect(exercise.goal == .distance(meters: 1, pace: nil) && exercise.muscles == [.legs, .core])
            #expect(exercise.personalBests == [60, 80, 100] && exercise.settings == ["rack": 4])
            #expect(try other.workouts(using: "Plank").map(\.name) == ["Tuesday"])
            #expect(try other.heavy(over: 70).map(\.name) == ["Monday"])
            #expect(try other.heavy(over: 90).isEmpty)
            other.context.delete(exercise)
            try other.context.save()
            #expect(again.sets.isEmpty)
        }
    }

    @Test func `notes`() async throws {
        try await withPortedStore(NoteFolder.self) { container in
            let manager = NotesManager(context: ModelContext(container))
            let home = manager.makeFolder("Home")
            let garden = manager.makeFolder("Garden", in: home)
            let list = try manager.makeNote("List", "buy soil and seeds", in: garden, tags: ["todo", "spring"])
            _ = try manager.makeNote("Ideas", "", in: home, tags: ["todo"])
            _ = try manager.makeNote("Loose", "")
            list.isPinned = true
            manager.save()

            let other = NotesManager(context: ModelContext(container))
            #expect(try other.search("").count == 3)
            #expect(try other.search("todo").map(\.title) == ["Ideas", "List"])
            #expect(try other.search("SOIL", pinnedOnly: true).first?.wordCount == 4)
            #expect(try other.notes(inFoldersNamed: ["Garden", "Home"]).map(\.title) == ["Ideas", "List"])
            #expect(try other.rootFolders().map(\.path) == ["Home"])
            #expect(try other.search("List").first?.folder?.path == "Home/Garden")
            #expect(try other.recentTitles().count == 3)
            let found = try #require(other.search("List").first)
            found.touch()
            other.save()
            try #require(found.modelContext).delete(try #require(other.rootFolders().first))
            other.save()
            #expect(try container.count(NoteFolder.self) == 0)
            #expect(try container.count(Note.self) == 1)
            try other.deleteAllNotes()
            #expect(try container.count(Note.self) == 0)
            #expect(try container.count(NoteTag.self) == 2)
        }
    }

    @Test func `medications`() async throws {
        try await withPortedStore(Medication.self) { container in
            let store = MedicationStore(ModelContext(container))
            let aspirin = store.add("Aspirin", 500, .milligram)
            aspirin.schedule = MedicationSchedule(times: [day(0)])
            store.take(aspirin, at: day(1))
            store.take(aspirin, at: day(2))
            try store.save()
            let other = MedicationStore(ModelContext(container))
            let again = try #require(try other.medication(with: aspirin.id))
            #expect(again.id == aspirin.id && again.dosage == .init(value: 500, unit: .milligram))
            #expect(abs(again.createdAt.timeIntervalSince(aspirin.createdAt)) < 0.001)
            #expect(again.schedule?.weekdays == [1, 2, 3, 4, 5, 6, 7] && again.schedule?.times == [day(0)])
            #expect(try other.doses(since: day(2)).map(\.takenAt) == [day(2)])
            let last = try #require(try other.lastDose(of: again))
            #expect(last.takenAt == day(2))
            last.skipped = true
            try other.save()
            #expect(try other.doses(since: day(0)).map(\.takenAt) == [day(1)])
        }
    }

    @Test func `music`() async throws {
        try await withPortedStore(Artist.self, Playlist.self) { container in
            let library = MusicLibrary(modelContext: ModelContext(container))
            _ = try library.importAlbum("First", year: 1999, by: "Duo", tracks: [("A", 100), ("B", 200)])
            let second = try library.importAlbum("Second", year: 2005, by: "Duo", tracks: [("C", 300)])
            #expect(try container.count(Artist.self) == 1)
            #expect(second.length == 300)
            let other = MusicLibrary(modelContext: ModelContext(container))
            let tracks = try other.tracks(by: "Duo")
            #expect(tracks.map(\.title) == ["A", "B", "C"])
            #expect(try other.tracks(by: "Duo", longerThan: 150).map(\.title) == ["B", "C"])
            other.play(tracks[1])
            #expect(try other.mostPlayed().isEmpty)
            let list = Playlist(name: "Mix")
            list.tracks = [tracks[0], tracks[1]]
            tracks[2].playlists.append(list)
            other.modelContext.insert(list)
            try other.modelContext.save()
            #expect(try other.mostPlayed().map(\.title) == ["B"])
            #expect(try other.albums(between: 2000...2010).map(\.title) == ["Second"])
            #expect(try other.playlists(containing: tracks[2]).map(\.name) == ["Mix"])
            #expect(list.tracks.count == 3)
            #expect(try other.page(1, size: 2).map(\.title) == ["C"])
            #expect(try other.lazily().map(\.title) == ["A", "B", "C"])
            other.modelContext.delete(try #require(tracks[0].album?.artist))
            try other.modelContext.save()
            #expect(try container.count(Track.self) == 0)
            #expect(try container.count(Playlist.self) == 1)
        }
    }

    @Test @MainActor func `a journal in memory, on the main actor`() throws {
        let container = try JournalData.makePreview()
        defer { container.close() }
        let journal = JournalData(context: container.mainContext)
        #expect(try journal.entries(feeling: .great).map(\.text) == ["Day 5"])
        let entry = try #require(journal.entries(on: day(2)).first)
        entry.weather = Weather(sky: .rain, temperature: 21)
        entry.photos?.append(JournalPhoto(imageData: Data([1, 2, 3]), caption: "rain"))
        entry.prompt = JournalPrompt("What did you see?")
        entry.draft = "…"
        try container.mainContext.save()
        let other = JournalData(context: ModelContext(container))
        let again = try #require(other.warmDays(above: 20).first)
        #expect(again.weather?.sky == .rain && again.photos?.first?.imageData == Data([1, 2, 3]))
        #expect(again.prompt?.answers == [again] && again.draft == "" && again.preview == "Day 3")
    }

    @Test func `a chat with kinds of attachments`() async throws {
        try await withPortedStore(Conversation.self, ImageAttachment.self, VoiceAttachment.self) { container in
            let chat = ChatService(context: ModelContext(container))
            let (ann, bob) = (
                Participant(handle: "ann", displayName: "Ann"), Participant(handle: "bob", displayName: "Bob")
            )
            let talk = Conversation(title: "Talk", participants: [ann, bob])
            chat.context.insert(talk)
            for number in 1...5 { _ = chat.send("\(number)", from: ann, in: talk, at: day(Double(number))) }
            let last = chat.send("Look", from: bob, in: talk, at: day(6))
            last.attachments = [
                ImageAttachment(fileName: "a.png", size: 9, width: 800, height: 600),
                VoiceAttachment(fileName: "b.m4a", size: 7, duration: 1.5),
            ]
            last.reactions.append(Reaction(emoji: "👍", by: "ann"))
            try chat.context.save()

            let other = ChatService(context: ModelContext(container))
            let again = try #require(other.conversations(with: "bob").first)
            #expect(again.id == talk.id && again.lastMessage?.text == "Look")
            #expect(again.lastMessage?.reactions == [Reaction(emoji: "👍", by: "ann")])
            #expect(try other.messages(in: again, before: day(6), limit: 2).map(\.text) == ["4", "5"])
            #expect(try other.images().map(\.fileName) == ["a.png"])
            #expect(try other.bigImages(over: 700).count == 1)
            #expect(try other.bigImages(over: 900).isEmpty)
            again.lastMessage?.status = .read
            try other.context.save()
            other.context.delete(again)
            try other.context.save()
            #expect(try container.count(PortedModels.Attachment.self) == 0)
            #expect(try container.count(Participant.self) == 2)
        }
    }

    @Test func `journeys of the first version arrive in the third`() async throws {
        try await withTestDatabase { database in
            let url = try #require(database.foundationURL)
            let old = try ModelContainer(
                for: Schema(versionedSchema: TravelSchemaV1.self), migrationPlan: TravelMigrationPlan.self,
                configurations: ModelConfiguration(url: url))
            try writeOldJourneys(ModelContext(old))
            await old.close()

            let new = try ModelContainer(
                for: Schema(versionedSchema: TravelSchemaV3.self), migrationPlan: TravelMigrationPlan.self,
                configurations: ModelConfiguration(url: url))
            try readNewJourneys(new)
            await new.close()
        }
    }

    private func writeOldJourneys(_ context: ModelContext) throws {
        for (number, name) in ["Alps", "Coast", "Alps"].enumerated() {
            let journey = TravelSchemaV1.Journey(name: name, start: day(Double(number)))
            journey.waypoints = [TravelSchemaV1.Waypoint(place: "Start of \(name)")]
            context.insert(journey)
        }
        try context.save()
    }

    private func readNewJourneys(_ container: ModelContainer) throws {
        let planner = TravelPlanner(context: ModelContext(container))
        let journeys = try planner.journeys(after: day(-1))
        #expect(journeys.map(\.name) == ["Alps", "Coast", "Alps (2)"])
        #expect(journeys.map(\.rating) == [0, 0, 0])
        #expect(journeys.map(\.waypoints.count) == [1, 1, 1])
        planner.rate(journeys[0], 5)
        planner.addWaypoints(["Summit"], to: journeys[0])
        try planner.context.save()
        #expect(try container.count(Waypoint.self) == 4)
        let again = Journey(name: "Coast", startDate: day(9), rating: 3)
        planner.context.insert(again)
        try planner.context.save()
        #expect(try container.count(Journey.self) == 3)
    }
}
