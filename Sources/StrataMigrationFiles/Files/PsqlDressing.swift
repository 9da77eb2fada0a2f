import StrataClient
import StrataMigrations
import StrataRepository

/// The statements around a step's own that the runner sees to itself, and psql does not: written into the file, dropped
/// when it is read.
enum PsqlDressing {
    static func before(_ step: MigrationStep) -> [String] {
        switch step.execution {
        case .transaction:
            return ["BEGIN"] + settings(step, "SET LOCAL", timeout: step.statementTimeout)
        case .batches(_, _, _, let kind):
            // Here the one range is everything; the limit is meant for a small one. That of numbers stands above all steps.
            return ["BEGIN"] + settings(step, "SET LOCAL", timeout: 0) + ["SET LOCAL strata.sync = 'off'"]
                + (kind == .integer ? [] : range(of: kind, "SET LOCAL"))
        case .alone:
            return settings(step, "SET", timeout: step.statementTimeout)
        case .closure, .verify:
            return []
        }
    }

    static func after(_ step: MigrationStep) -> [String] {
        switch step.execution {
        case .transaction, .batches: ["COMMIT"]
        case .alone:
            ["RESET lock_timeout", "RESET statement_timeout"] + (step.history == .off ? ["RESET strata.history"] : [])
        case .closure, .verify: []
        }
    }

    /// The range of all keys of a kind.
    static func range(of kind: RowKey.Kind, _ set: String) -> [String] {
        let (first, last) =
            switch kind {
            case .integer: ("\(Int64.min)", "\(Int64.max)")
            case .uuid: ("00000000-0000-0000-0000-000000000000", "ffffffff-ffff-ffff-ffff-ffffffffffff")
            case .date: ("-infinity", "infinity")
            // There is no last text: the step asks for the last of its table (`SchemaSQL.range`).
            case .text: ("", "")
            }
        return ["\(set) strata.batch_first = '\(first)'", "\(set) strata.batch_last = '\(last)'"]
    }

    /// What is left of the statements in a step's section without what ``before(_:)`` and ``after(_:)`` write.
    ///
    /// Told by what the statements set, not to what: somebody may have edited the value on one of the two lines.
    static func undress(_ statements: [TokenizedStatement], of step: MigrationStep) -> [TokenizedStatement] {
        var rest = statements[...]
        for text in before(step) where rest.first.map({ sets($0, like: text) }) == true { rest = rest.dropFirst() }
        for text in after(step).reversed() where rest.last.map({ sets($0, like: text) }) == true {
            rest = rest.dropLast()
        }
        return Array(rest)
    }

    private static func settings(_ step: MigrationStep, _ set: String, timeout: Int) -> [String] {
        ["\(set) lock_timeout = '\(step.lockTimeout)ms'", "\(set) statement_timeout = '\(timeout)ms'"]
            + (step.history == .off ? ["\(set) strata.history = 'off'"] : [])
    }

    /// The same words up to the equals sign.
    private static func sets(_ statement: TokenizedStatement, like text: String) -> Bool {
        let wanted = text.prefix { $0 != "=" }.split(whereSeparator: { $0 == " " || $0 == "." }).map { $0.lowercased() }
        let found = statement.tokens.prefix { $0.text != "=" }.filter { $0.text != "." }.map { $0.text.lowercased() }
        return wanted == found
    }

    /// Stops psql where rows say that something is wrong.
    static func refusal(of query: String, message: String) -> String {
        let body = """
            BEGIN
                IF EXISTS (
            \(query)
                ) THEN
                    RAISE EXCEPTION USING MESSAGE = \(SQLFragment.literal(message));
                END IF;
            END
            """
        return block(body)
    }

    /// Stops psql where a closure of the plan would have to run.
    static func refusal(of closure: StageClosure, step: String) -> String {
        let message = "step \(step) is \(closure.rawValue) of the migration plan, which SQL cannot run"
        let body = """
            BEGIN
                IF current_setting('strata.closures', true) IS DISTINCT FROM 'done' THEN
                    RAISE EXCEPTION USING MESSAGE = \(SQLFragment.literal(message));
                END IF;
            END
            """
        return block(body)
    }

    private static func block(_ body: String) -> String {
        var tag = "$strata$"
        while body.contains(tag) { tag = tag.dropLast() + "_$" }
        return "DO \(tag)\n\(body)\n\(tag)"
    }
}
