import StrataClient
import StrataModels

/// What an inspection says about a store: what is missing, and what does not fit.
struct StoreFindings {
    private let mapping: StoreMapping
    private let definition: DatabaseDefinition
    private let inspection: DatabaseInspection
    /// The store's row in `strata.store`, once it was read.
    let row: StoreRow

    init(_ mapping: StoreMapping) {
        self.mapping = mapping
        definition = DatabaseDefinition(mapping)
        inspection = DatabaseInspection(schemas: [mapping.schemaName, LibrarySchema.name])
        row = StoreRow(mapping.schemaName)
    }

    func addInspection(to batch: inout PostgresBatch) throws { try inspection.add(to: &batch) }

    /// The statements that create what is missing, Strata's own schema first.
    var missing: [SQLFragment] {
        let library = inspection[LibrarySchema.name]?.definition
        let tables = inspection[mapping.schemaName]?.definition
        return TableCreation(LibrarySchema.definition, in: LibrarySchema.name, existing: library).statements
            + (hasHistory ? [] : ([LibrarySchema.upgrade] + LibraryFunctions.creation).map { SQLFragment($0) })
            + TableCreation(definition, in: mapping.schemaName, existing: tables).statements
    }

    /// Whether `strata.store` is there to be read.
    var hasStoreTable: Bool {
        inspection[LibrarySchema.name]?.definition.table(named: LibrarySchema.store.name) != nil
    }

    /// Whether the library's schema has the tables of the history.
    private var hasHistory: Bool {
        inspection[LibrarySchema.name]?.definition.table(named: HistorySchema.change.name) != nil
    }

    /// Everything that differs, missing tables included.
    var difference: DefinitionDifference {
        DefinitionDifference(
            definition, found: inspection[mapping.schemaName] ?? DatabaseInspection.Contents(),
            properties: mapping.propertyNames)
    }

    /// What differs in the tables that exist already.
    var differenceOfExisting: DefinitionDifference {
        let found = inspection[mapping.schemaName] ?? DatabaseInspection.Contents()
        var existing = definition
        existing.tables.removeAll {
            found.definition.table(named: $0.name) == nil && found.otherRelations[$0.name] == nil
        }
        return DefinitionDifference(existing, found: found, properties: mapping.propertyNames)
    }

    /// Tells the database what to record, which makes the triggers.
    func addDescription(to batch: inout PostgresBatch) throws {
        let description = HistoryDescription(mapping)
        guard !description.isEmpty else { return }
        let describe: SQLFragment =
            "SELECT \(identifier: LibrarySchema.name).\"history_describe\"(\(bind: mapping.schemaName), \(bind: description.json)::jsonb)"
        batch.add(try describe.statement(name: "describe the history"))
    }

    func misfit(_ lines: [String]) -> SwiftDataError {
        SwiftDataError(
            .storeDoesNotFit,
            "The tables in the schema \"\(mapping.schemaName)\" do not fit the models:\n"
                + lines.map { "- " + $0 }.joined(separator: "\n"))
    }
}
