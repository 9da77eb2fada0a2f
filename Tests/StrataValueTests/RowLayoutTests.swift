import Foundation
import Strata
import StrataModelTestSupport
import StrataTestSupport
import Testing

/// Rows are made value by value, each at its place in the row.
@Suite struct RowLayoutTests {
    @Test func `values of all sizes stand where the tuple has them`() async throws {
        try await withVoyages { _, context in
            let byName = FetchDescriptor<Voyage>(sortBy: [SortDescriptor(\.name)])
            let objects = try await context.fetch(byName)
            let rows = try await context.fetch(
                byName, selecting: \.isOpen, \.rating, \.discount, \.isOpen, \.code, \.nickname, \.isOpen, \.end,
                \.price,
                \.comfort, \.name)
            for (row, voyage) in zip(rows, objects) {
                #expect(row.0 == voyage.isOpen && row.3 == voyage.isOpen && row.6 == voyage.isOpen)
                #expect(row.1 == voyage.rating && row.2 == voyage.discount && row.4 == voyage.code)
                #expect(row.5 == voyage.nickname && row.7 == voyage.end && row.8 == voyage.price)
                #expect(row.9 == voyage.comfort && row.10 == voyage.name)
            }
            let ratings: [Int] = try await context.fetch(byName, selecting: \.rating)
            #expect(ratings == objects.map(\.rating))
        }
    }

    @Test func `more rows than there was room for are all there`() async throws {
        try await withVoyages { store, context in
            try await store.database.execute(
                """
                INSERT INTO harbour (city, country) SELECT 'a city with a name that is no small string ' || i,
                  CASE WHEN i % 3 = 0 THEN 'country ' || i END FROM generate_series(1, 1000) i
                """)
            let rows = try await context.fetch(
                FetchDescriptor<Harbour>(sortBy: [SortDescriptor(\.persistentModelID)]), selecting: \.city, \.country)
            #expect(rows.count == 1002)
            for number in 1...1000 {
                let row = try #require(rows.first { $0.0.hasSuffix("string \(number)") })
                #expect(row.1 == (number % 3 == 0 ? "country \(number)" : nil))
            }
        }
    }

    @Test func `a row whose later value cannot be read is an error, and its earlier values are let go`() async throws {
        try await withVoyages { store, context in
            try await store.database.execute("UPDATE voyage SET comfort = 'fourth' WHERE name = 'temple'")
            let byName = FetchDescriptor<Voyage>(sortBy: [SortDescriptor(\.name)])
            let error = await #expect(throws: SwiftDataError.self) {
                _ = try await context.fetch(byName, selecting: \.name, \.tags, \.comfort, \.rating)
            }
            #expect(error?.code == .invalidValue)
            #expect(error?.description.contains("Voyage.comfort cannot be read from a row") == true)
            await #expect(throws: SwiftDataError.invalidValue) {
                _ = try await context.fetch(byName, selecting: \.name, \.comfort) { "\($0) \($1)" }
            }
        }
    }

    @Test func `tuples of SQL are read the same way`() async throws {
        try await withVoyages { _, context in
            let rows = try await context.fetch(
                (Bool, Int, Bool, String?, Date).self,
                sql: """
                    SELECT \(\Voyage.isOpen), \(\Voyage.rating), \(\Voyage.isOpen), \(\Voyage.nickname), \(\Voyage.start)
                    FROM \(table: Voyage.self) ORDER BY \(\Voyage.name)
                    """)
            #expect(rows.map(\.1) == [2, 3, 4, 1, 5])
            #expect(rows.allSatisfy { $0.0 && $0.2 })
            #expect(rows.map(\.3) == [nil, "moss", nil, nil, nil])
            await #expect(throws: SwiftDataError.invalidValue) {
                _ = try await context.fetch(
                    (String, String).self, sql: "SELECT \(\Voyage.name), \(\Voyage.nickname) FROM \(table: Voyage.self)"
                )
            }
        }
    }
}
