import Foundation
import Strata
import StrataClient
import Synchronization
import Testing

/// Many tasks that write for six tenants of a container, while something disturbs them, and what has become of each save.
struct TenantLoad {
    static let tenants = (0..<6).map { "t\($0)" }

    let container: ModelContainer
    let book = Book()

    init(_ container: ModelContainer) { self.container = container }

    /// Creates the tenants and lets twelve tasks write for so long; `disturb` is called again and again meanwhile.
    func run(for time: Duration, _ disturb: () async throws -> Void) async throws {
        let (container, book) = (container, book)
        for tenant in Self.tenants { try await container.createTenant(tenant) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<12 {
                group.addTask { try await Self.write(task, in: container, book) }
            }
            let end = ContinuousClock.now + time
            while .now < end { try await disturb() }
            book.close()
            try await group.waitForAll()
        }
    }

    /// Compares what saves said with what the database has, now that nobody writes.
    func check(customers: (_ tenant: String) async throws -> [String]) async throws {
        var stored: [String] = []
        for tenant in Self.tenants {
            let customers = try await customers(tenant)
            #expect(customers.allSatisfy { $0.hasPrefix(tenant + " ") }, "rows of others in \(tenant)")
            stored += customers
        }
        book.check(against: stored)
    }

    /// What became of saves, by what they wrote.
    final class Book: Sendable {
        private struct State {
            var saved: Set<String> = []
            var failed: Set<String> = []
            var unknown: Set<String> = []
        }

        private let state = Mutex(State())
        private let closed = Atomic(false)

        var isClosed: Bool { closed.load(ordering: .relaxed) }
        func close() { closed.store(true, ordering: .relaxed) }
        func saved(_ text: String) { _ = state.withLock { $0.saved.insert(text) } }
        func failed(_ text: String, _ error: any Error) {
            state.withLock { state in
                if (error as? SwiftDataError)?.code == .outcomeUnknown || error is CancellationError {
                    _ = state.unknown.insert(text)
                } else {
                    _ = state.failed.insert(text)
                }
            }
        }

        var counts: (saved: Int, failed: Int) { state.withLock { ($0.saved.count, $0.failed.count) } }

        func check(against stored: [String]) {
            let (all, state) = (Set(stored), state.withLock { $0 })
            #expect(all.count == stored.count, "stored twice")
            #expect(state.saved.subtracting(all) == [], "saved, and not there")
            #expect(all.intersection(state.failed) == [], "failed, and there")
            #expect(all.subtracting(state.saved).subtracting(state.unknown) == [], "there, and not reported")
            #expect(state.saved.count > 100, "\(state.saved.count)")
        }
    }

    /// Saves one invoice after another, each for another tenant, and reads what the tenant has.
    private static func write(_ task: Int, in container: ModelContainer, _ book: Book) async throws {
        var number = 0
        while !book.isClosed, !Task.isCancelled {
            number += 1
            let tenant = tenants[(task &+ number &* 5) % tenants.count]
            let text = "\(tenant) \(task) \(number)"
            let (invoice, isDue) = (task * 1_000_000 + number, number.isMultiple(of: 7))
            let save = Task { () async throws -> Void in
                let context = try await ModelContext(container, tenant: tenant)
                context.insert(Invoice(invoice, customer: text))
                try await context.save()
            }
            if isDue {
                try? await Task.sleep(for: .microseconds(Int64(number % 11) * 200))
                save.cancel()
            }
            do {
                try await save.value
                book.saved(text)
            } catch { book.failed(text, error) }
            // What cannot be read is no concern of this test; what is read is.
            guard let context = try? await ModelContext(container, tenant: tenant),
                let all = try? await context.fetch(FetchDescriptor<Invoice>(), selecting: \.customer)
            else { continue }
            #expect(all.allSatisfy { $0.hasPrefix(tenant + " ") }, "\(tenant) has read rows of others")
        }
    }
}
