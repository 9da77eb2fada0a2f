/// A number, or one that may be missing: what columns of groups are computed of.
///
/// `Optional` of a number and the numbers themselves conform; do not conform types of your own.
public protocol QueryOperand: Sendable {
    /// The number, without its optional.
    associatedtype _Number: QueryNumber
}

extension Optional: QueryOperand where Wrapped: QueryNumber {
    /// The number that may be missing.
    public typealias _Number = Wrapped
}
