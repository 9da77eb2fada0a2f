import Foundation
import SampleTripsModels
import Strata
import Synchronization

/// How often each statement was carried out, and how long all of them took.
public final class StatementFigures: StatementObserver {
    /// What is known of the statements of one name.
    public struct Figures: Sendable {
        /// How often they were carried out.
        public var count = 0
        /// How often they failed.
        public var failures = 0
        /// Their times together.
        public var duration = Duration.zero
    }

    private let figures = Mutex<[String: Figures]>([:])

    /// No figures.
    public init() {}

    /// Counts it.
    public func didComplete(_ statement: ObservedStatement) {
        figures.withLock { figures in
            var known = figures[statement.name ?? "transactions"] ?? Figures()
            known.count += 1
            known.duration += statement.duration
            if statement.error != nil { known.failures += 1 }
            figures[statement.name ?? "transactions"] = known
        }
    }

    /// The figures of all statements by their names.
    public var all: [String: Figures] { figures.withLock { $0 } }
}

/// What a service sets, and shows to whoever looks after it.
public enum Operation {
    /// A container with limits, a log of slow statements and figures.
    public static func open(_ url: URL, figures: StatementFigures) async throws -> ModelContainer {
        var configuration = ModelConfiguration(url: url, postgresSchema: "sample_trips")
        configuration.limits.statementTimeout = .seconds(30)
        configuration.limits.idleInTransactionTimeout = .seconds(60)
        configuration.limits.rows = 10_000
        configuration.slowStatement = .milliseconds(200)
        configuration.explainsSlowStatements = true
        return try await ModelContainer(
            for: Schema(versionedSchema: SampleTripsSchemaV4.self), configurations: [configuration],
            observers: [figures])
    }

    /// A configuration whose password somebody else renews.
    public static func configuration(_ url: URL, token: @escaping @Sendable () throws -> String) -> ModelConfiguration {
        var configuration = ModelConfiguration(url: url)
        configuration.password = PasswordSource { try token() }
        return configuration
    }

    /// A configuration whose password is a secret that the platform mounts.
    public static func configuration(_ url: URL, passwordFile path: String) -> ModelConfiguration {
        var configuration = ModelConfiguration(url: url)
        configuration.password = .file(path)
        return configuration
    }

    /// What a load balancer asks: 200 when the database answers.
    public static func health(_ container: ModelContainer) async -> Response {
        do {
            let time = try await container.ping()
            let pools = container.poolUse.map { "\($0.name): \($0.inUse) of \($0.maximum), \($0.waiting) wait" }
            return Response(status: 200, lines: ["answers in \(time)"] + pools)
        } catch {
            return Response(status: 503)
        }
    }
}
