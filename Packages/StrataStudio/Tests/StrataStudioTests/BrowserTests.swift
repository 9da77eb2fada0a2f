import Foundation
import Strata
import StrataBrowsing
import Testing

@testable import StrataStudio

/// In a real browser. With `STRATA_SCREENSHOTS` naming a folder, what was seen is left there.
@Suite(
    .serialized, .timeLimit(.minutes(10)),
    .enabled(if: Chromium.isWanted, "Chromium is not installed: apt-get install chromium"))
struct BrowserTests {
    @Test func aPersonComesInLooksAroundAndSeesChangesAsTheyHappen() async throws {
        try await withStudio(allowsEdits: true, enters: false) { studio in
            let key = try await studio.fill()
            try await withChromium { browser in
                try await browser.open(studio.link)
                try await browser.wait(for: "location.pathname === '/' && document.querySelector('h1') !== null")
                #expect(try await browser.value(of: "document.cookie") == "", "Scripts cannot read the cookie.")
                try await browser.keep("home")

                let origin = "http://127.0.0.1:\(studio.client.port)"
                try await browser.open(origin + studio.path("/c/Tour"))
                try await browser.wait(for: "document.querySelector('.live').textContent === 'Follows changes'")
                try await browser.keep("list")
                _ = try await studio.store { Tour("Just now") }
                try await browser.wait(for: "document.body.textContent.includes('Just now')")

                try await browser.open(origin + studio.path("/c/Tour/o/\(key)"))
                #expect(try await browser.value(of: "document.querySelectorAll('main img, main script').length") == "0")
                try await browser.keep("object")
                for page in [
                    "/picture", "/changes", "/c/Tour/o/\(key)/history", "/c/Tour/o/\(key)/delete", "/migrations",
                ] {
                    try await browser.open(origin + studio.path(page))
                    try await browser.keep(page.split(separator: "/").last.map(String.init) ?? "page")
                }
                try await browser.open(origin + "/activity")
                try await browser.keep("activity")
                #expect(await browser.complaints == [])
            }
        }
    }

    @Test func aFilterAndAnEditAreSentByTheirForms() async throws {
        try await withStudio(allowsEdits: true, enters: false) { studio in
            let key = try await studio.fill()
            try await withChromium { browser in
                try await browser.open(studio.link)
                try await browser.wait(for: "location.pathname === '/'")
                let origin = "http://127.0.0.1:\(studio.client.port)"
                try await browser.open(origin + studio.path("/c/Tour"))
                _ = try await browser.value(
                    of: """
                        (() => {
                          document.querySelector('select[name=property]').value = 'name';
                          document.querySelector('select[name=operator]').value = 'contains';
                          document.querySelector('input[name=value]').value = '<b on';
                          document.querySelector('.filter button').click();
                        })()
                        """)
                try await browser.wait(for: "document.body.textContent.includes('1 object')")
                #expect(try await browser.value(of: "location.href") == origin + studio.path("/c/Tour"))
                try await browser.keep("filter")

                try await browser.open(origin + studio.path("/c/Tour/o/\(key)/p/notes"))
                try await browser.keep("edit")
                _ = try await browser.value(
                    of: """
                        (() => {
                          document.querySelector('textarea').value += '\\nA line more';
                          document.querySelector('.edit-form button').click();
                        })()
                        """)
                try await browser.wait(for: "location.pathname.endsWith('/o/\(key)')")
                let notes = try await studio.container.read { models in
                    try await models.fetch(FetchDescriptor<Tour>()).compactMap(\.notes)
                }
                #expect(notes.contains { $0.hasSuffix("\nA line more") && !$0.contains("\r") })
                #expect(await browser.complaints == [])
            }
        }
    }

