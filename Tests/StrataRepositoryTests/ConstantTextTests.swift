import StrataClient
import Testing

@testable import StrataRepository

/// Values that stand in the definition of a view.
@Suite struct ConstantTextTests {
    /// Next to a minus, `5--1` would be a 5 and a comment.
    @Test func aNumberStandsInQuotesWithItsType() throws {
        let fragment: SQLFragment = "5-\(bind: Int64(-1)) AND NOT hidden, \(bind: Int16(3)), \(bind: "it's")"
        #expect(try fragment.constantText() == "5-'-1'::bigint AND NOT hidden, '3'::smallint, 'it''s'::text")
    }

    @Test func theEdgesOfATypeAreConstants() throws {
        let fragment: SQLFragment = "\(bind: Int64.min) \(bind: Int64.max) \(bind: true)"
        #expect(
            try fragment.constantText()
                == "'-9223372036854775808'::bigint '9223372036854775807'::bigint true")
    }
}
