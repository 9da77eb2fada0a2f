import Foundation
import StrataModels
import Testing

@Suite("Strings in a predicate are compared as PostgreSQL compares them")
struct PredicateStringTests {
    @Test func equalityIsByScalars() throws {
        let text = "é"
        let other: String? = "e\u{301}"
        try expectSame(#Predicate { $0.name == text }) { $0.name.bytes == text.bytes }
        try expectSame(#Predicate { $0.name != text }) { $0.name.bytes != text.bytes }
        try expectSame(#Predicate { $0.nickname == text }) { $0.nickname?.bytes == text.bytes }
        try expectSame(#Predicate { $0.nickname == other }) { $0.nickname?.bytes == other?.bytes }
        try expectSame(#Predicate { $0.nickname != "Paris" }) { $0.nickname != "Paris" }
        try expectSame(#Predicate { $0.nickname == nil }) { $0.nickname == nil }
        try expectSame(#Predicate { "Paris" == $0.name }) { $0.name == "Paris" }
        try expectSame(#Predicate { $0.name == other }) { $0.name.bytes == other?.bytes }
        try expectSame(#Predicate { ($0.nickname ?? text) == "é" }) { ($0.nickname ?? text).bytes == text.bytes }
        try expectSame(#Predicate { ($0.nickname ?? other) == nil || $0.isOpen }) { $0.isOpen }
    }

    @Test func orderIsByScalars() throws {
        try expectSame(#Predicate { $0.name < "cafe" }) { $0.name.utf8.lexicographicallyPrecedes("cafe".utf8) }
        try expectSame(#Predicate { $0.name <= "cafe" }) { !"cafe".utf8.lexicographicallyPrecedes($0.name.utf8) }
        try expectSame(#Predicate { $0.name > "é" }) { "é".utf8.lexicographicallyPrecedes($0.name.utf8) }
        try expectSame(#Predicate { $0.name >= "é" }) { !$0.name.utf8.lexicographicallyPrecedes("é".utf8) }
        try expectSame(#Predicate { $0.name.compare("cafe") == .orderedAscending }) {
            $0.name.utf8.lexicographicallyPrecedes("cafe".utf8)
        }
    }

    @Test func searchIsByScalars() throws {
        let needle = "👍"
        try expectSame(#Predicate { $0.name.contains(needle) }) { ["👍🏽", "👍"].contains($0.name) }
        try expectSame(#Predicate { $0.name.contains("ari") }) { $0.name.lowercased() == "paris" && $0.name != "PARIS" }
        try expectSame(#Predicate { $0.name.contains("%_") }) { $0.name == "a%_b" }
        try expectSame(#Predicate { $0.name.starts(with: needle) }) { ["👍🏽", "👍"].contains($0.name) }
        try expectSame(#Predicate { $0.name.hasPrefix("Pa") }) { $0.name == "Paris" }
        try expectSame(#Predicate { $0.name.hasSuffix("\u{301}") }) { $0.name.bytes == "e\u{301}".bytes }
        try expectSame(#Predicate { $0.name.contains("") && $0.isOpen }) { $0.isOpen }
        try expectSame(#Predicate { $0.name.hasPrefix("") && $0.name.hasSuffix("") && $0.isOpen }) { $0.isOpen }
        try expectSame(#Predicate { "Paris in spring".contains($0.name) }) { ["", "Paris"].contains($0.name) }
        try expectSame(#Predicate { $0.name.isEmpty }) { $0.name.isEmpty }
    }

    @Test func localizedSearchIgnoresCaseAndAccents() throws {
        try expectSame(#Predicate { $0.name.localizedStandardContains("CAFE") }) { ["Café", "cafe"].contains($0.name) }
        try expectSame(#Predicate { $0.name.localizedStandardContains("É") }) {
            ["é", "e\u{301}", "Café", "cafe", "Straße"].map(\.bytes).contains($0.name.bytes)
        }
        try expectSame(#Predicate { $0.name.localizedStandardContains("izm") }) { $0.name == "İzmir" }
        try expectSame(#Predicate { $0.nickname?.localizedStandardContains("paris") == true }) {
            $0.nickname?.lowercased() == "paris"
        }
        try expectSame(#Predicate { $0.name.localizedStandardContains("") && $0.isOpen }) { $0.isOpen }
    }

    @Test func caseMappingKeepsTheNumberOfScalars() throws {
        try expectSame(#Predicate { $0.name.lowercased() == "paris" }) { $0.name.lowercased() == "paris" }
        try expectSame(#Predicate { $0.name.uppercased() == "STRAßE" }) { $0.name == "Straße" }
        try expectSame(#Predicate { $0.name.lowercased() == "izmir" }) { $0.name == "İzmir" }
        #expect(SimpleCaseMapping.uppercase("ŉᾳΐ") == "ŉᾼΐ")
    }

    @Test func comparesWithComparisonResult() throws {
        let text = "PARIS"
        try expectSame(#Predicate { $0.name.caseInsensitiveCompare(text) == .orderedSame }) {
            $0.name.lowercased() == "paris"
        }
        try expectSame(#Predicate { $0.name.localizedCompare("cafe") == .orderedDescending }) {
            ["é", "e\u{301}", "Paris", "paris", "PARIS", "Straße", "👍🏽", "👍", "İzmir"].map(\.bytes)
                .contains($0.name.bytes)
        }
        try expectSame(#Predicate { $0.name.localizedCompare(text) != .orderedSame }) { $0.name != "PARIS" }
    }

    @Test func joinsStrings() throws {
        try expectSame(#Predicate { $0.name + "-" + $0.name == "é-é" }) { $0.name.bytes == "é".bytes }
    }

    @Test func capturesStringsOfSeveralLines() throws {
        try expectSame(
            #Predicate {
                """
                  Paris
                in spring
                """.contains($0.name)
            }
        ) { ["", "Paris"].contains($0.name) }
    }

    @Test(arguments: [
        ("Café", "cafe"), ("e\u{301}", "e"), ("ÅNGSTRÖM", "angstrom"), ("İ", "i"), ("ı", "ı"), ("Straße", "straße"),
        ("ΆΣ", "ασ"), ("\u{1E69}", "s"), ("한", "\u{1112}\u{1161}\u{11AB}"), ("Ø", "ø"), ("", ""),
    ])
    func foldsForLocalizedSearch(_ text: String, _ folded: String) {
        #expect(LocalizedStandardFold.fold(text).unicodeScalars.elementsEqual(folded.unicodeScalars))
    }
}
