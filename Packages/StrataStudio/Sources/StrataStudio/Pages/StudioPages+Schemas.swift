import StrataBrowsing

extension StudioPages {
    func home() async throws -> Page {
        let schemas = try await browser.schemas()
        return Page("Schemas") {
            element("p", .class("hint")) {
                browser.allowsEdits
                    ? "Edits are allowed. The history records them with the author “studio”."
                    : "The studio only reads: its sessions refuse to write."
            }
            if schemas.isEmpty { element("p") { "The database has no tables." } }
            for schema in schemas {
                element("section", .class("card")) {
                    element("h2") { HTML("a", [.href(.schema(schema.name))], [name(schema.name)]) }
                    element("p") { summary(schema) }
                    if !schema.classes.isEmpty {
                        element("ul", .class("chips")) {
                            for storedClass in schema.classes.prefix(40) {
                                element("li") { link(storedClass.name, to: .objects(schema.name, storedClass.name)) }
                            }
                            if schema.classes.count > 40 {
                                element("li") { link("\(schema.classes.count - 40) more", to: .schema(schema.name)) }
                            }
                        }
                    }
                }
            }
        }
    }

    private func summary(_ schema: StoredSchema) -> String {
        let tables = "\(schema.tables.count) table\(schema.tables.count == 1 ? "" : "s")"
        let count = "\(schema.classes.count) class\(schema.classes.count == 1 ? "" : "es")"
        return switch schema.source {
        case .models:
            "\(count) in \(tables), as the program's models say" + (schema.version.map { "; version \($0)" } ?? "")
        case .migrations:
            "\(count) in \(tables), as migrations have recorded them; version \(schema.version ?? "unknown")"
        case .history:
            "\(count) in \(tables), as the history describes them" + (schema.version.map { "; version \($0)" } ?? "")
        case .tables: "No store of Strata: \(tables), each with a whole number as its key shown as a class"
        }
    }

    func classes(_ schema: StoredSchema) -> Page {
        Page(
            schema.name, schema: schema.name, trail: [("Schemas", .home)],
            follows: Followed(schema: schema, classes: [])
        ) {
            element("p", .class("hint")) { summary(schema) }
            if !schema.classes.isEmpty {
                element("h2") { "Classes" }
                table(
                    "Classes", head: ["Class", "Table", "Rows", "Properties", "Leads to"],
                    rows: inTreeOrder(schema).map { storedClass, depth in row(storedClass, depth, schema) })
            }
            if !schema.otherTables.isEmpty {
                element("h2") { "Other tables" }
                element("p", .class("hint")) { "Pairs of relationships, and tables that no class lies in." }
                table(
                    "Other tables", head: ["Table", "Columns"],
                    rows: schema.otherTables.map { table in
                        [
                            code(table.name),
                            HTML([HTML(text: table.columns.map { "\($0.name) \($0.type)" }.joined(separator: ", "))]),
                        ]
                    })
            }
        }
    }

    /// Superclasses before their subclasses, these beneath them.
    private func inTreeOrder(_ schema: StoredSchema) -> [(StoredClass, Int)] {
        func branch(_ storedClass: StoredClass, _ depth: Int) -> [(StoredClass, Int)] {
            [(storedClass, depth)] + schema.children(of: storedClass).flatMap { branch($0, depth + 1) }
        }
        return schema.classes.filter { schema.chain(of: $0).count == 1 }.flatMap { branch($0, 0) }
    }

    private func row(_ storedClass: StoredClass, _ depth: Int, _ schema: StoredSchema) -> [HTML] {
        let destinations =
            storedClass.properties.compactMap(\.destination) + storedClass.relationships.map(\.destination)
        return [
            element("span", .class("tree")) {
                if depth > 0 { String(repeating: "\u{2003}", count: depth - 1) + "↳ " }
                link(storedClass.name, to: .objects(schema.name, storedClass.name))
                if storedClass.isAbstract { element("span", .class("tag")) { "abstract" } }
            },
            code(storedClass.table),
            HTML(text: estimate(storedClass.estimatedRows)),
            HTML(text: storedClass.properties.filter { $0.destination == nil }.map(\.name).joined(separator: ", ")),
            HTML(text: Set(destinations).sorted().joined(separator: ", ")),
        ]
    }
}
