import Foundation
import Logging
import Strata
import StrataModelTestSupport
import StrataTestSupport
import Testing

@Model(table: "films", keyColumn: "id") private final class Film {
    var title: String
    var note: String?
    var made: Date
    init(_ title: String) {
        self.title = title
        made = .now
    }
}

/// Tables of another program, whose columns have types that a list of ours has not.
@Suite struct ListsOfOthersTests {
    @Test func `lists are of the property's type, whatever the column's is`() async throws {
        try await withTestDatabase { database in
            try await database.execute(
                "CREATE TABLE films (id integer PRIMARY KEY, title varchar(20) NOT NULL, note char(3), made timestamp NOT NULL)",
                "INSERT INTO films VALUES (1, 'b', 'xyz', '2024-01-02 03:04:05'), (2, 'a', NULL, '2024-01-01 00:00:00')"
            )
            var configuration = ModelConfiguration(url: try #require(database.foundationURL))
            configuration.tables = .external
            let container = try await ModelContainer(
                for: Schema([Film.self]), configurations: [configuration], logger: Logger(label: "test"))
            let context = ModelContext(container)
            let rows = try await context.fetch(
                FetchDescriptor<Film>(), selecting: .values(\.title), .values(\.note), .values(\.made),
                .joined(\.title, separator: ";"))
            #expect(rows.map(\.0) == [["a", "b"]] && rows.map(\.1) == [["xyz"]] && rows.map(\.3) == ["a;b"])
            #expect(
                rows.map(\.2) == [
                    [Date(timeIntervalSince1970: 1_704_067_200), Date(timeIntervalSince1970: 1_704_164_645)]
                ])
            await container.close()
        }
    }
}
