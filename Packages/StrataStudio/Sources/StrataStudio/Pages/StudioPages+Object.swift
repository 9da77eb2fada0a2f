import StrataBrowsing

extension StudioPages {
    /// How many objects of a list an object's page shows.
    private static let shownRelated = 10

    func object(_ key: StoredKey, of className: String, in schema: StoredSchema) async throws -> Page {
        guard let object = try await browser.object(key, of: className, in: schema) else {
            return deleted(key, of: className, in: schema)
        }
        let storedClass = try schema.requireClass(object.className)
        let properties = schema.properties(of: storedClass)
        let labels = try await self.labels(of: [object], properties, in: schema)
        var lists: [HTML] = []
        for relationship in schema.relationships(of: storedClass) {
            lists.append(try await list(relationship, of: object, in: schema))
        }
        let label = schema.label(of: storedClass).flatMap { object.value(of: $0).text }
        return Page(
            label.map { String($0.prefix(80)) } ?? "\(object.className) \(key)", schema: schema.name,
            trail: trail(to: object.className, in: schema),
            follows: Followed(
                schema: schema,
                classes: [object.className]
                    + schema.relationships(of: storedClass).compactMap { schema.storedClass(named: $0.destination) }
                    .flatMap { family($0, in: schema) })
        ) {
            element("p", .class("hint")) {
                name(schema.chain(of: storedClass).map(\.name).joined(separator: " › "))
                " · key \(key) · "
                link("History", to: .history(schema.name, object.className, key))
                if browser.allowsEdits {
                    " · "
                    link("Delete", to: .deletion(schema.name, object.className, key))
                }
            }
            element("dl", .class("properties")) {
                for property in properties {
                    element("div") {
                        element("dt") {
                            name(property.name)
                            element("span", .class("type")) {
                                name(property.destination ?? property.valueType ?? property.type)
                            }
                        }
                        element("dd") {
                            cell(property, of: object, labels, in: schema)
                            if browser.allowsEdits && schema.isEditable(property, of: storedClass) {
                                link(
                                    "Edit", to: .property(schema.name, object.className, key, property.name),
                                    .class("edit"), .label("Edit \(property.name)"))
                            }
                        }
                    }
                }
            }
            lists
        }
    }

    func trail(to className: String, in schema: StoredSchema) -> [(String, Route)] {
        [
            ("Schemas", .home), (schema.name, .schema(schema.name)),
            (className, .objects(schema.name, className)),
        ]
    }

    /// Its history may still be there.
    func deleted(_ key: StoredKey, of className: String, in schema: StoredSchema) -> Page {
        Page("\(className) \(key)", schema: schema.name, trail: trail(to: className, in: schema)) {
            element("p", .class("problem")) { "There is no object of \(className) with this key." }
            element("p") { link("What the history has of it", to: .history(schema.name, className, key)) }
        }
    }

    private func list(
        _ relationship: StoredRelationship, of object: StoredObject, in schema: StoredSchema
    ) async throws -> HTML {
        let page = try await browser.related(
            to: object.key, by: relationship, in: schema, limit: Self.shownRelated)
        return element("section", .class("list")) {
            element("h2") {
                name(relationship.name)
                element("span", .class("type")) { name(relationship.destination) }
            }
            if page.objects.isEmpty { element("p", .class("hint")) { "None." } }
            links(page.objects, in: schema, isOrdered: relationship.position != nil)
            if page.next != nil {
                element("p") {
                    link("All of them", to: .related(schema.name, object.className, object.key, relationship.name))
                }
            }
        }
    }

    private func links(_ objects: [StoredObject], in schema: StoredSchema, isOrdered: Bool) -> HTML {
        let items = objects.map { object in
            let label = schema.storedClass(named: object.className).flatMap { schema.label(of: $0) }
            return element("li") {
                reference(
                    to: object.key, of: object.className, label.flatMap { object.value(of: $0).text }, in: schema)
            }
        }
        if items.isEmpty { return HTML() }
        return HTML(isOrdered ? "ol" : "ul", [Attribute("class", "objects")], items)
    }

    func related(
        to key: StoredKey, of className: String, by relationshipName: String, in schema: StoredSchema,
        after: PagePosition?
    ) async throws -> Page {
        let storedClass = try schema.requireClass(className)
        guard let relationship = schema.relationships(of: storedClass).last(where: { $0.name == relationshipName })
        else {
            return Page("Not found", schema: schema.name, trail: trail(to: className, in: schema)) {
                element("p") { "\(className) has no such relationship." }
            }
        }
        let page = try await browser.related(to: key, by: relationship, in: schema, after: after)
        return Page(
            relationship.name, schema: schema.name,
            trail: trail(to: className, in: schema) + [("\(className) \(key)", .object(schema.name, className, key))]
        ) {
            if page.objects.isEmpty { element("p") { "None." } }
            links(page.objects, in: schema, isOrdered: false)
            if let next = page.next {
                nextForm(.related(schema.name, className, key, relationship.name)) { next.fields }
            }
        }
    }
}
