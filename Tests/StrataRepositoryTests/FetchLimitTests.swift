import Foundation
import StrataModels
import Testing

@testable import StrataRepository

/// Where the limit of a fetch stands, and that the statement is kept either way.
@Suite struct FetchLimitTests {
    private func fetch(
        _ limit: Int, _ mapping: StoreMapping
    ) throws -> (text: String, parameters: Int, isKept: Bool) {
        let name = "Kyoto"
        var descriptor = FetchDescriptor<TripModels.BucketListItem>(predicate: #Predicate { $0.title == name })
        descriptor.fetchLimit = limit
        let statement = try FetchPlan.objects(descriptor, mapping: mapping, store: "test", reading: .objects).statement
        // Not within #require, which would describe the predicate.
        let shape = ShapedFetch(descriptor)?.shape
        let isKept = shape.map { mapping.fetchStatements.statement(of: $0) != nil } ?? false
        return (statement.sql.text, statement.parameters.count, isKept)
    }

    @Test func `A limit of a page, or a round one, is part of the text, and so of the shape`() throws {
        let mapping = TripModels.mapping
        for limit in [0, 50, 1001, 1500, 5001, 20_000, 100_000, 100_001] {
            let (text, parameters, isKept) = try fetch(limit, mapping)
            #expect(text.hasSuffix(" LIMIT \(limit)"))
            #expect(parameters == 1)
            #expect(isKept)
        }
    }

    @Test func `Another limit is a parameter, and the statement is kept for all of them`() throws {
        let mapping = TripModels.mapping
        for limit in [1002, 5010, 99_999, 123_456] {
            let (text, parameters, isKept) = try fetch(limit, mapping)
            #expect(text.hasSuffix(" LIMIT $2::bigint"))
            #expect(parameters == 2)
            #expect(isKept)
        }
    }

    @Test func `A negative limit is refused, also where the shape is known`() throws {
        let mapping = TripModels.mapping
        _ = try fetch(5010, mapping)
        let name = "Kyoto"
        var descriptor = FetchDescriptor<TripModels.BucketListItem>(predicate: #Predicate { $0.title == name })
        descriptor.fetchLimit = -1
        #expect(throws: SwiftDataError.unsupportedFeature) {
            _ = try FetchPlan.objects(descriptor, mapping: mapping, store: "test", reading: .objects)
        }
    }
}
