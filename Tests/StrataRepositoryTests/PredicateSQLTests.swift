import Foundation
import StrataModels
import StrataRepository
import Testing

/// Predicates and the SQL they become.
@Suite struct PredicateSQLTests {
    private let number = 5
    private let text = "Paris"

    @Test func `Comparisons are written as plainly as the column allows`() {
        let (number, text) = (number, text)
        expectSQL(#Predicate<Journey> { $0.rating == number }, "FROM journey AS t0 WHERE t0.rating = $1::bigint")
        expectSQL(#Predicate<Journey> { $0.rating != number }, "FROM journey AS t0 WHERE t0.rating <> $1::bigint")
        expectSQL(#Predicate<Journey> { $0.name < text }, #"FROM journey AS t0 WHERE t0.name COLLATE C < $1::text"#)
        expectSQL(
            #Predicate<Journey> { $0.isOpen && !$0.isOpen }, "FROM journey AS t0 WHERE t0.is_open AND NOT t0.is_open")
        expectSQL(
            #Predicate<Journey> { $0.rating + 2 * $0.rating > number || $0.isOpen && $0.rating < 3 },
            """
            FROM journey AS t0 WHERE (t0.rating + ($1::bigint * t0.rating)) > $2::bigint OR
            (t0.is_open AND t0.rating < $3::bigint)
            """)
    }

    @Test func `Nil is distinct from every value`() {
        let limit: Int? = 7
        let nothing: Int? = nil
        expectSQL(#Predicate<Journey> { $0.budget == limit }, "FROM journey AS t0 WHERE t0.budget = $1::bigint")
        expectSQL(#Predicate<Journey> { $0.budget == nothing }, "FROM journey AS t0 WHERE t0.budget IS NULL")
        expectSQL(
            #Predicate<Journey> { $0.budget != 5 }, "FROM journey AS t0 WHERE t0.budget IS DISTINCT FROM $1::bigint")
        expectSQL(
            #Predicate<Journey> { !($0.budget == 5) }, "FROM journey AS t0 WHERE (t0.budget = $1::bigint) IS NOT TRUE")
        expectSQL(#Predicate<Journey> { $0.budget != nil }, "FROM journey AS t0 WHERE t0.budget IS NOT NULL")
        expectSQL(#Predicate<Journey> { $0.nickname == $0.name }, "FROM journey AS t0 WHERE t0.nickname = t0.name")
        expectSQL(
            #Predicate<Journey> { $0.isPaid == true || $0.isPaid != false },
            "FROM journey AS t0 WHERE t0.is_paid OR t0.is_paid IS NOT FALSE")
        expectSQL(
            #Predicate<Journey> { ($0.budget ?? 0) > 3 },
            "FROM journey AS t0 WHERE COALESCE(t0.budget, $1::bigint) > $2::bigint")
        expectSQL(
            #Predicate<Journey> { if let b = $0.budget { b > 3 } else { false } },
            "FROM journey AS t0 WHERE t0.budget > $1::bigint")
        expectSQL(#Predicate<Journey> { $0.budget! > 4 }, "FROM journey AS t0 WHERE t0.budget > $1::bigint")
    }

    @Test func `NaN is neither less nor greater nor equal`() {
        let notANumber = Double.nan
        expectSQL(
            #Predicate<Journey> { $0.score > 2.5 },
            "FROM journey AS t0 WHERE t0.score > $1::double precision AND t0.score < 'NaN'::double precision")
        expectSQL(#Predicate<Journey> { $0.score < 2.5 }, "FROM journey AS t0 WHERE t0.score < $1::double precision")
        expectSQL(#Predicate<Journey> { $0.score == notANumber }, "FROM journey AS t0 WHERE FALSE")
        expectSQL(
            #Predicate<Journey> { (1.5..<2.5).contains($0.score) },
            "FROM journey AS t0 WHERE t0.score >= $1::double precision AND t0.score < $2::double precision")
    }

    @Test func `A captured collection is one parameter`() {
        let names = ["a", "b"]
        let optional: [String?] = ["a", nil]
        let none: [String] = []
        let many = Set(0..<100_000)
        expectSQL(#Predicate<Journey> { names.contains($0.name) }, "FROM journey AS t0 WHERE t0.name = ANY($1::text[])")
        expectSQL(
            #Predicate<Journey> { optional.contains($0.nickname) },
            "FROM journey AS t0 WHERE t0.nickname = ANY($1::text[]) OR t0.nickname IS NULL")
        expectSQL(#Predicate<Journey> { none.contains($0.name) }, "FROM journey AS t0 WHERE FALSE")
        expectSQL(
            #Predicate<Journey> { many.contains($0.rating) }, "FROM journey AS t0 WHERE t0.rating = ANY($1::bigint[])")
        expectSQL(
            #Predicate<Journey> { j in names.contains { j.name.hasPrefix($0) } },
            "FROM journey AS t0 WHERE EXISTS (SELECT FROM unnest($1::text[]) AS t1(v) WHERE starts_with(t0.name, t1.v))"
        )
    }

    @Test func `A path through relationships joins what it reads`() {
        let text = text
        expectSQL(
            #Predicate<Journey> { $0.home?.city == text },
            "FROM journey AS t0 LEFT JOIN town AS t1 ON t1.pk = t0.home WHERE t1.city = $1::text")
        expectSQL(
            #Predicate<Journey> { $0.home?.capital?.city != text },
            """
            FROM journey AS t0 LEFT JOIN town AS t1 ON t1.pk = t0.home LEFT JOIN town AS t2 ON t2.pk = t1.capital
            WHERE t2.city IS DISTINCT FROM $1::text
            """)
        expectSQL(#Predicate<Journey> { $0.home == nil }, "FROM journey AS t0 WHERE t0.home IS NULL")
        expectSQL(
            #Predicate<Journey> { $0.home?.city == text || $0.home?.population == 3 },
            """
            FROM journey AS t0 LEFT JOIN town AS t1 ON t1.pk = t0.home
            WHERE t1.city = $1::text OR t1.population = $2::bigint
            """)
    }

    @Test func `Closures over relationships become subqueries`() {
        let text = text
        expectSQL(
            #Predicate<Journey> { $0.stops.contains { $0.minutes > 5 && $0.town?.city == text } },
            """
            FROM journey AS t0 WHERE EXISTS (SELECT FROM stop AS t1 LEFT JOIN town AS t2 ON t2.pk = t1.town
            WHERE t1.journey = t0.pk AND t1.minutes > $1::bigint AND t2.city = $2::text)
            """)
        expectSQL(
            #Predicate<Journey> { j in j.stops.filter { $0.title == j.name }.count > 0 },
            "FROM journey AS t0 WHERE EXISTS (SELECT FROM stop AS t1 WHERE t1.journey = t0.pk AND t1.title = t0.name)")
        expectSQL(
            #Predicate<Journey> { $0.stops.isEmpty == false && $0.stops.count >= 3 },
            """
            FROM journey AS t0 WHERE EXISTS (SELECT FROM stop AS t1 WHERE t1.journey = t0.pk) AND
            (SELECT count(*) FROM stop AS t2 WHERE t2.journey = t0.pk) >= $1::bigint
            """)
        expectSQL(
            #Predicate<Journey> { $0.guests.allSatisfy { $0.age > 3 } },
            """
            FROM journey AS t0 WHERE NOT EXISTS (SELECT FROM guest_journeys AS t1 JOIN guest AS t2 ON t2.pk = t1.guest_pk
            WHERE t1.journey_pk = t0.pk AND NOT (t2.age > $1::bigint))
            """)
        expectSQL(
            #Predicate<Journey> { $0.towns.contains { $0.city == text } },
            "FROM journey AS t0 WHERE EXISTS (SELECT FROM town AS t1 WHERE t1.journey_towns = t0.pk AND t1.city = $1::text)"
        )
    }

    @Test func `Classes are told apart with the fewest tables`() {
        expectSQL(#Predicate<Journey> { $0 is BusinessJourney }, "FROM journey AS t0 WHERE t0.class = ANY($1::text[])")
        expectSQL(#Predicate<Journey> { $0 is CampingJourney }, "FROM journey AS t0 WHERE t0.class = $1::text")
        // Written as a node, because the compiler warns that the test is always true.
        let isJourney = Predicate<BusinessJourney> { PredicateExpressions.TypeCheck<_, Journey>($0) }
        expectSQL(isJourney, "FROM business_journey AS t0 WHERE TRUE")
        expectSQL(
            #Predicate<BusinessJourney> { $0 is FirstClassJourney },
            """
            FROM business_journey AS t0 LEFT JOIN first_class_journey AS t1 ON t1.pk = t0.pk WHERE t1.pk IS NOT NULL
            """)
        expectSQL(
            #Predicate<Journey> { if let c = $0 as? CampingJourney { c.tents > 5 } else { false } },
            "FROM journey AS t0 LEFT JOIN camping_journey AS t1 ON t1.pk = t0.pk WHERE t1.tents > $1::bigint")
        expectSQL(
            #Predicate<FirstClassJourney> { $0.lounge == "x" },
            "FROM first_class_journey AS t0 WHERE t0.lounge = $1::text")
        expectSQL(
            #Predicate<FirstClassJourney> { $0.name == "x" && $0.lounge != nil },
            """
            FROM first_class_journey AS t0 JOIN journey AS t1 ON t1.pk = t0.pk
            WHERE t1.name = $1::text AND t0.lounge IS NOT NULL
            """)
    }

    @Test func `Strings are searched by bytes`() {
        expectSQL(
            #Predicate<Journey> { $0.name.contains("x") || $0.name.hasPrefix("y") || $0.name.hasSuffix("z") },
            """
            FROM journey AS t0 WHERE strpos(t0.name, $1::text) > 0 OR starts_with(t0.name, $2::text) OR
            right(t0.name, length($3::text)) = $4::text
            """)
        expectSQL(
            #Predicate<Journey> { $0.name.isEmpty && $0.name.count > 0 },
            "FROM journey AS t0 WHERE t0.name = '' AND NOT (t0.name = '')")
        expectSQL(
            #Predicate<Journey> { $0.name.lowercased() == "paris" },
            "FROM journey AS t0 WHERE translate(t0.name, $1::text, $2::text) = $3::text")
        expectSQL(
            #Predicate<Journey> { $0.name.localizedStandardContains("Paris") },
            """
            FROM journey AS t0 WHERE CASE WHEN octet_length(t0.name) = length(t0.name)
            THEN strpos(lower(t0.name COLLATE C), $1::text) > 0
            ELSE strpos(translate(regexp_replace(normalize(t0.name, NFD), $2::text, '', 'g'), $3::text, $4::text),
            $5::text) > 0 END
            """)
    }

    @Test func `Arrays and Codable values are looked into`() {
        expectSQL(
            #Predicate<Journey> { $0.tags.contains("x") && $0.tags.count > 2 && !$0.tags.isEmpty },
            """
            FROM journey AS t0 WHERE t0.tags @> ARRAY[$1::text] AND cardinality(t0.tags)::bigint > $2::bigint AND
            NOT (cardinality(t0.tags) = 0)
            """)
        expectSQL(
            #Predicate<Journey> { $0.address.city == "x" && $0.address.geo.latitude > 4 && $0.address.isHome },
            """
            FROM journey AS t0 WHERE (t0.address #>> ARRAY[$1::text]) = $2::text AND
            (t0.address #>> ARRAY[$3::text, $4::text])::double precision > $5::double precision AND
            (t0.address #>> ARRAY[$6::text])::boolean
            """)
        expectSQL(
            #Predicate<Journey> { $0.address.zip == nil },
            "FROM journey AS t0 WHERE (t0.address #>> ARRAY[$1::text]) IS NULL")
        expectSQL(
            #Predicate<Journey> { $0.weather == .sunny && $0.weather.rawValue > "n" },
            "FROM journey AS t0 WHERE t0.weather = $1::text AND t0.weather COLLATE C > $2::text")
    }

    @Test func `Other predicates are written in place, and only the branch that counts`() {
        let open = #Predicate<Journey> { $0.isOpen }
        let all = true
        expectSQL(
            #Predicate<Journey> { open.evaluate($0) && ($0.rating > 3 ? $0.isOpen : $0.rating < 0) },
            """
            FROM journey AS t0 WHERE t0.is_open AND
            CASE WHEN t0.rating > $1::bigint THEN t0.is_open ELSE t0.rating < $2::bigint END
            """)
        expectSQL(#Predicate<Journey> { all ? true : $0.title == "x" }, "FROM journey AS t0 WHERE TRUE")
    }

    @Test func `Identifiers are keys; those of other classes and stores equal none`() throws {
        let trip = try PersistentIdentifier.identifier(for: "a", entityName: "CampingJourney", primaryKey: 3)
        let stop = try PersistentIdentifier.identifier(for: "a", entityName: "Stop", primaryKey: 3)
        let both = [trip, stop]
        expectSQL(#Predicate<Journey> { $0.persistentModelID == trip }, "FROM journey AS t0 WHERE t0.pk = $1::bigint")
        expectSQL(
            #Predicate<BusinessJourney> { $0.persistentModelID == trip }, "FROM business_journey AS t0 WHERE FALSE")
        expectSQL(#Predicate<Journey> { $0.id == stop }, "FROM journey AS t0 WHERE FALSE")
        expectSQL(#Predicate<Journey> { both.contains($0.id) }, "FROM journey AS t0 WHERE t0.pk = ANY($1::bigint[])")
    }

    @Test func `Sort orders put nil first and strings by bytes`() throws {
        #expect(
            try orderSQL(SortDescriptor(\Journey.name), SortDescriptor(\Journey.budget, order: .reverse))
                == "FROM journey AS t0 ORDER BY t0.name COLLATE C ASC, t0.budget DESC NULLS LAST")
        #expect(
            try orderSQL(
                SortDescriptor(\Journey.isPaid), SortDescriptor(\Journey.weather), SortDescriptor(\Journey.level))
                == "FROM journey AS t0 ORDER BY t0.is_paid ASC NULLS FIRST, t0.weather COLLATE C ASC, t0.level ASC")
        #expect(
            try orderSQL(SortDescriptor(\FirstClassJourney.name), SortDescriptor(\FirstClassJourney.lounge))
                == """
                FROM first_class_journey AS t0 JOIN journey AS t1 ON t1.pk = t0.pk \
                ORDER BY t1.name COLLATE C ASC, t0.lounge COLLATE C ASC NULLS FIRST
                """)
        #expect(
            try orderSQL(SortDescriptor(\Journey.home!.city))
                == "FROM journey AS t0 LEFT JOIN town AS t1 ON t1.pk = t0.home ORDER BY t1.city COLLATE C ASC NULLS FIRST"
        )
        #expect(
            try orderSQL(
                SortDescriptor(\Stop.journey?.home?.country, order: .reverse), SortDescriptor(\Stop.journey?.start))
                    == """
                    FROM stop AS t0 LEFT JOIN journey AS t1 ON t1.pk = t0.journey LEFT JOIN town AS t2 ON t2.pk = t1.home \
                    ORDER BY t2.country COLLATE C DESC NULLS LAST, t1.start ASC NULLS FIRST
                    """)
        #expect(
            try orderSQL(SortDescriptor(\Journey.persistentModelID))
                == "FROM journey AS t0 ORDER BY t0.class COLLATE C ASC, t0.pk ASC")
    }
}
