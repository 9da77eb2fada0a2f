/// Names the tables of one statement: `t0`, `t1`, … in the order in which they are asked for.
package final class AliasGenerator {
    private var aliases = 0
    private var rows = 0

    package init() {}

    func alias() -> SQLFragment {
        defer { aliases += 1 }
        return "t\(raw: String(aliases))"
    }

    /// A number for something that may be missing, see ``SQLExpression/requires``.
    func token() -> Int {
        defer { rows += 1 }
        return rows
    }
}
