import StrataMigrations
import StrataModels
import StrataTestSupport
import Testing

/// Objects of others that use what a stage drops: found before the first statement, not when everything else is done.
@Suite("Evolution: objects of others") struct DependentEvolutionTests {
    private typealias Attribute = AttributeEvolutionTests

    @Test(arguments: [
        "CREATE VIEW notes AS SELECT pk, note FROM item", "CREATE MATERIALIZED VIEW notes AS SELECT note FROM item",
        "CREATE POLICY notes ON item USING (note IS NULL)",
        "CREATE FUNCTION notes() RETURNS bigint LANGUAGE sql BEGIN ATOMIC SELECT count(note) FROM item; END",
        """
        CREATE TRIGGER notes BEFORE UPDATE OF note ON item FOR EACH ROW
        EXECUTE FUNCTION suppress_redundant_updates_trigger()
        """,
        "CREATE PUBLICATION notes FOR TABLE item (pk, note)",
    ]) func `what uses a column that is dropped is named`(statement: String) async throws {
        try await Evolution(
            [Attribute.Plain.Item.self], [Attribute.Bare.Item.self], changes: [.dropped(\Attribute.Plain.Item.note)]
        ).refuse(seed: Attribute.rows + [statement], naming: "notes")
    }

    @Test func `a view on a column that changes its type is named`() async throws {
        try await Evolution([TypeEvolutionTests.Text.Item.self], [TypeEvolutionTests.Whole.Item.self]).refuse(
            seed: ["CREATE VIEW texts AS SELECT value FROM item"], naming: "texts")
    }

    @Test(arguments: [
        "CREATE VIEW things AS SELECT * FROM thing", "CREATE POLICY things ON item USING (EXISTS (SELECT FROM thing))",
    ]) func `what uses a table that is dropped is named`(statement: String) async throws {
        try await Evolution(
            [Attribute.Plain.Item.self, Attribute.Thing.Thing.self], [Attribute.Plain.Item.self],
            changes: [.dropped(Attribute.Thing.Thing.self)]
        ).refuse(seed: [statement], naming: "M502")
    }

    /// Besides the table and the column, which are drift.
    @Test(arguments: [
        "CREATE TABLE mine (thing bigint REFERENCES thing)",
        "ALTER TABLE item ADD COLUMN mine text GENERATED ALWAYS AS (upper(note)) STORED",
    ]) func `tables and columns of others that need what is dropped are named`(statement: String) async throws {
        try await Evolution(
            [Attribute.Plain.Item.self, Attribute.Thing.Thing.self], [Attribute.Bare.Item.self],
            changes: [.dropped(Attribute.Thing.Thing.self), .dropped(\Attribute.Plain.Item.note)]
        ).withDatabase(seed: Attribute.rows + [statement]) { _, runner, scripts in
            let error = await #expect(throws: MigrationError.self) {
                try await blocking { try runner.apply(scripts) }
            }
            #expect(error?.code == .preflightRefused)
            #expect(
                error?.places.contains { $0.contains("mine") && $0.contains("uses") } == true,
                "\(String(describing: error))")
        }
    }

    @Test func `a view on a column that stays is nobody's business`() async throws {
        try await Evolution(
            [Attribute.Plain.Item.self], [Attribute.Bare.Item.self], changes: [.dropped(\Attribute.Plain.Item.note)]
        ).run(
            seed: Attribute.rows + ["CREATE VIEW names AS SELECT pk, name FROM item"],
            expecting: "SELECT count(*) > 0 FROM names", is: ["true"],
            returning: .none(because: "dropped values cannot come back: Item.note"))
    }
}
