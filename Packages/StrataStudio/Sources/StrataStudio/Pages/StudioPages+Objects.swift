import StrataBrowsing

extension StudioPages {
    /// How many properties a list has columns for.
    private static let listedProperties = 8

    func objects(of className: String, in schema: StoredSchema, _ request: ListRequest) async throws -> Page {
        let storedClass = try schema.requireClass(className)
        let columns = listed(storedClass, in: schema)
        let outcome = try await matching(className, in: schema, request, columns)
        let page = try? outcome.get()
        let found = page?.objects ?? []
        let labels = try await self.labels(of: found, columns, in: schema)
        let hasSubclasses = !schema.children(of: storedClass).isEmpty
        let count = page != nil ? try await counted(className, in: schema, request.filters) : nil
        return Page(
            className, schema: schema.name, trail: [("Schemas", .home), (schema.name, .schema(schema.name))],
            follows: request.filters.isEmpty && request.after == nil
                ? Followed(schema: schema, classes: family(storedClass, in: schema)) : nil
        ) {
            filterForm(storedClass, in: schema, request.filters)
            if case .failure(let problem) = outcome {
                element("p", .class("problem"), Attribute("role", "alert")) { problem.description }
            }
            element("p", .class("hint")) {
                if let count { count }
                if browser.allowsEdits && !storedClass.isAbstract {
                    " · "
                    link("New \(className)", to: .creation(schema.name, className))
                }
            }
            if found.isEmpty {
                if page != nil { element("p") { "No objects." } }
            } else {
                table(
                    "Objects of \(className)",
                    head: ["Key"] + (hasSubclasses ? ["Class"] : []) + columns.map(\.name),
                    rows: found.map { object in
                        [link(object.key.description, to: .object(schema.name, object.className, object.key))]
                            + (hasSubclasses ? [name(object.className)] : [])
                            + columns.map { cell($0, of: object, labels, in: schema) }
                    })
            }
            if let next = page?.next {
                nextForm(.objects(schema.name, className)) { conditionFields(request.filters) + next.fields }
            }
        }
    }

    /// The page; or what is wrong with the conditions: their form stays, to be mended.
    private func matching(
        _ className: String, in schema: StoredSchema, _ request: ListRequest, _ columns: [StoredProperty]
    ) async throws -> Result<ObjectPage, BrowsingError> {
        do {
            return .success(
                try await browser.objects(
                    of: className, in: schema, where: request.filters, properties: columns, after: request.after))
        } catch let error as BrowsingError where error.code == .invalidValue || error.code == .timeout {
            return .failure(error)
        }
    }

    private func counted(
        _ className: String, in schema: StoredSchema, _ filters: [PropertyFilter]
    ) async throws -> String? {
        do {
            let limit = 10_000
            let count = try await browser.count(of: className, in: schema, where: filters, limit: limit)
            return count >= limit ? "More than \(limit) objects" : "\(count) object\(count == 1 ? "" : "s")"
        } catch let error as BrowsingError where error.code == .timeout {
            return "Counting the objects took too long."
        }
    }

    /// The class and its subclasses, whose changes change its list.
    func family(_ storedClass: StoredClass, in schema: StoredSchema) -> [String] {
        [storedClass.name] + schema.children(of: storedClass).flatMap { family($0, in: schema) }
    }

    /// What people know the object by first, and nothing that fills a cell.
    private func listed(_ storedClass: StoredClass, in schema: StoredSchema) -> [StoredProperty] {
        let all = schema.properties(of: storedClass)
        let label = schema.label(of: storedClass)
        let short = all.filter { property in
            let isLong = property.destination == nil && ["bytea", "jsonb", "json"].contains(property.type)
            return !isLong && !property.isExternal && property != label
        }
        return Array(((label.map { [$0] } ?? []) + short).prefix(Self.listedProperties))
    }

