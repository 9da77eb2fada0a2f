/// Texts of SQL with their shared instances: those that are in use stay, however many others come and go.
///
/// The newest texts, and those that were the newest before them. Which text was used last need not be noted at each use: one that is used while it is
/// among the former goes on to the newest, and the rest are forgotten together.
struct InternedTexts {
    private let limit: Int
    private var newest: [String: PreparedSQL] = [:]
    private var former: [String: PreparedSQL] = [:]

    /// - Parameter limit: how many texts are newest ones; twice as many are remembered.
    init(limit: Int = 1024) {
        self.limit = limit
    }

    var count: Int { newest.count + former.count }

    mutating func shared(_ text: String) -> PreparedSQL {
        if let sql = newest[text] { return sql }
        let sql = former.removeValue(forKey: text) ?? PreparedSQL(text)
        if newest.count >= limit {
            former = newest
            newest.removeAll(keepingCapacity: true)
        }
        newest[text] = sql
        return sql
    }
}
