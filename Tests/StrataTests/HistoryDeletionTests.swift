import Foundation
import Strata
import StrataClient
import StrataLocalServer
import StrataTestSupport
import Testing

@Suite struct HistoryDeletionTests {
    @Test func `a token from before what was deleted has expired, one from after has not`() async throws {
        try await withServerOfItsOwn { store in
            let context = ModelContext(store.container)
            let start = try await store.container.currentHistoryToken()
            // After each token: how many saves there were.
            var tokens: [(token: DefaultHistoryToken, saves: Int)] = []
            var saves = 0
            while tokens.count < 4, saves < 100 {
                context.insert(Chronicle.Visit(day: saves))
                try await context.save()
                saves += 1
                let token = try #require(context.historyToken)
                // The server's own work has a transaction now and then.
                if token.positions.values.allSatisfy({ $0.base?.running.isEmpty == true }) {
                    tokens.append((token, saves))
                }
            }
            try #require(tokens.count == 4)
            let limit = tokens[2].token
            try await context.delete(
                HistoryDescriptor(predicate: #Predicate { $0.token <= limit }), leaving: saves - tokens[2].saves)
            for token in [start, tokens[0].token, tokens[1].token] {
                #expect(await code { _ = try await store.history(after: token) } == .historyTokenExpired)
            }
            for (token, before) in tokens.dropFirst(2) {
                #expect(try await store.history(after: token).count == saves - before)
            }
        }
    }

    @Test func `a long transaction in a token's list does not make it expire needlessly`() async throws {
        try await withServerOfItsOwn { store in
            let (long, aborted) = (try await store.connect(), try await store.connect())
            defer { for connection in [long, aborted] { connection.close() } }
            for connection in [long, aborted] {
                try await run("BEGIN", on: connection)
                try await run("INSERT INTO visit (day) VALUES (1)", on: connection)
            }
            let context = ModelContext(store.container)
            var token = try await store.container.currentHistoryToken()
            // The server's own work has a transaction now and then.
            for day in 0..<100 {
                context.insert(Chronicle.Visit(day: day))
                try await context.save()
                token = try #require(context.historyToken)
                if token.positions.values.allSatisfy({ $0.base?.running.count == 2 }) { break }
            }
            let limit = token
            context.insert(Chronicle.Visit(day: 3))
            try await context.save()
            try await run("ROLLBACK", on: aborted)
            try await run("COMMIT", on: long)
            let late = try #require(try await store.history().first { $0.processIdentifier == "" }?.id)
            try await context.delete(
                HistoryDescriptor(predicate: #Predicate { $0.token <= limit && $0.transactionIdentifier != late }),
                leaving: 2)
            // Those in its list were rolled back, or are still there.
            #expect(try await store.history(after: token).count == 2)
            try await context.delete(
                HistoryDescriptor(predicate: #Predicate { $0.transactionIdentifier == late }), leaving: 1)
            #expect(await code { _ = try await store.history(after: token) } == .historyTokenExpired)
        }
    }

    @Test func `deleting while pages are read expires the reading instead of leaving a gap`() async throws {
        try await withChronicle { store in
            let context = ModelContext(store.container)
            for number in 0..<6 {
                context.insert(Chronicle.Visit(day: number))
                try await context.save()
            }
            let page = try await context.fetchHistory(after: nil, limit: 2)
            let all = try await store.history()
            let gone = all[3].token
            try await context.delete(HistoryDescriptor(predicate: #Predicate { $0.token <= gone }), leaving: 2)
            #expect(
                await code {
                    _ = try await context.fetchHistory(after: page.token, limit: 2)
                } == .historyTokenExpired)
            #expect(try await context.fetchHistory(after: nil, limit: 2).transactions.count == 2)
        }
    }

    @Test func `a limit deletes the first in the descriptor's order`() async throws {
        try await withChronicle { store in
            let context = ModelContext(store.container)
            for author in ["a", "b", "c", "d"] {
                context.author = author
                context.insert(Chronicle.Visit(day: 1))
                try await context.save()
            }
            var descriptor = HistoryDescriptor<DefaultHistoryTransaction>(
                sortBy: [SortDescriptor(\.author, order: .reverse)])
            descriptor.fetchLimit = 2
            // Once all four are older than whatever runs on the server.
            let author = "a"
            try await context.delete(HistoryDescriptor(predicate: #Predicate { $0.author == author }), leaving: 3)
            try await context.awaitOldest()
            try deleteBlocking(descriptor, in: context)
            #expect(try await store.history().map(\.author) == ["b"])
            try await context.delete(HistoryDescriptor(), leaving: 0)
            #expect(try await store.history().isEmpty)
        }
    }

    private func deleteBlocking(
        _ descriptor: HistoryDescriptor<DefaultHistoryTransaction>, in context: ModelContext
    ) throws {
        try context.deleteHistory(descriptor)
    }

    @Test func `a container that may not save deletes no history`() async throws {
        try await withChronicle { store in
            let context = ModelContext(store.container)
            context.insert(Chronicle.Visit(day: 1))
            try await context.save()
            let url = try #require(store.database.foundationURL)
            let readOnly = try await store.reopened(Chronicle.schema) {
                $0 = ModelConfiguration(url: url, allowsSave: false)
            }
            let reader = ModelContext(readOnly)
            #expect(try await reader.fetchHistory(HistoryDescriptor()).count == 1)
            #expect(await code { try await reader.deleteHistory(HistoryDescriptor()) } == .readOnly)
            await readOnly.close()
        }
    }
}

/// A container on a server of its own: a token lists what runs there, and nobody else's transactions do.
private struct OwnServer {
    let container: ModelContainer
    let server: LocalServer

    func history(after token: DefaultHistoryToken? = nil) async throws -> Transactions {
        try await ModelContext(container).fetchHistory(after: token).transactions
    }

    func connect() async throws -> PostgresConnection {
        try await PostgresConnection.connect(try PostgresConfiguration(url: server.url))
    }
}

private func withServerOfItsOwn(_ body: (OwnServer) async throws -> Void) async throws {
    let server = try TestServer.another()
    defer { server.stop() }
    let container = try await ModelContainer(
        for: Chronicle.schema, configurations: ModelConfiguration(url: try #require(URL(string: server.url))))
    do {
        try await body(OwnServer(container: container, server: server))
    } catch {
        await container.close()
        throw error
    }
    await container.close()
}

extension ModelContext {
    /// Deletes until so many transactions are left: one can be deleted once it is older than all that run on the server,
    /// and other tests' do.
    fileprivate func delete(
        _ descriptor: HistoryDescriptor<DefaultHistoryTransaction>, leaving count: Int
    ) async throws {
        for _ in 0..<300 {
            try await deleteHistory(descriptor)
            if try await fetchHistory(HistoryDescriptor()).count == count { return }
            try await Task.sleep(for: .milliseconds(100))
        }
        Issue.record("the history was not deleted within 30 seconds")
    }

    /// Waits until everything committed so far is older than all that run on the server.
    fileprivate func awaitOldest() async throws {
        let newest = try await fetchHistory(HistoryDescriptor()).map(\.id).max() ?? 0
        for _ in 0..<300 {
            let token = try await container.currentHistoryToken()
            if token.positions.values.allSatisfy({ ($0.base?.start ?? 0) > newest }) { return }
            try await Task.sleep(for: .milliseconds(100))
        }
        Issue.record("other transactions ran for 30 seconds")
    }
}
