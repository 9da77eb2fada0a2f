/// A place in the history of a container: fetches go on after it.
///
/// Store it (it is `Codable`), and give it to the next fetch, in this process or another.
public protocol HistoryToken: Codable, Comparable, Hashable, Identifiable, Sendable {
    /// What the place is made of.
    associatedtype TokenType: Codable, Hashable, Sendable
    /// What the place is made of; not for reading. `nil` for one that cannot say.
    var tokenValue: TokenType? { get }
}
