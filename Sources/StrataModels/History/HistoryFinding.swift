/// Something that keeps a store's changes from being recorded, as `ModelContainer.verifyHistory()` reports it.
public struct HistoryFinding: Hashable, Sendable, CustomStringConvertible {
    /// What is wrong.
    public enum Problem: String, Hashable, Sendable {
        /// The store's tables have no history: they were made before there was one, or by somebody else.
        case undescribed
        /// The database lacks the history's own tables and functions, or has those of an older release.
        case outdated
        /// The role may not look at the history.
        case unreadable
        /// A trigger or a function is not there.
        case missing
        /// A trigger is switched off.
        case disabled
        /// A trigger or a function is not the one that the tables and the models ask for.
        case stale
        /// A trigger function belongs to a role that has nothing to do with its table's owner.
        case foreign
        /// A trigger function's owner may not write the history: every change of the table fails.
        case powerless
        /// A trigger of the history on a table that is not recorded.
        case superfluous
        /// The sequence that numbers the changes hands out numbers in advance, so they say nothing about the order.
        case cached
        /// The history comes from another server, timeline or database, and cannot begin a generation of its own here while
        /// transactions are open that began to write before. Changes are recorded; reading what is new has to wait.
        case pending
        /// A problem that the functions of a newer release report and this release does not know; ``HistoryFinding/name`` ends with the word.
        case unknown
    }

    /// The PostgreSQL schema that holds the store's tables.
    public let schemaName: String
    /// The table; `nil` when the problem is not about one.
    public let table: String?
    /// The trigger, the function or the sequence.
    public let name: String
    /// What is wrong with it.
    public let problem: Problem

    /// A problem as the database calls it.
    package init(schemaName: String, table: String?, name: String, reported word: String) {
        let known = Problem(rawValue: word)
        self.init(
            schemaName: schemaName, table: table, name: known == nil ? "\(name) (\(word))" : name,
            problem: known ?? .unknown)
    }

    package init(schemaName: String, table: String?, name: String, problem: Problem) {
        self.schemaName = schemaName
        self.table = table
        self.name = name
        self.problem = problem
    }

    /// One line: where, what, and what to do.
    public var description: String {
        let repair = "repair the history (ModelContainer.repairHistory(), or the migration tool)"
        let reset = "and then record what was missed: SELECT strata.history_reset('\(schemaName)', <class>)"
        let place = table.map { "\(schemaName).\($0): " } ?? ""
        switch problem {
        case .undescribed:
            return "The tables in the schema \(schemaName) have no history, changes are not recorded: \(repair)"
        case .outdated:
            return
                "The database lacks \(name) of this release's history: open the store once as its owner, or \(repair)"
        case .unreadable:
            return "This role may not look at the history (\(name)): as the owner, "
                + "SELECT strata.history_grant('<role>', 'write')"
        case .missing:
            return "\(place)\(name) is missing, changes are not recorded: \(repair), \(reset)"
        case .disabled:
            return "\(place)the trigger \(name) is disabled, changes are not recorded: "
                + "ALTER TABLE … ENABLE TRIGGER \(name), \(reset)"
        case .stale:
            return "\(place)\(name) is not what the tables and models ask for: \(repair)"
        case .foreign:
            return
                "\(place)the function \(name) belongs to a role that does not own the table: ALTER FUNCTION … OWNER TO"
        case .powerless:
            return "\(place)the owner of the function \(name) may not write the history, so changes fail: "
                + "SELECT strata.history_grant('<owner>', 'own')"
        case .superfluous:
            return "\(place)the trigger \(name) records what nobody asked for: \(repair)"
        case .cached:
            return "The sequence strata.\(name) hands out numbers in advance, so the order of changes is lost: "
                + "ALTER SEQUENCE strata.\(name) CACHE 1 INCREMENT 1 NO CYCLE"
        case .pending:
            return "The history cannot be read on yet: \(name)"
        case .unknown:
            return
                "\(place)\(name): a newer release of Strata has installed the history's functions and knows this problem, "
                + "this one does not: update Strata in this program"
        }
    }
}
