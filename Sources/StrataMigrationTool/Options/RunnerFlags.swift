import ArgumentParser
import StrataMigrations

/// How patient a runner is.
struct RunnerFlags: ParsableArguments {
    @Option(
        name: .customLong("lock-wait"),
        help: ArgumentHelp("How long to wait for another runner to end.", valueName: "time"))
    var lockWait = TimeSpan(milliseconds: 60_000)

    @Option(
        help: ArgumentHelp(
            "How often a step is tried when a lock on a table cannot be had.", valueName: "count"))
    var retries = 20

    @Option(
        name: .customLong("batch-pause"),
        help: ArgumentHelp("Pause after each batch of a backfill.", valueName: "time"))
    var batchPause = TimeSpan(milliseconds: 0)

    @Option(
        help: ArgumentHelp(
            "Accepts the findings of a data check, by its code; several with commas between them.", valueName: "codes"))
    var allow = ""

    func validate() throws {
        guard retries > 0 else { throw ValidationError("--retries must be 1 or more.") }
    }

    var allowed: Set<String> {
        Set(allow.split(separator: ",").map { $0.trimmingPrefix { $0 == " " } }.map(String.init))
    }

    func options(descriptions: [Int: FrozenSchema] = [:]) -> RunnerOptions {
        RunnerOptions(
            waitForRunner: lockWait.duration, attempts: retries, batchPause: batchPause.duration,
            allowedChecks: allowed, descriptions: descriptions)
    }
}
