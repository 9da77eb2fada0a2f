/// Stands in for a web framework: middleware of the shape that Hummingbird's has, compiled as frameworks are, without settings.
public protocol Middleware: Sendable {
    /// Answers a request, or lets `next` do so.
    func handle(_ request: Request, next: (Request) async throws -> Response) async throws -> Response
}

/// What a client asks for.
public struct Request: Sendable {
    /// The path of its URL.
    public let path: String

    /// A request for a path.
    public init(path: String) {
        self.path = path
    }
}

/// What it is answered.
public struct Response: Sendable {
    /// HTTP's.
    public let status: Int
    /// The body.
    public let lines: [String]

    /// An answer.
    public init(status: Int, lines: [String] = []) {
        self.status = status
        self.lines = lines
    }
}
