/// The name that was probably meant where another one was written.
enum NearestName {
    /// - Returns: the one that takes the fewest changes of letters; `nil` where that is more than half of them.
    static func of(_ name: String, among names: [String]) -> String? {
        let distances = names.map { (name: $0, distance: distance(Array(name.lowercased()), Array($0.lowercased()))) }
        guard let nearest = distances.min(by: { $0.distance < $1.distance }) else { return nil }
        return nearest.distance <= max(1, max(name.count, nearest.name.count) / 2) ? nearest.name : nil
    }

    /// Letters to be inserted, deleted or replaced (Levenshtein).
    private static func distance(_ first: [Character], _ second: [Character]) -> Int {
        var row = Array(0...second.count)
        for (index, letter) in first.enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for (place, other) in second.enumerated() {
                let replaced = diagonal + (letter == other ? 0 : 1)
                diagonal = row[place + 1]
                row[place + 1] = min(replaced, row[place] + 1, diagonal + 1)
            }
        }
        return row[second.count]
    }
}
