import Foundation
import StrataBrowsing

/// The pages of the studio, by their paths. A path holds names of the schema and keys, and never a stored value.
enum Route: Sendable, Equatable {
    case home
    case style
    case script
    case activity
    case schema(String)
    case picture(String)
    case changes(String)
    case migrations(String)
    case live(String)
    case objects(String, String)
    case creation(String, String)
    case object(String, String, StoredKey)
    case deletion(String, String, StoredKey)
    case history(String, String, StoredKey)
    case related(String, String, StoredKey, String)
    case property(String, String, StoredKey, String)

    var path: String {
        switch self {
        case .home: "/"
        case .style: "/studio.css"
        case .script: "/studio.js"
        case .activity: "/activity"
        case .schema(let schema): Self.path("s", schema)
        case .picture(let schema): Self.path("s", schema, "picture")
        case .changes(let schema): Self.path("s", schema, "changes")
        case .migrations(let schema): Self.path("s", schema, "migrations")
        case .live(let schema): Self.path("s", schema, "live")
        case .objects(let schema, let name): Self.path("s", schema, "c", name)
        case .creation(let schema, let name): Self.path("s", schema, "c", name, "new")
        case .deletion(let schema, let name, let key): Self.path("s", schema, "c", name, "o", String(key), "delete")
        case .object(let schema, let name, let key): Self.path("s", schema, "c", name, "o", String(key))
        case .history(let schema, let name, let key): Self.path("s", schema, "c", name, "o", String(key), "history")
        case .related(let schema, let name, let key, let relationship):
            Self.path("s", schema, "c", name, "o", String(key), "r", relationship)
        case .property(let schema, let name, let key, let property):
            Self.path("s", schema, "c", name, "o", String(key), "p", property)
        }
    }

    /// The page of a request's path; `nil` for a path that is none of the studio's.
    init?(path: Substring) {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map(Self.name)
        let names = parts.compactMap(\.self)
        guard names.count == parts.count else { return nil }
        // A name is what stands behind `s`, `c`, `r` and `p`, whatever it is.
        switch names.count {
        case 1:
            switch names[0] {
            case "": self = .home
            case "studio.css": self = .style
            case "studio.js": self = .script
            case "activity": self = .activity
            default: return nil
            }
        case 2 where names[0] == "s": self = .schema(names[1])
        case 3 where names[0] == "s":
            switch names[2] {
            case "picture": self = .picture(names[1])
            case "changes": self = .changes(names[1])
            case "migrations": self = .migrations(names[1])
            case "live": self = .live(names[1])
            default: return nil
            }
        case 4 where names[0] == "s" && names[2] == "c": self = .objects(names[1], names[3])
        case 5 where names[0] == "s" && names[2] == "c" && names[4] == "new": self = .creation(names[1], names[3])
        case 6...8 where names[0] == "s" && names[2] == "c" && names[4] == "o":
            guard let key = StoredKey(names[5]) else { return nil }
            let (schema, name) = (names[1], names[3])
            switch (names.count, names.count > 6 ? names[6] : "") {
            case (6, _): self = .object(schema, name, key)
            case (7, "history"): self = .history(schema, name, key)
            case (7, "delete"): self = .deletion(schema, name, key)
            case (8, "r"): self = .related(schema, name, key, names[7])
            case (8, "p"): self = .property(schema, name, key, names[7])
            default: return nil
            }
        default: return nil
        }
    }

    private static func path(_ parts: String...) -> String { parts.map { "/" + segment($0) }.joined() }

    /// A name of two dots would be taken for the folder above, however it is encoded (URL Standard, 4.4): a tilde stands in front.
    private static func segment(_ name: String) -> String {
        ([".", ".."].contains(name) || name.utf8.first == UInt8(ascii: "~") ? "~" : "") + encoded(name)
    }

    /// What ``segment(_:)`` was made of; `nil` for what is no encoded text.
    private static func name(_ segment: Substring) -> String? {
        guard let text = segment.removingPercentEncoding else { return nil }
        return text.utf8.first == UInt8(ascii: "~") ? String(text.unicodeScalars.dropFirst()) : text
    }

    /// All but the unreserved characters (RFC 3986, 2.3), by their bytes.
    static func encoded(_ name: String) -> String {
        name.utf8.map { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "~"),
                UInt8(ascii: "."):
                String(UnicodeScalar(byte))
            default: "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }.joined()
    }
}
