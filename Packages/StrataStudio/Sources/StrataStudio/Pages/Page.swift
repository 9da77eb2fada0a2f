import HTTPTypes
import Hummingbird
import StrataBrowsing

/// A whole page: what is the same on all of them, and its own content.
struct Page: Sendable {
    var title: String
    /// The schema that the page is about, for the way back and for following its changes.
    var schema: String?
    /// From the home page to this one.
    var trail: [(String, Route)] = []
    /// Whose changes make the page another one; `nil` for a page that does not follow any.
    var follows: Followed?
    /// How often it is read again although nothing tells of changes.
    var seconds: Int?
    var content: [HTML]

    init(
        _ title: String, schema: String? = nil, trail: [(String, Route)] = [], follows: Followed? = nil,
        seconds: Int? = nil, @HTMLBuilder content: () throws -> [HTML]
    ) rethrows {
        self.title = title
        self.schema = schema
        self.trail = trail
        self.follows = follows
        self.seconds = seconds
        self.content = try content()
    }

    func response(_ status: HTTPResponse.Status = .ok) -> Response {
        Self.response(status, "<!doctype html>\n" + html.source, type: "text/html")
    }

    static func response(_ status: HTTPResponse.Status = .ok, _ text: String, type: String) -> Response {
        Response(
            status: status, headers: [.contentType: "\(type); charset=utf-8"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }

    private var html: HTML {
        element("html", Attribute("lang", "en")) {
            Self.head(title + " – Strata Studio") {
                element("script", Attribute("src", Route.script.path), Attribute("defer"))
            }
            element("body") {
                HTML("a", [Attribute("class", "skip"), Attribute("href", "#content")], [HTML(text: "Skip to content")])
                element("header") {
                    element("nav", .label("Studio")) {
                        link("Strata Studio", to: .home, .class("brand"))
                        if let schema {
                            link("Classes", to: .schema(schema))
                            link("Picture", to: .picture(schema))
                            link("Changes", to: .changes(schema))
                            link("Migrations", to: .migrations(schema))
                        }
                        link("Activity", to: .activity)
                    }
                }
                HTML("main", mainAttributes, main)
            }
        }
    }

    private var mainAttributes: [Attribute] {
        var attributes: [Attribute] = [.id("content"), Attribute("tabindex", "-1")]
        if let follows {
            attributes.append(
                Attribute("data-live", Route.live(follows.schema.name).path + "?since=" + follows.schema.snapshot))
            attributes.append(Attribute("data-classes", follows.classes.joined(separator: " ")))
        }
        if let seconds { attributes.append(Attribute("data-seconds", String(seconds))) }
        return attributes
    }

    private var main: [HTML] {
        var pieces: [HTML] = []
        if !trail.isEmpty {
            pieces.append(
                element("nav", .label("Where you are"), .class("trail")) {
                    element("ol") {
                        for (name, route) in trail { element("li") { link(name, to: route) } }
                        element("li", Attribute("aria-current", "page")) { name(title) }
                    }
                })
        }
        pieces.append(
            element("div", .class("title")) {
                element("h1") { name(title) }
                if follows != nil || seconds != nil {
                    element("p", .class("live"), Attribute("role", "status"), Attribute("hidden"))
                }
            })
        return pieces + content
    }

    private static func head(_ title: String, @HTMLBuilder more: () -> [HTML] = { [] }) -> HTML {
        element("head") {
            element("meta", Attribute("charset", "utf-8"))
            element("meta", Attribute("name", "viewport"), Attribute("content", "width=device-width, initial-scale=1"))
            element("title") { title }
            element("link", Attribute("rel", "stylesheet"), .href(.style))
            more()
        }
    }

    // MARK: Without the studio around it

    /// The page behind the link that was printed: it sets the cookie, and goes on by itself. A redirection would not do: a browser that
    /// comes from elsewhere keeps a strict cookie back until the page is its own.
    static func entrance(cookie: String) -> Response {
        let html = element("html", Attribute("lang", "en")) {
            head("Strata Studio") {
                element("meta", Attribute("http-equiv", "refresh"), Attribute("content", "0;url=/"))
            }
            element("body") {
                element("main") { element("p") { link("Open the studio", to: .home) } }
            }
        }
        var answer = response(.ok, "<!doctype html>\n" + html.source, type: "text/html")
        answer.headers[.setCookie] = cookie
        return answer
    }

    /// A page for who may not come in: it says nothing of the database.
    static func refusal(_ status: HTTPResponse.Status, _ text: String) -> Response {
        let html = element("html", Attribute("lang", "en")) {
            element("head") {
                element("meta", Attribute("charset", "utf-8"))
                element("title") { "Strata Studio" }
            }
            element("body") {
                element("main") {
                    element("h1") { "Strata Studio" }
                    element("p") { text }
                }
            }
        }
        return response(status, "<!doctype html>\n" + html.source, type: "text/html")
    }
}

/// Changes that a page follows, from the moment at which its schema was read: before all else that it shows.
struct Followed: Sendable {
    var schema: StoredSchema
    var classes: [String]
}

extension Page {
    /// A page that says what went wrong, and what to do.
    init(_ error: BrowsingError, schema: String?, trail: [(String, Route)] = []) {
        self.init(Self.title(error.code), schema: schema, trail: trail) {
            element("p", .class("problem"), Attribute("role", "alert")) { error.description }
        }
    }

    private static func title(_ code: BrowsingError.Code) -> String {
        switch code {
        case .notFound: "Not found"
        case .conflict: "Changed meanwhile"
        case .invalidValue: "No such value"
        case .refused: "Refused"
        case .timeout: "It took too long"
        default: "It did not work"
        }
    }
}

extension BrowsingError.Code {
    /// The status of an answer that says so.
    var status: HTTPResponse.Status {
        switch self {
        case .notFound: .notFound
        case .conflict: .conflict
        case .invalidValue: .unprocessableContent
        case .refused: .forbidden
        case .timeout: .gatewayTimeout
        default: .badGateway
        }
    }
}
