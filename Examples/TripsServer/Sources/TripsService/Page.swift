import HTTPTypes
import Hummingbird
import StrataHummingbird

extension TripsService {
    /// `GET /` is a page that shows the trips and follows changes.
    static func addPage(to router: Router<BasicStrataRequestContext>) {
        router.get("/") { _, _ in Self.file(page, "text/html") }
        router.get("live.js") { _, _ in Self.file(script, "text/javascript") }
        router.get("live.css") { _, _ in Self.file(style, "text/css") }
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
        <p id="state" role="status">Connecting</p>
        <ol id="trips" aria-live="polite" aria-relevant="additions text"></ol>
        <noscript><p>This page follows changes with a script. <a href="/trips">The list itself</a> needs none.</p></noscript>
        </main>
        </body>
        </html>
        """

    private static let script = """
        const list = document.getElementById("trips")
        const state = document.getElementById("state")
        const events = new EventSource("/trips/live")
        const day = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeZone: "UTC" })

        events.onopen = () => { state.textContent = "Follows changes" }
        events.onerror = () => { state.textContent = "Not connected; tries again" }
        events.onmessage = (message) => {
            const rows = JSON.parse(message.data).map((trip) => {
                const row = document.createElement("li")
                const name = document.createElement("strong")
                const when = document.createElement("time")
                name.textContent = trip.name
                when.dateTime = trip.startDate
                when.textContent = day.format(new Date(trip.startDate))
                row.append(name, " ", trip.destination, " ", when)
                return row
            })
            list.replaceChildren(...rows)
        }
        """

    private static let style = """
        :root { color-scheme: light dark; font: 1.1rem/1.5 system-ui, sans-serif }
        main { max-width: 40rem; margin: 0 auto; padding: 1rem }
        ol { list-style: none; padding: 0 }
        li { padding: 0.75rem 0; border-bottom: 1px solid }
        time { display: block }
        """
}
