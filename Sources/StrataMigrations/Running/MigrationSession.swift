/// A session of the server that is in the way: it holds the runner lock, or a lock on a table.
package struct MigrationSession: Hashable, Sendable, CustomStringConvertible {
    /// `nil` for a prepared transaction, which has no session any more.
    package var pid: Int32?
    package var user: String?
    package var application: String?
    /// `nil` for a connection over a socket of the same machine.
    package var host: String?
    /// `active`, `idle in transaction` …
    package var state: String?
    /// The beginning of its latest statement.
    package var query: String?
    /// For the runner lock, how long the session exists; for a lock on a table, how long its transaction does.
    package var age: Duration?

    package init(
        pid: Int32?, user: String? = nil, application: String? = nil, host: String? = nil, state: String? = nil,
        query: String? = nil, age: Duration? = nil
    ) {
        self.pid = pid
        self.user = user
        self.application = application
        self.host = host
        self.state = state
        self.query = query
        self.age = age
    }

    /// `pid 8123 (app@10.0.0.7, "reports"), idle in transaction for 4 s: SELECT …`
    package var description: String {
        var text = pid.map { "pid \($0)" } ?? "a prepared transaction"
        let place = [user, host].compactMap { $0 }.joined(separator: "@")
        let who = [place, application.flatMap { $0.isEmpty ? nil : "\"\($0)\"" } ?? ""].filter { !$0.isEmpty }
        if !who.isEmpty { text += " (\(who.joined(separator: ", ")))" }
        if let state { text += ", \(state)" }
        if let age { text += " for \(age.components.seconds) s" }
        if let query, !query.isEmpty { text += ": \(query)" }
        return text
    }
}
