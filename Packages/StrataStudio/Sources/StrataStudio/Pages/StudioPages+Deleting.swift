import HTTPTypes
import Hummingbird
import StrataBrowsing

extension StudioPages {
    /// Asks whether the object is really meant.
    func deletion(of key: StoredKey, of className: String, in schema: StoredSchema) async throws -> Page {
        guard browser.allowsEdits else { return readsOnly(className, in: schema) }
        return try await deletionForm(of: key, of: className, in: schema)
    }

    /// Deletes the object, and shows the list; or asks again, with what is wrong.
    func delete(
        _ fields: FormFields, _ key: StoredKey, of className: String, in schema: StoredSchema
    ) async throws -> Response {
        guard browser.allowsEdits else { return readsOnly(className, in: schema).response(.forbidden) }
        guard let mark = fields["mark"] else {
            throw HTTPError(.badRequest, message: "The form does not say what was shown.")
        }
        do { try await browser.delete(key, of: className, mark: mark, in: schema) } catch let error as BrowsingError
            where error.code.isForTheForm
        {
            return try await deletionForm(of: key, of: className, in: schema, problem: error)
                .response(error.code.status)
        }
        return Response(status: .seeOther, headers: [.location: Route.objects(schema.name, className).path])
    }

    private func deletionForm(
        of key: StoredKey, of className: String, in schema: StoredSchema, problem: BrowsingError? = nil
    ) async throws -> Page {
        // The mark before what is shown: a change between the two is found out.
        guard let found = try await browser.object(key, of: className, in: schema),
            let mark = try await browser.mark(of: key, of: found.className, in: schema),
            let object = try await browser.object(key, of: found.className, in: schema)
        else { return deleted(key, of: className, in: schema) }
        let storedClass = try schema.requireClass(object.className)
        let properties = schema.properties(of: storedClass)
        let labels = try await self.labels(of: [object], properties, in: schema)
        return Page(
            "Delete \(object.className) \(key)", schema: schema.name,
            trail: trail(to: object.className, in: schema)
                + [("\(object.className) \(key)", .object(schema.name, object.className, key))]
        ) {
            if let problem { element("p", .class("problem"), Attribute("role", "alert")) { problem.description } }
            element("dl", .class("properties")) {
                for property in properties {
                    element("div") {
                        element("dt") { name(property.name) }
                        element("dd") { cell(property, of: object, labels, in: schema) }
                    }
                }
            }
            effects(on: storedClass, in: schema)
            element(
                "form", Attribute("method", "post"), .class("edit-form"),
                Attribute("action", Route.deletion(schema.name, object.className, key).path)
            ) {
                element("input", .type("hidden"), .name("mark"), .value(mark))
                element("div", .class("buttons")) {
                    element("button", .type("submit")) { "Delete it" }
                    link("Cancel", to: .object(schema.name, object.className, key))
                }
            }
        }
    }

    /// What becomes of those it leads to, and in turn of theirs.
    private func effects(on storedClass: StoredClass, in schema: StoredSchema) -> HTML {
        let keys = schema.properties(of: storedClass).compactMap { property in
            // The key of one that stays goes with the object: nothing to be told.
            property.whenDeleted.flatMap { [.deletes, .forbids].contains($0) ? (property.name, $0) : nil }
        }
        let tables = Set(schema.chain(of: storedClass).map(\.table))
        let others = schema.unknownReferences.filter { tables.contains($0.target) }
            .map { ("\($0.table).\($0.columns.joined(separator: ", "))", $0.whenDeleted) }
        let all = schema.relationships(of: storedClass).map { ($0.name, $0.whenDeleted) } + keys + others
        return HTML([
            element("p", .class("hint")) {
                schema.knowsDeleteRules
                    ? "What goes takes its own along in turn. It cannot be taken back."
                    : schema.source == .models || schema.source == .migrations
                        ? "The models do not know all that refers to objects here: there the foreign keys of the database say what becomes of others. It cannot be taken back."
                        : "The rules of the models are not known here: others do what the foreign keys of the database say. It cannot be taken back."
            },
            all.isEmpty
                ? HTML()
                : element("ul") {
                    for (relationship, effect) in all {
                        element("li") {
                            name(relationship)
                            ": \(Self.words(effect))"
                        }
                    }
                },
        ])
    }

    private static func words(_ effect: DeletionEffect) -> String {
        switch effect {
        case .deletes: "its objects are deleted too"
        case .leaves: "its objects stay, and lead to nothing"
        case .dangles: "its objects stay as they are"
        case .resets: "its objects stay, and lead to the default of their column"
        case .forbids: "there must be none"
        }
    }
}
