import HTTPTypes
import Hummingbird
import StrataBrowsing

extension StudioPages {
    func creation(of className: String, in schema: StoredSchema) throws -> Page {
        guard browser.allowsEdits else { return readsOnly(className, in: schema) }
        return try creationForm(of: className, in: schema, nil, [:])
    }

    /// Makes an object of what the form has sent, and shows it; or the form again, with what is wrong.
    func create(_ fields: FormFields, of className: String, in schema: StoredSchema) async throws -> Response {
        guard browser.allowsEdits else { return readsOnly(className, in: schema).response(.forbidden) }
        let (names, sources, texts) = (fields.all("property"), fields.all("source"), fields.all("value"))
        guard names.count == sources.count, names.count == texts.count else {
            throw HTTPError(.badRequest, message: "The form has properties without a value.")
        }
        var written: [String: WrittenValue] = [:]
        for (place, name) in names.enumerated() {
            written[name] = WrittenValue(
                source: sources[place], text: LineBreaks.restored(texts[place], from: nil))
        }
        let properties = schema.properties(of: try schema.requireClass(className))
        let values = properties.compactMap { property in
            written[property.name]?.source(for: property).map { InitialValue(property: property.name, source: $0) }
        }
        do {
            let key = try await browser.create(
                values, key: fields["key"].flatMap { $0.isEmpty ? nil : StoredKey($0) }, of: className, in: schema)
            return Response(status: .seeOther, headers: [.location: Route.object(schema.name, className, key).path])
        } catch let error as BrowsingError where error.code.isForTheForm {
            return try creationForm(of: className, in: schema, fields["key"], written, problem: error)
                .response(error.code.status)
        }
    }

    private func creationForm(
        of className: String, in schema: StoredSchema, _ key: String?, _ written: [String: WrittenValue],
        problem: BrowsingError? = nil
    ) throws -> Page {
        let storedClass = try schema.requireClass(className)
        let properties = schema.properties(of: storedClass).filter(\.isEditable)
        return Page("New \(className)", schema: schema.name, trail: trail(to: className, in: schema)) {
            if let problem { element("p", .class("problem"), Attribute("role", "alert")) { problem.description } }
            element(
                "form", Attribute("method", "post"), .class("edit-form"),
                Attribute("action", Route.creation(schema.name, className).path)
            ) {
                if schema.asksForKey(of: storedClass) {
                    element("div") {
                        element("label", Attribute("for", "key")) { "key" }
                        element("input", .name("key"), Attribute("id", "key"), .value(key ?? ""))
                    }
                }
                for (place, property) in properties.enumerated() {
                    part(property, written[property.name] ?? WrittenValue(source: "", text: ""), place)
                }
                element("p", .class("hint")) {
                    "Types and constraints of the database are checked; rules and default values that only the models know are not."
                }
                element("div", .class("buttons")) {
                    element("button", .type("submit")) { "Make it" }
                    link("Cancel", to: .objects(schema.name, className))
                }
            }
        }
    }

    private func part(_ property: StoredProperty, _ written: WrittenValue, _ place: Int) -> HTML {
        element("div") {
            element("input", .type("hidden"), .name("property"), .value(property.name))
            element("label", Attribute("for", "value-\(place)")) {
                name(property.name)
                element("span", .class("type")) {
                    name(property.destination.map { "key of \($0)" } ?? property.valueType ?? property.type)
                }
            }
            field(property, written.text, id: "value-\(place)", nothing: property.nothing)
            if property.isOptional || property.hasDefault {
                element("select", .name("source"), .label("What \(property.name) is")) {
                    option("", "as written; nothing is \(property.nothing)", isChosen: written.source.isEmpty)
                    option("exactly", "exactly as written", isChosen: written.source == "exactly")
                    if property.isOptional { option("null", "NULL", isChosen: written.source == "null") }
                }
            } else {
                element("input", .type("hidden"), .name("source"), .value("exactly"))
            }
        }
    }
}

/// What a form has for a property of a new object.
private struct WrittenValue {
    let source: String
    let text: String

    /// `nil` for the column's default.
    func source(for property: StoredProperty) -> InitialValue.Source? {
        switch source {
        case "null": return .null
        case "exactly": return .text(text)
        default:
            if !text.isEmpty { return .text(text) }
            return property.hasDefault ? nil : .null
        }
    }
}

extension StoredProperty {
    /// What a field means in which nothing was written.
    fileprivate var nothing: String {
        hasDefault ? "the column's default" : isOptional ? "NULL" : "to be chosen"
    }
}
