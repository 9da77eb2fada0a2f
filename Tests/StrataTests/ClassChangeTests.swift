import Foundation
import Strata
import StrataTestSupport
import Testing

/// Three levels, with something that cannot be empty at each.
private enum Paper {
    @Model class Entry {
        var title: String
        var comments: [Comment] = []
        init(_ title: String) { self.title = title }
    }

    @Model class Article: Entry {
        @Attribute(.unique) var slug: String
        var author: Author
        init(_ title: String, slug: String, author: Author) {
            self.slug = slug
            self.author = author
            super.init(title)
        }
    }

    @Model final class Review: Article {
        var stars: Int = 3
        @Relationship var readers: [Author] = []
    }

    @Model final class Notice: Entry {
        var until: Date?
    }

    @Model final class Author {
        var name: String
        @Relationship(inverse: \Article.author) var articles: [Article] = []
        @Relationship(inverse: \Review.readers) var read: [Review] = []
        init(_ name: String) { self.name = name }
    }

    @Model final class Comment {
        var text: String
        @Relationship(inverse: \Entry.comments) var entry: Entry?
        init(_ text: String) { self.text = text }
    }
}

/// An object becomes one of another class, and keeps its key.
@Suite struct ClassChangeTests {
    private typealias Vehicle = Graph.Vehicle
    private typealias Car = Graph.Car
    private typealias Truck = Graph.Truck
    private typealias Garage = Graph.Garage

    @Test func `an object becomes one of a subclass, with its key, values and relationships`() async throws {
        try await withGraphStore { store in
            let garage = Garage("north")
            garage.vehicles = [Vehicle("first"), Vehicle("second")]
            garage.favourite = garage.vehicles[0]
            try await store.save(garage)
            let context = store.context()
            let vehicles = try await context.all(Vehicle.self)
            let place = try #require(vehicles[0].garage)
            #expect(place.vehicles.count == 2)
            let first = try #require(place.favourite)
            let key = first.persistentModelID.description.split(separator: "/").last
            let truck = try await context.convert(first, to: Truck.self) { $0.tons = 7.5 }
            #expect(truck.persistentModelID.description.split(separator: "/").last == key)
            #expect(truck.persistentModelID.entityName == "Truck")
            #expect(truck.name == "first" && truck.tons == 7.5 && truck.garage === place)
            #expect(place.favourite === truck && place.vehicles.contains { $0 === truck })
            #expect(place.vehicles.count == 2 && !place.hasChanges && !truck.hasChanges && !context.hasChanges)
            #expect(first.modelContext == nil && first.name == "first")
            #expect(truck.modelContext === context)

            let reader = store.reader()
            let stored: Truck = try await reader.only()
            #expect(stored.name == "first" && stored.tons == 7.5 && stored.garage?.favourite === stored)
            #expect(try await store.count(Vehicle.self) == 2)
        }
    }

    @Test func `an object becomes one of its superclass, and of a sister class`() async throws {
        try await withGraphStore { store in
            try await store.save(Car("red"), Truck("large"))
            let context = store.context()
            let plain = try await context.convert(try await context.only(Car.self), to: Vehicle.self)
            #expect(type(of: plain) == Vehicle.self && plain.name == "red")
            let car = try await context.convert(try await context.only(Truck.self), to: Car.self)
            #expect(car.name == "large" && car.seats == 5 && car.wheels.isEmpty)
            car.wheels = [Graph.Wheel(1)]
            try await context.save()
            let found = try await store.reader().all(Vehicle.self)
            #expect(found.map { "\(type(of: $0)) \($0.name)" } == ["Vehicle red", "Car large"])
            #expect((found[1] as? Car)?.wheels.count == 1)
            #expect(try await store.count(Truck.self) == 0)
        }
    }

