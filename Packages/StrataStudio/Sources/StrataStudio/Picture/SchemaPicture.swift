import StrataBrowsing

/// Where the classes of a schema stand in its picture, and what leads from one to another.
///
/// A class stands above its subclasses, which are indented beneath it: a hierarchy is one block. Blocks stand in columns. The first column
/// begins with what most leads to; what is related to a block stands in its column or the next one, so that lines are short.
struct SchemaPicture: Sendable {
    struct Row: Sendable {
        var text: String
        var type: String
        /// Whether a line begins here.
        var isReference: Bool
    }

    struct Box: Sendable {
        var name: String
        var table: String
        var isAbstract: Bool
        var rows: [Row]
        /// How many properties are not among the rows.
        var omitted: Int
        var depth: Int
        var column = 0
        var x = 0.0
        var y = 0.0
        var width = 0.0

        var height: Double {
            Metrics.head + Double(rows.count + (omitted > 0 ? 1 : 0)) * Metrics.row
                + (rows.isEmpty && omitted == 0 ? 0 : 8)
        }
    }

    struct Line: Sendable {
        enum Kind: Sendable { case subclass, toOne, pairs }
        var kind: Kind
        var from: String
        var to: String
        /// The row it begins at; `nil` for the head of the box.
        var row: Int?
    }

    enum Metrics {
        static let head = 44.0
        static let row = 18.0
        static let width = 230.0
        static let indent = 22.0
        static let gap = 22.0
        static let columnGap = 90.0
        static let margin = 16.0
        /// From so many classes on, boxes show what leads elsewhere, and count the rest.
        static let compactCount = 20
        static let mostRows = 14
    }

    private(set) var boxes: [Box] = []
    private(set) var lines: [Line] = []
    private(set) var width = 0.0
    private(set) var height = 0.0

    init(_ schema: StoredSchema) {
        let isCompact = schema.classes.count >= Metrics.compactCount
        var blocks = schema.classes.filter { schema.chain(of: $0).count == 1 }.map { root in
            Self.block(root, depth: 0, in: schema, isCompact: isCompact)
        }
        for storedClass in schema.classes { addLines(of: storedClass, in: schema) }
        Self.arrange(&blocks, related: neighbours(of: blocks))
        boxes = blocks.flatMap(\.self)
        for index in lines.indices where lines[index].kind == .toOne {
            lines[index].row = rowIndex(of: lines[index])
        }
        width = (boxes.map { $0.x + $0.width }.max() ?? 0) + Metrics.margin
        height = (boxes.map { $0.y + $0.height }.max() ?? 0) + Metrics.margin
    }

    func box(named name: String) -> Box? { boxes.first { $0.name == name } }

    // MARK: Boxes

    private static func block(_ storedClass: StoredClass, depth: Int, in schema: StoredSchema, isCompact: Bool) -> [Box]
    {
        let shown = storedClass.properties.filter { !isCompact || $0.destination != nil }.prefix(Metrics.mostRows)
        let box = Box(
            name: storedClass.name, table: storedClass.table, isAbstract: storedClass.isAbstract,
            rows: shown.map { property in
                Row(
                    text: property.name,
                    type: (property.destination ?? property.type) + (property.isOptional ? "?" : ""),
                    isReference: property.destination != nil)
            }, omitted: storedClass.properties.count - shown.count, depth: depth)
        return [box]
            + schema.children(of: storedClass).flatMap { block($0, depth: depth + 1, in: schema, isCompact: isCompact) }
    }

    private mutating func addLines(of storedClass: StoredClass, in schema: StoredSchema) {
        if let parent = storedClass.parent, schema.storedClass(named: parent) != nil {
            lines.append(Line(kind: .subclass, from: storedClass.name, to: parent))
        }
        for property in storedClass.properties {
            guard let destination = property.destination, schema.storedClass(named: destination) != nil else {
                continue
            }
            rowNames.append([storedClass.name, property.name])
            lines.append(Line(kind: .toOne, from: storedClass.name, to: destination, row: rowNames.count - 1))
        }
        for relationship in storedClass.relationships {
            guard case .pairs(let table, _, _) = relationship.storage, pairs.insert(table).inserted,
                schema.storedClass(named: relationship.destination) != nil
            else { continue }
            lines.append(Line(kind: .pairs, from: storedClass.name, to: relationship.destination))
        }
    }

    /// The class and property at which the lines of `toOne` begin, in their order.
    private var rowNames: [[String]] = []
    /// The tables of pairs that have a line: a relationship has one from either end.
    private var pairs: Set<String> = []

    private func rowIndex(of line: Line) -> Int? {
        guard let place = line.row else { return nil }
        return box(named: line.from)?.rows.firstIndex { $0.text == rowNames[place][1] && $0.isReference }
    }

    // MARK: Columns

    /// Which blocks lines lead between, by their places.
    private func neighbours(of blocks: [[Box]]) -> [Set<Int>] {
        var places: [String: Int] = [:]
        for (place, block) in blocks.enumerated() { for box in block { places[box.name] = place } }
        var related = Array(repeating: Set<Int>(), count: blocks.count)
        for line in lines {
            guard let from = places[line.from], let to = places[line.to], from != to else { continue }
            related[from].insert(to)
            related[to].insert(from)
        }
        return related
    }

    private static func arrange(_ blocks: inout [[Box]], related: [Set<Int>]) {
        let order = order(blocks.count, related)
        let heights = blocks.map { block in block.reduce(0) { $0 + $1.height + Metrics.gap } }
        // About as wide as a screen is to its height.
        let total = heights.reduce(0, +)
        let most = max(heights.max() ?? 0, (total * (Metrics.width + Metrics.columnGap) * 0.62).squareRoot())
        var column = 0
        var y = Metrics.margin
        var widths: [Double] = [Metrics.width]
        for place in order {
            if y > Metrics.margin, y + heights[place] > most {
                column += 1
                y = Metrics.margin
                widths.append(Metrics.width)
            }
            for index in blocks[place].indices {
                blocks[place][index].column = column
                blocks[place][index].y = y
                let indent = Double(blocks[place][index].depth) * Metrics.indent
                widths[column] = max(widths[column], Metrics.width + indent)
                y += blocks[place][index].height + (index + 1 < blocks[place].count ? 10 : Metrics.gap)
            }
        }
        var x = Metrics.margin
        let starts = widths.map { width in
            defer { x += width + Metrics.columnGap }
            return x
        }
        for place in blocks.indices {
            for index in blocks[place].indices {
                let indent = Double(blocks[place][index].depth) * Metrics.indent
                blocks[place][index].x = starts[blocks[place][index].column] + indent
                blocks[place][index].width = widths[blocks[place][index].column] - indent
            }
        }
    }

    /// From the block with most lines outwards, step by step; those without any line at the end.
    private static func order(_ count: Int, _ related: [Set<Int>]) -> [Int] {
        var order: [Int] = []
        var seen: Set<Int> = []
        let byLines = (0..<count).sorted { (related[$0].count, $1) > (related[$1].count, $0) }
        for start in byLines where seen.insert(start).inserted {
            var pending = [start]
            while !pending.isEmpty {
                let place = pending.removeFirst()
                order.append(place)
                let next = related[place].filter { !seen.contains($0) }.sorted {
                    (related[$0].count, $1) > (related[$1].count, $0)
                }
                seen.formUnion(next)
                pending += next
            }
        }
        return order
    }
}
