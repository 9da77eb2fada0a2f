/// The end of all triggers at once: with some of them gone, the others would carry old values over new ones.
struct EndInStep: PlannedOperation {
    var triggers: [SyncTrigger]
    /// Whether one of them converts what old code writes, and nothing back.
    var isOneWay: Bool

    var kind: MigrationOperation { isOneWay ? .endConversion : .endInStep }
    var title: String { "stop keeping \(tables.joined(separator: ", ")) in step" }
    var lock: MigrationStep.Lock { .accessExclusive }
    var tables: [String] { triggers.map(\.table).eachOnce }

    func statements(_ sql: SchemaSQL) -> [String] {
        triggers.map { $0.drop(sql) } + triggers.map { $0.dropFunction(sql) }
    }
}
