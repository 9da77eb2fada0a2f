import Foundation
import SampleTripsModels
import Strata

/// Fetches of a class and its subclasses, order, pages, counts, identifiers.
struct FetchingSection {
    let container: ModelContainer
    let report: Report

    func run() async throws {
        report.section("Fetching")
        try await classes()
        try await pages()
        try await pagesByKey()
        try await pagesByCursor()
        try await streaming()
        try await explaining()
        try await readable()
        try await orderForPeople()
        try await countsAndIdentifiers()
        try await enumerateAll()
    }

    private func classes() async throws {
        let context = ModelContext(container)
        let trips = try await context.fetch(FetchDescriptor<Trip>(sortBy: [SortDescriptor(\.startDate)]))
        for trip in trips {
            switch trip {
            case let trip as BusinessTrip: report.show("\(trip.name): \(trip.perdiem) a day")
            case let trip as PersonalTrip: report.show("\(trip.name): \(trip.reason.rawValue)")
            default: report.show(trip.name)
            }
        }
        report.expect(trips.count == 6, "a fetch of the base class finds objects of its subclasses")
        report.expect(trips.count(where: { $0 is BusinessTrip }) == 2, "each as its own class")

        let personal = try await context.fetch(FetchDescriptor<PersonalTrip>())
        report.expect(personal.count == 2, "a fetch of a subclass finds only its objects")
        report.expect(
            personal.allSatisfy { found in trips.contains { $0 === found } }, "one row is one object in a context")
    }

    private func pages() async throws {
        let context = ModelContext(container)
        var page = FetchDescriptor<Trip>(
            sortBy: [SortDescriptor(\.destination), SortDescriptor(\.startDate, order: .reverse)])
        page.fetchLimit = 2
        page.fetchOffset = 4
        let trips = try await context.fetch(page)
        report.expect(
            trips.map(\.name) == ["Paris, again", "Client visit"],
            "the third page of two, by destination, then the latest first")
    }

    private func pagesByKey() async throws {
        let context = ModelContext(container)
        var first = FetchDescriptor<Trip>(
            sortBy: [SortDescriptor(\.destination), SortDescriptor(\.startDate, order: .reverse)])
        first.fetchLimit = 2
        let page = try await context.fetchPage(first)
        report.expect(page.objects.count == 2 && page.totalCount == 6, "a page comes with the number of all objects")

        guard let last = page.objects.last else { return }
        let (destination, startDate) = (last.destination, last.startDate)
        var next = first
        next.predicate = #Predicate {
            $0.destination > destination || ($0.destination == destination && $0.startDate < startDate)
        }
        let trips = try await context.fetch(next)

        var third = first
        third.fetchOffset = 2
        let same = try await context.fetch(third)
        report.expect(trips.map(\.name) == same.map(\.name), "the page after the last object of the page before")
    }

    private func pagesByCursor() async throws {
        let context = ModelContext(container)
        let descriptor = FetchDescriptor<Trip>(
            sortBy: [SortDescriptor(\.destination), SortDescriptor(\.startDate, order: .reverse)])
        let all = try await context.fetch(descriptor)

        let first = try await context.fetchPage(descriptor, size: 4)
        let link = first.next.map { "/trips?after=\($0.text)" }

        let parameter = link?.split(separator: "=").last.map(String.init)
        let cursor = try parameter.map { try PageCursor($0) }
        let second = try await context.fetchPage(descriptor, after: cursor, size: 4)
        report.expect(first.objects + second.objects == all, "two pages of four are all six trips")
        report.expect(
            second.next == nil && first.previous == nil, "there is no page before the first or behind the last")

        let back = try await context.fetchPage(descriptor, before: second.previous, size: 4)
        report.expect(back.objects == first.objects, "back from the second page is the first")
    }

    private func streaming() async throws {
        let context = ModelContext(container)
        var names: [String] = []
        let descriptor = FetchDescriptor<Trip>(sortBy: [SortDescriptor(\.startDate)])
        for try await trip in context.stream(descriptor, pageSize: 2) {
            names.append(trip.name)
            if names.count == 3 { break }
        }
        report.expect(names.count == 3, "a stream ends where its loop does")
    }

    private func explaining() async throws {
        let context = ModelContext(container)
        let plan = try await context.explain(
            FetchDescriptor<Trip>(predicate: #Predicate { $0.destination == "Paris" }), analyze: true)
        print(plan)
        report.expect(plan.root.rows == 2, "the plan of a fetch says how many rows there were")
    }

    private func readable() async throws {
        let context = ModelContext(container)
        let trips = try await context.fetchReadable(FetchDescriptor<Trip>())
        for failure in trips.failures { report.show("\(failure)") }
        report.expect(trips.objects.count == 6 && trips.failures.isEmpty, "every row can be read")
    }

    private func orderForPeople() async throws {
        let context = ModelContext(container)
        let byName = FetchDescriptor<Trip>(sortBy: [SortDescriptor(\.name, comparator: .localizedStandard)])
        let names = try await context.fetch(byName).map(\.name)
        report.expect(
            names == names.sorted { $0.lowercased() < $1.lowercased() }, "an order for people leaves case aside")
    }

    private func countsAndIdentifiers() async throws {
        let context = ModelContext(container)
        let inParis = #Predicate<Trip> { $0.destination == "Paris" }
        let count = try await context.fetchCount(FetchDescriptor(predicate: inParis))
        report.expect(count == 2, "two trips lead to Paris")

        let identifiers = try await context.fetchIdentifiers(FetchDescriptor(predicate: inParis))
        report.expect(
            Set(identifiers.map(\.entityName)) == ["Trip", "BusinessTrip"], "an identifier names the object's own class"
        )

        // An identifier crosses isolation, processes and JSON as one string.
        let data = try JSONEncoder().encode(identifiers)
        let received = try JSONDecoder().decode([PersistentIdentifier].self, from: data)
        let trip: Trip? = try await ModelContext(container).existingModel(for: received[0])
        report.expect(trip?.destination == "Paris", "an identifier finds its object again in another context")
    }

    private func enumerateAll() async throws {
        let context = ModelContext(container)
        var titles: [String] = []
        try await context.enumerate(FetchDescriptor<BucketListItem>(sortBy: [SortDescriptor(\.title)]), batchSize: 3) {
            item in
            titles.append(item.title)
        }
        report.expect(titles.count == 8 && titles == titles.sorted(), "enumerate hands out all items, batch by batch")
    }
}
