#if Hummingbird
import Foundation

/// One message of a live stream, in the form that a browser's `EventSource` reads (HTML, 9.2).
public struct ServerSentEvent: Sendable, Equatable {
    /// The text; may have several lines.
    public var data: String
    /// What a client sends back as `Last-Event-ID` when it comes again; an empty one makes it forget what it has. No line breaks.
    public var id: String?
    /// The name under which a page listens; `message` without. No line breaks.
    public var name: String?

    /// The `id` that makes a client begin anew. An empty one would have it send no `Last-Event-ID`, and its URL may still name a
    /// place that is gone.
    static let beginAnew = "now"

    /// A message.
    public init(data: String, id: String? = nil, name: String? = nil) {
        self.data = data
        self.id = id
        self.name = name
    }

    /// A message with a value as JSON: snapshots, for example.
    ///
    /// - Throws: what the encoder throws.
    public init(json value: some Encodable, id: String? = nil, name: String? = nil) throws {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        self.init(data: String(decoding: try encoder.encode(value), as: UTF8.self), id: id, name: name)
    }

    /// As it is sent, with the empty line behind it: for a stream of one's own, and for tests.
    public var text: String {
        var text = ""
        if let id { text += "id: \(Self.line(id))\n" }
        if let name { text += "event: \(Self.line(name))\n" }
        // JSON, which may be long, is one line.
        guard data.utf8.contains(where: { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }) else {
            return text + "data: \(data)\n\n"
        }
        // CR LF is one character to Swift.
        for line in data.split(omittingEmptySubsequences: false, whereSeparator: \.isLineBreak) {
            text += "data: \(line)\n"
        }
        return text + "\n"
    }

    /// A line break would begin another field.
    private static func line(_ text: String) -> String { text.filter { !$0.isLineBreak && $0 != "\0" } }
}

extension Character {
    fileprivate var isLineBreak: Bool { self == "\n" || self == "\r" || self == "\r\n" }
}
#endif
