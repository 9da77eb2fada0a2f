import StrataClient

extension PostgresError {
    /// The columns in `Key (name, "Start Date")=(…)`: the form is the same in every language of the server.
    var keyColumns: [String] {
        guard let detail, let start = detail.firstIndex(of: "(") else { return [] }
        var rest = detail[detail.index(after: start)...]
        var names: [String] = []
        while let name = Self.takeColumn(&rest) {
            names.append(name)
            if rest.hasPrefix(")=(") { return names }
            guard rest.hasPrefix(", ") else { break }
            rest.removeFirst(2)
        }
        return []
    }

    /// A name in quotes, or what stands before the next comma or the end.
    private static func takeColumn(_ rest: inout Substring) -> String? {
        guard rest.first == "\"" else {
            let end = [", ", ")=("].compactMap { rest.firstRange(of: $0)?.lowerBound }.min()
            guard let end else { return nil }
            defer { rest = rest[end...] }
            return String(rest[..<end])
        }
        rest.removeFirst()
        var name = ""
        while let character = rest.popFirst() {
            if character != "\"" {
                name.append(character)
            } else if rest.first == "\"" {
                name.append(rest.removeFirst())
            } else {
                return name
            }
        }
        return nil
    }
}
