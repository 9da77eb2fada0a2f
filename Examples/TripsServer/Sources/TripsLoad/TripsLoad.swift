import Foundation
import Hummingbird
import Logging
import SampleTripsModels
import ServiceLifecycle
import Strata
import StrataLocalServer
import TripsService

/// Measures three routes of the service beside the same on plain libpq, in the same process, on a private PostgreSQL:
/// `swift run -c release TripsLoad`. Needs wrk (`apt-get install wrk`).
@main
struct TripsLoad {
    static let (strataPort, plainPort) = (18080, 18081)
    static let connections = 8

    static func main() async throws {
        let server = try LocalServer.temporary()
        defer { server.stop() }
        guard let url = URL(string: server.url) else { return }
        var configuration = ModelConfiguration("trips", url: url, postgresSchema: "trips_server")
        configuration.pool.maximumConnections = connections
        let container = try await TripsService.open(configuration)
        let trips = try await store(2000, in: container)
        let plain = try PlainConnections(
            server.url, count: connections, statements: PlainRoutes.statements(in: "trips_server"))
        let router = Router(context: BasicRequestContext.self)
        PlainRoutes.add(to: router, plain)
        var logger = Logger(label: "load")
        logger.logLevel = .error
        let group = ServiceGroup(
            services: [
                TripsService.application(container, configuration: Self.address(strataPort), logger: logger),
                Application(router: router, configuration: Self.address(plainPort), logger: logger),
            ], logger: logger)
        async let serving: Void = group.run()
        try await measure(trips)
        await group.triggerGracefulShutdown()
        try await serving
        try await plain.close()
        await container.close()
    }

    private static func address(_ port: Int) -> ApplicationConfiguration {
        ApplicationConfiguration(address: .hostname("127.0.0.1", port: port))
    }

    /// Trips with three things to do each; the path of one of them, and its key.
    private static func store(_ count: Int, in container: ModelContainer) async throws -> (path: String, key: String) {
        try await container.withContext { models in
            var last: Trip?
            for number in 0..<count {
                let start = Date(timeIntervalSince1970: Double(number) * 86_400)
                let trip = Trip(name: "Trip \(number)", destination: "Riga", startDate: start, endDate: start)
                trip.bucketList = ["Pack", "Fly", "Rest"].map { BucketListItem(title: $0) }
                models.insert(trip)
                last = trip
            }
            try await models.save()
            guard let id = last?.persistentModelID else { return ("", "") }
            return (id.urlPathComponent, id.description.split(separator: "/").last.map(String.init) ?? "")
        }
    }

    private static func measure(_ trip: (path: String, key: String)) async throws {
        let strata = "http://127.0.0.1:\(strataPort)"
        let plain = "http://127.0.0.1:\(plainPort)/plain"
        try await Task.sleep(for: .seconds(1))
        let token = try await account(strata)
        let script = FileManager.default.temporaryDirectory.appendingPathComponent("change-\(UUID()).lua")
        defer { try? FileManager.default.removeItem(at: script) }
        try """
        local count = 0
        request = function()
            count = count + 1
            return wrk.format("PATCH", nil, { ["Content-Type"] = "application/json", ["Authorization"] = "Bearer \(token)" },
                '{"destination": "Riga ' .. count .. '"}')
        end
        """.write(to: script, atomically: true, encoding: .utf8)
        let routes: [(name: String, strata: String, plain: String, script: URL?, connections: Int)] = [
            ("a page of 20", strata + "/trips?size=20", plain + "/trips?size=20", nil, 16),
            ("one trip", strata + "/trips/" + trip.path, plain + "/trips/" + trip.key, nil, 16),
            // One row: several clients would measure how they wait for each other.
            ("a change", strata + "/trips/" + trip.path, plain + "/trips/" + trip.key, script, 1),
        ]
        print("route            Strata 1/s   p99        libpq 1/s    p99        ratio")
        for route in routes {
            // In turn, so that both meet the same machine; the first of each warms up.
            var found: [(Load, Load)] = []
            for _ in 0..<4 {
                let one = try Load.run(
                    route.strata, script: route.script, connections: route.connections, seconds: 5)
                let other = try Load.run(
                    route.plain, script: route.script, connections: route.connections, seconds: 5)
                found.append((one, other))
            }
            for (one, other) in found.dropFirst() {
                let cells = [
                    route.name, "\(Int(one.requestsPerSecond))", one.p99, "\(Int(other.requestsPerSecond))", other.p99,
                    String(format: "%.2f", one.requestsPerSecond / other.requestsPerSecond),
                    [one.failures, other.failures].compactMap { $0 }.joined(separator: " "),
                ]
                print(cells.map { $0.padding(toLength: 12, withPad: " ", startingAt: 0) }.joined(separator: " "))
            }
        }
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        for line in status.split(separator: "\n") where line.hasPrefix("VmRSS") || line.hasPrefix("VmHWM") {
            print(line)
        }
    }

    private static func account(_ url: String) async throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/curl")
        process.arguments = [
            "--silent", "--json", #"{"name": "load"}"#, url + "/accounts",
        ]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        return try JSONDecoder().decode([String: String].self, from: data)["token"] ?? ""
    }
}
