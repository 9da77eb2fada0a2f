import Synchronization

/// A database that is filled once in a process and then copied for each test that needs one like it.
///
/// ```swift
/// static let trips = TestTemplate("trips") { try await $0.execute("CREATE TABLE trip (pk bigint PRIMARY KEY)") }
///
/// try await withTestDatabase(template: Self.trips) { database in … }
/// ```
package final class TestTemplate: Sendable {
    private let label: String
    /// What it is a copy of before it is filled.
    private let base: TestTemplate?
    private let filling: @Sendable (TestDatabase) async throws -> Void
    /// The filling, started by the first who asks.
    private let filled = Mutex<Task<TestDatabase, any Error>?>(nil)

    /// Names the template and says how it is filled, empty or as a copy of another; nothing happens before the first copy is
    /// asked for.
    package init(
        _ label: String, on base: TestTemplate? = nil, fill: @escaping @Sendable (TestDatabase) async throws -> Void
    ) {
        self.label = label
        self.base = base
        filling = fill
    }

    private static let shared = Mutex<[AnyHashable: TestTemplate]>([:])

    /// The template of this process with this key, filled as the first who asks for it says.
    package static func shared<Key: Hashable & Sendable>(
        _ key: Key, _ label: String, on base: TestTemplate? = nil,
        fill: @escaping @Sendable (TestDatabase) async throws -> Void
    ) -> TestTemplate {
        shared.withLock { templates in
            if let template = templates[key] { return template }
            let template = TestTemplate(label, on: base, fill: fill)
            templates[key] = template
            return template
        }
    }

    /// Makes an empty database what the template is.
    func fill(_ database: TestDatabase) async throws {
        try await base?.fill(database)
        try await filling(database)
    }

    /// The filled database, to which nobody can connect any more.
    func database() async throws -> TestDatabase {
        let task = filled.withLock { filled in
            if let filled { return filled }
            // Not a child of the test that asks first: its cancellation must not spoil the template for others.
            let task = Task.detached { [label, base, filling] in
                // A copy, or a database that is filled anew.
                let database = try await TestDatabase.create("template \(label)", template: base)
                try await filling(database)
                try await database.close()
                return database
            }
            filled = task
            return task
        }
        return try await task.value
    }
}
