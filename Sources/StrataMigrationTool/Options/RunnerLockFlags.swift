import ArgumentParser
import StrataMigrations

/// How long to wait until no other runner is at work.
struct RunnerLockFlags: ParsableArguments {
    @Option(
        name: .customLong("lock-wait"),
        help: ArgumentHelp("How long to wait for another runner to end.", valueName: "time"))
    var lockWait = TimeSpan(milliseconds: 60_000)

    var options: RunnerOptions { RunnerOptions(waitForRunner: lockWait.duration) }
}
