import StrataClient
import StrataModels
import StrataRepository

/// How far a durable consumer has come: its row in `strata.history_consumer`.
struct HistoryConsumerPlace {
    private let name: String
    private let row: HistoryConsumerRow
    private let text: String?
    /// `nil` for a consumer that has never advanced.
    let token: DefaultHistoryToken?
    /// Whether the place was not written for a minute: one that stays behind too long might expire although nothing that
    /// concerns it was deleted.
    let isOld: Bool

    static func read(_ name: String, in store: Store) async throws -> HistoryConsumerPlace {
        let record = HistoryConsumerRow(name, in: store.mapping.schemaName)
        try store.requireLife()
        var row: (text: String, isOld: Bool)?
        do {
            try await store.pool.withConnection(for: "read the place of a history consumer") { connection in
                try await connection.run(record.reading { row = ($0, $1) })
            }
        } catch let error as PostgresError {
            throw explain(error, name)
        }
        return HistoryConsumerPlace(
            name: name, row: record, text: row?.text,
            token: try row.map { try read($0.text, name) }, isOld: row?.isOld ?? false)
    }

    /// Writes the new place in the transaction of `connection`, if the place is still this one; whoever does the same at
    /// the same time waits for the end of the transaction.
    func advance(to token: DefaultHistoryToken, on connection: PostgresConnection) async throws -> Bool {
        var count = 0
        do {
            try await connection.run(row.advancing(from: text, to: token.description) { count = $0 })
        } catch let error as PostgresError {
            throw Self.explain(error, name)
        }
        return count == 1
    }

    private static func read(_ text: String, _ name: String) throws -> DefaultHistoryToken {
        guard let token = DefaultHistoryToken(text) else {
            throw SwiftDataError(
                .invalidIdentifier,
                "strata.history_consumer holds something for \"\(name)\" that is no history token. Delete the row: the consumer "
                    + "then begins anew.", details: text)
        }
        return token
    }

    private static func explain(_ error: PostgresError, _ name: String) -> SwiftDataError {
        let remedy =
            error.lacksRight
            ? " The role needs, granted by the owner of the tables: GRANT SELECT, INSERT, UPDATE ON strata.history_consumer."
            : ""
        return SwiftDataError(
            .storeFailure, "The place of the history consumer \"\(name)\": \(error.message)\(remedy)", underlying: error
        )
    }
}
