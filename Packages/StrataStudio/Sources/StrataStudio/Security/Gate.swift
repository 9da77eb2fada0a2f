import HTTPTypes
import Hummingbird
import Synchronization

/// Lets in who has the cookie, under one of the studio's own names, and only from the studio's own pages.
struct Gate: Sendable {
    let token: AccessToken
    let port: BoundPort

    /// Cookies know no ports: each studio has its own.
    static func cookieName(_ port: Int) -> String { "strata-studio-\(port)" }

    /// The answer to a request: a refusal, or what `next` makes. Each has the headers that keep others out of the page.
    func answer(_ request: Request, next: (Request) async -> Response) async -> Response {
        var response = await admitted(request, next)
        for (name, value) in Self.headers { response.headers[name] = value }
        return response
    }

    private func admitted(_ request: Request, _ next: (Request) async -> Response) async -> Response {
        let port = port.number
        // A name of somebody else's that leads to this machine (DNS rebinding) would make his pages ours.
        let names = ["127.0.0.1:\(port)", "localhost:\(port)"]
        guard let host = request.head.authority, names.contains(host) else {
            return Page.refusal(.misdirectedRequest, "This is not the studio's address.")
        }
        if request.method != .get && request.method != .head {
            guard request.headers[.origin] == "http://\(host)" else {
                return Page.refusal(.forbidden, "A form of another page was sent here. Nothing was done.")
            }
        }
        let path = request.uri.path
        if request.method == .get, path.hasPrefix("/enter/") {
            guard token.accept(String(path.dropFirst("/enter/".count))) else {
                return Page.refusal(
                    .forbidden, "This link was used before, or is another studio's. Start the studio again.")
            }
            return Page.entrance(cookie: "\(Self.cookieName(port))=\(token.session); HttpOnly; SameSite=Strict; Path=/")
        }
        guard request.cookies(named: Self.cookieName(port)).contains(where: token.isSession) else {
            return Page.refusal(.unauthorized, "Open the link that the studio has printed where it was started.")
        }
        return await next(request)
    }

    /// `same-origin` rather than `no-referrer`: with that, forms would come with `Origin: null`.
    private static let headers: [(HTTPField.Name, String)] = [
        (
            .contentSecurityPolicy,
            "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
        ),
        (.xContentTypeOptions, "nosniff"), (.cacheControl, "no-store"),
        (HTTPField.Name("Referrer-Policy")!, "same-origin"),
        (HTTPField.Name("Cross-Origin-Opener-Policy")!, "same-origin"),
        (HTTPField.Name("Cross-Origin-Resource-Policy")!, "same-origin"),
        (HTTPField.Name("X-Frame-Options")!, "DENY"),
    ]
}

extension Request {
    /// The values of all cookies of this name.
    fileprivate func cookies(named name: String) -> [String] {
        headers[values: .cookie].flatMap { $0.split(separator: ";") }.compactMap { part in
            let pair = part.split(separator: "=", maxSplits: 1).map { $0.filter { $0 != " " } }
            return pair.count == 2 && pair[0] == name ? pair[1] : nil
        }
    }
}

/// The port that the studio listens on, known when it does.
final class BoundPort: Sendable {
    private let bound = Atomic<Int>(0)

    var number: Int {
        get { bound.load(ordering: .acquiring) }
        set { bound.store(newValue, ordering: .releasing) }
    }
}
