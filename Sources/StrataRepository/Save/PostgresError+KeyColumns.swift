package import StrataClient

extension PostgresError {
    /// The columns in `Key (name, start_date)=(…)`.
    var keyColumns: [String] { violatedKeys.map(\.column) }

    /// Whether it is about what is unique regardless of case.
    package var isRegardlessOfCase: Bool { violatedKeys.contains { $0.fold == .caseless } }

    /// The keys of a unique index in `Key (name, lower(email COLLATE "und-x-icu"))=(…)`: the form is the same in every language of the server.
    var violatedKeys: [IndexKeyDefinition] {
        guard let detail, let start = detail.firstIndex(of: "("), let end = detail.firstRange(of: ")=(") else {
            return []
        }
        return detail[detail.index(after: start)..<end.lowerBound].split(separator: ", ").map { key in
            if let column = CaselessText.column(printed: String(key)) {
                return IndexKeyDefinition(column, fold: .caseless)
            }
            let isQuoted = key.trimmingPrefix("\"").hasSuffix("\"")
            return IndexKeyDefinition(isQuoted ? String(key.dropFirst().dropLast()) : String(key))
        }
    }
}
