import Foundation
import StrataTestSupport
import SwiftData
import Testing

@testable import PortedModels

/// The second ten files in Swift 5's mode: each is opened on PostgreSQL and used as its app uses it.
@Suite struct PortedSecondTests {
    @Test func `bookmarks, by repositories that know no class`() async throws {
        try await withPortedStore(Bookmark.self) { container in
            let repository = DefaultRepository<Bookmark>(context: ModelContext(container))
            let swift = Bookmark(title: "Swift", link: "https://swift.org")
            let server = Bookmark(title: "Server", link: "https://swift.org/server")
            server.keywords = ["later", "linux"]
            server.labels = [BookmarkLabel(id: "read")]
            repository.add(contentsOf: [swift, server])
            swift.stamp(day(2))
            try repository.context.save()

            let context = ModelContext(container)
            let other = DefaultRepository<Bookmark>(context: context)
            let ref = try JSONDecoder().decode(Ref<Bookmark>.self, from: JSONEncoder().encode(Ref(swift)))
            let found = try #require(try context.resolve(ref))
            #expect(found.title == "Swift" && found.modifiedAt == day(2) && found.link == swift.link)
            #expect(try context.resolve(ref) === found)
            #expect(try other.find(server.persistentModelID)?.keywords == ["later", "linux"])
            #expect(try context.all(Bookmark.self).map(\.title) == ["Server", "Swift"])
            #expect(try context.fetch(.labelled("read")).map(\.title) == ["Server"])
            #expect(try context.fetch(FetchDescriptor<Bookmark>.unread).map(\.title) == ["Server"])
            #expect(try other.set(\.visits, to: 3, where: #Predicate { $0.isUnread }) == 2)
            try context.save()
            try other.removeAll(where: #Predicate { $0.title == "Swift" })
            try context.save()
            #expect(context.hasAny(Bookmark.self, where: #Predicate { $0.visits == 3 }))
            #expect(try container.count(Bookmark.self) == 1)
        }
    }

    @Test func `budgeting`() async throws {
        try await withPortedStore(Account.self) { container in
            let ledger = Ledger(ModelContext(container))
            let giro = try ledger.account("1")
            let shop = Payee("Shop")
            shop.aliases = ["Market"]
            giro.book(Decimal(string: "-20.25")!, "Food", on: day(40), payee: shop)
            giro.book(100, "Wages", on: day(10))
            giro.book(200, "Wages", on: day(45))
            _ = try ledger.account("2", or: .card)
            try ledger.commit()

            let other = Ledger(ModelContext(container))
            #expect(try other.account("1").balance == Decimal(string: "279.75"))
            #expect(try other.busy(over: 50, times: 1) == ["1"])
            #expect(try other.busy(over: 150, times: 1).isEmpty)
            #expect(try other.bookings(.week, until: day(46)).map(\.text) == ["Food", "Wages"])
            #expect(try other.bookings(.ever, until: day(46), kinds: [.card]).isEmpty)
            #expect(try other.sections().map(\.total) == [100, Decimal(string: "179.75")!])
            let payee = try #require(try other.payees(known: "SHOP").first)
            #expect(try other.payees(known: "Market").map(\.name) == ["Shop"])
            #expect(try other.expensive(than: 1, payee: payee) == 1)
        }
    }

    @Test func `contacts`() async throws {
        try await withPortedStore(Contact.self) { container in
            let book = AddressBook(context: ModelContext(container))
            #expect(book.import("Ada;Lovelace;St James 1;London\nAlan;Turing;High 2;London\nbroken") == 2)
            let ada = try #require(try book.search("ADA").first)
            let alan = try #require(try book.search("turing").first)
            ada.emails = [LabeledValue(label: .work, value: "ada@example.org")]
            ada.address.coordinate = .init(latitude: 51.5, longitude: -0.1)
            ada[social: "mastodon"] = "@ada"
            ada.nameParts = PersonNameComponents(givenName: "Ada", familyName: "Lovelace")
            ada.groups.append(ContactGroup(name: "ICE"))
            book.marry(ada, alan)
            try book.context.save()

            let other = AddressBook(context: ModelContext(container))
            let again = try #require(try other.living(in: "London", group: "ICE").first)
            #expect(again.description == "Ada Lovelace" && again.initials == "AL" && again.groups[0].isEmergency)
            #expect(again.emails.first?.value == "ada@example.org" && again[social: "mastodon"] == "@ada")
            #expect(again.address.coordinate?.latitude == 51.5 && again.nameParts?.familyName == "Lovelace")
            #expect(again.partner?.familyName == "Turing" && again.partner?.partner == again)
            #expect(try other.living(in: "London").map(\.familyName) == ["Turing", "Lovelace"])
        }
    }

    @Test func `movies of three versions`() async throws {
        try await withTestDatabase { database in
            let url = try #require(database.foundationURL)
            let first = try MovieStore.first(at: url)
            let context = ModelContext(first)
            for title in ["Alien", "Alien", "Blade Runner"] {
                context.insert(MoviesSchemaV1.Movie(title: title, director: "Scott"))
            }
            context.insert(MoviesSchemaV1.Movie(title: "Psycho", director: "Hitchcock"))
            try context.save()
            await first.close()

            let container = try MovieStore.current(at: url)
            #expect(
                try MovieStore.titles(in: container) == ["Scott": ["Alien", "Blade Runner"], "Hitchcock": ["Psycho"]])
            await container.close()
        }
    }

