/// A piece of a page.
///
/// Names of elements and attributes are written in the source (`StaticString`); whatever else comes in is text, and is escaped when the
/// page is written. There is no way to put markup in as text.
struct HTML: Sendable {
    fileprivate indirect enum Node: Sendable {
        case text(String)
        case element(StaticString, [Attribute], [HTML])
        case list([HTML])
    }

    fileprivate let node: Node

    /// Several pieces, one after the other.
    init(_ pieces: [HTML] = []) { node = .list(pieces) }

    /// Text. Characters that cannot be seen are shown as pictures of themselves.
    init(text: String) { node = .text(text) }

    init(_ name: StaticString, _ attributes: [Attribute], _ content: [HTML]) {
        node = .element(name, attributes, content)
    }
}

/// An attribute of an element.
struct Attribute: Sendable {
    fileprivate let name: StaticString
    fileprivate let value: String?

    init(_ name: StaticString, _ value: String? = nil) {
        self.name = name
        self.value = value
    }

    static func `class`(_ name: StaticString) -> Attribute { Attribute("class", "\(name)") }
    static func id(_ name: String) -> Attribute { Attribute("id", name) }
    static func href(_ route: Route) -> Attribute { Attribute("href", route.path) }
    static func type(_ name: StaticString) -> Attribute { Attribute("type", "\(name)") }
    static func name(_ name: StaticString) -> Attribute { Attribute("name", "\(name)") }
    static func value(_ text: String) -> Attribute { Attribute("value", text) }
    static func label(_ text: String) -> Attribute { Attribute("aria-label", text) }
}

@resultBuilder
enum HTMLBuilder {
    static func buildExpression(_ piece: HTML) -> [HTML] { [piece] }
    static func buildExpression(_ pieces: [HTML]) -> [HTML] { pieces }
    static func buildExpression(_ text: String) -> [HTML] { [HTML(text: text)] }
    static func buildBlock(_ pieces: [HTML]...) -> [HTML] { pieces.flatMap(\.self) }
    static func buildOptional(_ pieces: [HTML]?) -> [HTML] { pieces ?? [] }
    static func buildEither(first pieces: [HTML]) -> [HTML] { pieces }
    static func buildEither(second pieces: [HTML]) -> [HTML] { pieces }
    static func buildArray(_ pieces: [[HTML]]) -> [HTML] { pieces.flatMap(\.self) }
}

/// An element with its content.
func element(
    _ name: StaticString, _ attributes: Attribute..., @HTMLBuilder content: () throws -> [HTML]
) rethrows -> HTML {
    HTML(name, attributes, try content())
}

/// An element without content.
func element(_ name: StaticString, _ attributes: Attribute...) -> HTML { HTML(name, attributes, []) }

/// A link to another page of the studio.
func link(_ text: String, to route: Route, _ attributes: Attribute...) -> HTML {
    HTML("a", [.href(route)] + attributes, [HTML(text: text)])
}

// MARK: - Writing

extension HTML {
    /// The text of the page, with everything escaped that is not an element of ours.
    var source: String {
        var source = ""
        write(to: &source)
        return source
    }

    /// Elements that have no content and no end.
    private static let void: Set<String> = ["meta", "link", "input", "br"]

    private func write(to source: inout String) {
        switch node {
        case .text(let text): Self.escape(text, showsControls: true, into: &source)
        case .list(let pieces): for piece in pieces { piece.write(to: &source) }
        case .element(let name, let attributes, let content):
            source += "<\(name)"
            for attribute in attributes {
                source += " \(attribute.name)"
                guard let value = attribute.value else { continue }
                source += "=\""
                Self.escape(value, showsControls: false, into: &source)
                source += "\""
            }
            source += ">"
            guard !Self.void.contains("\(name)") else { return }
            // A form must give back what it got: no pictures, and the line break that a browser drops at the beginning.
            let isField = "\(name)" == "textarea"
            if isField { source += "\n" }
            for piece in content {
                if isField, case .text(let text) = piece.node {
                    Self.escape(text, showsControls: false, into: &source)
                } else {
                    piece.write(to: &source)
                }
            }
            source += "</\(name)>"
        }
    }

    private static func escape(_ text: String, showsControls: Bool, into source: inout String) {
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": source += "&amp;"
            case "<": source += "&lt;"
            case ">": source += "&gt;"
            case "\"": source += "&quot;"
            case "'": source += "&#39;"
            case "\n", "\t": source.unicodeScalars.append(scalar)
            // Written as it is, a browser would read a line feed.
            case "\r": source += showsControls ? "\u{240D}" : "&#13;"
            case _ where scalar.value < 0x20 && showsControls:
                source.unicodeScalars.append(Unicode.Scalar(0x2400 + scalar.value) ?? scalar)
            case "\u{7F}" where showsControls: source += "\u{2421}"
            // Direction marks act on whatever stands behind them.
            case "\u{202A}"..."\u{202E}", "\u{2066}"..."\u{2069}":
                if showsControls {
                    source += "[U+\(String(scalar.value, radix: 16, uppercase: true))]"
                } else {
                    source.unicodeScalars.append(scalar)
                }
            default: source.unicodeScalars.append(scalar)
            }
        }
    }
}
