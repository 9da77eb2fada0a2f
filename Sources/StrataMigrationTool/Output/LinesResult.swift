/// What a command did, one line each.
struct LinesResult: CommandResult {
    var done: [String]
    private let nothing: String

    private enum CodingKeys: String, CodingKey {
        case done
    }

    /// - Parameter nothing: what to say where nothing was done.
    init(_ done: [String], nothing: String) {
        self.done = done
        self.nothing = nothing
    }

    func text(_ style: TextStyle) -> [String] { done.isEmpty ? [style.green(nothing)] : done }
}
