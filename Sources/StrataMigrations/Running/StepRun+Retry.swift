import StrataClient

extension StepRun {
    /// One try of a step: how long it waits and works, and what it waits for.
    struct Attempt {
        /// Milliseconds for which a statement waits for a lock; 0 for any time.
        let lockTimeout: Int
        /// Milliseconds after which the server ends a statement, of which it counts the waiting too; 0 for never.
        let statementTimeout: Int
        /// What it asks for now: who holds a lock that does not go together with it is in the way.
        var lock: MigrationStep.Lock
    }

    /// Milliseconds. Short ones first, because everybody who comes after a waiting ALTER waits as well.
    private static let escalation = [50, 100, 200, 500, 1500]
    private static let contention: Set = ["55P03", "40P01", "40001"]

    /// Tries again while locks cannot be had.
    func retrying<Result>(_ body: (inout Attempt) throws -> Result) throws -> Result {
        let attempts = session.options.attempts
        var number = 1
        while true {
            var attempt = self.attempt(number)
            do {
                return try body(&attempt)
            } catch let error as PostgresError where Self.contention.contains(error.sqlState ?? "") {
                let blockers = try session.holders(against: attempt.lock, on: step.tables)
                guard number < attempts else { throw exhausted(error, number, blockers) }
                session.report(
                    .stepRetry(
                        step: step.id, attempt: number, limit: attempts, reason: error.message, blockers: blockers))
                session.pause(Self.pause(after: number))
                number += 1
            }
        }
    }

    private func attempt(_ number: Int) -> Attempt {
        let options = session.options
        let longest = options.lockTimeout(of: step)
        // The last one is as patient as was asked for, however few there are.
        let isShort = number < options.attempts && number <= Self.escalation.count
        let lockTimeout = isShort ? min(Self.escalation[number - 1], longest) : longest
        let work = options.statementTimeout(of: step)
        let waiting = lockTimeout * max(1, step.tables.count)
        return Attempt(
            lockTimeout: lockTimeout, statementTimeout: work == 0 ? 0 : min(work + waiting, Int(Int32.max)),
            lock: step.lock)
    }

    /// Growing, and different each time: two that get in each other's way should not do so again.
    static func pause(after attempt: Int) -> Duration {
        let longest = min(100.0 * Double(1 << min(attempt, 6)), 5000)
        return .milliseconds(Int(longest * Double.random(in: 0.5...1)))
    }

    private func exhausted(
        _ error: PostgresError, _ attempts: Int, _ blockers: [MigrationSession]
    ) -> MigrationError {
        MigrationError(
            .lockNotAvailable,
            "Step \(step.id) of \(stage) did not get its lock in \(attempts) \(attempts == 1 ? "attempt" : "attempts"): "
                + error.sentence,
            places: ["step \(step.id) of \(stage), phase \(step.phase): \(step.title)"]
                + blockers.map { "in the way: \($0)" },
            remedy: "wait for the sessions that are in the way, or end them; then run \(direction.command) again",
            underlying: error)
    }
}
