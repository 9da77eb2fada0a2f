/// What one description says otherwise than another: the classes, properties and links that a statement of a migration names.
///
/// `strata.history_changed` applies it. What is named is stated, not computed from what was there: applied twice it gives the
/// same, and a part that is gone already may be named as gone.
package struct HistoryDifference: Hashable, Sendable {
    private typealias Entity = HistoryDescription.Entity
    private typealias Property = HistoryDescription.Property

    /// `nil` for a class that is no longer recorded.
    private let entities: [String: HistoryChange?]
    /// `nil` for a table that holds no links any more.
    private let links: [String: [HistoryDescription.Side]?]

    /// What makes `new` of `old`.
    package init(from old: HistoryDescription, to new: HistoryDescription) {
        entities = Self.changed(old.entities, new.entities, by: \.name) { HistoryChange(from: $0, to: $1) }
        links = Self.changed(old.links, new.links, by: \.table) { $1.sides }
    }

    package var isEmpty: Bool { entities.isEmpty && links.isEmpty }

    /// JSON for people: one line where it fits, else a paragraph for each class.
    package var readableJSON: String {
        let classes = entities.sorted { $0.key < $1.key }.map { name, change in
            JSONText.member(name, change.map { .members($0.members) } ?? .plain("null"))
        }
        let tables = links.sorted { $0.key < $1.key }.map { name, sides in
            JSONText.member(name, .plain(sides.map { HistoryDescription.text($0) } ?? "null"))
        }
        var parts: [JSONText] = []
        if !classes.isEmpty { parts.append(.member("entities", .members(classes))) }
        if !tables.isEmpty { parts.append(.member("links", .members(tables))) }
        return JSONText.members(parts).text
    }

    /// By name: those that are new or differ, and `nil` for those that are gone.
    fileprivate static func changed<Part: Equatable, Change>(
        _ old: [Part], _ new: [Part], by name: KeyPath<Part, String>, _ change: (Part?, Part) -> Change
    ) -> [String: Change?] {
        let before = Dictionary(old.map { ($0[keyPath: name], $0) }) { first, _ in first }
        var changes: [String: Change?] = [:]
        for part in old { changes[part[keyPath: name]] = .some(nil) }
        for part in new {
            let key = part[keyPath: name]
            if before[key] == part { changes[key] = nil } else { changes[key] = .some(change(before[key], part)) }
        }
        return changes
    }
}

/// What a class has otherwise than before: everything of a new one.
private struct HistoryChange: Hashable, Sendable {
    /// Without its properties: what is as before is `nil` here, and what is gone is `.some(nil)`.
    let was: [String]??
    let parent: String??
    let table: String?
    let `class`: String??
    let classes: [String]?
    /// `nil` for a property that is gone.
    let properties: [String: HistoryDescription.Property?]

    init(from old: HistoryDescription.Entity?, to new: HistoryDescription.Entity) {
        func optional<Value: Equatable>(_ before: Value?, _ now: Value?) -> Value?? {
            before == now ? nil : .some(now)
        }
        let former = { (names: [String]) in names.isEmpty ? nil : names }
        was = optional(old.flatMap { former($0.was) }, former(new.was))
        parent = optional(old?.parent, new.parent)
        table = old?.table == new.table ? nil : new.table
        `class` = optional(old?.class, new.class)
        classes = old?.classes == new.classes ? nil : new.classes
        properties = HistoryDifference.changed(old?.properties ?? [], new.properties, by: \.name) { $1 }
    }

    var members: [JSONText] {
        func plain(_ name: String, _ value: (some Encodable)??) -> JSONText? {
            value.map { .member(name, .plain($0.map { HistoryDescription.text($0) } ?? "null")) }
        }
        let own = [
            plain("was", was), plain("parent", parent), plain("table", table.map { .some($0) }),
            plain("class", `class`), plain("classes", classes.map { .some($0) }),
        ].compactMap(\.self)
        let parts = properties.sorted { $0.key < $1.key }.map { name, property in
            JSONText.member(name, .plain(property.map { $0.changeText } ?? "null"))
        }
        return own + (parts.isEmpty ? [] : [.member("properties", .members(parts))])
    }
}

extension HistoryDescription.Property {
    /// Its column alone, where there is nothing else to say.
    fileprivate var changeText: String {
        if let column, was.isEmpty, !external, !preserved { return HistoryDescription.text(column) }
        var parts: [String] = []
        if let column { parts.append("\"column\": " + HistoryDescription.text(column)) }
        if let columns { parts.append("\"columns\": " + HistoryDescription.text(columns)) }
        if external { parts.append("\"external\": true") }
        if preserved { parts.append("\"preserved\": true") }
        if !was.isEmpty { parts.append("\"was\": " + HistoryDescription.text(was)) }
        return "{" + parts.joined(separator: ", ") + "}"
    }
}
