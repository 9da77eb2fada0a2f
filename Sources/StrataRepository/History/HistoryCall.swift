/// What files and programs tell the database to record; safe to repeat.
package enum HistoryCall: Hashable, Sendable {
    /// Records by this description from now on, whatever was recorded before.
    case describe(HistoryDescription)
    /// Records by what it will be with this change as well: the tables and columns of both versions. `nil` ends that.
    case expect(HistoryDifference?)
    /// Records by the description with this change from now on, and as well by what it will be with `next`.
    case follow(HistoryDifference, next: HistoryDifference? = nil)
    /// Fits the triggers to the tables and columns that are there now.
    case sync
    /// Tells consumers that values of these objects have changed without a record.
    case reset(entity: String)

    package func statement(in schemaName: String) -> String {
        let (function, arguments) = call
        let list = [SQLFragment.literal(schemaName)] + arguments
        let name = SQLFragment.quoted(LibrarySchema.name) + "." + SQLFragment.quoted("history_\(function)")
        return "SELECT \(name)(\(list.joined(separator: ", ")))"
    }

    /// The function's name without its prefix, and the arguments behind the schema's name.
    private var call: (String, [String]) {
        switch self {
        case .describe(let description): ("describe", [Self.quoted(description.readableJSON)])
        case .expect(let change): ("expect", change.map { [Self.quoted($0.readableJSON)] } ?? [])
        case .follow(let change, let next):
            ("follow", ([change] + (next.map { [$0] } ?? [])).map { Self.quoted($0.readableJSON) })
        case .sync: ("sync", [])
        case .reset(let entity): ("reset", [SQLFragment.literal(entity)])
        }
    }

    /// Whether a function of a trigger, by its name, records changes.
    package static func isTrigger(_ function: String) -> Bool { function.hasPrefix(triggerPrefix) }

    /// How the names of all triggers and of their functions begin.
    package static let triggerPrefix = "strata_history_"

    /// Over several lines as it is, where nothing in it looks like the end.
    private static func quoted(_ text: String) -> String {
        let tag = "$history$"
        guard text.contains("\n"), !text.contains(tag) else { return SQLFragment.literal(text) }
        return tag + text + tag
    }
}
