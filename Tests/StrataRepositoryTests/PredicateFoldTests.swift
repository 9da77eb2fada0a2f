import Foundation
import StrataModels
import StrataRepository
import StrataTestSupport
import Testing

/// What the SQL for lower case and for folding relies on (decision 0003).
@Suite struct PredicateFoldTests {
    private static let scalars = (0..<0x1_FFFF).compactMap(Unicode.Scalar.init)

    /// SQL decomposes first and maps letters last, so that only the letters of the text have to be mapped.
    @Test func `Folding gives the same in SQL's order`() {
        let different = Self.scalars.filter { scalar in
            let decomposed = String(scalar).decomposedStringWithCanonicalMapping.unicodeScalars
            let bare = String(String.UnicodeScalarView(decomposed.filter { !(0x300...0x36F).contains($0.value) }))
            let folded = LocalizedStandardFold.fold(String(scalar))
            return !SimpleCaseMapping.lowercase(bare).utf8.elementsEqual(folded.utf8)
        }
        #expect(different == [])
    }

    @Test func `An index of lower case finds all letters of ASCII, Latin, Greek and Cyrillic`() {
        let ranges: [ClosedRange<UInt32>] = [0x20...0x7E, 0xC0...0x17D, 0x386...0x3CE, 0x400...0x44F]
        let letters = ranges.joined().compactMap(Unicode.Scalar.init).map { SimpleCaseMapping.lowercase($0) }
        #expect(letters.filter { !LowercaseIndex.finds(String($0)) } == [])
    }

    @Test func `Mapping a letter twice gives what mapping it once gives`() {
        for scalar in Self.scalars {
            let (lower, upper) = (SimpleCaseMapping.lowercase(scalar), SimpleCaseMapping.uppercase(scalar))
            #expect(SimpleCaseMapping.lowercase(lower) == lower)
            #expect(SimpleCaseMapping.uppercase(upper) == upper)
        }
    }
}
