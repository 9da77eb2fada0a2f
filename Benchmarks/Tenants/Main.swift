import ArgumentParser
import Foundation
import Logging
import Strata
import StrataClient
import StrataLocalServer
import StrataMigrationTool

/// What many tenants of many classes cost, on a server of its own: creating, opening, using, migrating them, and the memory that all
/// of that takes.
@main
struct Main: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "StrataTenantBenchmarks",
        abstract: "Measures many tenants of thirty classes: creation, opening, memory, use, migration.")

    @Option(help: "How many tenants.") var tenants = 1000
    @Option(help: "The number of the first: others are there already.") var first = 1
    @Option(help: "How many are migrated at the same time.") var parallel = 2
    @Option(help: "Where the server keeps its data; in memory where there is room when left out.") var directory:
        String?
    @Option(help: "An empty database to use, of a server that runs already: to look at it meanwhile and afterwards.")
    var databaseUrl: String?
    @Option(help: "What is measured, of create, use, migrate and delete; what comes before has been done there.")
    var parts = "create,use,migrate,delete"

    func run() async throws {
        if let databaseUrl { return try await measure(databaseUrl) }
        let folder = directory.map { URL(fileURLWithPath: $0) } ?? MemoryFolder.find(free: 4 << 30)
        let server = try LocalServer.temporary(
            options: .init(settings: ["max_connections": "50", "shared_buffers": "512MB"], directory: folder))
        defer { server.stop() }
        try await measure(server.url)
    }

    private func measure(_ text: String) async throws {
        let url = try require(URL(string: text))
        let parts = parts.split(separator: ",")
        let names = (first..<first + tenants).map { "t\($0)" }
        report(
            "machine",
            "load \(loadAverage), \(ProcessInfo.processInfo.processorCount) cores; \(tenants) tenants of 30 classes")
        if parts.contains("create") { try await create(names, url) }
        if parts.contains("use") { try await use(names, url) }
        if parts.contains("migrate") { try migrate(text) }
        if parts.contains("delete") { try await delete(url) }
    }

    private func container(
        _ url: URL, _ version: any VersionedSchema.Type, _ plan: any SchemaMigrationPlan.Type, _ policy: MigrationPolicy
    ) async throws -> ModelContainer {
        var configuration = ModelConfiguration(url: url)
        configuration.tenants = ModelConfiguration.Tenants(maximumOpen: tenants)
        var logger = Logger(label: "benchmark")
        logger.logLevel = .error
        return try await ModelContainer(
            for: Schema(versionedSchema: version), migrationPlan: plan, migrations: policy,
            configurations: [configuration],
            logger: logger)
    }

    private func create(_ names: [String], _ url: URL) async throws {
        let container = try await container(url, TenantModelsV1.self, FirstTenantPlan.self, .apply)
        var times: [Double] = []
        for (place, name) in names.enumerated() {
            times.append(try await seconds { try await container.createTenant(name) })
            if (place + 1) % 100 == 0 { report("create, to the \(place + 1)th", summary(Array(times.suffix(100)))) }
        }
        report("create", "first \(ms(times[0])), " + summary(times))
        await container.close()
        try await sizes(url)
    }

    private func sizes(_ url: URL) async throws {
        let connection = try await PostgresConnection.connect(PostgresConfiguration(url: url.absoluteString))
        defer { connection.close() }
        let query = """
            SELECT pg_size_pretty(pg_database_size(current_database())) || ', ' || (SELECT count(*) FROM pg_class) || ' relations'
            """
        try await connection.run(
            PostgresBatch(PostgresStatement(PreparedSQL(query, isCached: false))) { report("database", $0.string(0)) })
    }

    private func use(_ names: [String], _ url: URL) async throws {
        let before = memory
        let container = try await container(url, TenantModelsV1.self, FirstTenantPlan.self, .verify)
        let opened = memory
        var times: [Double] = []
        var all: [ModelContainer] = []
        for name in names {
            times.append(try await seconds { all.append(try await container.tenant(name)) })
        }
        report("open", summary(times))
        report(
            "memory of the program",
            "\(mb(opened - before)) for the container, \(mb(memory - opened)) for all tenants, \(kb((memory - opened) / Double(names.count))) each"
        )
        let again = try await seconds { for name in names { _ = try await container.tenant(name) } }
        report("at hand", "\(us(again / Double(names.count)))")

        for (label, tenants) in [
            ("one tenant", Array(repeating: names[0], count: names.count)), ("all in turn", names),
        ] {
            for round in ["first", "again"] {
                let time = try await seconds {
                    for name in tenants {
                        let context = try await ModelContext(container, tenant: name)
                        let part = TenantModelsV1.Part01("name")
                        context.insert(part)
                        part.parts.append(TenantModelsV1.Part02("part"))
                        try await context.save()
                        var descriptor = FetchDescriptor<TenantModelsV1.Part01>(sortBy: [SortDescriptor(\.created)])
                        descriptor.fetchLimit = 10
                        _ = try await context.fetch(descriptor)
                    }
                }
                report("save and fetch, \(label), \(round)", us(time / Double(tenants.count)))
            }
        }
        report("memory of the program", "\(mb(memory - opened)) after use")
        try await backends(container)
        await container.close()
    }

    /// What the server's processes of the pool have grown to.
    private func backends(_ container: ModelContainer) async throws {
        let pids = try await ModelContext(container).fetch(
            Int.self,
            sql:
                "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND backend_type = 'client backend'"
        )
        report(
            "memory of server processes",
            pids.map { mb(Self.memory(of: $0, "RssAnon:")) }.joined(separator: ", ") + " of their own")
    }

    private func migrate(_ url: String) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "strata-tenants-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        func tool(_ arguments: String...) throws {
            let surroundings = ToolSurroundings(
                directory: folder.path, output: { _ in }, errors: { FileHandle.standardError.write(Data($0.utf8)) })
            let invocation = ToolInvocation(
                project: MigrationProject(plan: TenantPlan.self), surroundings: surroundings)
            guard invocation.run(arguments) == 0 else { throw Failure(text: arguments.joined(separator: " ")) }
        }
        try tool("generate")
        for command in ["apply", "apply", "status", "drift"] {
            let clock = ContinuousClock()
            let time = try clock.measure {
                try tool(command, "--tenants", "all", "--parallel", "\(parallel)", "--database-url", url)
            }
            report("\(command) --tenants all, \(parallel) at a time", s(time / .seconds(1)))
        }
    }

    private func delete(_ url: URL) async throws {
        let container = try await container(url, TenantModelsV2.self, TenantPlan.self, .apply)
        report("delete", ms(try await seconds { try await container.deleteTenant("t1") }))
        await container.close()
    }

    // MARK: Figures

    private func seconds(_ body: () async throws -> Void) async rethrows -> Double {
        try await ContinuousClock().measure { try await body() } / .seconds(1)
    }

    /// At once, whether or not somebody looks on.
    private func report(_ what: String, _ text: String) {
        FileHandle.standardOutput.write(Data("\(what): \(text)\n".utf8))
    }

    private func summary(_ times: [Double]) -> String {
        let percentile = times.sorted()[min(times.count - 1, times.count * 99 / 100)]
        return "median \(ms(median(times))), 99th percentile \(ms(percentile)), slowest \(ms(times.max() ?? 0)), "
            + "last \(ms(times.last ?? 0)), all \(s(times.reduce(0, +)))"
    }

    private func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
    private func s(_ value: Double) -> String { String(format: "%.1f s", value) }
    private func ms(_ value: Double) -> String { String(format: "%.1f ms", value * 1e3) }
    private func us(_ value: Double) -> String { String(format: "%.0f µs", value * 1e6) }
    private func mb(_ value: Double) -> String { String(format: "%.1f MB", value / 1_048_576) }
    private func kb(_ value: Double) -> String { String(format: "%.0f kB", value / 1024) }

    private var memory: Double { Self.memory(of: Int(ProcessInfo.processInfo.processIdentifier), "VmRSS:") }

    /// Bytes in memory, of all or of its own; 0 where the system does not tell.
    private static func memory(of process: Int, _ kind: String) -> Double {
        guard let text = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8),
            let line = text.split(separator: "\n").first(where: { $0.hasPrefix(kind) }),
            let kilobytes = Double(line.filter(\.isNumber))
        else { return 0 }
        return kilobytes * 1024
    }

    private var loadAverage: String {
        (try? String(contentsOfFile: "/proc/loadavg", encoding: .utf8))?.split(separator: " ").first.map(String.init)
            ?? "unknown"
    }

    private func require<Value>(_ value: Value?) throws -> Value {
        guard let value else { throw Failure(text: "no value") }
        return value
    }

    private struct Failure: Error { let text: String }
}
