import Strata
import StrataTesting
import Testing

@Suite struct ExpectationTests {
    private static let names = SortDescriptor(\Tour.name)

    private func withTours(_ body: (ModelContainer) async throws -> Void) async throws {
        try await withTestStore(for: Tour.self, Guide.self) { container in
            let context = ModelContext(container)
            Sample.tour.insert(3, into: context)
            try await context.save()
            try await body(container)
        }
    }

    // MARK: Met

    @Test func expectationsThatAreMetReportNothing() async throws {
        try await withTours { container in
            let context = ModelContext(container)
            var descriptor = FetchDescriptor<Tour>(sortBy: [Self.names])
            descriptor.relationshipKeyPathsForPrefetching = [\.guide]
            let tours = try await expectStatements("fetch Tour", "load Tour.guide", in: container) {
                try await expectRoundTrips(2, in: container) {
                    try await expectNoLazyLoading(in: container) {
                        let tours = try await context.fetch(descriptor)
                        for tour in tours { #expect(tour.guide != nil) }
                        return tours
                    }
                }
            }
            tours[0].price = 11
            try await expectRoundTrips(1...2, in: container) { try await context.save() }
            try await expectIndex(for: FetchDescriptor<Tour>(sortBy: [SortDescriptor(\.start)]), in: context)
            expectStatements(in: container) { #expect(tours[0].price == 11) }
        }
    }

    @Test func blockingFormsLookAtBlockingCalls() async throws {
        try await withTours { container in
            let sum = try Self.sumOfPrices(container)
            #expect(sum == 30)
        }
    }

    private static func sumOfPrices(_ container: ModelContainer) throws -> Int {
        let context = ModelContext(container)
        let tours = try expectStatements("fetch Tour", in: container) {
            try expectRoundTrips(1, in: container) { try context.fetch(FetchDescriptor<Tour>()) }
        }
        try expectIndex(for: FetchDescriptor<Tour>(sortBy: [SortDescriptor(\.start)]), in: context)
        return expectNoLazyLoading(in: container) { tours.map(\.price).reduce(0, +) }
    }

    @Test func otherTasksOfTheContainerCount() async throws {
        try await withTours { container in
            try await expectStatements("fetch Tour", in: container) {
                try await Task.detached {
                    _ = try await ModelContext(container).fetch(FetchDescriptor<Tour>())
                }.value
            }
        }
    }

    // MARK: Not met

    /// Runs what must report one issue, with these words, at the line after the call.
    private func expectReport<Result>(
        _ words: String..., line: Int = #line, _ body: () async throws -> Result
    ) async throws {
        try await withKnownIssue {
            _ = try await body()
        } matching: { issue in
            let text = issue.comments.map(\.rawValue).joined(separator: "\n")
            guard issue.sourceLocation?.line == line + 1, issue.sourceLocation?.fileID == #fileID else { return false }
            return words.allSatisfy { text.contains($0) }
        }
    }

    @Test func otherStatementsAreReportedWithTheirSQL() async throws {
        try await withTours { container in
            let context = ModelContext(container)
            try await expectReport("Expected: \"fetch Guide\"", "Sent: \"fetch Tour\"", "SELECT") {
                try await expectStatements("fetch Guide", in: container) {
                    try await context.fetch(FetchDescriptor<Tour>())
                }
            }
            try await expectReport("Expected: none") {
                try await expectStatements(in: container) { try await context.fetch(FetchDescriptor<Tour>()) }
            }
            try await expectReport("Sent: none", "nothing") {
                expectStatements("fetch Tour", in: container) {}
            }
        }
    }

    @Test func otherNumbersOfRoundTripsAreReported() async throws {
        try await withTours { container in
            let context = ModelContext(container)
            try await expectReport("Round trips to the server: 1, expected: 2", "fetch Tour") {
                try await expectRoundTrips(2, in: container) { try await context.fetch(FetchDescriptor<Tour>()) }
            }
            try await expectReport("Round trips to the server: 1, expected: at least 2.") {
                try await expectRoundTrips(2..., in: container) { try await context.fetch(FetchDescriptor<Tour>()) }
            }
            try await expectReport("expected: at most 0.") {
                try await expectRoundTrips(...0, in: container) { try await context.fetch(FetchDescriptor<Tour>()) }
            }
            try await expectReport("expected: 2 to 3.") {
                try await expectRoundTrips(2...3, in: container) { try await context.fetch(FetchDescriptor<Tour>()) }
            }
            try await expectReport("expected: fewer than 1.") {
                try await expectRoundTrips(..<1, in: container) { try await context.fetch(FetchDescriptor<Tour>()) }
            }
        }
    }

    @Test func lazyLoadsAreReportedByTheirProperties() async throws {
        try await withTours { container in
            let context = ModelContext(container)
            try await expectReport("load Tour.guide") {
                try await expectNoLazyLoading(in: container) {
                    for tour in try await context.fetch(FetchDescriptor<Tour>()) { #expect(tour.guide?.email != nil) }
                }
            }
        }
    }

    @Test func aMissingIndexIsReportedWithThePlan() async throws {
        try await withTours { container in
            let context = ModelContext(container)
            try await expectReport("Seq Scan on tour") {
                try await expectIndex(for: FetchDescriptor<Tour>(predicate: #Predicate { $0.price == 1 }), in: context)
            }
            try await expectReport("tour_other_idx") {
                try await expectIndex(
                    "tour_other_idx", for: FetchDescriptor<Tour>(sortBy: [SortDescriptor(\.start)]), in: context)
            }
        }
    }

    @Test func aContainerThatNobodyObservesIsReported() async throws {
        let container = try await ModelContainer(
            for: Tour.self, Guide.self, configurations: ModelConfiguration(isStoredInMemoryOnly: true))
        try await expectReport("observers: [ExpectationObserver()]") {
            expectNoLazyLoading(in: container) {}
        }
        await container.close()
    }

    @Test func anErrorOfTheClosureIsThrown() async throws {
        struct Failure: Error {}
        try await withTours { container in
            #expect(throws: Failure.self) {
                try expectStatements("fetch Tour", in: container) { throw Failure() }
            }
        }
    }
}
