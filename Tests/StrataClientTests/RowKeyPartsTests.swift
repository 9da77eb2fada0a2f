import Foundation
import Testing

@testable import StrataClient

/// Keys of several columns: one text for one key, as the server writes it, and two words for most.
@Suite struct RowKeyPartsTests {
    @Test func `a key is the array of its parts, and is taken apart again`() throws {
        let uuid = try #require(UUID(uuidString: "0190163D-8694-739b-aea5-966c26f8ad91"))
        let cases: [([RowKey?], String)] = [
            ([1, 2], "[1, 2]"), ([-9_223_372_036_854_775_808, 0, 7], "[-9223372036854775808, 0, 7]"),
            ([RowKey(uuid), RowKey(text: "")], #"["0190163d-8694-739b-aea5-966c26f8ad91", ""]"#),
            (
                [RowKey(text: "a\"\\/\n\t\r\u{8}\u{C}\u{1}\u{1F}\u{7F}é"), 3],
                "[\"a\\\"\\\\/\\n\\t\\r\\b\\f\\u0001\\u001f\u{7F}é\", 3]"
            ),
            ([RowKey(text: "1, 2]"), RowKey(text: "[")], #"["1, 2]", "["]"#),
        ]
        for (optional, text) in cases {
            let parts = optional.compactMap { $0 }
            let key = try #require(RowKey(parts: parts))
            #expect(key.text == text && key == RowKey(text: text) && key.kind == .text)
            #expect(key.parts(parts.map(\.kind)) == parts, "\(text)")
            #expect(key.parts(parts.map(\.kind) + [.integer]) == nil)
            #expect(key.parts(Array(parts.map(\.kind).dropLast())) == nil)
        }
        for text in [
            "", "[", "[]", "[1,2]", "[1, 2", "[01, 2]", "[1, 2] ", "[1, \"2\"]", "[1.0, 2]", "{}", "[1, 2, ]",
            "[null, 2]", "[\"\\u0041\", 2]",
        ] {
            let key = try #require(RowKey(text: text))
            #expect(key.parts([.integer, .integer]) == nil, "\(text)")
            #expect(key.parts([.text, .integer]) == nil, "\(text)")
            #expect(key.text == text)
        }
    }

    @Test func `two numbers stand in the words, and every text keeps its bytes`() throws {
        let given: Int64 = 1 << 40
        let numbers: [Int64] = [
            0, 1, 9, 10, 123_456_789, (1 << 36) - 1, 1 << 36, given - 1, given, given + 1, given + (1 << 36) - 1,
            given + (1 << 36), .max,
        ]
        var keys: Set<RowKey> = []
        for one in numbers {
            for other in numbers {
                let text = "[\(one), \(other)]"
                let key = try #require(RowKey(parts: [RowKey(one), RowKey(other)]))
                #expect(key.text == text && key == RowKey(text: text), "\(text)")
                func fits(_ number: Int64) -> Bool { number < 1 << 36 || (given..<given + (1 << 36)).contains(number) }
                #expect(key.isNumberPair == (fits(one) && fits(other) && text.utf8.count > 9), "\(text)")
                #expect(key.parts([.integer, .integer]) == [RowKey(one), RowKey(other)])
                keys.insert(key)
            }
        }
        #expect(keys.count == numbers.count * numbers.count)
        for text in [
            "[000000001, 2]", "[1234567890,2]", "[1234567890, 2 ]", "[1234567890 , 2]", "[-123456789, 2]",
            "[1234567890, ]", "[, 1234567890]", "[1234567890,]", "[+123456789, 2]", "[1234567890, 2, 3]",
        ] {
            let key = try #require(RowKey(text: text))
            #expect(!key.isNumberPair && key.text == text, "\(text)")
        }
    }
}