    @Test func `the statements of one change of class`() async throws {
        try await withGraphStore { store in
            try await store.save(Car("red"))
            let context = store.context()
            let car = try await context.only(Car.self)
            store.recorder.reset()
            try await context.convert(car, to: Truck.self)
            #expect(store.recorder.roundTrips == 2)
            #expect(
                store.work == [
                    #"WITH written AS (UPDATE "public"."vehicle" SET "class" = $2 WHERE "pk" = $1 AND "class" = $3 RETURNING 1) SELECT 1 FROM written HAVING 1 / count(*)::int = 0"#,
                    #"SELECT 1 FROM "public"."car" WHERE "pk" = $1 FOR UPDATE"#,
                    #"SELECT ('strata:leave:\#(index(of: "Car", in: store)):\#(slot)' || $1 || ':' || c.n)::bigint FROM (SELECT count(*) AS n FROM "public"."wheel" AS t WHERE t."car" = $1 AND t."pk" IS NOT NULL) AS c WHERE c.n > 0"#,
                    #"DELETE FROM "public"."car" WHERE "pk" = $1"#,
                    #"INSERT INTO "public"."truck" ("pk", "tons") SELECT u.c0, u.c1 FROM (SELECT $1::bigint AS c0, $2::double precision AS c1) AS u"#,
                ])
        }
    }

    private let slot = "3:"
    private func index(of name: String, in store: GraphStore) -> Int {
        store.container.schema.entities.firstIndex { $0.name == name } ?? -1
    }

    @Test func `what is related by a relationship that the new class lacks must leave first`() async throws {
        try await withGraphStore { store in
            let saved = Car("red")
            saved.wheels = [Graph.Wheel(1), Graph.Wheel(2)]
            try await store.save(saved)
            let context = store.context()
            let car = try await context.only(Car.self)
            car.name = "blue"
            await expectError(.modelValidationFailure) { try await context.convert(car, to: Truck.self) }
            // As it was: unsaved, of its class, with its wheels.
            #expect(car.name == "blue" && car.hasChanges && car.modelContext === context)
            #expect(car.wheels.count == 2 && car.wheels.allSatisfy { $0.car === car })
            #expect(try await store.reader().only(Car.self).name == "red")

            for wheel in car.wheels { context.delete(wheel) }
            let truck = try await context.convert(car, to: Truck.self)
            #expect(truck.name == "blue")
            #expect(try await store.count(Graph.Wheel.self) == 0)
        }
    }

    @Test func `required values of the new class are given in the closure, at every level`() async throws {
        try await withPapers { container in
            let context = ModelContext(container)
            let entry = Paper.Entry("On clouds")
            entry.comments = [Paper.Comment("nice")]
            context.insert(entry)
            try await context.save()
            let review = try await context.convert(entry, to: Paper.Review.self) {
                $0.title = "On clouds, again"
                $0.slug = "clouds"
                $0.author = Paper.Author("Anna")
                $0.readers = [Paper.Author("Ben")]
            }
            #expect(review.comments.map(\.text) == ["nice"] && review.comments[0].entry === review)
            let other = ModelContext(container)
            let stored = try await other.only(Paper.Review.self)
            #expect(stored.title == "On clouds, again" && stored.slug == "clouds" && stored.stars == 3)
            #expect(stored.author.name == "Anna" && stored.author.articles.first === stored)
            #expect(stored.readers.map(\.name) == ["Ben"] && stored.readers[0].read.first === stored)
            #expect(stored.comments.map(\.text) == ["nice"])
            // One level up: what only a review has must be empty, the rest stays.
            stored.readers = []
            let article = try await other.convert(stored, to: Paper.Article.self)
            #expect(article.slug == "clouds" && article.author.articles.first === article)
        }
    }

    @Test func `a value that is missing, or is taken, leaves everything as it was`() async throws {
        try await withPapers { container in
            let context = ModelContext(container)
            let author = Paper.Author("Anna")
            let entry = Paper.Entry("On clouds")
            context.insert(entry)
            context.insert(Paper.Article("On rain", slug: "rain", author: author))
            try await context.save()
            await expectError(.modelValidationFailure) {
                try await context.convert(entry, to: Paper.Article.self) { $0.slug = "clouds" }
            }
            await expectError(.invalidValue) {
                try await context.convert(entry, to: Paper.Article.self) { $0.author = author }
            }
            await expectError(.uniqueConstraint) {
                try await context.convert(entry, to: Paper.Article.self) {
                    $0.slug = "rain"
                    $0.author = author
                }
            }
            await expectStop { try await context.convert(entry, to: Paper.Notice.self) { _ in throw Stop() } }
            #expect(entry.modelContext === context && !entry.hasChanges && !context.hasChanges)
            #expect(author.articles.map(\.slug) == ["rain"])
            entry.title = "On clouds and rain"
            try await context.save()
            #expect(try await ModelContext(container).fetchCount(FetchDescriptor<Paper.Notice>()) == 0)
        }
    }

    @Test func `changes that cannot be made are refused before anything is sent`() async throws {
        try await withGraphStore { store in
            try await store.save(Car("red"), Garage("north"))
            let context = store.context()
            let car = try await context.only(Car.self)
            let garage = try await context.only(Garage.self)
            store.recorder.reset()
            await expectError(.unsupportedFeature) { try await context.convert(car, to: Garage.self) }
            await expectError(.invalidValue) { try await context.convert(car, to: Car.self) }
            await expectError(.foreignObject) { try await context.convert(Car("new"), to: Truck.self) }
            let inserted = Car("inserted")
            context.insert(inserted)
            await expectError(.modelNotFound) { try await context.convert(inserted, to: Truck.self) }
            context.delete(garage)
            #expect(store.recorder.statements.isEmpty)
        }
    }

    @Test func `a transaction that fails takes the change of class back`() async throws {
        try await withGraphStore { store in
            let garage = Garage("north")
            garage.vehicles = [Vehicle("first")]
            try await store.save(garage)
            let context = store.context()
            let vehicle = try await context.only(Vehicle.self)
            let place = try #require(vehicle.garage)
            await expectStop {
                try await context.transaction {
                    let car = try await context.convert(vehicle, to: Car.self)
                    car.name = "never"
                    #expect(place.vehicles.first === car)
                    throw Stop()
                }
            }
            #expect(vehicle.modelContext === context && vehicle.name == "first")
            #expect(place.vehicles.first === vehicle && vehicle.garage === place)
            vehicle.name = "again"
            try await context.save()
            #expect(try await store.reader().only(Vehicle.self).name == "again")
            #expect(try await store.count(Car.self) == 0)
        }
    }

    @Test
    func `what a failed level wrote to an object of a new class is read again`()
        async throws
    {
        try await withGraphStore { store in
            try await store.save(Vehicle("first"))
            let context = store.context()
            let vehicle = try await context.only(Vehicle.self)
            try await context.transaction {
                let car = try await context.convert(vehicle, to: Car.self)
                await expectStop {
                    try await context.transaction {
                        try context.update(model: Car.self, .set(\.name, to: "never"))
                        try await context.save()
                        try await context.refresh([car])
                        #expect(car.name == "never")
                        throw Stop()
                    }
                }
                #expect(car.name == "first")
            }
            #expect(try await store.reader().only(Car.self).name == "first")
        }
    }

    @Test func `another context notices: clean objects give way, changed ones are refused`() async throws {
        try await withGraphStore { store in
            let garage = Garage("north")
            garage.vehicles = [Vehicle("first")]
            try await store.save(garage)
            let (context, other, third) = (store.context(), store.context(), store.context())
            let seen = try await other.only(Vehicle.self)
            let place = try #require(seen.garage)
            #expect(place.vehicles.first === seen)
            let changed = try await third.only(Vehicle.self)
            changed.name = "changed"
            try await context.convert(try await context.only(Vehicle.self), to: Car.self)

            let car = try #require(try await other.only(Vehicle.self) as? Car)
            #expect(seen.isDeleted && seen.modelContext == nil && place.vehicles.first === car && car.garage === place)
            await expectError(.conflict) { _ = try await third.all(Vehicle.self) }
            await expectError(.conflict) { try await third.convert(changed, to: Truck.self) }
            #expect(changed.name == "changed" && changed.hasChanges)
        }
    }

    @Test func `refreshing an object whose row has changed its class finds the row`() async throws {
        try await withGraphStore { store in
            try await store.save(Vehicle("first"), Car("second"))
            let (context, other) = (store.context(), store.context())
            let vehicles = try await context.all(Vehicle.self)
            let second = try #require(vehicles[1] as? Car)
            let seen = try await other.all(Vehicle.self)
            try await other.convert(seen[0], to: Truck.self)
            try await other.convert(seen[1], to: Vehicle.self)
            try await context.refresh([vehicles[0]])
            try await context.refresh([second])
            #expect(vehicles.allSatisfy { $0.isDeleted && $0.modelContext == nil })
            let now = try await context.all(Vehicle.self)
            #expect(now.map { "\(type(of: $0)) \($0.name)" } == ["Truck first", "Vehicle second"])

            // In a transaction that fails, the old object does not come back: nothing of this was undone.
            let third = store.context()
            let truck = try await third.all(Vehicle.self)[0]
            try await other.convert(try await other.only(Truck.self), to: Car.self)
            await expectStop {
                try await third.transaction {
                    try await third.refresh([truck])
                    throw Stop()
                }
            }
            #expect(truck.isDeleted && truck.modelContext == nil)
            #expect(try await third.all(Vehicle.self)[0] is Car)
        }
    }

    @Test func `the blocking form does the same`() async throws {
        try await withGraphStore { store in
            try await store.save(Vehicle("first"))
            let context = store.context()
            let vehicle = try await context.only(Vehicle.self)
            func convert() throws -> Car { try context.convert(vehicle, to: Car.self) { $0.seats = 2 } }
            let car = try convert()
            #expect(car.seats == 2)
            #expect(try await store.reader().only(Car.self).seats == 2)
        }
    }

    @Test func `the history has a deletion and an insertion under the same key, in one transaction`() async throws {
        try await withGraphStore { store in
            try await store.save(Car("red"))
            let context = store.context()
            try await context.convert(try await context.only(Car.self), to: Truck.self) { $0.tons = 2 }
            let history = try await context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>())
            #expect(history.map(\.summary) == ["insert Car", "delete Car, insert Truck"])
        }
    }

    private func withPapers(_ body: (ModelContainer) async throws -> Void) async throws {
        try await withModelStore(
            Paper.Entry.self, Paper.Article.self, Paper.Review.self, Paper.Notice.self, Paper.Author.self,
            Paper.Comment.self
        ) { try await body($0.container) }
    }
}
