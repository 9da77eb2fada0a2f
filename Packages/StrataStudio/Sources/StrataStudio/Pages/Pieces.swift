import Foundation
import StrataBrowsing

// What pages are put together from.

/// A name of a schema: text that may run in any direction, kept to itself.
func name(_ text: String) -> HTML { element("bdi") { text } }

/// A name in the type of code.
func code(_ text: String) -> HTML { element("code") { name(text) } }

/// A moment, as a machine reads it and to the second for people.
func moment(_ date: Date) -> HTML {
    let text = date.formatted(.iso8601)
    return element("time", Attribute("datetime", text)) { text.replacing("T", with: " ").replacing("Z", with: " UTC") }
}

/// A table that scrolls by itself, also with the keyboard.
func table(_ label: String, head: [String], rows: [[HTML]]) -> HTML {
    element("div", .class("scroll"), Attribute("role", "region"), .label(label), Attribute("tabindex", "0")) {
        element("table") {
            element("thead") {
                element("tr") { for title in head { element("th", Attribute("scope", "col")) { name(title) } } }
            }
            element("tbody") {
                for row in rows { element("tr") { for cell in row { element("td") { [cell] } } } }
            }
        }
    }
}

/// A value as it is stored: NULL is not the text of this name, and an empty text is not nothing.
func stored(_ value: StoredValue, type: String) -> HTML {
    guard let text = value.text else { return element("span", .class("null")) { "NULL" } }
    if type == "bytea" {
        return element("span", .class("binary")) {
            "\(size(value.size)) "
            element("code") { String(text.prefix(64)) + (value.size > 32 ? "…" : "") }
        }
    }
    if text.isEmpty { return element("span", .class("null")) { "empty text" } }
    return HTML([
        element("bdi", .class("value"), Attribute("dir", "auto")) { text + (value.isCut ? "…" : "") },
        value.isCut ? element("span", .class("more")) { " \(size(value.size)) in all" } : HTML(),
    ])
}

func size(_ bytes: Int) -> String {
    bytes < 1000 ? "\(bytes) bytes" : bytes.formatted(.byteCount(style: .decimal).locale(Locale(identifier: "en_US")))
}

/// `about 12,000`, or that nobody has counted.
func estimate(_ rows: Int64) -> String {
    rows < 0 ? "not counted yet" : "about \(rows.formatted(.number.locale(Locale(identifier: "en_US"))))"
}

/// A time as people say it: `3.2 s`, `4 min`, `2 h`.
func age(_ duration: Duration?) -> String {
    guard let duration else { return "" }
    let seconds = Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
    switch seconds {
    case ..<10: return "\((max(0, seconds) * 10).rounded() / 10) s"
    case ..<120: return "\(Int(seconds)) s"
    case ..<7200: return "\(Int(seconds / 60)) min"
    default: return "\(Int(seconds / 3600)) h"
    }
}
