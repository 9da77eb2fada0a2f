package import StrataRepository

/// What is known about where a script will run. The more is known, the fewer false alarms.
package struct LintTarget: Sendable {
    /// `server_version_num`: 150020.
    package var serverVersion: Int
    /// Rows by table, as PostgreSQL estimates them; what is not in here counts as large.
    package var rowEstimates: [String: Int]
    /// Up to this many rows a scan or a rewrite takes less than half a second.
    package var smallTable: Int
    /// The tables before the script, for old types and constraints.
    package var before: DatabaseDefinition?
    /// Tables with a trigger that records changes.
    package var historyTables: Set<String>
    /// Bodies of trigger functions by function, by table.
    package var triggerFunctions: [String: [String: String]]
    /// Domains with a constraint.
    package var domains: Set<String>
    /// Of the session that will run the script.
    package var timeZone: String
    /// In milliseconds.
    package var deadlockTimeout: Int
    /// Rules of level `off` that are wanted.
    package var optedIn: Set<LintRule>
    /// Rules that are not wanted.
    package var optedOut: Set<LintRule>

    package init(
        serverVersion: Int = 150_000, rowEstimates: [String: Int] = [:], smallTable: Int = 200_000,
        before: DatabaseDefinition? = nil, historyTables: Set<String> = [],
        triggerFunctions: [String: [String: String]] = [:], domains: Set<String> = [], timeZone: String = "UTC",
        deadlockTimeout: Int = 1000, optedIn: Set<LintRule> = [], optedOut: Set<LintRule> = []
    ) {
        self.serverVersion = serverVersion
        self.rowEstimates = rowEstimates
        self.smallTable = smallTable
        self.before = before
        self.historyTables = historyTables
        self.triggerFunctions = triggerFunctions
        self.domains = domains
        self.timeZone = timeZone
        self.deadlockTimeout = deadlockTimeout
        self.optedIn = optedIn
        self.optedOut = optedOut
    }
}
