/// What files and programs tell the database to record; safe to repeat.
package enum HistoryCall: Hashable, Sendable {
    /// Records by this description from now on; by both while `next` is on its way.
    case describe(HistoryDescription, next: HistoryDescription? = nil)
    /// Fits the triggers to the tables and columns that are there now.
    case sync
    /// Tells consumers that values of these objects have changed without a record.
    case reset(entity: String)

    package func statement(in schemaName: String) -> String {
        let name = SQLFragment.literal(schemaName)
        switch self {
        case .describe(let current, let next):
            let descriptions = [current] + (next.map { [$0] } ?? [])
            let arguments = [name] + descriptions.map { Self.quoted($0.readableJSON) }
            return "SELECT \(Self.function("describe"))(\(arguments.joined(separator: ", ")))"
        case .sync: return "SELECT \(Self.function("sync"))(\(name))"
        case .reset(let entity): return "SELECT \(Self.function("reset"))(\(name), \(SQLFragment.literal(entity)))"
        }
    }

    /// Whether a function of a trigger, by its name, records changes.
    package static func isTrigger(_ function: String) -> Bool { function.hasPrefix(triggerPrefix) }

    /// How the names of all triggers and of their functions begin.
    package static let triggerPrefix = "strata_history_"

    private static func function(_ name: String) -> String {
        "\(SQLFragment.quoted(LibrarySchema.name)).\(SQLFragment.quoted("history_\(name)"))"
    }

    /// Over several lines as it is, where nothing in it looks like the end.
    private static func quoted(_ text: String) -> String {
        let tag = "$history$"
        return text.contains(tag) ? SQLFragment.literal(text) : tag + text + tag
    }
}
