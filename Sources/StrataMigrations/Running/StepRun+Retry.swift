import StrataClient

extension StepRun {
    /// Milliseconds. Short ones first, because everybody who comes after a waiting ALTER waits as well.
    private static let escalation = [50, 100, 200, 500, 1500]
    private static let contention: Set = ["55P03", "40P01", "40001"]

    /// Tries again while locks cannot be had; `body` gets the lock timeout of the attempt.
    func retrying<Result>(_ body: (_ lockTimeout: Int) throws -> Result) throws -> Result {
        let longest = session.options.lockTimeout(of: step)
        let timeouts = longest == 0 ? [0] : Self.escalation.filter { $0 < longest } + [longest]
        var attempt = 1
        while true {
            do {
                return try body(timeouts[min(attempt, timeouts.count) - 1])
            } catch let error as PostgresError where Self.contention.contains(error.sqlState ?? "") {
                let blockers = try session.lockHolders(of: step)
                guard attempt < session.options.attempts else { throw exhausted(error, attempt, blockers) }
                session.report(
                    .stepRetry(
                        step: step.id, attempt: attempt, limit: session.options.attempts, reason: error.message,
                        blockers: blockers))
                session.pause(Self.pause(after: attempt))
                attempt += 1
            }
        }
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
            "Step \(step.id) of \(stage) did not get its lock in \(attempts) attempts: \(error.sentence)",
            places: ["step \(step.id) of \(stage), phase \(step.phase): \(step.title)"]
                + blockers.map { "in the way: \($0)" },
            remedy: "wait for the sessions that are in the way, or end them; then run apply again",
            underlying: error)
    }
}
