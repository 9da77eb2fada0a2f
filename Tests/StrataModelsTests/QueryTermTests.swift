import StrataModels
import Testing

@Suite struct QueryTermTests {
    private func excerpt(_ text: String, start: String = "<b>", end: String = "</b>") -> QueryTerm {
        QueryTerm(
            .excerpt(\Journey.name, TextExcerpt(matching: text, start: start, end: end, words: 35)), .value)
    }

    /// Swift takes both for the same text, and the server does not.
    @Test func `terms tell texts apart, scalar by scalar`() {
        let (one, two) = ("\u{E9}", "e\u{301}")
        let pairs = [
            (QueryTerm(.rank(one), .value), QueryTerm(.rank(two), .value)), (excerpt(one), excerpt(two)),
            (excerpt("a", start: one), excerpt("a", start: two)), (excerpt("a", end: one), excerpt("a", end: two)),
        ]
        for (term, other) in pairs {
            #expect(term == term && term.hasArgument(of: term))
            #expect(term != other)
            #expect(!term.hasArgument(of: other))
        }
    }
}