    @Test func `photos`() async throws {
        try await withPortedStore(Photo.self) { container in
            let library = PhotoLibrary(context: ModelContext(container))
            let sea = Photo(
                fileName: "sea.jpg", original: Data([1, 2, 3, 4, 5, 6]), takenAt: day(1),
                size: .init(width: 300, height: 100))
            sea.caption = "Sea"
            sea.uploadProgress = 0.5
            sea.isHidden = false
            sea.faces = [Face(name: "Ada", box: [0, 0.5])]
            let hill = Photo(fileName: "hill.jpg", original: Data([7]), takenAt: day(2))
            let album = PhotoAlbum(name: "Holidays", photos: [sea, hill])
            album.cover = sea
            library.context.insert(album)
            library.context.insert(Photo(fileName: "loose.jpg", original: Data()))
            try library.context.save()
            #expect(sea.changes == 1)

            let other = PhotoLibrary(context: ModelContext(container))
            #expect(try other.captions().map(\.0) == ["sea.jpg"])
            #expect(try other.wide().map(\.fileName) == ["sea.jpg"])
            #expect(try other.notInAlbums() == 1)
            #expect(try other.shrinkAll() == 3)
            let shown = try #require(try other.showing("Ada").first)
            #expect(shown.thumbnail == Data([1, 2, 3, 4]) && shown.uploadProgress == 0 && shown.exposure == 0.01)
            let shelf = try #require(shown.albums.first)
            #expect(shelf.sorted.map(\.fileName) == ["hill.jpg", "sea.jpg"] && shelf.cover === shown)
        }
    }

    @Test func `orders`() async throws {
        try await withPortedStore(Order.self) { container in
            let checkout = Checkout(modelContext: ModelContext(container))
            let context = checkout.modelContext
            for (sku, price) in [("a", 10), ("b", 20), ("c", 2000)] {
                context.insert(Product(sku: sku, name: "Thing \(sku)", price: Decimal(price)))
            }
            let ada = User(name: "ada")
            context.insert(ada)
            try context.save()
            let order = try checkout.buy(["a", "b"], for: ada)
            order.where = "here"
            order.default = true
            order.select = [1]
            try context.save()
            #expect(throws: CheckoutError.self) { try checkout.buy(["c"], for: ada) }
            #expect(try container.count(Order.self) == 1)
            #expect(!checkout.remove(ada))

            let other = Checkout(modelContext: ModelContext(container))
            let again = try #require(try other.orders(of: .customer, costing: 15).first)
            #expect(again.total == 30 && again.where == "here" && again.default && again.select == [1])
            #expect(try other.search("Thing").map(\.sku) == ["c"])
            #expect(other.remove(again))
            #expect(try container.count(OrderLine.self) == 0)
        }
    }

    @Test func `quizzes`() async throws {
        try await withPortedStore(Quiz.self) { container in
            let context = ModelContext(container)
            let quiz = Quiz(title: "swift", level: .expert)
            quiz.rename { $0 = $0.capitalized }
            quiz.days = [.weekend, .workdays]
            quiz.best = Scored(content: [1, 2], points: 3)
            quiz.hints = [Scored(content: "think", points: 1)]
            quiz.translations = ["de": ["a": "b"]]
            quiz.optionalDates = [nil, day(1)]
            quiz.settings = .init(shuffles: false, theme: .dark)
            quiz.tags = ["code"]
            quiz.language = Locale.Language(identifier: "de")
            quiz.questions = [
                Question("1 + 1?", answer: .number(2, tolerance: 0.1), difficulty: .high),
                Question("Why?", answer: .open),
            ]
            quiz.questions[0].wrong = [.oneOf([.text("three"), .choice([3])])]
            context.insert(quiz)
            try context.save()

            let store = QuizStore(context: ModelContext(container))
            let again = try #require(try store.dark().first)
            #expect(again.title == "Swift" && again.days == [.weekend, .workdays])
            #expect(again.best?.content == [1, 2] && again.hints.first?.points == 1)
            #expect(again.optionalDates == [nil, day(1)] && again.translations == ["de": ["a": "b"]])
            #expect(again.language?.languageCode == "de")
            #expect(try store.tagged("code") == [again])
            #expect(try store.hard().first?.wrong == [.oneOf([.text("three"), .choice([3])])])
            #expect(try store.unanswered([again]).map(\.text) == ["Why?"])
        }
    }

