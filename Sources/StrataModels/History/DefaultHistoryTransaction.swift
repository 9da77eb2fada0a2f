public import Foundation

/// One transaction of the history: what it changed, and who made it.
public struct DefaultHistoryTransaction: HistoryTransaction {
    /// The type of ``transactionIdentifier``.
    public typealias TransactionIdentifier = Int64
    /// The type of ``token``.
    public typealias TokenType = DefaultHistoryToken

    /// PostgreSQL's number of the transaction. Unique in its store as long as that is not restored from a backup.
    public let transactionIdentifier: Int64
    /// The same as ``transactionIdentifier``.
    public var id: Int64 { transactionIdentifier }
    /// The place in the history right after this transaction: a fetch with `$0.token > token` goes on there.
    public package(set) var token: DefaultHistoryToken
    /// When it made its first change.
    public let timestamp: Date
    /// Who made it, as they said: `ModelContext.author`, or what another program set as `strata.author`.
    public let author: String?
    /// The store it changed.
    public let storeIdentifier: String
    /// The name of the program: its `application_name`, empty if it gave none.
    public let bundleIdentifier: String
    /// The process of a container that made it (`ModelContainer.processIdentifier`), empty for other programs.
    public let processIdentifier: String
    /// The login that made it (`session_user`): a fact, which the author is not.
    public let actor: String
    /// The role it had switched to with `SET ROLE`, if it had.
    public let role: String?
    /// What the application noted: `ModelContext.historyContext`.
    public let context: [String: String]
    /// What it did to each object, one change an object, in the order of the first change of each.
    public let changes: [HistoryChange]
    /// Entities of which values changed without a record, by a migration for example: fetch their objects anew.
    public let resetEntities: [String]
    /// Entities of which it changed objects, and that this container's schema does not have.
    public let unknownEntities: [String]

    package init(
        transactionIdentifier: Int64, token: DefaultHistoryToken, timestamp: Date, author: String?,
        storeIdentifier: String, bundleIdentifier: String, processIdentifier: String, actor: String, role: String?,
        context: [String: String], changes: [HistoryChange], resetEntities: [String], unknownEntities: [String]
    ) {
        self.transactionIdentifier = transactionIdentifier
        self.token = token
        self.timestamp = timestamp
        self.author = author
        self.storeIdentifier = storeIdentifier
        self.bundleIdentifier = bundleIdentifier
        self.processIdentifier = processIdentifier
        self.actor = actor
        self.role = role
        self.context = context
        self.changes = changes
        self.resetEntities = resetEntities
        self.unknownEntities = unknownEntities
    }
}

extension DefaultHistoryTransaction {
    /// Transactions are equal when they are the same one of the same store.
    public static func == (lhs: Self, rhs: Self) -> Bool {
        lhs.transactionIdentifier == rhs.transactionIdentifier && lhs.storeIdentifier == rhs.storeIdentifier
            && lhs.timestamp == rhs.timestamp
    }

    /// Hashes the transaction's number.
    public func hash(into hasher: inout Hasher) { hasher.combine(transactionIdentifier) }
}
