import HTTPTypes
import Hummingbird
import StrataBrowsing

extension StudioPages {
    func property(_ propertyName: String, _ key: StoredKey, of className: String, in schema: StoredSchema) async throws
        -> Page
    {
        guard browser.allowsEdits else { return readsOnly(className, in: schema) }
        let value = try await browser.editableValue(of: propertyName, key: key, of: className, in: schema)
        return try form(propertyName, key, of: className, in: schema, mark: value.mark, written: value.text)
    }

    /// Stores what the form has sent, and shows the object; or the form again, with what is wrong, and what is stored now where that is it.
    func save(
        _ fields: FormFields, _ propertyName: String, _ key: StoredKey, of className: String, in schema: StoredSchema
    ) async throws -> Response {
        guard browser.allowsEdits else { return readsOnly(className, in: schema).response(.forbidden) }
        guard let mark = fields["mark"], let text = fields["value"] else {
            throw HTTPError(.badRequest, message: "The form has no value, or does not say what was shown.")
        }
        var value: String?
        if fields["null"] == nil {
            // When it is another than the one that was shown, nothing is stored.
            let before = try await browser.editableValue(of: propertyName, key: key, of: className, in: schema)
            value = LineBreaks.restored(text, from: before.text)
        }
        do {
            try await browser.save(
                PropertyEdit(className: className, key: key, property: propertyName, mark: mark, value: value),
                in: schema)
        } catch let error as BrowsingError where error.code == .conflict {
            let now = try await browser.editableValue(of: propertyName, key: key, of: className, in: schema)
            return try form(
                propertyName, key, of: className, in: schema, mark: now.mark, written: value, problem: error,
                stored: now
            ).response(error.code.status)
        } catch let error as BrowsingError where error.code.isForTheForm {
            // Still a change of the value that was shown: what somebody else has stored meanwhile was not.
            return try form(
                propertyName, key, of: className, in: schema, mark: mark, written: value, problem: error
            ).response(error.code.status)
        }
        return Response(status: .seeOther, headers: [.location: Route.object(schema.name, className, key).path])
    }

    func readsOnly(_ className: String, in schema: StoredSchema) -> Page {
        Page("Refused", schema: schema.name, trail: trail(to: className, in: schema)) {
            element("p", .class("problem")) {
                "This studio only reads. Start it with --allow-edits to change anything."
            }
        }
    }

    private func form(
        _ propertyName: String, _ key: StoredKey, of className: String, in schema: StoredSchema, mark: String,
        written: String?, problem: BrowsingError? = nil, stored: EditableValue? = nil
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
            if let stored {
                element("p") { "Stored is now:" }
                element("blockquote") { shown(stored.text) }
                element("p") { "Saving below replaces it." }
            }
            element(
                "form", Attribute("method", "post"), .class("edit-form"),
                Attribute("action", Route.property(schema.name, className, key, propertyName).path)
            ) {
                element("input", .type("hidden"), .name("mark"), .value(mark))
                element("label", Attribute("for", "value")) {
                    name(propertyName)
                    element("span", .class("type")) { name(property.type) }
                }
                field(property, written, id: "value")
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

    /// The field for a property's value; with a choice of none where `nothing` says what that means.
    func field(_ property: StoredProperty, _ written: String?, id: String, nothing: String? = nil) -> HTML {
        let known = property.cases ?? (property.type == "boolean" ? ["true", "false"] : nil)
        if let known {
            let all =
                known + [written].compactMap { text in text.flatMap { known.contains($0) || $0.isEmpty ? nil : $0 } }
            return element("select", .name("value"), .id(id)) {
                if let nothing { option("", nothing, isChosen: written?.isEmpty != false) }
                for text in all { option(text, text, isChosen: text == written) }
            }
        }
        // A line of a form has no line breaks.
        let hasLines = written?.unicodeScalars.contains { $0 == "\n" || $0 == "\r" } == true
        guard hasLines || ["text", "varchar", "json", "jsonb"].contains(property.type) else {
            return element(
                "input", .type("text"), .name("value"), .id(id), .value(written ?? ""), Attribute("autocomplete", "off")
            )
        }
        return element(
            "textarea", .name("value"), .id(id), Attribute("rows", nothing == nil ? "8" : "2"),
            Attribute("dir", "auto"),
            Attribute("spellcheck", "false")
        ) { written ?? "" }
    }
}

extension BrowsingError.Code {
    /// Whether the form comes back with what is wrong, to be mended.
    var isForTheForm: Bool { self == .conflict || self == .invalidValue || self == .refused }
}
