import StrataClient

/// How often one save is begun, and whether it is begun again after it has failed.
struct SaveAttempts {
    /// How a save lost a race for a unique value.
    private struct LostRace: Equatable {
        let constraint: String?
        let statement: String?
        /// The rows that had the values of new objects.
        let found: Set<Int64>
    }

    /// After so many it is given up.
    private static let limit = 10
    private var count = 1
    private var lostRace: LostRace?

    /// Whether the save is to be done again from its beginning: it lost a race for a unique value, and finds the row that won; the server
    /// ended it because it and another transaction waited for each other; or the row had the old values in another form.
    ///
    /// A look-up that finds the same rows as before its save failed the same way has not found who is in the way: there was no race.
    ///
    /// - Parameter request: learns from the failure.
    mutating func goesOn(
        after error: any Error, of execution: SaveExecution, _ recovery: SaveRecovery, _ request: inout SaveRequest
    ) -> Bool {
        guard count < Self.limit else { return false }
        count += 1
        if request.learn(from: recovery) { return true }
        guard execution.shouldRetry(error), !recovery.seesOnlyItsBeginning else { return false }
        guard let failure = error as? PostgresError, execution.hasLostRace(failure) else { return true }
        let race = LostRace(
            constraint: failure.constraint, statement: failure.statementName, found: execution.found)
        defer { lostRace = race }
        return race != lostRace
    }
}

extension SaveRequest {
    /// Takes over the stored forms that were no conflict. False when there is nothing new in that.
    fileprivate mutating func learn(from recovery: SaveRecovery) -> Bool {
        guard let forms = recovery.formsThatMeanTheSame else { return false }
        for (object, slots) in forms { storedForms[object, default: [:]].merge(slots) { $1 } }
        return true
    }
}
