import Foundation
import SampleTripsModels
import Strata

/// Values and groups, read without objects.
struct QuerySection {
    let container: ModelContainer
    let report: Report

    func run() async throws {
        report.section("Queries")
        let context = ModelContext(container)
        try await values(context)
        try await aggregates(context)
        try await groups(context)
        try await comparisons(context)
        try await calendars(context)
        try await lists(context)
        try await pages(context)
        try await plans(context)
    }

    /// One line of a list.
    struct TripCard {
        var name: String
        var start: Date
        var place: String?
    }

    private func values(_ context: ModelContext) async throws {
        let byStart = FetchDescriptor<Trip>(sortBy: [SortDescriptor(\.startDate)])
        let names = try await context.fetch(byStart, selecting: \.name)
        for (name, start) in try await context.fetch(byStart, selecting: \.name, \.startDate) {
            report.show("\(name): \(start.formatted(.iso8601.year().month().day()))")
        }
        let cards = try await context.fetch(
            byStart, selecting: \.name, \.startDate, \.livingAccommodation?.placeName, into: TripCard.init)
        let trips = try await context.fetch(byStart)
        report.expect(names == trips.map(\.name), "a property of all trips is an array")
        report.expect(
            cards.map(\.place) == trips.map { $0.livingAccommodation?.placeName },
            "values may lie behind a relationship")

        let cities = try await context.fetch(FetchDescriptor<Trip>(), selecting: \.destination, distinct: true)
        report.expect(Set(cities).count == cities.count, "distinct values come once")

        let openItems = #Expression<Trip, Int> { $0.bucketList.filter { !$0.isInPlan }.count }
        let open = try await context.fetch(byStart, selecting: .value(\.name), .value(openItems))
        report.expect(
            open.map(\.1) == trips.map { $0.bucketList.filter { !$0.isInPlan }.count },
            "an expression counts on the server")

        let firstItem = #Expression<Trip, String?> { $0.bucketList.minimum(of: \.title) }
        let first = try await context.fetch(byStart, selecting: .value(\.name), .value(firstItem))
        report.expect(
            first.map(\.1) == trips.map { $0.bucketList.minimum(of: \.title) },
            "the least value of what belongs to each trip")

        var streamed: [String] = []
        for try await (name, start) in context.stream(byStart, selecting: \.name, \.startDate) {
            if start < .distantFuture { streamed.append(name) }
        }
        report.expect(streamed == names, "values come in a stream")

        var busiest = FetchDescriptor<Trip>(sortBy: [SortDescriptor(\.name)])
        busiest.orderBy = [.reverse(.value(#Expression<Trip, Int> { $0.bucketList.count }))]
        let counts = try await context.fetch(busiest).map(\.bucketList.count)
        report.expect(counts == counts.sorted(by: >), "an expression is an order")

        var latest = FetchDescriptor<Trip>(sortBy: [SortDescriptor(\.startDate, order: .reverse)])
        latest.groupLimit = .first(1, ofEach: \.destination)
        let destinations = try await context.fetch(latest).map(\.destination)
        report.expect(Set(destinations).count == destinations.count, "the latest trip to each city")
    }

    private func aggregates(_ context: ModelContext) async throws {
        let paid = FetchDescriptor<BusinessTrip>()
        let total = try await context.fetchSum(paid, of: \.perdiem)
        let average = try await context.fetchAverage(paid, of: \.perdiem)
        let latest = try await context.fetchMaximum(FetchDescriptor<Trip>(), of: \.startDate)
        let perdiems = try await context.fetch(paid).map(\.perdiem)
        let length = #Expression<Trip, TimeInterval> { $0.endDate.timeIntervalSince($0.startDate) }
        let longest = try await context.fetchMaximum(FetchDescriptor<Trip>(), of: length)
        let trips = try await context.fetch(FetchDescriptor<Trip>())
        report.expect(
            longest == trips.map { $0.endDate.timeIntervalSince($0.startDate) }.max(), "how long the longest trip is")
        report.expect(total == perdiems.reduce(0, +), "a sum")
        report.expect(average == total / Double(perdiems.count), "an average")
        report.expect(latest == (try await context.fetch(FetchDescriptor<Trip>()).map(\.startDate).max()), "a maximum")
    }

    private func groups(_ context: ModelContext) async throws {
        let cities = try await context.fetch(
            FetchDescriptor<Trip>(), selecting: .key(\.destination), .count, .maximum(\.startDate),
            having: .count > 1, orderBy: [.reverse(.count)])
        let months = try await context.fetch(
            FetchDescriptor<Trip>(), selecting: .key(\.startDate, by: .month, in: .gmt), .count)
        let costs = try await context.fetch(
            FetchDescriptor<BusinessTrip>(), selecting: .key(\.destination), .sum(\.perdiem) / .count,
            .median(\.perdiem), .percentile(0.9, of: \.perdiem), orderBy: [.reverse(.sum(\.perdiem) / .count)])
        let averages = try await context.fetch(
            FetchDescriptor<BusinessTrip>(), selecting: .key(\.destination), .average(\.perdiem))
        report.expect(
            Dictionary(uniqueKeysWithValues: costs.map { ($0.0, $0.1) })
                == Dictionary(uniqueKeysWithValues: averages.map { ($0.0, $0.1) }),
            "what is computed of aggregates is a column")
        report.expect(costs.allSatisfy { ($0.2 ?? 0) <= ($0.3 ?? 0) }, "medians and percentiles")
        let budgets = try await context.fetch(
            FetchDescriptor<BusinessTrip>(), selecting: .sum(\.perdiem) * .number(1.5), .number(1000) - .sum(\.perdiem))
        let total = try await context.fetchSum(FetchDescriptor<BusinessTrip>(), of: \.perdiem)
        report.expect(
            budgets.map(\.0) == [total * 1.5] && budgets.map(\.1) == [1000 - total], "so are numbers beside them")
        let trips = try await context.fetch(FetchDescriptor<Trip>())
        let expected = Dictionary(grouping: trips, by: \.destination).filter { $0.value.count > 1 }
        report.expect(Set(cities.map(\.0)) == Set(expected.keys), "groups that fulfil a condition")
        report.expect(months.map(\.1).reduce(0, +) == trips.count, "groups by month hold all trips")
    }

    private func comparisons(_ context: ModelContext) async throws {
        let trips = try await context.fetch(FetchDescriptor<Trip>())
        let byCity = Dictionary(grouping: trips, by: \.destination)

        let numbers = try await context.fetch(
            FetchDescriptor<Trip>(), selecting: .count, .count(distinct: \.destination))
        report.expect(numbers.map(\.1) == [byCity.count], "how many cities there are")

        let again = try await context.fetch(
            FetchDescriptor<Trip>(), selecting: .key(\.destination),
            having: .minimum(\.startDate) < .maximum(\.startDate) && .count != 1)
        report.expect(
            Set(again) == Set(byCity.filter { Set($0.value.map(\.startDate)).count > 1 }.keys),
            "two values of a group are compared with each other")

        let perdiem = #Expression<Trip, Double?> { ($0 as? BusinessTrip)?.perdiem }
        let highest = try await context.fetchMaximum(FetchDescriptor<Trip>(), of: perdiem)
        report.expect(
            highest == trips.compactMap { ($0 as? BusinessTrip)?.perdiem }.max(),
            "an aggregate of what one subclass has")

        let busy = try await context.fetch(
            FetchDescriptor<Trip>(
                predicate: #Predicate { $0.bucketList.filter { !$0.isInPlan }.count > 0 },
                sortBy: [SortDescriptor(\.name)]))
        report.expect(
            Set(busy) == Set(trips.filter { !$0.bucketList.allSatisfy(\.isInPlan) }),
            "a number of what belongs to a trip is a condition")
    }

    private func calendars(_ context: ModelContext) async throws {
        let weekdays = try await context.fetch(
            FetchDescriptor<Trip>(), selecting: .key(.weekday, from: \.startDate, in: .gmt), .count,
            orderBy: [.forward(.key(.weekday, from: \.startDate, in: .gmt))])
        var calendar = Calendar(identifier: .iso8601)
        calendar.timeZone = .gmt
        let starts = try await context.fetch(FetchDescriptor<Trip>(), selecting: \.startDate)
        let expected = Dictionary(grouping: starts) { calendar.component(.weekday, from: $0) }
        report.expect(
            weekdays.map(\.0) == expected.keys.sorted() && weekdays.map(\.1).reduce(0, +) == starts.count,
            "groups by the day of the week")
    }

    private func lists(_ context: ModelContext) async throws {
        let names = try await context.fetch(
            FetchDescriptor<Trip>(), selecting: .key(\.destination), .values(\.name),
            .joined(\.name, separator: ", "))
        let trips = try await context.fetch(FetchDescriptor<Trip>())
        let byCity = Dictionary(grouping: trips, by: \.destination)
        report.expect(
            names.allSatisfy { city, names, text in
                names == byCity[city]?.map(\.name).sorted() && text == names.joined(separator: ", ")
            }, "all values of a group, as a list and as a text")
    }

    private func pages(_ context: ModelContext) async throws {
        let byStart = FetchDescriptor<Trip>(sortBy: [SortDescriptor(\.startDate)])
        let cards = try await context.fetchPage(byStart, selecting: \.name, \.startDate, size: 4)
        let rest = try await context.fetchPage(byStart, selecting: \.name, \.startDate, after: cards.next, size: 4)
        let names = try await context.fetch(byStart, selecting: \.name)
        report.expect((cards.rows + rest.rows).map(\.0) == names && rest.next == nil, "pages of values")
    }

    private func plans(_ context: ModelContext) async throws {
        let city = "Paris"
        let inCity = FetchDescriptor<Trip>(predicate: #Predicate { $0.destination == city })
        try await context.explain(inCity, avoidsSequentialScans: true).requireIndex()
        let groups = try await context.explain(
            FetchDescriptor<Trip>(), selecting: .key(\.destination), .count, analyze: true)
        report.expect(groups.sql.contains("GROUP BY"), "groups have a plan")
        let count = try await context.explainCount(inCity, analyze: true)
        report.expect(count.root.rows == 1, "so has a count")

        let byPlace = FetchDescriptor<Trip>(
            sortBy: [SortDescriptor(\.livingAccommodation?.placeName), SortDescriptor(\.name)])
        var (pages, cursor): ([Trip], PageCursor?) = ([], nil)
        repeat {
            let page = try await context.fetchPage(byPlace, after: cursor, size: 2)
            pages += page.objects
            cursor = page.next
        } while cursor != nil
        report.expect(pages == (try await context.fetch(byPlace)), "pages in an order that has nothing for some trips")
    }
}
