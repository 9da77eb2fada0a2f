extension String {
    /// A type of the server without its length or precision. A cast to `varchar(5)` cuts what is longer; an assignment to such a column
    /// refuses it (manual, 8.3).
    var typeWithoutModifier: String {
        guard let open = firstIndex(of: "("), let close = self[open...].firstIndex(of: ")") else {
            // Without a length, these mean one of 1.
            return switch self {
            case "character": "bpchar"
            case "bit": "varbit"
            default: self
            }
        }
        let name = self[..<open]
        let bare = name == "character" ? "bpchar" : name == "bit" ? "varbit" : name
        return String(bare + self[index(after: close)...])
    }
}