    @Test(arguments: [(390, 844, false), (1280, 800, true)])
    func itIsReadableOnAPhoneAndInTheDark(width: Int, height: Int, isDark: Bool) async throws {
        try await withStudio(enters: false) { studio in
            let key = try await studio.fill()
            try await withChromium(width: width, height: height, isDark: isDark) { browser in
                try await browser.open(studio.link)
                try await browser.wait(for: "location.pathname === '/'")
                let origin = "http://127.0.0.1:\(studio.client.port)"
                for page in ["/c/Tour", "/c/Tour/o/\(key)", "/picture"] {
                    try await browser.open(origin + studio.path(page))
                    // What is wide scrolls by itself.
                    #expect(
                        try await browser.value(of: "document.documentElement.scrollWidth <= window.innerWidth")
                            == "true",
                        "\(page)")
                    try await browser.keep("\(isDark ? "dark" : "phone")-\(page.split(separator: "/").last ?? "")")
                }
                let contrast = try #require(Double(try await browser.value(of: lowestContrast)))
                #expect(contrast >= 4.5)
            }
        }
    }

    @Test func theKeyboardReachesEverything() async throws {
        try await withStudio(enters: false) { studio in
            _ = try await studio.fill()
            try await withChromium { browser in
                try await browser.open(studio.link)
                try await browser.wait(for: "location.pathname === '/'")
                try await browser.open("http://127.0.0.1:\(studio.client.port)" + studio.path("/c/Tour"))
                try await browser.press("Tab", code: 9)
                #expect(try await browser.value(of: "document.activeElement.textContent") == "Skip to content")
                let unnamed = """
                    [...document.querySelectorAll('input:not([type=hidden]), select, textarea, button, a, [role=region]')]
                      .filter((e) => !(e.getAttribute('aria-label') || e.textContent.trim() || (e.labels && e.labels.length))).length
                    """
                #expect(try await browser.value(of: unnamed) == "0")
                #expect(try await browser.value(of: "document.querySelectorAll('header nav, main h1').length") == "2")
            }
        }
    }

    /// The contrast of the text that has least of it, against the nearest background (WCAG 2, 1.4.3).
    private let lowestContrast = """
        (() => {
          const light = (c) => {
            const [r, g, b] = c.match(/[\\d.]+/g).map((v) => v / 255).map((v) => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
            return 0.2126 * r + 0.7152 * g + 0.0722 * b;
          };
          const ground = (e) => {
            for (; e; e = e.parentElement) {
              const c = getComputedStyle(e).backgroundColor;
              if (c !== 'rgba(0, 0, 0, 0)') return c;
            }
            return 'rgb(255, 255, 255)';
          };
          return Math.min(...[...document.querySelectorAll('a, p, h1, h2, td, th, dt, dd, legend, li, button')]
            .filter((e) => e.closest('svg') === null).map((e) => {
              const [a, b] = [light(getComputedStyle(e).color), light(ground(e))];
              return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
            }));
        })()
        """
}

extension StudioUnderTest {
    /// Stores tours as people have them, and one that somebody hostile has. Returns the key of one with everything.
    func fill() async throws -> StoredKey {
        try await container.withContext { context in
            context.author = "ana"
            let guides = ["Ana", "Jonas", "Ieva"].map { Guide($0) }
            let riga = CityTour("Riga by night", city: "Riga")
            riga.notes = "Meet at the clock.\nBring a coat: it is cold by the river."
            riga.price = 24.5
            riga.map = Data(repeating: 7, count: 4200)
            riga.stops = ["The clock", "Old town", "The river", "Market halls"].map { Stop($0) }
            riga.guides = [guides[0], guides[1]]
            context.insert(riga)
            for (name, price) in [("Curonian Spit", 45.0), ("Bogs of Soomaa", 38), ("Castles of Gauja", 52.5)] {
                let tour = Tour(name, price: price, notes: price < 40 ? "Rubber boots." : nil)
                tour.guides = [guides[2]]
                context.insert(tour)
            }
            context.insert(
                Tour("<b onmouseover=alert(1)>\u{202E}gnp.exe", price: 0, notes: "<script>alert(1)</script>"))
            try await context.save()
            riga.price = 26
            try await context.save()
            return try riga.key
        }
    }
}
