import HTTPTypes
import Hummingbird
import StrataBrowsing

extension StudioPages {
    func property(_ propertyName: String, _ key: Int64, of className: String, in schema: StoredSchema) async throws
        -> Page
    {
        guard browser.allowsEdits else { return readsOnly(className, in: schema) }
        let value = try await browser.editableValue(of: propertyName, key: key, of: className, in: schema)
        return try form(propertyName, key, of: className, in: schema, stored: value, written: value.text)
    }

    /// Stores what the form has sent, and shows the object; or the form again, with what is wrong and what is stored now.
    func save(
        _ fields: FormFields, _ propertyName: String, _ key: Int64, of className: String, in schema: StoredSchema
    ) async throws -> Response {
        guard browser.allowsEdits else { return readsOnly(className, in: schema).response(.forbidden) }
        guard let mark = fields["mark"], let text = fields["value"] else {
            throw HTTPError(.badRequest, message: "The form has no value, or does not say what was shown.")
        }
        // A browser sends each line break as CR LF, whatever the text had.
        let isNull = fields["null"] != nil
        let value = isNull ? nil : fields["lines"] == "crlf" ? text : text.replacing("\r\n", with: "\n")
        do {
            try await browser.save(
                PropertyEdit(className: className, key: key, property: propertyName, mark: mark, value: value),
                in: schema)
        } catch let error as BrowsingError where error.code.isForTheForm {
            let now = try await browser.editableValue(of: propertyName, key: key, of: className, in: schema)
            return try form(
                propertyName, key, of: className, in: schema, stored: now, written: value, problem: error
            ).response(error.code.status)
        }
        return Response(status: .seeOther, headers: [.location: Route.object(schema.name, className, key).path])
    }

    private func readsOnly(_ className: String, in schema: StoredSchema) -> Page {
        Page("Refused", schema: schema.name, trail: trail(to: className, in: schema)) {
            element("p", .class("problem")) { "This studio only reads. Start it with --allow-edits to change values." }
        }
    }

    private func form(
        _ propertyName: String, _ key: Int64, of className: String, in schema: StoredSchema, stored: EditableValue,
        written: String?, problem: BrowsingError? = nil
    ) throws -> Page {
        let storedClass = try schema.requireClass(className)
        guard let property = schema.properties(of: storedClass).last(where: { $0.name == propertyName }) else {
            return Page("Not found", schema: schema.name) { element("p") { "\(className) has no such property." } }
        }
        return Page(
            "Edit \(propertyName)", schema: schema.name,
            trail: trail(to: className, in: schema) + [("\(className) \(key)", .object(schema.name, className, key))]
        ) {
            if let problem { element("p", .class("problem"), Attribute("role", "alert")) { problem.description } }
            if let problem, problem.code == .conflict {
                element("p") { "Stored is now:" }
                element("blockquote") { shown(stored.text) }
                element("p") { "Saving below replaces it." }
            }
            element(
                "form", Attribute("method", "post"), .class("edit-form"),
                Attribute("action", Route.property(schema.name, className, key, propertyName).path)
            ) {
                element("input", .type("hidden"), .name("mark"), .value(stored.mark))
                if written?.contains("\r\n") == true {
                    element("input", .type("hidden"), .name("lines"), .value("crlf"))
                }
                element("label", Attribute("for", "value")) {
                    name(propertyName)
                    element("span", .class("type")) { name(property.type) }
                }
                field(property, written)
                if property.isOptional {
                    element("label", .class("check")) {
                        HTML(
                            "input",
                            [.type("checkbox"), .name("null"), .value("yes")]
                                + (written == nil ? [Attribute("checked")] : []), [])
                        "NULL: no value, whatever stands above"
                    }
                }
                element("p", .class("hint")) {
                    "Types and constraints of the database are checked; rules that only the models know are not."
                }
                element("div", .class("buttons")) {
                    element("button", .type("submit")) { "Save" }
                    link("Cancel", to: .object(schema.name, className, key))
                }
            }
        }
    }

    private func shown(_ text: String?) -> HTML {
        guard let text else { return element("span", .class("null")) { "NULL" } }
        return element("bdi", .class("value"), Attribute("dir", "auto")) { text }
    }

    private func field(_ property: StoredProperty, _ written: String?) -> HTML {
        if let cases = property.cases {
            let all = cases + [written].compactMap { text in text.flatMap { cases.contains($0) ? nil : $0 } }
            return element("select", .name("value"), .id("value")) {
                for text in all { option(text, text, isChosen: text == written) }
            }
        }
        switch property.type {
        case "boolean":
            return element("select", .name("value"), .id("value")) {
                for text in ["true", "false"] { option(text, text, isChosen: text == written) }
            }
        case "text", "varchar", "json", "jsonb":
            return element(
                "textarea", .name("value"), .id("value"), Attribute("rows", "8"), Attribute("dir", "auto"),
                Attribute("spellcheck", "false")
            ) { written ?? "" }
        default:
            return element(
                "input", .type("text"), .name("value"), .id("value"), .value(written ?? ""),
                Attribute("autocomplete", "off"))
        }
    }
}

extension BrowsingError.Code {
    /// Whether the form comes back with what is wrong, to be mended.
    fileprivate var isForTheForm: Bool { self == .conflict || self == .invalidValue || self == .refused }
}
