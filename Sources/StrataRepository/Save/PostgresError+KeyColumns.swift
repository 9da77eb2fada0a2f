import StrataClient

extension PostgresError {
    /// The columns in `Key (name, start_date)=(…)`: the form is the same in every language of the server.
    var keyColumns: [String] {
        guard let detail, let start = detail.firstIndex(of: "("), let end = detail.firstRange(of: ")=(") else {
            return []
        }
        return detail[detail.index(after: start)..<end.lowerBound].split(separator: ", ").map {
            $0.trimmingPrefix("\"").hasSuffix("\"") ? String($0.dropFirst().dropLast()) : String($0)
        }
    }
}
