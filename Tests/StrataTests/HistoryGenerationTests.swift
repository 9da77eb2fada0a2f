import Foundation
import Strata
import StrataClient
import StrataLocalServer
import StrataTestSupport
import Testing

@Suite struct HistoryGenerationTests {
    @Test func `in a copy of the database old tokens have expired, and the history goes on`() async throws {
        try await withTestDatabase { database in
            var token: DefaultHistoryToken?
            do {
                let container = try await open(database)
                let context = ModelContext(container)
                context.insert(Chronicle.Visit(day: 1))
                try await context.save()
                token = context.historyToken
                await container.close()
            }
            let copy = "copy_of_\(database.name)".prefix(60)
            // Connections that were just closed may still be on their way out.
            var attempts = 0
            while true {
                do {
                    try await database.server.run("CREATE DATABASE \"\(copy)\" TEMPLATE \"\(database.name)\"")
                    break
                } catch {
                    attempts += 1
                    guard attempts < 50 else { throw error }
                    try await Task.sleep(for: .milliseconds(100))
                }
            }
            do {
                let old = try #require(token)
                let url = try #require(URL(string: database.url.replacing(database.name, with: copy)))
                let container = try await ModelContainer(
                    for: Chronicle.schema, configurations: ModelConfiguration(url: url))
                let context = ModelContext(container)
                #expect(
                    await code {
                        _ = try await context.fetchHistory(after: old)
                    } == .historyTokenExpired)
                #expect(try await context.fetchHistory(HistoryDescriptor()).map(\.summary) == ["insert Visit"])
                let current = try await container.currentHistoryToken()
                context.insert(Chronicle.Museum(name: "new"))
                try await context.save()
                #expect(try await context.fetchHistory(after: current).transactions.map(\.summary) == ["insert Museum"])
                let all = try await context.fetchHistory(HistoryDescriptor())
                #expect(all.map(\.summary) == ["insert Visit", "insert Museum"])
                // Pages cross the generations too.
                let first = try await context.fetchHistory(after: nil, limit: 1)
                #expect(first.transactions.map(\.summary) == ["insert Visit"])
                let second = try await context.fetchHistory(after: first.token, limit: 1)
                #expect(second.transactions.map(\.summary) == ["insert Museum"])
                await container.close()
            }
            try await database.server.run("DROP DATABASE \"\(copy)\" (FORCE)")
        }
    }

    @Test(.enabled(if: PostgresProgram.find("pg_dump") != nil && PostgresProgram.find("psql") != nil))
    func `after a restore into a fresh server old tokens have expired, and new changes are read`() async throws {
        try await withTestDatabase { database in
            let container = try await open(database)
            let context = ModelContext(container)
            // The fresh server's numbers are to be the smaller ones.
            try await database.execute(
                "DO $$ BEGIN FOR i IN 1..3000 LOOP PERFORM pg_current_xact_id(); COMMIT; END LOOP; END $$")
            for day in 0..<3 {
                context.insert(Chronicle.Visit(day: day))
                try await context.save()
            }
            let old = try #require(context.historyToken)
            await container.close()

            let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).sql").path
            defer { try? FileManager.default.removeItem(atPath: file) }
            try PostgresProgram.run("pg_dump", ["-d", database.url, "-f", file])
            let server = try TestServer.another()
            defer { server.stop() }
            try PostgresProgram.run("psql", ["-X", "-q", "-v", "ON_ERROR_STOP=1", "-f", file, "-d", server.url])
            let restored = try await ModelContainer(
                for: Chronicle.schema, configurations: ModelConfiguration(url: try #require(URL(string: server.url))))
            let reader = ModelContext(restored)
            #expect(await code { _ = try await reader.fetchHistory(after: old) } == .historyTokenExpired)
            #expect(try await reader.fetchHistory(HistoryDescriptor()).count == 3)
            let current = try await restored.currentHistoryToken()
            reader.insert(Chronicle.Museum(name: "new"))
            try await reader.save()
            #expect(try await reader.fetchHistory(after: current).transactions.map(\.summary) == ["insert Museum"])
            #expect(
                try await reader.fetchHistory(HistoryDescriptor()).map(\.summary)
                    == ["insert Visit", "insert Visit", "insert Visit", "insert Museum"])
            await restored.close()
        }
    }

    private func open(_ database: TestDatabase) async throws -> ModelContainer {
        try await ModelContainer(
            for: Chronicle.schema, configurations: ModelConfiguration(url: try #require(database.foundationURL)))
    }
}

/// PostgreSQL's own programs, where they are installed.
private enum PostgresProgram {
    static func find(_ name: String) -> URL? {
        let environment = ProcessInfo.processInfo.environment
        let named = environment["STRATA_POSTGRES_BIN"].map { [$0] } ?? []
        let folders = named + (environment["PATH"] ?? "").split(separator: ":").map(String.init)
        return folders.map { URL(fileURLWithPath: $0).appendingPathComponent(name) }
            .first { FileManager.default.isExecutableFile(atPath: $0.path) }
    }

    static func run(_ name: String, _ arguments: [String]) throws {
        let process = Process()
        process.executableURL = find(name)
        process.arguments = arguments
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0, "\(name) failed")
    }
}
