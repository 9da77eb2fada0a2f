import Foundation
import Strata

/// Classes with keys of text, among classes with keys of other kinds.
enum Texted {
    static let schema = Schema(
        Country.self, Kingdom.self, City.self, Street.self, League.self, Note.self, Crown.self)

    @Model class Country {
        @Attribute(.primaryKey) var code: String
        @Attribute(.unique) var name: String
        @Attribute(.preserveValueOnDeletion) var size: Int = 0
        @Relationship(deleteRule: .cascade, inverse: \City.country) var cities: [City] = []
        var union: Country?
        @Relationship(inverse: \Country.union) var members: [Country] = []
        var leagues: [League] = []
        @Relationship(.ordered, deleteRule: .cascade, inverse: nil) var notes: [Note] = []

        init(_ code: String, _ name: String? = nil) {
            self.code = code
            self.name = name ?? "named \(code)"
        }
    }

    @Model final class Kingdom: Country {
        var monarch: String = ""
        @Relationship(deleteRule: .deny, inverse: \Crown.owner) var crown: Crown?
    }

    /// With a key that Strata gives.
    @Model final class City {
        var name: String
        var country: Country?
        @Relationship(deleteRule: .cascade, inverse: \Street.city) var streets: [Street] = []
        init(_ name: String, _ country: Country? = nil) {
            self.name = name
            self.country = country
        }
    }

    /// With a key that goes with one of another kind.
    @Model final class Street {
        @Attribute(.primaryKey, column: "street_id") var id: String
        var city: City?
        init(_ id: String) { self.id = id }
    }

    @Model final class League {
        @Attribute(.primaryKey) var id: UUID = UUID.v7()
        var title: String
        @Relationship(inverse: \Country.leagues) var members: [Country] = []
        init(_ title: String) { self.title = title }
    }

    @Model final class Note {
        @Attribute(.primaryKey) var slug: String
        init(_ slug: String) { self.slug = slug }
    }

    @Model final class Crown {
        @Attribute(.primaryKey) var number: Int
        var owner: Kingdom?
        init(_ number: Int) { self.number = number }
    }

    /// Keys as they come, and what could be taken for something else: by its length in bytes, by `==` of Swift, by SQL, or by who reads an
    /// identifier.
    static let texts =
        [
            "", "a", "ab", "abcd", "abcdefgh", "abcdefghi", "abcdefghij", "aaaaaaaaaaaaaa", "aaaaaaaaaaaaaaa",
            "aaaaaaaaaaaaaaaa", String(repeating: "x", count: 63), String(repeating: "y", count: 1_000), "17", "-17",
            "0190163d-8694-739b-aea5-966c26f8ad91", "0190163D-8694-739B-AEA5-966C26F8AD91",
            "\u{E9}", "e\u{301}", "\u{1E9B}\u{323}", "\u{1E61}\u{307}", "\u{212B}", "\u{C5}", "😀", "👨‍👩‍👧‍👦 family", "O'Neil",
            "100%_",
            "back\\slash", "\"quoted\"", " blank ", "a,b", "(x)", "{y}", "NULL", "line\nbreak", "~_~", "_x", "~41",
            "STRATA", "\u{10FFFF}", "ä/ö.ü", "a:b:0", "\u{1}", "strata:x/Country/1", "$1", "A", "a ", "Ab",
        ]
}
