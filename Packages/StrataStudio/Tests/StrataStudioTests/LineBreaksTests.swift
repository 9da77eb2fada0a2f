import Testing

@testable import StrataStudio

@Suite struct LineBreaksTests {
    @Test(arguments: [
        // before, sent, stored
        ("a\nb", "a\r\nb", "a\nb"),
        ("a\r\nb", "a\r\nb", "a\r\nb"),
        ("a\r\nb\nc\rd", "a\r\nb\r\nc\r\nd", "a\r\nb\nc\rd"),
        // A line in the middle changes, and those around it do not.
        ("a\r\nb\nc\rd", "a\r\nB\r\nc\r\nd", "a\r\nB\nc\rd"),
        // A new line has the break of the one before it.
        ("a\r\nb\nc", "a\r\nnew\r\nb\r\nc", "a\r\nnew\r\nb\nc"),
        ("a\nb\r\nc", "a\r\nc", "a\nc"),
        ("a\nb", "a\r\nb\r\n\r\n", "a\nb\n\n"),
        ("", "a\r\nb", "a\nb"),
        ("one line", "one line", "one line"),
        ("a\r\n", "", ""),
        ("\r\n\n", "\r\n\r\n", "\r\n\n"),
        ("a\u{2028}b\n", "a\u{2028}b\r\n", "a\u{2028}b\n"),
    ])
    func aFormKeepsTheBreaksThatATextHas(_ before: String, _ sent: String, _ stored: String) {
        let restored = LineBreaks.restored(sent, from: before)
        #expect(Array(restored.unicodeScalars) == Array(stored.unicodeScalars), "\(restored.debugDescription)")
    }

    @Test func whatWasNothingHasLineFeeds() {
        #expect(LineBreaks.restored("a\r\nb", from: nil) == "a\nb")
    }
}
