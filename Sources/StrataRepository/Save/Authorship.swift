package import StrataClient

/// Who makes the changes of a transaction, for triggers: those that record history read it.
package struct Authorship: Sendable, Equatable {
    /// Who, as the application says.
    package var author: String?
    /// What the application noted beside: JSON, an object of strings.
    package var context: String?
    /// The process of the container; tells triggers that the library writes.
    package var process: String?

    package init(author: String? = nil, context: String? = nil, process: String? = nil) {
        self.author = author
        self.context = context
        self.process = process
    }

    /// Whether there is nothing to tell.
    var isEmpty: Bool { author == nil && context == nil && process == nil }
}

extension PostgresBatch {
    /// Tells the server, until the end of the transaction, who makes its changes: triggers read it with
    /// `current_setting('strata.author', true)`. Part of the batch, so it costs no round trip; nothing is sent for what is
    /// `nil`, so that a role's own setting holds.
    package mutating func set(_ authorship: Authorship) throws {
        let settings = [authorship.author, authorship.context, authorship.process]
        let values = settings.compactMap { $0 }
        guard !values.isEmpty else { return }
        var parameters = PostgresParameters()
        for value in values { try parameters.append(value) }
        let shape = settings.reduce(0) { $0 * 2 + ($1 == nil ? 0 : 1) }
        let sql = Self.statements[shape]
        add(PostgresStatement(sql, parameters: parameters, name: "set author").storingNothing)
    }

    // Transaction-local, so that it is safe behind a pooler in transaction mode. One statement for each choice of
    // settings, prepared once a connection.
    private static let statements: [PreparedSQL] = (0..<8).map { shape in
        let names = ["strata.author", "strata.context", "strata.process"].enumerated()
            .filter { shape & (4 >> $0.offset) != 0 }.map(\.element)
        let calls = names.enumerated().map { "set_config('\($0.element)', $\($0.offset + 1), true)" }
        return PreparedSQL("SELECT " + calls.joined(separator: ", "))
    }
}
