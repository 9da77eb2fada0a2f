import StrataTestSupport
import Synchronization

@testable import StrataMigrations

/// Decides after which steps a run is ended: after one of each kind in a process, and after all of them in a soak.
///
/// A step's kind is how it is run, in which phase, and the first words of its title: `add column`, `validate`, `index`.
final class KillSweep: Sendable {
    static let shared = KillSweep()

    private let seen = Mutex<Set<String>>([])

    /// Whether the run ends after this step; `true` once for each kind.
    func ends(after step: MigrationStep) -> Bool {
        let words = step.title.split(separator: " ").prefix(2).joined(separator: " ")
        let execution = "\(step.execution)".prefix { $0 != "(" }
        return seen.withLock { $0.insert("\(execution) \(step.phase) \(words)").inserted } || isSoak
    }
}
