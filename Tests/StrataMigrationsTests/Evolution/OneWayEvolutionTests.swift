import StrataClient
import StrataModels
import StrataTestSupport
import Testing

@testable import StrataMigrations

/// Values that are converted from old to new only, in a column that new code knows by its name.
@Suite("Evolution: one way") struct OneWayEvolutionTests {
    enum Numbered {
        @Model class Item {
            var code: Int = 0
            init() {}
        }
    }
    enum Labelled {
        @Model class Item {
            @Attribute(originalName: "code") var label: String = ""
            init() {}
        }
    }
    enum Counted {
        @Model class Item {
            var code: Int = 0
            @Attribute(originalName: "label") var number: Int = 0
            init() {}
        }
    }
    enum Text {
        @Model class Item {
            var code: Int = 0
            var label: String = ""
            init() {}
        }
    }

    /// Its trigger would write what it has converted over what new code has written.
    @Test func `new code waits for the end of a conversion under a new name`() async throws {
        let evolution = try Evolution([Numbered.Item.self], [Labelled.Item.self])
        let steps = try evolution.scripts()[1].steps
        #expect(steps.neededByNewCode.map(\.operation) == [.endConversion])
        try await evolution.withDatabase { database, runner, scripts in
            try await blocking { try runner.apply(scripts, through: .backfill) }
            // The trigger writes what it converts of a column that new code leaves empty.
            let error = await #expect(throws: PostgresError.self) {
                try await database.execute("INSERT INTO item (pk, label) VALUES (7, 'new')")
            }
            #expect(error?.sqlState == "23502")
            try await blocking { try runner.apply(scripts) }
            try await database.execute("INSERT INTO item (pk, label) VALUES (7, 'new')")
            #expect(try await evolution.texts("SELECT label FROM item", on: database) == ["new"])
        }
    }

    @Test func `new code does not wait where every new value has an old one`() throws {
        let steps = try Evolution([Text.Item.self], [Counted.Item.self]).scripts()[1].steps
        #expect(steps.neededByNewCode == [])
        #expect(steps.contains { $0.operation == .endInStep })
    }
}
