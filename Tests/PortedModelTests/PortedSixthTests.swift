import Foundation
import StrataTestSupport
import SwiftData
import Testing

@testable import PortedModels6

/// The files in Swift 6's mode: each is opened on PostgreSQL and used as its app uses it.
@Suite struct PortedSixthTests {
    @MainActor @Test func `an agenda on the main actor`() async throws {
        try await withSixthStore(AgendaItem.self) { url, container in
            await container.close()
            let container = try AgendaPreview.container(ModelConfiguration(url: url))
            let model = AgendaViewModel(modelContext: container.mainContext)
            #expect(model.items.map(\.title) == ["Call Ada", "Read", "Water plants"])
            #expect(model.sections.map(\.0) == [.high, .medium, .low])
            model.add("Write", label: "home")
            model.hidesDone = true
            model.searchText = "R"
            #expect(model.items.map(\.title) == ["Read", "Water plants", "Write"] && model.message == nil)
            #expect(try model.overdue(at: day(1)) == 1)
            #expect(try model.urgent() == ["Water plants"])
            model.items[2].toggle(at: day(3))
            model.delete(at: [0])

            let context = ModelContext(container)
            let items = try context.fetch(FetchDescriptor<AgendaItem>(sortBy: [.init(\.title)]))
            #expect(items.map(\.title) == ["Call Ada", "Water plants", "Write"])
            #expect(items[2].completedAt == day(3) && items[2].labels.map(\.name) == ["home"])
            await container.close()
        }
    }

