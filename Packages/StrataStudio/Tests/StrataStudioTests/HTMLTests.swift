import StrataBrowsing
import Testing

@testable import StrataStudio

@Suite struct HTMLTests {
    @Test func textAndAttributesAreEscaped() {
        let html = element("p", Attribute("title", "\"><b>'&")) { "<script>alert('1')</script> & \"x\"" }
        #expect(
            html.source
                == "<p title=\"&quot;&gt;&lt;b&gt;&#39;&amp;\">&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt; &amp; &quot;x&quot;</p>"
        )
    }

    @Test func charactersThatCannotBeSeenAreShown() {
        #expect(HTML(text: "a\u{1}b\u{7F}\u{202E}c").source == "a\u{2401}b\u{2421}[U+202E]c")
    }

    @Test func aFieldGivesBackWhatItGot() {
        #expect(
            element("textarea") { "\nfirst\u{202E}\r\nsecond<" }.source
                == "<textarea>\n\nfirst\u{202E}&#13;\nsecond&lt;</textarea>")
        #expect(element("input", .value("a\u{1}\"")).source == "<input value=\"a\u{1}&quot;\">")
    }

    @Test(arguments: [
        Route.home, .activity, .schema("public"), .picture("a/b"), .changes("ä ö"), .live("%2F"), .migrations("a.b"),
        .objects("s", "Tour"), .object("s", "c", -4), .history("c", "o", 7), .related("s", "c", 1, "Stop.tour"),
        .property("s", "o", 9_223_372_036_854_775_807, "a?b#c&d\"<"), .objects("", "picture"),
        .object("~", "..", StoredKey(".")!), .history("s", "~c", StoredKey("..")!), .objects(".", "~~"),
        .object("s", "c", StoredKey("")!),
    ])
    func pathsLeadBackToTheirPages(route: Route) {
        #expect(Route(path: route.path[...]) == route)
        #expect(!route.path.contains { "?#\"< &".contains($0) })
        // A browser would take them for folders.
        #expect(route.path.split(separator: "/").allSatisfy { ![".", ".."].contains($0) })
    }

    @Test func thePageBehindAKeyIsAskedForWithAllItsCharacters() throws {
        let key = try #require(StoredKey("a\nb\r%0A\"."))
        let field = try #require(PagePosition(key: key, position: nil).fields.first)
        #expect(field.source == "<input type=\"hidden\" name=\"after\" value=\"a%0Ab%0D%250A%22.\">")
        #expect(try PagePosition(FormFields("after=a%250Ab%250D%25250A%2522."))?.key == key)
        #expect(throws: (any Error).self) { try PagePosition(FormFields("after=%25ZZ")) }
    }

    @Test(arguments: [
        "", "x", "/s", "/s/a/b", "/s/a/c/b/o/%00", "/s/a/c/b/o/1/z", "/s/%FF", "//", "/s/a/c/b/o/1/p/x/y",
    ])
    func otherPathsAreNoPages(path: String) {
        #expect(Route(path: path[...]) == nil)
    }

    @Test func formsAreReadInTheirOrder() throws {
        let form = try FormFields("a=1&b=%3Cx%3E+y&a=2&c")
        #expect(form.all("a") == ["1", "2"])
        #expect(form["b"] == "<x> y")
        #expect(form["c"] == "")
        #expect(throws: (any Error).self) { try FormFields("a=%ZZ") }
        #expect(throws: (any Error).self) { try FormFields("a=%00") }
        #expect(throws: (any Error).self) { try FormFields("a=%FF") }
    }
}
