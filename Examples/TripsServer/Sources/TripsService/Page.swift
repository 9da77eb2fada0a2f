import HTTPTypes
import Hummingbird
import StrataHummingbird

extension TripsService {
    /// `GET /` is a page that shows the trips and follows changes.
    static func addPage(to router: Router<BasicStrataRequestContext>) {
        router.get("/") { _, _ in Self.file(page, "text/html") }
        router.get("live.js") { _, _ in Self.file(script, "text/javascript") }
        router.get("live.css") { _, _ in Self.file(style, "text/css") }
        // Browsers ask for it by themselves.
        router.get("favicon.ico") { _, _ in HTTPResponse.Status.noContent }
    }

    private static func file(_ text: String, _ type: String) -> Response {
        Response(
            status: .ok,
            headers: [
                .contentType: "\(type); charset=utf-8", .contentSecurityPolicy: "default-src 'self'",
                .xContentTypeOptions: "nosniff",
            ], body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }

    private static let page = """
        <!doctype html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>Trips</title>
        <link rel="stylesheet" href="/live.css">
        <script src="/live.js" defer></script>
        </head>
        <body>
        <main>
        <h1>Trips</h1>
        <p id="state">Connecting</p>
        <ol id="trips" aria-label="All trips, by their first day"></ol>
        <p id="news" role="status"></p>
        <noscript><p>This page follows changes with a script. <a href="/trips">The list itself</a> needs none.</p></noscript>
        </main>
        </body>
        </html>
        """

    private static let script = """
        const list = document.getElementById("trips")
        const state = document.getElementById("state")
        const news = document.getElementById("news")
        const day = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeZone: "UTC" })
        const events = new EventSource("/trips/live")
        let shown = new Map()
        let isFirst = true

        events.onopen = () => { state.textContent = "Follows changes" }
        events.onerror = () => { state.textContent = "Not connected; tries again" }
        events.onmessage = (message) => {
            const before = shown
            shown = new Map(JSON.parse(message.data).map((trip) => {
                const key = JSON.stringify(trip.persistentModelID)
                return [key, show(trip, before.get(key))]
            }))
            arrange(before)
            tell(before)
        }

        // Touches what has come, gone or moved, and nothing else: a reader does not lose its place.
        function arrange(before) {
            for (const [key, row] of before) if (!shown.has(key)) row.element.remove()
            let place = list.firstElementChild
            for (const { element } of shown.values()) {
                // What stands in front of its successor has moved down. Its turn comes.
                if (place !== element && place?.nextElementSibling === element) {
                    place.remove()
                    place = element
                }
                if (place === element) place = place.nextElementSibling
                else list.insertBefore(element, place)
            }
        }

        function show(trip, row) {
            const text = JSON.stringify(trip)
            if (row?.text === text) return row
            const element = row?.element ?? document.createElement("li")
            const name = document.createElement("h2")
            const place = document.createElement("p")
            const when = document.createElement("time")
            name.textContent = trip.name
            place.textContent = trip.destination
            when.dateTime = trip.startDate
            when.textContent = day.format(new Date(trip.startDate))
            element.replaceChildren(name, place, when)
            return { element, text, name: trip.name }
        }

        // What has changed, and not the whole list again, for those who hear the page.
        function tell(before) {
            const added = [...shown].filter(([key]) => !before.has(key)).map(([, row]) => row.name)
            const changed = [...shown].filter(([key, row]) => before.has(key) && before.get(key) !== row)
            const gone = [...before].filter(([key]) => !shown.has(key)).map(([, row]) => row.name)
            const parts = isFirst ? [shown.size === 1 ? "1 trip" : `${shown.size} trips`] : [
                ...added.map((name) => `${name} is new`), ...changed.map(([, row]) => `${row.name} has changed`),
                ...gone.map((name) => `${name} is gone`),
            ]
            isFirst = false
            if (parts.length > 0) news.textContent = parts.join(", ")
        }
        """

    private static let style = """
        :root { color-scheme: light dark; font: 1.1rem/1.5 system-ui, sans-serif }
        body { margin: 0 }
        main { max-width: 40rem; margin: 0 auto; padding: 1rem }
        ol { list-style: none; padding: 0 }
        li { padding: 0.75rem 0; border-bottom: 1px solid }
        h2, li p { font-size: 1.1rem; margin: 0; overflow-wrap: anywhere }
        #news { min-height: 1.5em }
        """
}
