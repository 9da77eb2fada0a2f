import Foundation
import StrataMigrationTool
import Synchronization

/// One call of the tool inside the test process, with all it wrote.
struct ToolRun {
    var exitCode: Int32
    var output: String
    var errors: String

    /// - Parameter directory: Where it runs; one with the files of ``WrittenStages`` if none is given.
    init(
        _ arguments: [String], project: MigrationProject, directory: String? = nil, isTerminal: Bool = false,
        environment: [String: String] = [:], now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) {
        let folder = directory == nil ? try? WrittenStages.folder() : nil
        defer { withExtendedLifetime(folder) {} }
        let output = Collected()
        let errors = Collected()
        var surroundings = ToolSurroundings(
            environment: environment, directory: directory ?? folder?.path ?? "/", isTerminal: isTerminal,
            output: { output.add($0) },
            errors: { errors.add($0) })
        surroundings.now = now
        exitCode = ToolInvocation(project: project, surroundings: surroundings).run(arguments)
        self.output = output.text
        self.errors = errors.text
    }

    /// The standard output as a JSON object.
    func json() throws -> [String: Any] {
        try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any] ?? [:]
    }

    private final class Collected: Sendable {
        private let parts = Mutex("")
        var text: String { parts.withLock { $0 } }
        func add(_ part: String) { parts.withLock { $0 += part } }
    }
}
