import Foundation
import StrataTestSupport
import SwiftData
import Testing

@testable import PortedModels

/// Source of apps for the home, unchanged, on a server.
@Suite struct PortedHomeTests {
    @Test func `habits`() async throws {
        try await withPortedStore(Habit.self) { container in
            let model = HabitViewModel(modelContext: ModelContext(container))
            try model.add("Read", in: HabitCategory(name: "Mind"))
            try model.add("Run")
            #expect(model.habits.map(\.name) == ["Read", "Run"])
            let run = try #require(model.habits.last)
            for number in 1...3 { try model.toggle(run, on: day(Double(number))) }
            try model.toggle(run, on: day(2))
            #expect(run.entries.count == 2)
            #expect(run.streak(until: day(3)) == 1)
            #expect(try model.habit(withID: run.id) === run)
            // The id is the app's own; the identifier of the row is another thing.
            let own: UUID = run.id
            #expect(try #require(ModelContext(container).model(for: run.persistentModelID) as? Habit).id == own)
            #expect(try model.habits(inCategory: "Mind").map(\.name) == ["Read"])
            try model.archive(run)
            #expect(model.habits.map(\.name) == ["Read"])
            let context = ModelContext(container)
            for habit in try context.fetch(FetchDescriptor<Habit>()) { context.delete(habit) }
            try context.save()
            #expect(try container.count(HabitEntry.self) == 0)
            #expect(try container.count(HabitCategory.self) == 1)
        }
    }

    @Test func `habits from an actor`() async throws {
        try await withTestDatabase { database in
            let url = try #require(database.foundationURL)
            let container = try ModelContainer(for: Habit.self, configurations: ModelConfiguration(url: url))
            let importer = HabitImporter(modelContainer: container)
            let ids = try await importer.importHabits(["Read", "Run"])
            try await importer.rename(ids[0], to: "Write")
            #expect(try await importer.count() == 2)
            let context = ModelContext(container)
            #expect(try await context.existingModel(for: ids[0], as: Habit.self)?.name == "Write")
            await container.close()
        }
    }

    @Test func `recipes`() async throws {
        try await withPortedStore(Recipe.self) { container in
            try RecipeRepository(context: ModelContext(container)).seed()
            let repository = RecipeRepository(context: ModelContext(container))
            #expect(try repository.recipes().map(\.title) == ["Pasta al pomodoro", "Risotto"])
            #expect(try repository.recipes(matching: "CLASSIC").count == 1)
            #expect(try repository.recipes(tag: "vegan").count == 1)
            #expect(try repository.recipes(tag: "italian", favoritesOnly: true).map(\.title) == ["Risotto"])
            let pasta = try #require(repository.quickRecipes().first)
            #expect(pasta.orderedSteps.map(\.text) == ["Boil", "Mix"])
            #expect(pasta.nutrition == Nutrition(calories: 620, protein: 18.5, allergens: ["gluten"]))
            #expect(pasta.photo?.count == 4096)
            #expect(pasta.source?.host() == "example.com")
            #expect(pasta.keywords == ["quick", "summer"])
            #expect(try repository.tag(named: "italian").recipes.count == 2)
            pasta.difficulty = .hard
            pasta.tags.removeAll { $0.name == "vegan" }
            try repository.context.save()
            #expect(try repository.recipes(tag: "vegan").isEmpty)
            try repository.delete(repository.recipes(), at: [0])
            #expect(try container.count(Ingredient.self) == 0)
            #expect(try container.count(Recipe.self) == 1)
        }
    }

    @Test func `expenses`() async throws {
        try await withPortedStore(Expense.self, Budget.self) { container in
            let service = ExpenseService(context: ModelContext(container))
            let food = ExpenseCategory(name: "Food")
            food.budget = Budget(limit: 200)
            service.add("Bread", 3.5, on: day(1), to: food)
            service.add("Cake", 12, on: day(2), to: food)
            service.add("Taxi", 20, on: day(3)).method = .cash
            try service.context.save()
            #expect(food.total == 15.5)
            #expect(try service.expenses(from: day(1), to: day(3)).map(\.title) == ["Cake", "Bread"])
            #expect(try service.expenses(from: day(0), to: day(9), in: food).count == 2)
            #expect(try service.uncategorized() == 1)
            #expect(try service.expensive(than: 5).map(\.title) == ["Cake", "Taxi"])
            #expect(try service.paid(with: .cash).map(\.title) == ["Taxi"])
            #expect(throws: SwiftDataError.self) { try service.remove(food) }
            #expect(!food.isDeleted)
            for expense in food.expenses { service.context.delete(expense) }
            try service.context.save()
            try service.remove(food)
            #expect(try container.count(Budget.self) == 0)
        }
    }

