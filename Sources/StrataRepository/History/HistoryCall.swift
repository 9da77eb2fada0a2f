/// The statements by which files and programs tell the database what to record; safe to repeat.
package enum HistoryCall {
    /// Records by this description from now on; by both while `next` is on its way.
    package static func describe(
        _ schemaName: String, _ current: HistoryDescription, next: HistoryDescription? = nil
    ) -> String {
        let descriptions = [current] + (next.map { [$0] } ?? [])
        let arguments = [SQLFragment.literal(schemaName)] + descriptions.map { quoted($0.readableJSON) }
        return "SELECT \(function("describe"))(\(arguments.joined(separator: ", ")))"
    }

    /// Fits the triggers to the tables and columns that are there now.
    package static func sync(_ schemaName: String) -> String {
        "SELECT \(function("sync"))(\(SQLFragment.literal(schemaName)))"
    }

    /// Tells consumers that values of these objects have changed without a record.
    package static func reset(_ schemaName: String, entity: String) -> String {
        "SELECT \(function("reset"))(\(SQLFragment.literal(schemaName)), \(SQLFragment.literal(entity)))"
    }

    /// Whether a statement is one of these: it reads and writes what is Strata's own, and touches no row of a model.
    package static func isOne(_ statement: String) -> Bool {
        ["describe", "sync", "reset"].contains { statement.hasPrefix("SELECT \(function($0))(") }
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
