import Foundation
import StrataClient
import StrataLocalServer
import StrataMigrationTool
import StrataTestSupport
import Testing

@Suite("Databases that cannot be worked on", .timeLimit(.minutes(2)))
struct ConnectionFailureTests {
    private static var socketPath: String? {
        (try? TestServer.shared())?.localServer.map { $0.socketDirectory.path + "/.s.PGSQL.5432" }
    }

    private func url(_ proxy: PoolerProxy, _ database: TestDatabase) -> String {
        "postgres://postgres@127.0.0.1:\(proxy.port)/\(database.name)?sslmode=disable&gssencmode=disable"
    }

    @Test("a pooler in transaction mode is noticed before anything is done", .enabled(if: socketPath != nil))
    func pooler() async throws {
        try await withTestDatabase { database in
            let proxy = try PoolerProxy(socketPath: try #require(Self.socketPath))
            defer { proxy.stop() }
            let run = ToolRun(["apply", "--database-url", url(proxy, database)], project: WrittenStages.project)
            #expect(run.exitCode == 12)
            #expect(run.errors.contains("statements reach different server processes"))
            #expect(run.errors.contains("fix: connect to the server itself, or to a pooler in session mode"))
            let status = ToolRun(["status", "--database-url", database.url], project: WrittenStages.project)
            #expect(status.output.contains("none"))
            #expect(ToolRun(["apply", "--database-url", database.url], project: WrittenStages.project).exitCode == 0)
        }
    }

    @Test("a pooler that keeps the session does no harm", .enabled(if: socketPath != nil))
    func sessionPooler() async throws {
        try await withTestDatabase { database in
            let proxy = try PoolerProxy(socketPath: try #require(Self.socketPath), width: 1)
            defer { proxy.stop() }
            let run = ToolRun(["apply", "--database-url", url(proxy, database)], project: WrittenStages.project)
            #expect(run.exitCode == 0, "\(run.errors)")
        }
    }

    @Test("a server older than 15 is refused with its version", .enabled(if: socketPath != nil))
    func oldServer() async throws {
        try await withTestDatabase { database in
            let proxy = try PoolerProxy(socketPath: try #require(Self.socketPath), width: 1, majorVersion: "14")
            defer { proxy.stop() }
            for command in ["apply", "plan", "status", "drift", "baseline", "repair", "rollback"] {
                let run = ToolRun([command, "--database-url", url(proxy, database)], project: WrittenStages.project)
                #expect(run.exitCode == 12)
                #expect(run.errors.contains("The server is PostgreSQL 14."))
            }
        }
    }

    @Test("the address of a socket can be given back to the tool and to psql")
    func socketAddress() throws {
        let url = "postgresql:///postgres?host=/tmp/a%20b/run&user=app&password=hush"
        let address = DatabaseAddress(try PostgresConfiguration(url: url))
        #expect(address.text == "postgres://app@/postgres?host=/tmp/a%20b/run")
        #expect(try PostgresConfiguration(url: address.text).host == "/tmp/a b/run")
        let host = DatabaseAddress(try PostgresConfiguration(url: "postgres://app:hush@db.internal:5433/shop"))
        #expect(host.text == "postgres://app@db.internal:5433/shop")
    }

    @Test("a URL that is none ends with 2, and says how one is written")
    func unlikeURL() throws {
        let run = ToolRun(["status", "--database-url", "http://app:hush@h/d"], project: WrittenStages.project)
        #expect(run.exitCode == 2)
        #expect(run.errors.contains("The database URL must begin with postgres:// or postgresql://"))
        #expect(run.errors.contains("fix: write postgres://user@host:5432/database;"))
        #expect(!run.errors.contains("hush"))
    }

    @Test("a wrong password ends with 12, and no output holds it")
    func wrongPassword() throws {
        let rules = FileManager.default.temporaryDirectory.appending(path: "hba-\(UUID().uuidString).conf")
        try "local all postgres trust\nlocal all all scram-sha-256\n".write(
            to: rules, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: rules.path)
        defer { try? FileManager.default.removeItem(at: rules) }
        let server = try TestServer.another(["hba_file": rules.path])
        defer { server.stop() }
        let connection = try PostgresConnection.connect(try PostgresConfiguration(url: server.url))
        defer { connection.close() }
        try connection.run(PostgresBatch(PostgresStatement("CREATE ROLE app LOGIN SUPERUSER PASSWORD 'right-word'")))

        func run(_ password: String, _ format: String) -> ToolRun {
            let host = server.socketDirectory.path
            let url = "postgres://app:\(password)@/postgres?host=\(host)"
            return ToolRun(["apply", "--format", format, "--database-url", url], project: WrittenStages.project)
        }
        for format in ["text", "json", "github"] {
            let wrong = run("wr0ng-word", format)
            #expect(wrong.exitCode == 12)
            #expect((wrong.output + wrong.errors).contains("Check user, password"))
            #expect(!(wrong.output + wrong.errors).contains("wr0ng-word"))
        }
        #expect(run("right-word", "text").exitCode == 0)
    }

    @Test("a server that takes no writes, and a role that may not create: 12 with what is needed")
    func withoutRights() async throws {
        try await withTestDatabase { database in
            let role = "reader_\(UUID().uuidString.prefix(8).lowercased())"
            try await database.execute("CREATE ROLE \(role) LOGIN")
            var configuration = database.configuration
            configuration.user = role
            let host = configuration.host ?? ""
            let url = "postgres://\(role)@/\(database.name)?host=\(host)"
            let folder = try WrittenStages.folder()
            let denied = folder.run("apply", "--database-url", url, project: WrittenStages.project)
            #expect(denied.exitCode == 12)
            #expect(denied.errors.contains("permission denied for database"))
            #expect(denied.errors.contains("fix: use the role that owns the tables"))
            try await database.execute("DROP ROLE \(role)")

            try await database.execute("ALTER DATABASE \"\(database.name)\" SET default_transaction_read_only = on")
            let standby = folder.run("apply", "--database-url", database.url, project: WrittenStages.project)
            #expect(standby.exitCode == 12)
            #expect(standby.errors.contains("fix: connect to the primary server"))
        }
    }

    @Test("no server: 12, and --wait tries until the time is over")
    func noServer() {
        let url = "postgres://127.0.0.1:1/shop"
        let run = ToolRun(["apply", "--wait", "300ms", "--database-url", url], project: WrittenStages.project)
        #expect(run.exitCode == 12)
        #expect(run.errors.contains("fix:"))
    }
}