    /// The names of the objects that properties lead to, by class.
    func labels(
        of objects: [StoredObject], _ properties: [StoredProperty], in schema: StoredSchema
    ) async throws -> [String: [StoredKey: String]] {
        var keys: [String: Set<StoredKey>] = [:]
        for property in properties {
            guard let destination = property.destination else { continue }
            keys[destination, default: []].formUnion(
                objects.compactMap { $0.value(of: property).text.flatMap { StoredKey($0) } })
        }
        var labels: [String: [StoredKey: String]] = [:]
        for (destination, keys) in keys where schema.storedClass(named: destination) != nil {
            labels[destination] = try await browser.labels(of: keys, of: destination, in: schema)
        }
        return labels
    }

    func cell(
        _ property: StoredProperty, of object: StoredObject, _ labels: [String: [StoredKey: String]],
        in schema: StoredSchema
    ) -> HTML {
        let value = object.value(of: property)
        guard let destination = property.destination, schema.storedClass(named: destination) != nil,
            let key = value.text.flatMap({ StoredKey($0) })
        else { return stored(value, type: property.type) }
        return reference(to: key, of: destination, labels[destination]?[key], in: schema)
    }

    func reference(to key: StoredKey, of className: String, _ label: String?, in schema: StoredSchema) -> HTML {
        HTML(
            "a", [.href(.object(schema.name, className, key))],
            [
                label.map { label in element("bdi", Attribute("dir", "auto")) { label } }
                    ?? HTML(text: "\(className) \(key)")
            ])
    }

    func nextForm(_ route: Route, fields: () -> [HTML]) -> HTML {
        element("form", Attribute("method", "post"), Attribute("action", route.path), .class("next")) {
            fields()
            element("button", .type("submit")) { "Next page" }
        }
    }

    // MARK: Conditions

    private func conditionFields(_ filters: [PropertyFilter]) -> [HTML] {
        filters.flatMap { filter in
            [
                element("input", .type("hidden"), .name("property"), .value(filter.property)),
                element("input", .type("hidden"), .name("operator"), .value(filter.comparison.rawValue)),
                element("input", .type("hidden"), .name("value"), .value(filter.value)),
            ]
        }
    }

    /// One row for each condition, and an empty one.
    private func filterForm(_ storedClass: StoredClass, in schema: StoredSchema, _ filters: [PropertyFilter]) -> HTML {
        let properties = schema.properties(of: storedClass)
        return element(
            "form", Attribute("method", "post"), .class("filter"),
            Attribute("action", Route.objects(schema.name, storedClass.name).path)
        ) {
            element("fieldset") {
                element("legend") { "Objects for which all of this is true" }
                for (place, filter) in (filters.map(Optional.some) + [nil]).enumerated() {
                    element("div", .class("condition"), Attribute("role", "group"), .label("Condition \(place + 1)")) {
                        element("select", .name("property"), .label("Property")) {
                            element("option", .value("")) { filter == nil ? "Add a condition …" : "Remove" }
                            for property in properties {
                                option(property.name, property.name, isChosen: property.name == filter?.property)
                            }
                        }
                        element("select", .name("operator"), .label("Operator")) {
                            for comparison in PropertyFilter.Operator.allCases {
                                option(
                                    comparison.rawValue, comparison.words, isChosen: comparison == filter?.comparison)
                            }
                        }
                        element(
                            "input", .type("text"), .name("value"), .label("Value"), .value(filter?.value ?? ""),
                            Attribute("autocomplete", "off"), Attribute("dir", "auto"),
                            Attribute("placeholder", "value"))
                    }
                }
                element("div", .class("buttons")) {
                    element("button", .type("submit")) { "Apply" }
                    if !filters.isEmpty { link("Show all", to: .objects(schema.name, storedClass.name)) }
                }
            }
        }
    }
}

func option(_ value: String, _ text: String, isChosen: Bool) -> HTML {
    HTML("option", [.value(value)] + (isChosen ? [Attribute("selected")] : []), [HTML(text: text)])
}

extension PropertyFilter.Operator {
    /// What people call it.
    fileprivate var words: String {
        switch self {
        case .equal: "="
        case .notEqual: "≠"
        case .less: "<"
        case .lessOrEqual: "≤"
        case .greater: ">"
        case .greaterOrEqual: "≥"
        case .contains: "contains"
        case .begins: "begins with"
        case .isNull: "is NULL"
        case .isNotNull: "is not NULL"
        }
    }
}
