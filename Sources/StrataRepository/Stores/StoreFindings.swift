import StrataClient
import StrataModels

/// What an inspection says about a store: what is missing, and what does not fit.
struct StoreFindings {
    private let mapping: StoreMapping
    private let unsettled: [String: Set<String>]
    private let definition: DatabaseDefinition
    private let inspection: DatabaseInspection
    /// The store's row in `strata.store`, once it was read.
    let row: StoreRow
    private let history: HistoryInspection
    private let description: HistoryDescription

    init(_ mapping: StoreMapping, unsettled: [String: Set<String>] = [:]) {
        self.mapping = mapping
        self.unsettled = unsettled
        definition = DatabaseDefinition(mapping)
        inspection = DatabaseInspection(schemas: [mapping.schemaName, LibrarySchema.name])
        row = StoreRow(mapping.schemaName)
        history = HistoryInspection(mapping.schemaName)
        description = HistoryDescription(mapping)
    }

    func addInspection(to batch: inout PostgresBatch) throws {
        try inspection.add(to: &batch)
        try history.addLibrary(to: &batch)
    }

    /// The statements that create what is missing, Strata's own schema first.
    var missing: [SQLFragment] {
        // Without the right to make the history's own tables, a store can do without them.
        let own = history.mayInstall ? LibrarySchema.definition : LibrarySchema.withoutHistory
        return creation(of: own) + history.installation + creationOfTables
    }

    /// Whether anything is missing that objects cannot be read and saved without.
    var isIncomplete: Bool { !creation(of: LibrarySchema.withoutHistory).isEmpty || !creationOfTables.isEmpty }

    private func creation(of own: DatabaseDefinition) -> [SQLFragment] {
        TableCreation(own, in: LibrarySchema.name, existing: inspection[LibrarySchema.name]?.definition).statements
    }

    private var creationOfTables: [SQLFragment] {
        TableCreation(definition, in: mapping.schemaName, existing: inspection[mapping.schemaName]?.definition)
            .statements
    }

    /// Whether the store has none of its tables yet.
    var isNew: Bool {
        let existing = inspection[mapping.schemaName]?.definition
        return definition.tables.allSatisfy { existing?.table(named: $0.name) == nil }
    }

    /// Whether `strata.store` is there to be read.
    var hasStoreTable: Bool {
        inspection[LibrarySchema.name]?.definition.table(named: LibrarySchema.store.name) != nil
    }

    /// Everything that differs, missing tables included.
    var difference: DefinitionDifference {
        DefinitionDifference(
            definition, found: inspection[mapping.schemaName] ?? DatabaseInspection.Contents(),
            properties: mapping.propertyNames, unsettled: unsettled)
    }

    /// What differs in the tables that exist already.
    var differenceOfExisting: DefinitionDifference {
        let found = inspection[mapping.schemaName] ?? DatabaseInspection.Contents()
        var existing = definition
        existing.tables.removeAll {
            found.definition.table(named: $0.name) == nil && found.otherRelations[$0.name] == nil
        }
        existing.views.removeAll {
            found.definition.view(named: $0.name) == nil && found.definition.table(named: $0.name) == nil
        }
        return DefinitionDifference(
            existing, found: found, properties: mapping.propertyNames, unsettled: unsettled)
    }

    // MARK: The history

    /// Asks for the store's row, and for what its history says of itself.
    func addReading(to batch: inout PostgresBatch) throws {
        try row.addReading(to: &batch)
        guard !mapping.entities.isEmpty else { return }
        try history.addReading(to: &batch, isRecorded: !description.isEmpty)
    }

    /// Whether the library's own part of the database is older than this release, and may be brought up to date.
    var hasOldLibrary: Bool { !history.installation.isEmpty }

    /// What makes the history's own tables and functions those of this release, whatever they are now; a newer release's are left alone.
    var historyRepair: [SQLFragment] {
        guard !history.isNewer else { return [] }
        return creation(of: LibrarySchema.definition)
            + (LibrarySchema.upgrade + LibraryFunctions.creation).map { SQLFragment($0) }
    }

    /// What keeps changes from being recorded.
    var historyFindings: [HistoryFinding] { history.findings }

    /// Whether the database was told to record something else. One that was told nothing is a finding, not this: making
    /// triggers locks tables that others may be using.
    var hasOtherHistory: Bool {
        guard !mapping.entities.isEmpty, let described = history.described else { return false }
        return described.withoutFormerNames != description.withoutFormerNames
    }

    /// Tells the database what to record, which makes the triggers: of a store whose tables were all made by this call,
    /// and of one that was told before.
    func addDescription(to batch: inout PostgresBatch, always: Bool = false) throws {
        guard !mapping.entities.isEmpty, always || history.mayInstall else { return }
        let describe: SQLFragment = """
            SELECT "strata"."history_describe"(\(bind: mapping.schemaName), \(bind: description.json)::jsonb) \
            WHERE \(bind: always || isNew && !description.isEmpty) OR EXISTS (
                SELECT FROM \(HistorySchema.description) AS d JOIN \(LibrarySchema.store) AS s ON s."number" = d."store"
                WHERE s."schema_name" = \(bind: mapping.schemaName))
            """
        batch.add(try describe.statement(name: "describe the history"))
    }

    func misfit(_ lines: [String]) -> SwiftDataError {
        SwiftDataError(
            .storeDoesNotFit,
            "The tables in the schema \"\(mapping.schemaName)\" do not fit the models:\n"
                + lines.map { "- " + $0 }.joined(separator: "\n"))
    }
}