    @Test func `houses, by filters that are put together`() async throws {
        try await withPortedStore(House.self) { container in
            let context = ModelContext(container)
            let agent = Agent(name: "Kim")
            let garden = Feature(name: "garden")
            for (street, price, kind) in [("Elm", 90, HouseKind.flat), ("Oak", 300, .villa), ("Ash", 900, .castle)] {
                let house = House(street: street, price: price, rooms: 3, kind: kind, listedAt: day(Double(price)))
                if kind != .flat { house.features.append(garden) }
                if kind == .villa { house.agent = agent }
                context.insert(house)
            }
            try context.save()

            let search = HouseSearch(context: ModelContext(container))
            #expect(try search.run(HouseFilter()) == ["Elm", "Oak", "Ash"])
            #expect(try search.run(HouseFilter(order: .newest)) == ["Ash", "Oak", "Elm"])
            #expect(try search.run(HouseFilter(order: .street)) == ["Ash", "Elm", "Oak"])
            let filter = HouseFilter(
                text: "a", maximum: 500, kinds: [.villa, .flat], features: ["garden"], since: day(100))
            #expect(try search.run(filter) == ["Oak"])
            let one = HouseFilter(maximum: 100, kinds: [.castle])
            #expect(try search.context.fetchCount(FetchDescriptor(predicate: one.either)) == 2)
            #expect(try search.context.fetchCount(FetchDescriptor(predicate: Filters.all(filter.parts))) == 1)
            let others = Filters<House>.not(filter.predicate)
            #expect(try search.context.fetchCount(FetchDescriptor(predicate: others)) == 2)
            let cheap = HouseFilter.cheap(below: 400, atLeast: 2)
            #expect(try search.context.fetchCount(FetchDescriptor(predicate: cheap)) == 2)
            #expect(try search.ternary(onlyCheap: true, agent: nil) == 1)
            #expect(try search.ternary(onlyCheap: false, agent: "Kim") == 1)
            #expect(try search.generic(\.price, is: 900).map(\.houseKind) == [.castle])
        }
    }

    @Test func `sketches`() async throws {
        InkTransformer.register()
        try await withPortedStore(Canvas.self) { container in
            let editor = CanvasEditor("One", in: container)
            editor.canvas.grid = GridStyle(step: 4)
            editor.draw([(0, 0), (1, 1.5)])
            editor.draw([(2, 2)], ink: Ink(red: 1, green: 0, blue: 0, alpha: 0.5))
            #expect(editor.canUndo && editor.pending == [3, 0, 0] && editor.summary.hasPrefix("Canvas,Stroke,Stroke"))
            editor.undo()
            #expect(editor.canvas.strokes.count == 1)
            editor.redo()
            #expect(editor.canvas.strokes.count == 2)
            try editor.save()
            editor.erase(editor.canvas.strokes[0])
            #expect(editor.pending[2] == 1)
            editor.discard()
            #expect(!editor.context.hasChanges && editor.canvas.strokes.count == 2)

            let again = try #require(try ModelContext(container).fetch(FetchDescriptor<Canvas>()).first)
            #expect(again.grid == GridStyle(step: 4) && again.background == Ink(red: 1, green: 1, blue: 1))
            let red = try editor.strokes(using: Ink(red: 1, green: 0, blue: 0))
            #expect(red.map(\.points) == [[.init(x: 2, y: 2)]])
        }
    }

    @Test func `weather`() async throws {
        try await withTestDatabase { database in
            let url = try #require(database.foundationURL)
            let container = try ModelContainer(for: Station.self, configurations: ModelConfiguration(url: url))
            let json = """
                [{"code": "HAM", "name": "Hamburg", "meters": 11.5, "readings": [
                    {"time": 0, "temperature": 4.5, "wind": {"speed": 9, "direction": "N"}, "conditions": ["rain"]},
                    {"time": 864000, "temperature": 21, "wind": {"speed": 2, "gust": 5, "direction": "E"}}]}]
                """
            let importer = WeatherImporter(container: container)
            #expect(try await importer.load(Data(json.utf8)) == 2)
            try await importer.prune(before: day(1))

            let context = ModelContext(container)
            let warmest = try #require(try context.warmest(at: "HAM", above: 4))
            #expect(warmest.time == day(10) && warmest.wind.gust == 5 && warmest.conditions.isEmpty)
            #expect(warmest.station?.elevation == Measurement(value: 11.5, unit: .meters))
            #expect(try context.windy(from: .east).count == 1)
            let log = SaveLog()
            log.start(context)
            context.insert(Station(code: "BER", name: "Berlin"))
            context.delete(warmest)
            try context.save()
            #expect(log.inserted == 1 && log.deleted == [warmest.persistentModelID])
            log.stop()
            await container.close()
        }
    }
}

private enum InkTransformer: AttributeTransformer {
    static func transformed(_ value: GridStyle) -> Data { Data([UInt8(value.step)]) }
    static func restored(_ data: Data) -> GridStyle { GridStyle(step: Int(data.first ?? 0)) }
}
