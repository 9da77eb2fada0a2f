/// How a limit stands in a statement.
enum LimitForm: Hashable, Sendable {
    /// In the text. The server plans by it.
    case text(Int)
    /// As a parameter. The server plans the statement anew for each value (manual, PREPARE).
    case parameter

    /// A page's size, and the object behind it, are few and stand in the text; larger limits are as many as there are numbers.
    init(of count: Int) { self = (0...1001).contains(count) ? .text(count) : .parameter }

    func clause(for count: Int) -> SQLFragment {
        switch self {
        case .text(let count): " LIMIT \(raw: String(count))"
        case .parameter: " LIMIT \(bind: Int64(count))"
        }
    }
}