    @Test func `a reading list`() async throws {
        try await withPortedStore(Book.self) { container in
            let library = Library(ModelContext(container))
            let emma = Book(title: "Emma", author: "Austen", rating: 5)
            let dune = Book(title: "Dune", author: "Herbert", status: .inProgress)
            library.context.insert(emma)
            library.context.insert(dune)
            let novel = Genre(name: "Novel", color: "red")
            emma.genres = [novel]
            dune.genres?.append(novel)
            dune.genres?.append(Genre(name: "Science fiction", color: "blue"))
            library.addQuote("Fear is the mind-killer.", page: "12", to: dune)
            try library.context.save()

            let other = Library(ModelContext(container))
            #expect(try other.books(sortedBy: .title, filter: "").map(\.title) == ["Dune", "Emma"])
            #expect(try other.books(sortedBy: .status, filter: "").map(\.statusName) == ["On Shelf", "In Progress"])
            #expect(try other.books(sortedBy: .author, filter: "aus").map(\.title) == ["Emma"])
            #expect(try other.books(of: "Novel").count == 2)
            #expect(try other.withoutQuotes().map(\.title) == ["Emma"])
            #expect(try other.rated(atLeast: 4).map(\.title) == ["Emma"])
            let again = try #require(other.books(of: "Science fiction").first)
            #expect(again.genres?.sorted().map(\.name) == ["Novel", "Science fiction"])
            other.setStatus(.completed, of: again)
            try other.context.save()
            other.context.delete(again)
            try other.context.save()
            #expect(try container.count(Quote.self) == 0)
            #expect(try container.count(Genre.self) == 2)
        }
    }

    @Test func `a garden`() async throws {
        try await withPortedStore(Plant.self) { container in
            let repository = SwiftDataPlantRepository(container: container)
            let rose = Plant(name: "Rose")
            rose.sunlight = .full
            rose.default = true
            rose.bed = GardenBed(label: "South", area: 4)
            rose.waterings = [Watering(date: day(1)), Watering(date: day(5))]
            try repository.insert(rose)
            try repository.insert(Plant(name: "Fern"))
            let other = SwiftDataPlantRepository(container: container)
            #expect(try other.plants(in: nil).map(\.name) == ["Fern"])
            let again = try #require(other.plants(with: .full).first)
            #expect(again.id == rose.id)
            #expect(again.needsWater(on: day(12)) && !again.needsWater(on: day(11)))
            #expect(try other.plants(in: again.bed).count == 1)
            try other.delete(again)
            #expect(try container.count(Watering.self) == 0)
            #expect(try container.count(GardenBed.self) == 1)
        }
    }

    @Test func `a fleet with subclasses`() async throws {
        try await withPortedStore(Vehicle.self, Car.self, Motorcycle.self) { container in
            let fleet = Fleet(ModelContext(container))
            let car = Car(plate: "B", maker: "Volta", fuel: "electric")
            fleet.context.insert(car)
            fleet.context.insert(Motorcycle(plate: "A", maker: "Rad"))
            fleet.service(car, cost: 99.5, work: "brakes", "oil")
            try fleet.context.save()
            let other = Fleet(ModelContext(container))
            #expect(try other.all().map(\.title) == ["Rad A", "Volta B (electric)"])
            #expect(try other.cars(fuel: "electric").first?.visits.first?.workDone == ["brakes", "oil"])
            try other.scrap("B")
            #expect(try container.count(Vehicle.self) == 1)
            #expect(try container.count(ServiceVisit.self) == 0)
        }
    }
}
