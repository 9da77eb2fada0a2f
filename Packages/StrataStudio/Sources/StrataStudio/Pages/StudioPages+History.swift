import Hummingbird
import StrataBrowsing

extension StudioPages {
    func history(
        of key: StoredKey, of className: String, in schema: StoredSchema, before: HistoryPosition?
    ) async throws -> Page {
        let page = try await browser.history(of: key, of: className, in: schema, before: before)
        let changes = page.changes
        return Page(
            "History of \(className) \(key)", schema: schema.name,
            trail: trail(to: className, in: schema) + [("\(className) \(key)", .object(schema.name, className, key))],
            follows: before == nil ? Followed(schema: schema, classes: [className]) : nil
        ) {
            if changes.isEmpty {
                element("p") { "The history has nothing of this object: it is older, or its class is not recorded." }
            } else {
                element("p", .class("hint")) {
                    "The newest first, some 50 a page. Updates keep which properties were changed, and not what they were; deletions keep the values of properties that say so."
                }
                table(
                    "Changes", head: ["When", "What", "Properties", "Author", "User", "Program"],
                    rows: changes.map { change in
                        [moment(change.transaction.date), kind(change), what(change)] + who(change.transaction)
                    })
                if let next = page.next { nextForm(.history(schema.name, className, key)) { next.fields } }
            }
        }
    }

    func changes(_ schema: StoredSchema, before: HistoryPosition?) async throws -> Page {
        let page = try await browser.latestChanges(in: schema, before: before)
        let changes = page.changes
        return Page(
            "Changes", schema: schema.name, trail: [("Schemas", .home), (schema.name, .schema(schema.name))],
            follows: before == nil ? Followed(schema: schema, classes: schema.classes.map(\.name)) : nil
        ) {
            if changes.isEmpty {
                element("p") { "The schema has no history, or nothing was changed since it began." }
            } else {
                table(
                    "Latest changes", head: ["When", "What", "Object", "Properties", "Author", "User", "Program"],
                    rows: changes.map { change in
                        [moment(change.transaction.date), kind(change), subject(change, in: schema), what(change)]
                            + who(change.transaction)
                    })
                if let next = page.next { nextForm(.changes(schema.name)) { next.fields } }
            }
        }
    }

    private func subject(_ change: RecordedChange, in schema: StoredSchema) -> HTML {
        guard let key = change.key, schema.storedClass(named: change.className) != nil else {
            return name(change.className)
        }
        return link("\(change.className) \(key)", to: .object(schema.name, change.className, key))
    }

    private func kind(_ change: RecordedChange) -> HTML {
        let word =
            switch change.kind {
            case .insert: "created"
            case .update: "changed"
            case .delete: "deleted"
            case .reset: "values of the class changed"
            }
        return element("span", .class("tag")) { word }
    }

    private func what(_ change: RecordedChange) -> HTML {
        if change.preserved.isEmpty { return HTML(text: change.properties.joined(separator: ", ")) }
        return element("ul", .class("kept")) {
            for (property, text) in change.preserved.sorted(by: { $0.key < $1.key }) {
                element("li") {
                    name(property)
                    ": "
                    element("bdi", .class("value"), Attribute("dir", "auto")) { text }
                }
            }
        }
    }

    private func who(_ transaction: RecordedTransaction) -> [HTML] {
        [
            name(transaction.author ?? ""),
            name(transaction.actor + (transaction.role.map { " as \($0)" } ?? "")),
            name(transaction.application ?? ""),
        ]
    }
}

extension HistoryPosition {
    /// From the hidden fields of a form that asks for older changes; `nil` where it asks for the newest.
    init?(_ form: FormFields) throws {
        guard let text = form["transaction"] else { return nil }
        guard let transaction = UInt64(text), let number = form["change"].flatMap(Int64.init) else {
            throw HTTPError(.badRequest, message: "The form's page cannot be read.")
        }
        self.init(transaction: transaction, number: number)
    }

    /// The hidden fields.
    fileprivate var fields: [HTML] {
        [
            element("input", .type("hidden"), .name("transaction"), .value(String(transaction))),
            element("input", .type("hidden"), .name("change"), .value(String(number))),
        ]
    }
}
