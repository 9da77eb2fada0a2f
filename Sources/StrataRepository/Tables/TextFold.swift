/// What an index holds in the place of a text, so that texts are the same to it which are not the same.
package enum TextFold: Hashable, Sendable {
    /// ``LowercaseIndex``: `lowercased()` in predicates is searched by it.
    case lowercased
    /// ``CaselessText``: what is unique regardless of case.
    case caseless

    /// The SQL of it.
    func callAsFunction(_ text: SQLFragment) -> SQLFragment {
        switch self {
        case .lowercased: LowercaseIndex.fold(text)
        case .caseless: CaselessText.fold(text)
        }
    }

    /// For people: `lowercased(name)`. It is not the `lower` of SQL.
    func description(of column: String) -> String {
        switch self {
        case .lowercased: "lowercased(\(column))"
        case .caseless: "\(column) regardless of case"
        }
    }

    /// Which fold of which column an expression is that the server prints; `nil` for any other expression.
    ///
    /// - Parameter isByBytes: whether the index compares in the collation "C".
    static func read(printed: String, isByBytes: Bool) -> (fold: TextFold, column: String)? {
        if let column = LowercaseIndex.column(printed: printed) { return (.lowercased, column) }
        // One that is sorted by the rules of a language is searched by none of our queries.
        if isByBytes, let column = CaselessText.column(printed: printed) { return (.caseless, column) }
        return nil
    }
}
