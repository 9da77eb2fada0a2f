import StrataClient

/// Gives positions to the objects of one ordered list, so that few rows are written.
///
/// Positions leave gaps: what is put between two others goes into the middle of the gap. Only where a gap is used up do all
/// rows of the list get new positions.
struct ListPositions {
    /// A row of the list as it is stored.
    struct Row: Hashable {
        let key: RowKey
        /// `nil` where another program has written the row, or nobody yet: such rows come last, by key.
        let position: Int64?
    }

    /// The distance between neighbours that are appended.
    static let step: Int64 = 1 << 32

    /// The positions to be written, in the order of the list.
    private(set) var written: [(key: RowKey, position: Int64)] = []

    /// - Parameters:
    ///   - wanted: the keys in the order that they are to have.
    ///   - stored: the rows that are there, in the order in which they are read. Those that are not wanted stay where they are: at the beginning or
    ///     in the middle behind what was put there, at the end before it.
    init(_ wanted: [RowKey], stored: [Row]) {
        let positions = Dictionary(
            stored.compactMap { row in row.position.map { (row.key, $0) } }, uniquingKeysWith: { first, _ in first })
        let list = Self.merged(wanted, stored, positions)
        if let assigned = Self.fill(list) {
            written = zip(list, assigned).filter { $0.0.position == nil }.map { ($0.key, $1) }
        } else {
            for (index, entry) in list.enumerated() {
                let position = Self.step * Int64(index + 1)
                if positions[entry.key] != position { written.append((entry.key, position)) }
            }
        }
    }

    /// An element of the list; its position if it keeps it.
    private struct Entry {
        let key: RowKey
        var position: Int64?
    }

    /// The whole list: of what is wanted, the longest part that stands in the right order keeps its positions.
    private static func merged(_ wanted: [RowKey], _ stored: [Row], _ positions: [RowKey: Int64]) -> [Entry] {
        let known = Set(wanted)
        let ranks = Dictionary(stored.enumerated().map { ($1.key, $0) }, uniquingKeysWith: { first, _ in first })
        var others = stored.filter { !known.contains($0.key) }[...]
        let places = wanted.indices.filter { positions[wanted[$0]] != nil }
        let kept = Set(longestIncrease(of: places.map { ranks[wanted[$0]] ?? 0 }).map { places[$0] })
        var list: [Entry] = []
        var moved: [Entry] = []
        var isAtBeginning = true
        for (index, key) in wanted.enumerated() {
            guard kept.contains(index), let position = positions[key] else {
                moved.append(Entry(key: key))
                continue
            }
            var between: [Entry] = []
            while let other = others.first, ranks[other.key] ?? 0 < ranks[key] ?? 0 {
                between.append(Entry(key: other.key, position: other.position))
                others.removeFirst()
            }
            list += isAtBeginning ? moved + between : between + moved
            list.append(Entry(key: key, position: position))
            moved.removeAll()
            isAtBeginning = false
        }
        return list + others.map { Entry(key: $0.key, position: $0.position) } + moved
    }

    /// The order in which rows are read whose key has one column: by position, then by key.
    static func precedes(_ one: Row, _ other: Row) -> Bool {
        switch (one.position, other.position) {
        case (let first?, let second?): (first, one.key) < (second, other.key)
        case (nil, nil): one.key < other.key
        case (let first, _): first != nil
        }
    }

    /// The indices of a longest part of the numbers that is in order (patience sorting).
    private static func longestIncrease(of rows: [Int]) -> [Int] {
        var previous = [Int](repeating: -1, count: rows.count)
        // The last row of the best part of each length.
        var ends: [Int] = []
        for index in rows.indices {
            var (low, high) = (0, ends.count)
            while low < high {
                let middle = (low + high) / 2
                if rows[ends[middle]] < rows[index] { low = middle + 1 } else { high = middle }
            }
            previous[index] = low > 0 ? ends[low - 1] : -1
            if low == ends.count { ends.append(index) } else { ends[low] = index }
        }
        var result: [Int] = []
        var current = ends.last ?? -1
        while current >= 0 {
            result.append(current)
            current = previous[current]
        }
        return result.reversed()
    }

    /// A position for every entry; `nil` where a gap is too small.
    private static func fill(_ list: [Entry]) -> [Int64]? {
        var result: [Int64] = []
        result.reserveCapacity(list.count)
        var index = 0
        while index < list.count {
            if let position = list[index].position {
                result.append(position)
                index += 1
                continue
            }
            let end = list[index...].firstIndex { $0.position != nil } ?? list.count
            guard
                let run = positions(
                    end - index, after: index > 0 ? result[index - 1] : nil,
                    before: end < list.count ? list[end].position : nil)
            else { return nil }
            result += run
            index = end
        }
        return result
    }

    /// As many positions as asked for, between two others.
    private static func positions(_ count: Int, after low: Int64?, before high: Int64?) -> [Int64]? {
        let count = Int64(count)
        switch (low, high) {
        case (nil, nil):
            return (1...count).map { $0 * step }
        case (let low?, nil):
            guard !low.addingReportingOverflow(count * step).overflow else { return nil }
            return (1...count).map { low + $0 * step }
        case (nil, let high?):
            guard !high.subtractingReportingOverflow(count * step).overflow else { return nil }
            return (1...count).map { high - (count + 1 - $0) * step }
        case (let low?, let high?):
            guard low < high else { return nil }
            // The distance between two positions may be more than an Int64 holds; what lies between them is not.
            let part = UInt64(bitPattern: high &- low) / UInt64(count + 1)
            return part > 0 ? (1...count).map { low &+ $0 &* Int64(bitPattern: part) } : nil
        }
    }
}
