import ArgumentParser
import StrataMigrations

/// How steps are run.
struct RunnerFlags: ParsableArguments {
    @OptionGroup var lock: RunnerLockFlags

    @Option(
        name: .customLong("lock-timeout"),
        help: ArgumentHelp(
            "How long a step waits for the lock on a table in its last try, instead of what the step says; the tries before that are shorter. Concurrent builds and validations wait without end nevertheless.",
            valueName: "time"))
    var lockTimeout: TimeSpan?

    @Option(
        name: .customLong("statement-timeout"),
        help: ArgumentHelp(
            "How long a statement may take besides waiting for locks, instead of what its step says. Steps without a limit keep none.",
            valueName: "time"))
    var statementTimeout: TimeSpan?

    @Option(
        help: ArgumentHelp(
            "How often a step is tried when a lock on a table cannot be had.", valueName: "count"))
    var retries = 20

    @Option(
        name: .customLong("batch-size"),
        help: ArgumentHelp("Rows of a batch of a backfill at most, instead of what the step says.", valueName: "count"))
    var batchSize: Int?

    @Option(
        name: .customLong("batch-pause"),
        help: ArgumentHelp("Pause after each batch of a backfill.", valueName: "time"))
    var batchPause = TimeSpan(milliseconds: 0)

    @Option(
        help: ArgumentHelp(
            "Accepts the findings of a data check, by its code; several with commas between them.", valueName: "codes"))
    var allow: AllowedCodes = AllowedCodes()

    func validate() throws {
        guard retries > 0 else { throw ValidationError("--retries must be 1 or more.") }
        guard batchSize.map({ $0 > 0 }) ?? true else { throw ValidationError("--batch-size must be 1 or more.") }
        // PostgreSQL takes 0 for no limit at all.
        guard lockTimeout?.milliseconds != 0 else { throw ValidationError("--lock-timeout must be more than 0.") }
        guard statementTimeout?.milliseconds != 0 else {
            throw ValidationError("--statement-timeout must be more than 0.")
        }
    }

    var options: RunnerOptions {
        var options = lock.options
        options.attempts = retries
        options.lockTimeout = lockTimeout?.milliseconds
        options.statementTimeout = statementTimeout?.milliseconds
        options.batchSize = batchSize
        options.batchPause = batchPause.duration
        options.allowedChecks = allow.codes
        return options
    }
}
