import Foundation
import SwiftData
import Testing

@testable import PortedModels
@testable import PortedModels6

/// What the ported source is made of.
@Suite struct PortedCorpusTests {
    /// The classes by file.
    static let files: [(name: String, models: [any PersistentModel.Type])] = [
        ("Bookmarks", [Bookmark.self, BookmarkLabel.self]),
        ("Budgeting", [Account.self, Booking.self, Payee.self]),
        ("Catalog", [Publication.self, Magazine.self, Bookcase.self, PortedModels.Reader.self, LibraryCard.self]),
        (
            "Chat",
            [
                Conversation.self, Participant.self, Message.self, PortedModels.Attachment.self, ImageAttachment.self,
                VoiceAttachment.self,
            ]
        ),
        ("Changes", [LedgerEntry.self]),
        ("Contacts", [Contact.self, ContactGroup.self]),
        ("Containers", [Shelf.self, Owner.self]),
        ("Expenses", [Expense.self, ExpenseCategory.self, Budget.self]),
        ("FlashCards", [Deck.self, Card.self, Review.self]),
        ("Garden", [Plant.self, Watering.self, GardenBed.self]),
        ("Habits", [Habit.self, HabitEntry.self, HabitCategory.self]),
        ("Houses", [House.self, Agent.self, Feature.self]),
        ("Inventory", [InventoryItem.self, Warehouse.self, Supplier.self, StockMovement.self]),
        ("Journal", [JournalEntry.self, JournalPhoto.self, JournalPrompt.self]),
        ("Medications", [Medication.self, Dose.self, MedicationSchedule.self]),
        ("Movies", [Movie.self, Director.self]),
        ("Music", [Artist.self, Album.self, Track.self, Playlist.self]),
        ("Notes", [NoteFolder.self, Note.self, NoteTag.self]),
        ("Orders", [Order.self, OrderLine.self, Product.self, User.self]),
        ("Photos", [Photo.self, PhotoAlbum.self, Face.self]),
        ("Podcasts", [Podcast.self, Episode.self, PlaybackState.self]),
        ("Projects", [Project.self, ProjectTask.self, Assignee.self, TaskComment.self]),
        ("Quizzes", [Quiz.self, Question.self]),
        ("Reading", [Book.self, Quote.self, Genre.self]),
        ("Recipes", [Recipe.self, Ingredient.self, RecipeStep.self, RecipeTag.self]),
        ("Reminders", [ReminderList.self, Reminder.self]),
        ("School", [School.self, Teacher.self, Student.self, Course.self, Grade.self]),
        ("Sketches", [Canvas.self, Stroke.self]),
        ("Subscriptions", [Subscription.self, SubscriptionPayment.self]),
        ("Travel", [Journey.self, Waypoint.self]),
        ("Vehicles", [Vehicle.self, Car.self, Motorcycle.self, ServiceVisit.self]),
        ("Weather", [Station.self, PortedModels.Observation.self]),
        ("Workouts", [Workout.self, WorkoutSet.self, Exercise.self]),
    ]

    /// The classes of those in Swift 6's mode.
    static let sixth: [(name: String, models: [any PersistentModel.Type])] = [
        ("Agenda", [AgendaItem.self, AgendaLabel.self]),
        ("Clinic", [Clinic.Patient.self, Clinic.Doctor.self, Clinic.Visit.self]),
        ("Headlines", [Feed.self, Headline.self]),
        ("Lodgings", [Lodging.self, Hotel.self, Resort.self, Campsite.self, LodgingTrip.self]),
        ("Outlines", [Outline.self]),
        ("Preferences", [Preferences.self, Wine.self]),
        ("Services", [Ticket.self, TicketEvent.self, Operator.self]),
        ("Store", [Article.self, PriceChange.self, Department.self]),
        ("Timesheets", [TimeEntry.self, TimeClient.self]),
        ("Training", [TrainingPlan.self, TrainingSession.self]),
    ]

    @Test func `there are many files and models`() throws {
        let all = Self.files + Self.sixth
        let schema = Schema(all.flatMap(\.models))
        #expect(all.count >= 40)
        #expect(schema.entities.count >= 100)
        #expect(schema.entities.count == all.map(\.models.count).reduce(0, +))
    }

    @Test(arguments: [("PortedModels", files.map(\.name)), ("PortedModels6", sixth.map(\.name))])
    func `each file imports what an app imports`(module: String, files: [String]) throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: module)
        let sources = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        #expect(Set(sources.map(\.lastPathComponent)) == Set(files.map { "\($0).swift" }))
        for source in sources {
            let lines = try String(contentsOf: source, encoding: .utf8).split(separator: "\n")
            #expect(
                lines.filter { $0.hasPrefix("import ") && $0 != "import Observation" }
                    == ["import Foundation", "import SwiftData"],
                "\(source.lastPathComponent)")
        }
    }
}
