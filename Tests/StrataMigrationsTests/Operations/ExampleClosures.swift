import StrataClient
import StrataTestSupport

@testable import StrataMigrations

/// Closures that change rows on a connection of their own; run twice, they leave what once leaves.
struct ExampleClosures: StageClosures {
    let database: TestDatabase

    func perform(_ closure: StageClosure, stage: Int) throws {
        let connection = try PostgresConnection.connect(database.configuration)
        defer { connection.close() }
        let value = closure == .willMigrate ? "upper(name)" : "lower(name)"
        try connection.run(PostgresBatch(PostgresStatement("UPDATE public.item SET name = \(value)")))
    }
}
