import Foundation
import SwiftData
import Testing

@testable import PortedModels

/// What the ported source is made of.
@Suite struct PortedCorpusTests {
    /// The classes by file.
    static let files: [(name: String, models: [any PersistentModel.Type])] = [
        ("Catalog", [Publication.self, Magazine.self, Bookcase.self, PortedModels.Reader.self, LibraryCard.self]),
        (
            "Chat",
            [
                Conversation.self, Participant.self, Message.self, PortedModels.Attachment.self, ImageAttachment.self,
                VoiceAttachment.self,
            ]
        ),
        ("Changes", [LedgerEntry.self]),
        ("Containers", [Shelf.self, Owner.self]),
        ("Expenses", [Expense.self, ExpenseCategory.self, Budget.self]),
        ("FlashCards", [Deck.self, Card.self, Review.self]),
        ("Garden", [Plant.self, Watering.self, GardenBed.self]),
        ("Habits", [Habit.self, HabitEntry.self, HabitCategory.self]),
        ("Inventory", [InventoryItem.self, Warehouse.self, Supplier.self, StockMovement.self]),
        ("Journal", [JournalEntry.self, JournalPhoto.self, JournalPrompt.self]),
        ("Medications", [Medication.self, Dose.self, MedicationSchedule.self]),
        ("Music", [Artist.self, Album.self, Track.self, Playlist.self]),
        ("Notes", [NoteFolder.self, Note.self, NoteTag.self]),
        ("Podcasts", [Podcast.self, Episode.self, PlaybackState.self]),
        ("Projects", [Project.self, ProjectTask.self, Assignee.self, TaskComment.self]),
        ("Reading", [Book.self, Quote.self, Genre.self]),
        ("Recipes", [Recipe.self, Ingredient.self, RecipeStep.self, RecipeTag.self]),
        ("Reminders", [ReminderList.self, Reminder.self]),
        ("School", [School.self, Teacher.self, Student.self, Course.self, Grade.self]),
        ("Subscriptions", [Subscription.self, SubscriptionPayment.self]),
        ("Travel", [Journey.self, Waypoint.self]),
        ("Vehicles", [Vehicle.self, Car.self, Motorcycle.self, ServiceVisit.self]),
        ("Workouts", [Workout.self, WorkoutSet.self, Exercise.self]),
    ]

    @Test func `there are many files and models`() throws {
        let schema = Schema(Self.files.flatMap(\.models))
        #expect(Self.files.count >= 15)
        #expect(schema.entities.count >= 40)
        #expect(schema.entities.count == Self.files.map(\.models.count).reduce(0, +))
    }

    @Test func `each file imports what an app imports`() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "PortedModels")
        let sources = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        #expect(Set(sources.map(\.lastPathComponent)) == Set(Self.files.map { "\($0.name).swift" }))
        for source in sources {
            let lines = try String(contentsOf: source, encoding: .utf8).split(separator: "\n")
            #expect(
                lines.filter { $0.contains("import ") } == ["import Foundation", "import SwiftData"],
                "\(source.lastPathComponent)")
        }
    }

}
