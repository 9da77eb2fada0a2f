import Foundation
import SampleTripsModels
import Strata

/// What a fetch reads at once, and what is read when it is touched.
struct LoadingSection {
    let container: ModelContainer
    let report: Report

    func run() async throws {
        report.section("Loading")
        try await prefetching()
        try await nestedPrefetching()
        try await lazyLoading()
        try await loadingLater()
        try await partialFetch()
        try await forbidden()
    }

    private func prefetching() async throws {
        let context = ModelContext(container)
        var descriptor = FetchDescriptor<Trip>(sortBy: [SortDescriptor(\.startDate)])
        descriptor.relationshipKeyPathsForPrefetching = [\.bucketList, \.livingAccommodation]
        let trips = try await context.fetch(descriptor)
        let items = trips.reduce(0) { $0 + $1.bucketList.count }
        report.expect(items == 8 && context.lazyLoadCount == 0, "prefetched relationships are in memory")
    }

    private func nestedPrefetching() async throws {
        let context = ModelContext(container)
        var descriptor = FetchDescriptor<BucketListItem>(sortBy: [SortDescriptor(\.title)])
        descriptor.relationshipKeyPathsForPrefetching = [\.trip?.bucketList, \.trip?.livingAccommodation]
        let items = try await context.fetch(descriptor)
        let siblings = items.reduce(0) { $0 + ($1.trip?.bucketList.count ?? 0) }
        let confirmed = items.count(where: { $0.trip?.livingAccommodation?.isConfirmed == true })
        report.expect(
            siblings > items.count && confirmed > 0 && context.lazyLoadCount == 0,
            "a path loads every relationship that it leads through")
    }

    private func lazyLoading() async throws {
        let context = ModelContext(container)
        let trips = try await context.fetch(FetchDescriptor<Trip>())
        let items = trips.reduce(0) { $0 + $1.bucketList.count }
        report.expect(items == 8, "a relationship that was not prefetched is loaded when it is read")
        report.expect(context.lazyLoadCount == 1, "once for all trips of the fetch, not once a trip")
    }

    private func loadingLater() async throws {
        let context = ModelContext(container)
        // A server that is slower would be told to stop.
        context.timeout = .seconds(60)
        let trips = try await context.fetch(FetchDescriptor<Trip>())
        try await context.load(trips, \.bucketList, \.livingAccommodation)
        let confirmed = trips.count(where: { $0.livingAccommodation?.isConfirmed == true })
        report.expect(confirmed == 1 && context.lazyLoadCount == 0, "load(_:_:) loads without blocking a thread")
    }

    private func partialFetch() async throws {
        let context = ModelContext(container)
        var descriptor = FetchDescriptor<Trip>(sortBy: [SortDescriptor(\.name)])
        descriptor.propertiesToFetch = [\.name]
        let trips = try await context.fetch(descriptor)
        report.expect(trips.first?.name == "Client visit" && context.lazyLoadCount == 0, "only the names were read")
        let cities = Set(trips.map(\.destination))
        report.expect(
            cities.count == 5 && context.lazyLoadCount == 1, "the rest follows for all trips when one is asked for it")
    }

    private func forbidden() async throws {
        let context = ModelContext(container)
        context.lazyLoading = .forbidden
        let trips = try await context.fetch(FetchDescriptor<Trip>())
        report.show("(what the log says here is meant to happen)")
        report.expect(trips[0].bucketList.isEmpty, "a context can forbid lazy loading")
        await report.expect(.unfulfilledFault, "and says which property was read too early") {
            try context.throwUnreportedErrors()
        }
    }
}