    @Test func `a clinic`() async throws {
        try await withPortedStore(Clinic.Patient.self) { container in
            #expect(container.schema.entities.count == 3 && Clinic.schema.version == Schema.Version(1, 2, 3))
            let desk = ClinicDesk(ModelContext(container))
            let records = [
                ["number": "0001", "given": "Ada", "family": "King"], ["number": "0002"],
                ["number": "0003", "given": "Bo", "family": "King"], ["number": "1", "given": "", "family": ""],
            ]
            #expect(try desk.admit(records, at: day(1)) == 2)
            #expect(throws: Clinic.Patient.NumberError.tooShort(1)) {
                try Clinic.Patient(number: "1", name: .init("", ""))
            }
            let patients = try desk.patients(family: "King")
            #expect(patients.map(\.name.given) == ["Bo", "Ada"])
            let doctor = Clinic.Doctor(name: "No")
            doctor.specialties.insert(.heart)
            let visit = patients[0].visit(doctor, on: day(2), .fever(celsius: 39), .code("A1", severity: 2))
            visit.vitals = .init(pulse: 60...90, pressure: .init(upper: 120, lower: 80))
            try #require(patients[0].modelContext).save()

            let other = ClinicDesk(ModelContext(container))
            let busiest = try #require(try other.busiest())
            #expect(busiest.name == "No" && busiest.specialties == [.general, .heart])
            let again = try #require(try other.visits(to: busiest, since: day(2)).first)
            #expect(again.findings == [.fever(celsius: 39), .code("A1", severity: 2)])
            #expect(again.vitals?.pulse == 60...90 && again.patient?.doctors == [busiest])
            #expect(try other.withoutVisits() == ["King, Ada"])
        }
    }

    private struct News: FeedService {
        func load(_ url: URL) async throws -> FeedPayload {
            FeedPayload(
                url: url, title: url.lastPathComponent,
                items: (0..<3).map {
                    .init(guid: "\(url.lastPathComponent)\($0)", title: "Title \($0)", published: day(Double($0)))
                })
        }
    }

    @MainActor @Test func `headlines, by actors`() async throws {
        try await withSixthStore(Feed.self) { _, container in
            let center = await HeadlineCenter(container: container)
            let urls = ["a", "b"].compactMap { URL(string: "https://example.org/\($0)") }
            for _ in 0..<2 {
                var shown: [HeadlineDTO] = []
                for try await headline in center.stream(urls, from: News()) { shown.append(headline) }
                #expect(shown.count == 6 && shown[0].title == "Title 2" && shown[0].feedTitle != nil)
                let first = shown[0]
                #expect(center.show(first) != nil)
            }
            #expect(try await center.titles() == ["a", "b"])
            #expect(try await center.readAll() == 0)
            #expect(try container.count(Headline.self) == 6)
        }
    }

    @Test func `lodgings and their subclasses`() async throws {
        try await withPortedStore(Hotel.self, Resort.self, Campsite.self, LodgingTrip.self) { container in
            let context = ModelContext(container)
            let trip = LodgingTrip(title: "Sea")
            trip.lodgings = [
                Hotel(name: "Inn", checkIn: day(1), stars: 2), Resort(name: "Palms", checkIn: day(2)),
                Campsite(name: "Dunes", checkIn: day(3), ground: .sand), Lodging(name: "Aunt", checkIn: day(4)),
            ]
            trip.lodgings.compactMap { $0 as? Resort }.first?.pools = ["big"]
            context.insert(trip)
            try context.save()

            let store = LodgingStore(context: ModelContext(container))
            #expect(try store.names(.all) == ["Aunt", "Dunes", "Inn", "Palms"])
            #expect(try store.names(.hotels) == ["Inn", "Palms"])
            #expect(try store.names(.camping, text: "du") == ["Dunes"])
            #expect(try store.good(atLeast: 2).map(\.name) == ["Palms"])
            #expect(try store.good(atLeast: 2).map(\.price) == [150])
            let again = try #require(try store.tripsWithHotels().first)
            #expect(again.hotels.count == 2 && again.nextCampsite?.name == "Dunes")
            #expect(try store.kinds() == ["hotel": 2, "lodging": 2])
            try store.forget(onlyPlainHotels: true)
            #expect(try store.names(.all) == ["Aunt", "Dunes", "Palms"])
            try store.forget(onlyPlainHotels: false)
            #expect(try store.names(.all) == ["Aunt", "Dunes"])
        }
    }

    @Test func `outlines`() async throws {
        try await withPortedStore(Outline.self) { container in
            let store = OutlineStore(context: ModelContext(container))
            let root = Outline(
                "root", children: [Outline("b", children: [Outline("leaf")]), Outline("a"), Outline("c")])
            store.context.insert(root)
            try store.context.save()
            #expect(try store.text() == ["root", " b", "  leaf", " a", " c"])

            let other = OutlineStore(context: ModelContext(container))
            let again = try #require(try other.context.fetch(OutlineStore.roots).first)
            let (b, a) = (again.orderedChildren[0], again.orderedChildren[1])
            #expect(throws: OutlineError.cycle(again.id)) { try again.move(to: b) }
            try a.move(to: b)
            a.links = [b]
            #expect(try other.siblings(of: a).map(\.title) == ["leaf"])
            #expect(try other.grandchildren(of: "root") == 2)
            #expect(try other.linked(with: ["a"]) == [b])
            other.context.insert(b.copy())
            #expect(try other.leaves().map(\.title) == ["a", "a", "c", "leaf", "leaf"])
            other.context.delete(again)
            try other.context.save()
            #expect(try store.context.fetchCount(FetchDescriptor<Outline>()) == 3)

            let json = try other.export()
            for document in try JSONDecoder().decode([OutlineDocument].self, from: json) {
                #expect(document.insert(into: other.context).flattened().map(\.title) == ["b", "leaf", "a"])
            }
        }
    }

    @MainActor @Test func `preferences and a cellar`() async throws {
        try await withSixthStore(Preferences.self, Wine.self) { _, container in
            let cellar = Cellar(container: container)
            try cellar.update(\.theme, .dark)
            try cellar.update(\.flags["beta"], true)
            try cellar.update(\.recent, ["a"])
            try cellar.update(\.fontSize, 11.5)
            try cellar.add(
                Wine(name: "B", year: 2001, region: "Pfalz", rating: 0.4), Wine(name: "A", year: 2003, region: "Pfalz"),
                Wine(name: "C", year: 2002, region: "Mosel", rating: 0.9))
            #expect(cellar.sections.map(\.id) == ["Mosel", "Pfalz"])
            #expect(cellar.sections[1].wines.map(\.name) == ["A", "B"])
            cellar.direction = .reverse
            cellar.order = .year
            cellar.refresh { "\($0.year / 1000)" }
            #expect(cellar.sections.map { $0.wines.map(\.year) } == [[2003, 2002, 2001]])
            let first = try #require(try cellar.page(after: nil, size: 1).first)
            #expect(try cellar.page(after: first, size: 5).map(\.name) == ["C", "A"])
            #expect(try cellar.best()?.name == "C")
            cellar.update(first) { $0.isOpen = true }

            let context = ModelContext(container)
            let preferences = try Preferences.current(in: context)
            #expect(preferences.theme == .dark && preferences.flags == ["beta": true] && preferences.fontSize == 11.5)
            preferences.recent.append("b")
            #expect(preferences.previous == ["a"])
            #expect(try context.fetch(FetchDescriptor<Wine>(predicate: #Predicate { $0.isOpen })).map(\.name) == ["B"])
        }
    }

    @Test func `services behind a protocol`() async throws {
        try await withSixthStore(Ticket.self, Operator.self) { _, container in
            for database in [BackgroundDatabase(modelContainer: container), MainDatabase(container: container)]
                as [any Database]
            {
                let service = TicketService(database: database, now: { day(7) })
                let first = try await service.open("Slow", code: "1")
                let second = try await service.open("Broken", code: "2")
                #expect(try await service.openTickets().map(\.id) == [first, second])
                try await service.close(first, by: "Ada")
                #expect(try await service.openTickets().map(\.events) == [1])
                #expect(try await service.idle() == 0)
                #expect(try await database.count(TicketEvent.self) == 3)
                let state = try await database.withContext { context in
                    let ticket: Ticket? = try context.existing(first)
                    return ticket?.state
                }
                #expect(state == .closed(by: "Ada"))
                for id in [first, second] { try await database.delete(Ticket.self, id: id) }
                #expect(try await database.count(TicketEvent.self) == 0)
            }
        }
    }

    @Test func `a catalogue from JSON`() async throws {
        try await withSixthStore(Article.self) { _, container in
            let importer = StoreImporter(modelContainer: container)
            let json = Data(
                """
                [{"code": "1", "name": "Milk", "cents": 100, "shelfLife": "fresh"}, {"code": "2", "name": "Rice", "cents": 250},
                 {"code": "3", "name": "Salt", "cents": 50, "stock": 4}]
                """.utf8)
            await #expect(throws: StoreImporter.Failure.noArticles) {
                try await importer.load(Data(), department: "Food")
            }
            for _ in 0..<2 { #expect(try await importer.load(json, department: "Food") == 3) }
            let records = try await importer.records()
            #expect(records.map(\.name) == ["Milk", "Rice", "Salt"] && records.allSatisfy { $0.department == "Food" })
            try await importer.raise(by: 10, on: day(1))
            #expect(try await importer.totals() == (3, 3, 1))
            let text = String(decoding: try await importer.export(), as: UTF8.self)
            #expect(text.contains(#""cents":110,"code":"1","name":"Milk","shelfLife":"fresh","stock":0"#))
            try await importer.clear(department: "Food")
            #expect(try await importer.totals() == (0, 0, 1))
            try await importer.clear(department: nil)
            #expect(try await importer.totals() == (0, 0, 0))
        }
    }

    @Test func `timesheets that follow the history`() async throws {
        try await withPortedStore(TimeEntry.self) { container in
            let sheet = Timesheet(container: container)
            try sheet.start("Code", for: "Acme", at: day(1))
            try sheet.start("Mail", for: "Acme", at: day(2), as: Author.widget)
            #expect(try sheet.changes(by: Author.widget) == TimeChanges(inserted: ["Mail"]))
            try sheet.stopAll(at: day(3))
            try sheet.delete("Mail")
            #expect(try sheet.changes() == TimeChanges(updated: ["end", "end"], deleted: ["Mail"]))
            #expect(try sheet.changes() == TimeChanges())
            #expect(try sheet.newestAuthors() == ["app", "app", "widget", "app"])
            try sheet.forget(before: .distantFuture)
            #expect(try container.count(TimeClient.self) == 1)
        }
    }

    @Test func `training, with Foundation's values`() async throws {
        try await withPortedStore(TrainingPlan.self) { container in
            let context = ModelContext(container)
            let plan = TrainingPlan(
                name: TrainingPlan.example, starts: DateComponents(year: 2030, month: 4),
                goal: Measurement(value: 42_195, unit: .meters))
            plan.season = DateInterval(start: day(0), end: day(9))
            plan.calendar = .iso8601
            plan.weight = Measurement(value: 70, unit: .kilograms)
            plan.pace = 4.5..<6
            plan.rest = IndexSet(2...4)
            plan.age = -5
            plan.laps = 4_000_000_000
            plan.steps = 1 << 40
            plan.uuids = [UUID()]
            plan.byDay = [1: "run"]
            plan.byKind = ["run": [1.5]]
            plan.unique = [3, 4]
            let run = TrainingSession(.run, date: day(1), distance: 1000, seconds: 250)
            run.intensity = .hard
            run.track = [.init(x: 1, y: 2, time: day(1))]
            plan.sessions = [run, TrainingSession(.swim, date: day(8), distance: 500, seconds: 0)]
            context.insert(plan)
            try context.save()

            let log = TrainingLog(context: ModelContext(container))
            let again = try #require(try log.context.fetch(FetchDescriptor<TrainingPlan>()).first)
            #expect(again.starts == plan.starts && again.season == plan.season && again.timeZone == .gmt)
            #expect(again.goalInKilometers == 42.195 && again.weight == plan.weight && again.calendar == .iso8601)
            #expect(again.heartRate == 90...150 && again.pace == 4.5..<6 && again.pause == .seconds(90))
            #expect(again.rest == plan.rest && again.age == -5 && again.laps == 4_000_000_000 && again.steps == 1 << 40)
            #expect(again.uuids == plan.uuids && again.byDay == plan.byDay && again.byKind == plan.byKind)
            #expect(again.unique == [3, 4] && again.cost == Decimal(string: "0.10") && again.file == plan.file)
            #expect(again.locale.identifier == "en_US" && again.created == plan.created)
            let season = try #require(again.season)
            #expect(try log.sessions(in: season, kind: .run).first?.track == run.track)
            #expect(try log.sessions(in: season).map(\.kind) == [.run, .swim])
            #expect(try log.fast(over: 3.5).map(\.intensity) == [.hard])
            #expect(try log.long(500) == ["Marathon"])
            #expect(try log.small(10) == 1)
            #expect(try log.weeks().count == 2)
        }
    }
}

/// Runs `body`, which may wait, with a container for these classes on a database of its own, and its place.
private func withSixthStore(
    _ types: any PersistentModel.Type...,
    body: (URL, ModelContainer) async throws -> Void
) async throws {
    try await withTestDatabase { database in
        let url = try #require(database.foundationURL)
        let container = try ModelContainer(for: Schema(types), configurations: ModelConfiguration(url: url))
        do {
            try await body(url, container)
        } catch {
            await container.close()
            throw error
        }
        await container.close()
    }
}
