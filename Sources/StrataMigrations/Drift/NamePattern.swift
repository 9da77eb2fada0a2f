/// Names with `*` for any number of characters: `legacy_*`, `*_old`.
package enum NamePattern {
    package static func any(of patterns: some Collection<String>, covers name: String) -> Bool {
        patterns.contains { covers(Substring($0), Substring(name)) }
    }

    private static func covers(_ pattern: Substring, _ name: Substring) -> Bool {
        guard let first = pattern.first else { return name.isEmpty }
        guard first == "*" else { return first == name.first && covers(pattern.dropFirst(), name.dropFirst()) }
        let rest = pattern.dropFirst()
        var place = name.startIndex
        while true {
            if covers(rest, name[place...]) { return true }
            guard place < name.endIndex else { return false }
            place = name.index(after: place)
        }
    }
}
