import StrataBrowsing

extension SchemaPicture {
    /// The picture as SVG. Its boxes are links; colours come from the studio's style.
    func html(_ schema: StoredSchema) -> HTML {
        element(
            "svg", Attribute("xmlns", "http://www.w3.org/2000/svg"), Attribute("role", "group"),
            .label("Classes of \(schema.name)"), Attribute("width", Self.number(width)),
            Attribute("height", Self.number(height)),
            Attribute("viewBox", "0 0 \(Self.number(width)) \(Self.number(height))"), .class("picture")
        ) {
            element("defs") {
                marker("arrow", "M0,0 L8,4 L0,8")
                marker("triangle", "M0,0 L10,5 L0,10 Z")
            }
            for line in lines { curve(line) }
            for box in boxes { drawing(box, schema) }
        }
    }

    private func marker(_ id: String, _ path: String) -> HTML {
        element(
            "marker", .id(id), Attribute("viewBox", "0 0 10 10"), Attribute("refX", id == "arrow" ? "8" : "10"),
            Attribute("refY", id == "arrow" ? "4" : "5"), Attribute("markerWidth", "9"), Attribute("markerHeight", "9"),
            Attribute("orient", "auto-start-reverse")
        ) { element("path", Attribute("d", path), .class("marker")) }
    }

    private func drawing(_ box: Box, _ schema: StoredSchema) -> HTML {
        element("a", .href(.objects(schema.name, box.name)), Attribute("data-box", box.name)) {
            element("title") { "\(box.name), table \(box.table)" }
            element(
                "rect", Attribute("x", Self.number(box.x)), Attribute("y", Self.number(box.y)),
                Attribute("width", Self.number(box.width)), Attribute("height", Self.number(box.height)),
                Attribute("rx", "7"), .class("box"))
            text(box.name + (box.isAbstract ? " (abstract)" : ""), box.x + 12, box.y + 20, .class("name"), most: 26)
            text(box.table, box.x + 12, box.y + 35, .class("table"), most: 34)
            for (place, row) in box.rows.enumerated() {
                let y = box.y + Metrics.head + Double(place) * Metrics.row + 13
                text(row.text, box.x + 12, y, row.isReference ? .class("row reference") : .class("row"), most: 20)
                text(row.type, box.x + box.width - 12, y, .class("row type"), most: 16)
            }
            if box.omitted > 0 {
                text(
                    "\(box.omitted) more propert\(box.omitted == 1 ? "y" : "ies")", box.x + 12,
                    box.y + Metrics.head + Double(box.rows.count) * Metrics.row + 13, .class("row type start"), most: 30
                )
            }
        }
    }

    private func text(_ text: String, _ x: Double, _ y: Double, _ style: Attribute, most: Int) -> HTML {
        element("text", Attribute("x", Self.number(x)), Attribute("y", Self.number(y)), style) {
            text.count > most ? text.prefix(most - 1) + "…" : text
        }
    }

    private func curve(_ line: Line) -> HTML {
        guard let from = box(named: line.from), let to = box(named: line.to) else { return HTML() }
        let attributes = [Attribute("data-from", line.from), Attribute("data-to", line.to)]
        if line.kind == .subclass {
            // Up from the subclass's left side to beneath the superclass.
            let (x, y) = (to.x + Metrics.indent / 2, from.y + Metrics.head / 2)
            let path =
                "M\(Self.number(from.x)),\(Self.number(y)) H\(Self.number(x)) V\(Self.number(to.y + to.height + 1))"
            return HTML(
                "path",
                attributes + [
                    Attribute("d", path), Attribute("class", "line subclass"),
                    Attribute("marker-end", "url(#triangle)"),
                ], [])
        }
        let y1 = from.y + (line.row.map { Metrics.head + (Double($0) + 0.5) * Metrics.row } ?? Metrics.head / 2)
        let y2 = to.y + Metrics.head / 2
        let (x1, x2, bend): (Double, Double, Double)
        if to.column > from.column {
            (x1, x2, bend) = (from.x + from.width, to.x, 1)
        } else if to.column < from.column {
            (x1, x2, bend) = (from.x, to.x + to.width, -1)
        } else {
            (x1, x2, bend) = (from.x + from.width, to.x + to.width, 0)
        }
        let reach = bend == 0 ? min(70, 24 + abs(y2 - y1) / 12) : max(40, abs(x2 - x1) / 2)
        let (c1, c2) = bend == 0 ? (x1 + reach, x2 + reach) : (x1 + bend * reach, x2 - bend * reach)
        let path =
            "M\(Self.number(x1)),\(Self.number(y1)) C\(Self.number(c1)),\(Self.number(y1)) \(Self.number(c2)),\(Self.number(y2)) \(Self.number(x2)),\(Self.number(y2))"
        let ends =
            [Attribute("marker-end", "url(#arrow)")]
            + (line.kind == .pairs ? [Attribute("marker-start", "url(#arrow)")] : [])
        return HTML(
            "path",
            attributes + [Attribute("d", path), Attribute("class", line.kind == .pairs ? "line pairs" : "line")] + ends,
            [])
    }

    private static func number(_ value: Double) -> String { String(Int(value.rounded())) }
}

extension StudioPages {
    func picture(_ schema: StoredSchema) -> Page {
        Page("Picture", schema: schema.name, trail: [("Schemas", .home), (schema.name, .schema(schema.name))]) {
            if schema.classes.isEmpty {
                element("p") { "The schema has no classes." }
            } else {
                element("p", .class("hint")) {
                    "Subclasses stand beneath their superclass. A line leads from a property to the class it refers to; a dashed one stands for a table of pairs. The same in words is on "
                    link("the list of classes", to: .schema(schema.name))
                    "."
                }
                element(
                    "div", .class("scroll drawing"), Attribute("tabindex", "0"), Attribute("role", "region"),
                    .label("Picture of the schema")
                ) {
                    SchemaPicture(schema).html(schema)
                }
            }
        }
    }
}
