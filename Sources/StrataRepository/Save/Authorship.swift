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

    /// What there is to tell, in the order of ``names(of:)``.
    var values: [String] { [author, context, process].compactMap { $0 } }

    /// Which of the settings there are: one bit each.
    var shape: Int { [author, context, process].reduce(0) { $0 * 2 + ($1 == nil ? 0 : 1) } }

    static let shapes = 0..<8

    /// The settings of a shape.
    static func names(of shape: Int) -> [String] {
        ["strata.author", "strata.context", "strata.process"].enumerated()
            .filter { shape & (4 >> $0.offset) != 0 }.map(\.element)
    }

    /// What tells the server one of them, until the end of the transaction: that is safe behind a pooler in transaction mode.
    static func setting(_ name: String, parameter: Int) -> String { "set_config('\(name)', $\(parameter), true)" }
}

extension PostgresBatch {
    /// Tells the server, until the end of the transaction, who makes its changes: triggers read it with
    /// `current_setting('strata.author', true)`. Part of the batch, so it costs no round trip; nothing is sent for what is
    /// `nil`, so that a role's own setting holds.
    package mutating func set(_ authorship: Authorship) throws {
        guard !authorship.isEmpty else { return }
        var parameters = PostgresParameters()
        for value in authorship.values { try parameters.append(value) }
        add(PostgresStatement(Self.statements[authorship.shape], parameters: parameters, name: "set author"))
    }

    /// One statement for each choice of settings, prepared once a connection.
    private static let statements: [PreparedSQL] = Authorship.shapes.map { shape in
        let calls = Authorship.names(of: shape).enumerated().map {
            Authorship.setting($0.element, parameter: $0.offset + 1)
        }
        return PreparedSQL("SELECT " + calls.joined(separator: ", "))
    }
}
