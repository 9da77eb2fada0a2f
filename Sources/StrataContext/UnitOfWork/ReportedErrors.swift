import StrataModels

/// Errors that getters and setters met and could not throw, until somebody is told: those of the context, and those of tasks that are no
/// part of the transaction which is open just now and has nothing to do with them.
struct ReportedErrors {
    private(set) var own: [SwiftDataError] = []
    private(set) var beside: [SwiftDataError] = []
    /// How many there have been.
    private(set) var count = 0

    var all: [SwiftDataError] { own + beside }

    /// - Parameter isBeside: whether the task that asks is no part of the open transaction.
    func of(isBeside: Bool) -> [SwiftDataError] { isBeside ? beside : own }

    mutating func append(_ error: SwiftDataError, isBeside: Bool) {
        if isBeside {
            beside.append(error)
        } else {
            own.append(error)
            count += 1
        }
    }

    mutating func removeAll(isBeside: Bool) {
        if isBeside { beside.removeAll() } else { own.removeAll() }
    }

    /// A transaction was rolled back: those are left that there were before.
    mutating func reset(to earlier: [SwiftDataError]) {
        own = earlier
    }

    /// The transaction is over: what others met meanwhile concerns the next save.
    mutating func hearBeside() {
        own += beside
        count += beside.count
        beside.removeAll()
    }
}
