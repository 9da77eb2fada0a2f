import Foundation
import SwiftData
import Testing

@testable import PortedModels

/// Source of apps for work and learning, unchanged, on a server.
@Suite struct PortedWorkTests {
    @Test func `flash cards`() async throws {
        try await withPortedStore(Deck.self) { container in
            let context = ModelContext(container)
            let deck = Deck(name: "French")
            context.insert(deck)
            deck.add(front: "eau", back: "water")
            deck.add(front: "pain", back: "bread")
            try context.save()
            let session = StudySession(context: ModelContext(container), deck: deck)
            #expect(try session.dueCount(on: day(1)) == 2)
            let card = try #require(try session.next(on: day(1)))
            #expect(card.front == "eau" && card.back == "water")
            card.answer(.easy, on: day(1))
            try session.context.save()
            #expect(try session.dueCount(on: day(2)) == 1)
            #expect(try session.next(on: day(3))?.front == "pain")
            #expect(card.reviews.map(\.quality) == [.easy])
            let again = try #require(try session.deck(for: deck.persistentModelID))
            #expect(again !== deck && again == deck)
            session.context.delete(again)
            try session.context.save()
            #expect(try container.count(Review.self) == 0)
        }
    }

    @Test func `an inventory`() async throws {
        try await withPortedStore(InventoryItem.self) { container in
            let service = InventoryService(container: container)
            let (north, south) = (Warehouse(name: "North"), Warehouse(name: "South"))
            let drill = InventoryItem(sku: "D1", name: "Drill", quantity: 10, price: 50)
            service.add(drill, to: north)
            service.add(InventoryItem(sku: "N1", name: "Nail", type: .consumable, quantity: 2, price: 0.5), to: north)
            service.context.insert(south)
            drill.suppliers.append(Supplier(name: "Tools Inc.", email: "a@b.c"))
            try service.context.save()
            #expect(throws: InventoryError.self) { try service.transfer(drill, to: south, amount: 11) }
            try service.transfer(drill, to: south, amount: 4)
            #expect(drill.quantity == 6)
            #expect(try service.lowStock(below: 5, at: nil).map(\.sku) == ["D1", "N1"])
            #expect(try service.lowStock(below: 5, at: "South").map(\.sku) == ["D1"])
            #expect(try service.value() == 501)
            #expect(try service.identifiers().count == 3)
            let other = ModelContext(container)
            let again = try #require(other.model(for: drill.persistentModelID) as? InventoryItem)
            #expect(again.hash == drill.hash && again.type == .tool && again.dimensions.volume == 1)
            #expect(again.movements.map(\.amount) == [-4])
            #expect(again.suppliers.first?.items == [again])
            other.delete(try #require(again.warehouse))
            try other.save()
            #expect(again.warehouse == nil)
        }
    }

    @Test func `podcasts`() async throws {
        try await withPortedStore(Podcast.self) { container in
            let importer = PodcastImporter(modelContext: ModelContext(container))
            let json = Data(
                """
                {"title": "Bits", "feed_url": "https://example.com/feed", "categories": ["tech"], "episodes": [
                  {"guid": "1", "title": "One", "published": "2024-01-01T00:00:00Z", "duration": 600},
                  {"guid": "2", "title": "Two", "published": "2024-02-01T00:00:00Z", "duration": 1200}]}
                """.utf8)
            let podcast = try importer.importFeed(json)
            #expect(podcast.episodes.count == 2)
            // The same feed again: unique values meet, rows stay.
            try importer.importFeed(json)
            #expect(try container.count(Podcast.self) == 1)
            #expect(try container.count(Episode.self) == 2)

            let player = PodcastImporter(modelContext: ModelContext(container))
            let two = try #require(player.unplayed().first)
            #expect(two.title == "Two")
            player.play(two, to: 300)
            try player.modelContext.save()
            #expect(two.progress == 0.25)
            player.play(two, to: 600)
            try player.modelContext.save()
            #expect(try player.unplayed().map(\.title) == ["One"])
            #expect(try player.episodes(ofPodcast: "Bits").map(\.title) == ["One", "Two"])
            #expect(try player.episodes(ofPodcast: nil).isEmpty)
            let exported = try player.export(try #require(two.podcast))
            #expect(String(decoding: exported, as: UTF8.self).contains("\"categories\":[\"tech\"]"))
        }
    }

    @Test func `projects`() async throws {
        try await withPortedStore(Project.self) { container in
            let manager = ProjectManager(context: ModelContext(container))
            let project = try manager.sample()
            #expect(try manager.overdueTasks(on: day(12)).map(\.title) == ["Design"])
            #expect(try manager.tasks(assignedTo: "ada@example.com").first?.assignees?.first?.initials == "AL")
            #expect(try manager.topLevel(of: project).map(\.title) == ["Build", "Design"])
            let design = try #require(manager.overdueTasks(on: day(12)).first)
            design.isDone = true
            design.isDone = true
            #expect(design.completedAt != nil && design.completedTimes == 2)
            project.progress = 7
            #expect(project.progress == 1)
            project.updateProgress()
            try manager.context.save()

            let other = ProjectManager(context: ModelContext(container))
            let again = try #require(other.context.model(for: project.persistentModelID) as? Project)
            #expect(again.progress == 0.5)
            #expect(other.openCount(in: again) == 1)
            let done = try #require(again.tasks.first { $0.isDone })
            #expect(done.completedAt != nil)
            done.isDone = false
            #expect(done.completedAt == nil)
            other.context.rollback()
            #expect(done.isDone && done.completedAt != nil && done.completedTimes == 2)
            other.context.delete(again)
            try other.context.save()
            #expect(try container.count(ProjectTask.self) == 0)
            #expect(try container.count(TaskComment.self) == 0)
            #expect(try container.count(Assignee.self) == 1)
        }
    }

    @Test func `a school`() async throws {
        try await withPortedStore(School.self) { container in
            try SchoolSeeder.seed(ModelContext(container))
            let model = SchoolViewModel(modelContext: ModelContext(container))
            #expect(model.students.map(\.name) == ["Ann X", "Bob X", "Cem X", "Dua X"])
            model.minimumPoints = 12
            model.fetchData()
            #expect(model.students.map(\.firstName) == ["Cem", "Dua"])
            #expect(model.students.first?.average == 12)
            #expect(try model.courses(taughtBy: "E. Noether").first?.teacher?.subjects == ["algebra", "physics"])
            #expect(try model.fullCourses(atLeast: 3).map(\.code) == ["M1"])
            #expect(try model.students(numbered: [0, 3]).map(\.firstName) == ["Ann", "Dua"])
            try model.expel(try #require(model.students.first))
            #expect(model.students.map(\.firstName) == ["Dua"])
            #expect(try container.count(Grade.self) == 3)
            #expect(try model.fullCourses(atLeast: 1).map(\.students.count) == [1, 3])
        }
    }

    @Test func `subscriptions`() async throws {
        try await withPortedStore(Subscription.self, SubscriptionPayment.self) { container in
            let store = SubscriptionStore(context: ModelContext(container))
            let film = Subscription(
                name: "Film", price: 9.99, cycle: .every(days: 28), category: .entertainment, startDate: day(0))
            film.reminders = [.init(daysBefore: 3)]
            film.metadata = ["account": "x"]
            store.context.insert(film)
            store.context.insert(Subscription(name: "Editor", price: 5, category: .software, startDate: day(0)))
            store.pay(film, on: day(1))
            try store.cancel(film, on: day(10))
            let other = SubscriptionStore(context: ModelContext(container))
            let all = Subscription.Category.allCases
            #expect(try other.subscriptions(on: day(5), in: all).map(\.name) == ["Editor", "Film"])
            #expect(try other.subscriptions(on: day(11), in: all).map(\.name) == ["Editor"])
            let again = try #require(other.subscriptions(on: day(5), in: [.entertainment]).first)
            #expect(again.cycle == .every(days: 28) && again.metadata == ["account": "x"])
            #expect(again.reminders.map(\.daysBefore) == [3])
            #expect(try other.payments(for: again).map(\.amount) == [9.99])
        }
    }
}
