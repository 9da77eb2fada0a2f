import Foundation
import Strata
import StrataLocalServer

/// Measures what observing history costs: the throughput of writers, the time until a commit of another process arrives, and
/// what idle observers use. Ratios and percentages; seconds depend on the machine.
@main
enum Main {
    static func main() async throws {
        let arguments = CommandLine.arguments
        if arguments.count == 4, arguments[1] == "write" {
            return try await PacedWriter.run(arguments[2], seconds: Int(arguments[3]) ?? 1)
        }
        let seconds = arguments.count > 1 ? Int(arguments[1]) ?? 5 : 5
        let own = try PostgresConfiguration.environment() == nil ? LocalServer.temporary() : nil
        defer { own?.stop() }
        let url = own?.url ?? ProcessInfo.processInfo.environment["DATABASE_URL"] ?? "postgresql://"
        try await Throughput.measure(url, seconds: seconds)
        try await Latency.measure(url, seconds: seconds)
        try await IdleCost.measure(url, observers: 100, seconds: seconds * 6)
    }

    static func container(_ url: String) async throws -> ModelContainer {
        guard let url = URL(string: url) else { throw CocoaError(.fileNoSuchFile) }
        var configuration = ModelConfiguration(url: url)
        configuration.pool = ModelConfiguration.Pool(maximumConnections: 16)
        return try await ModelContainer(for: Note.self, configurations: configuration)
    }
}

/// What is written.
@Model final class Note {
    var text: String

    init(_ text: String) {
        self.text = text
    }
}
