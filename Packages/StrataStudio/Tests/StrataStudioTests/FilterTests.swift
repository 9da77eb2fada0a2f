import Foundation
import Strata
import StrataBrowsing
import Testing

@testable import StrataStudio

@Suite struct FilterTests {
    private static let cases:
        [(property: String, comparison: PropertyFilter.Operator, value: String, found: [String])] = [
            ("price", PropertyFilter.Operator.greater, "15", ["B", "C'; DROP TABLE tour; --"]),
            ("price", .lessOrEqual, "10", ["A"]),
            ("price", .equal, " 20 ", ["B"]),
            ("price", .notEqual, "20", ["A", "C'; DROP TABLE tour; --"]),
            ("name", .equal, "C'; DROP TABLE tour; --", ["C'; DROP TABLE tour; --"]),
            ("name", .contains, "drop", ["C'; DROP TABLE tour; --"]),
            ("name", .contains, "%", []),
            ("name", .begins, "C'", ["C'; DROP TABLE tour; --"]),
            ("notes", .contains, "äÖ", ["A"]),
            ("notes", .isNull, "", ["B", "C'; DROP TABLE tour; --"]),
            ("notes", .isNotNull, "ignored", ["A"]),
            ("notes", .notEqual, "x", ["A", "B", "C'; DROP TABLE tour; --"]),
            ("startDate", .less, "2020-01-01", []),
        ]

    @Test func aConditionFindsWhatItSays() async throws {
        try await withStudio { studio in
            try await studio.container.withContext { context in
                context.insert(Tour("A", price: 10, notes: "ÄöÜ"))
                context.insert(Tour("B", price: 20))
                context.insert(Tour("C'; DROP TABLE tour; --", price: 30))
                try await context.save()
            }
            let schema = try await studio.browser.schema(named: studio.schema)
            for (property, comparison, value, found) in Self.cases {
                let filter = PropertyFilter(property: property, comparison: comparison, value: value)
                let page = try await studio.browser.objects(of: "Tour", in: schema, where: [filter])
                let names = page.objects.compactMap { $0.values["name"]?.text }.sorted()
                #expect(names == found, "\(property) \(comparison) \(value)")
                let count = try await studio.browser.count(of: "Tour", in: schema, where: [filter])
                #expect(count == found.count)
            }
        }
    }

    @Test func severalConditionsAreAllTrueAndNoneIsInAnAddress() async throws {
        try await withStudio { studio in
            try await studio.container.withContext { context in
                for number in 1...60 { context.insert(Tour("secret \(number)", price: 5)) }
                context.insert(Tour("other", price: 5))
                try await context.save()
            }
            let page = try await studio.client.post(
                studio.path("/c/Tour"),
                [
                    ("property", "name"), ("operator", "begins"), ("value", "secret"),
                    ("property", "price"), ("operator", "less"), ("value", "7"),
                    ("property", ""), ("operator", "equal"), ("value", "left empty"),
                ])
            #expect(page.status == 200)
            #expect(page.body.contains(">60 objects<"))
            #expect(!page.body.contains(">other<"))
            #expect(page.body.matches(of: /(?:href|action)="([^"]*)"/).allSatisfy { !$0.1.contains("secret") })
            // The next page keeps the conditions.
            let fields = page.body[page.body.range(of: "class=\"next\"")!.upperBound...]
                .matches(of: /name="([^"]*)" value="([^"]*)"/).map { (String($0.1), String($0.2)) }
            let next = try await studio.client.post(studio.path("/c/Tour"), fields)
            #expect(next.body.components(separatedBy: "<tr>").count - 2 == 10)
        }
    }

    @Test func aValueOfAnotherTypeIsSaidAtTheFormAndNotRepeatedByTheServer() async throws {
        try await withStudio { studio in
            let page = try await studio.client.post(
                studio.path("/c/Tour"), [("property", "price"), ("operator", "less"), ("value", "much")])
            #expect(page.status == 200)
            #expect(page.body.contains("invalid input syntax for type double precision (SQLSTATE 22P02)"))
            #expect(page.body.contains("value=\"much\""))
        }
    }

    @Test func whatTheFormDoesNotOfferIsRefused() async throws {
        try await withStudio { studio in
            let path = studio.path("/c/Tour")
            #expect(
                try await studio.client.post(path, [("property", "pk\""), ("operator", "less"), ("value", "1")]).status
                    == 404)
            #expect(
                try await studio.client.post(path, [("property", "name"), ("operator", "= 1 OR"), ("value", "1")])
                    .status == 400)
            #expect(try await studio.client.post(path, [("property", "name")]).status == 400)
            #expect(
                try await studio.client.post(path, [("after", "1 OR 1=1")]).body.contains("1 OR 1=1 is no key of Tour.")
            )
            let elsewhere = try await studio.client.post("/activity", [])
            #expect(elsewhere.status == 405)
        }
    }
}
