/// What is asked of a history.
struct Question {
    enum Filter { case none, author, entity }

    let name: String
    /// How many transactions before the end the token lies.
    let behind: Int64
    var filter = Filter.none
    /// How many transactions at most; 0 for all.
    var limit = 0
    var isNewestFirst = false

    static func all(_ transactions: Int64) -> [Question] {
        [
            Question(name: "nothing new", behind: 0),
            Question(name: "10 behind", behind: 10),
            Question(name: "100 behind", behind: 100, limit: 100),
            Question(name: "1 000 behind, first 100", behind: 1000, limit: 100),
            Question(name: "1 000 behind, all", behind: 1000),
            Question(name: "10 000 behind, first 100", behind: 10_000, limit: 100),
            Question(name: "10 000 behind, first 1000", behind: 10_000, limit: 1000),
            Question(name: "10 000 behind, all", behind: 10_000),
            Question(name: "100 000 behind, first 100", behind: 100_000, limit: 100),
            Question(name: "100 000 behind, first 1000", behind: 100_000, limit: 1000),
            Question(name: "10 000 behind, by an author", behind: 10_000, filter: .author, limit: 100),
            Question(name: "100 000 behind, by an author", behind: 100_000, filter: .author, limit: 100),
            Question(name: "1 000 behind, of a rare class", behind: 1000, filter: .entity, limit: 100),
            Question(name: "10 000 behind, of a rare class", behind: 10_000, filter: .entity, limit: 100),
            Question(name: "100 000 behind, of a rare class", behind: 100_000, filter: .entity, limit: 100),
            Question(name: "from the beginning, first 100", behind: transactions, limit: 100),
            Question(name: "from the beginning, first 1000", behind: transactions, limit: 1000),
            Question(name: "the newest transaction", behind: transactions, limit: 1, isNewestFirst: true),
        ].filter { $0.behind <= transactions }
    }
}
