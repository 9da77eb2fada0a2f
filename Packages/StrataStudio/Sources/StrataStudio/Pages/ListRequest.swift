import Foundation
import Hummingbird
import StrataBrowsing

/// What a list of objects is asked for: conditions and a page.
struct ListRequest: Sendable {
    var filters: [PropertyFilter] = []
    var after: PagePosition?

    init() {}

    /// From the form of a list: three fields a condition, in their order. A condition without a property is none.
    init(_ form: FormFields) throws {
        let (properties, operators, values) = (form.all("property"), form.all("operator"), form.all("value"))
        guard properties.count == operators.count, properties.count == values.count else {
            throw HTTPError(.badRequest, message: "The form has conditions without an operator or a value.")
        }
        for (place, property) in properties.enumerated() where !property.isEmpty {
            guard let comparison = PropertyFilter.Operator(rawValue: operators[place]) else {
                throw HTTPError(.badRequest, message: "The form has an operator that the studio does not know.")
            }
            filters.append(PropertyFilter(property: property, comparison: comparison, value: values[place]))
        }
        after = try PagePosition(form)
    }
}

extension PagePosition {
    /// From the hidden fields of a form that asks for the next page; `nil` where it asks for the first.
    init?(_ form: FormFields) throws {
        guard let text = form["after"] else { return nil }
        guard let key = text.removingPercentEncoding.flatMap({ StoredKey($0) }) else {
            throw HTTPError(.badRequest, message: "The form's page cannot be read.")
        }
        self.init(key: key, position: form["position"].flatMap(Int64.init))
    }

    /// The hidden fields. The key is encoded as in an address: a browser would send another line break than a text has.
    var fields: [HTML] {
        var fields = [element("input", .type("hidden"), .name("after"), .value(Route.encoded(String(key))))]
        if let position {
            fields.append(element("input", .type("hidden"), .name("position"), .value(String(position))))
        }
        return fields
    }
}
