/// A lock that a fetch takes on the rows of the objects it finds, until the transaction ends (PostgreSQL manual, 13.3.2).
///
/// ```swift
/// descriptor.lock = .update
/// descriptor.lock = .update.skipLocked
/// descriptor.lock = .share.noWait
/// ```
public struct RowLock: Hashable, Sendable {
    /// What others can still do with the rows.
    package enum Strength: Hashable, Sendable { case update, noKeyUpdate, share, keyShare }

    /// What is done about rows that somebody else has locked.
    package enum Waiting: Hashable, Sendable {
        case waits
        case noWait
        case skipLocked
    }

    package let strength: Strength
    package let waiting: Waiting

    /// For objects that will be changed or deleted: nobody else changes, deletes or locks them, nor refers to them anew.
    public static let update = RowLock(strength: .update, waiting: .waits)
    /// For objects that will be changed: as ``update``, but others may save objects that refer to them.
    public static let noKeyUpdate = RowLock(strength: .noKeyUpdate, waiting: .waits)
    /// For objects that must stay as they are: others may read and lock them so too, and nobody changes or deletes them.
    public static let share = RowLock(strength: .share, waiting: .waits)
    /// For objects that must stay there: others may change them, and nobody deletes them.
    public static let keyShare = RowLock(strength: .keyShare, waiting: .waits)
    /// ``update``, at once or not at all.
    public static let noWait = update.noWait
    /// ``update``, leaving out what others have locked: the lock of a queue.
    public static let skipLocked = update.skipLocked

    /// The same lock; a row that somebody else has locked is an error at once (SQLSTATE 55P03), which can be retried.
    public var noWait: RowLock { RowLock(strength: strength, waiting: .noWait) }
    /// The same lock; a row that somebody else has locked is left out of the result.
    public var skipLocked: RowLock { RowLock(strength: strength, waiting: .skipLocked) }
}
