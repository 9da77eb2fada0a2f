import StrataClient
import StrataModels
import StrataRepository

/// A statement of the caller's own, on its way over the context's connection.
final class SQLExecution<Row>: ContextCall {
    let session: StoreSession
    let purpose = "An SQL statement failed"
    /// It may have written something.
    let isReadAgain = false
    var isForPrimary: Bool { writing != nil }
    var canBeginAnew: Bool { writing == nil }
    private let statement: PostgresStatement
    /// What becomes of the rows; `nil` where nobody wants any.
    private let reading: RowReading<Row>?
    /// What is sent around a statement that writes; `nil` for one that reads.
    private let writing: Writing?
    /// Whether the statement is a transaction of its own that only reads.
    private let isReadOnly: Bool
    private var step = Step.statement
    private var moment = HistoryMoment()
    /// Known when the columns are.
    private var collector: RowCollector<Row>?
    /// How many rows the statement changed or returned.
    private(set) var count = 0

    private enum Step { case statement, commit, done }

    private struct Writing {
        let authorship: Authorship
        /// Whether the statement is a transaction of its own.
        let isAlone: Bool
    }

    /// - Parameter reading: what becomes of the rows; `nil` for a statement that is carried out for what it does.
    init(
        _ sql: SQLStatement, _ reading: RowReading<Row>?, in context: ModelContext, includePendingChanges: Bool
    ) throws {
        let unit = context.unit
        try unit.requireTurn()
        session = try unit.session(of: sql)
        let store = session.store
        let fragment = try sql.fragment(in: store.mapping, store: store.identifier)
        let statement = try fragment.statement(name: "SQL")
        let effect = SQLEffect(of: statement.sql.text)
        if case .foreign(let reason) = effect {
            throw SwiftDataError(.unsupportedFeature, "An SQL statement was not sent: \(reason).")
        }
        guard effect != .ofTransaction || session.connection != nil else {
            throw SwiftDataError(
                .unsupportedFeature,
                "An SQL statement was not sent: it lasts as long as the transaction, and none is open. Send it within transaction { }, or "
                    + "in withContext(isolation:).")
        }
        if includePendingChanges, unit.hasChanges(in: session) {
            throw SwiftDataError(
                .unsupportedFeature,
                "An SQL statement was not sent: it works on the tables, and this context has unsaved changes, which are not there "
                    + "yet. Call save() first (within a transaction that commits nothing), or pass includePendingChanges: false."
            )
        }
        self.statement = statement
        self.reading = reading
        // Where nothing may be written the server says whether something is: the transaction, or the connection, only reads.
        let onlyReads = unit.onlyReads || !store.configuration.allowsSave
        guard reading == nil || !(effect == .reads || effect == .mayWrite && onlyReads) else {
            // Who reads from a replica writes nowhere by a function, wherever the read goes.
            isReadOnly =
                (unit.onlyReads && effect == .mayWrite || unit.reading.isFromReplica) && session.connection == nil
            writing = nil
            return
        }
        isReadOnly = false
        guard !unit.onlyReads else { throw unit.onlyReadsRefusal("was to write by SQL") }
        guard store.configuration.allowsSave else {
            throw SwiftDataError(
                .readOnly,
                "The configuration \"\(store.configuration.name)\" does not allow saving (allowsSave: false), and an SQL statement "
                    + "was to write.")
        }
        writing = Writing(authorship: try context.authorship(in: store), isAlone: session.connection == nil)
    }

    /// What a statement returns that is carried out for what it does is nobody's.
    var rowLimit: Int? { reading == nil ? nil : session.rowLimit }

    func next() throws -> PostgresBatch? {
        switch step {
        case .statement:
            // A row that cannot be read must not be committed: then COMMIT waits for the rows.
            step = writing?.isAlone == true && reading != nil ? .commit : .done
            return try statementBatch()
        case .commit:
            step = .done
            var batch = PostgresBatch()
            try commit(&batch)
            return batch
        case .done: return nil
        }
    }

    private func statementBatch() throws -> PostgresBatch {
        var batch = PostgresBatch()
        if let writing {
            if writing.isAlone { batch.begin() }
            try batch.set(writing.authorship)
        }
        if isReadOnly { batch.begin(readOnly: true) }
        let plan = reading?.plan
        var append: ((PostgresRow) throws -> Void)?
        batch.add(
            statement, mayLeaveObjects: true,
            onResult: { description in
                self.collector = try plan?(ResultColumns(description))
                append = self.collector?.append
            },
            onRow: { row in try append?(row) },
            onComplete: { self.count = $0 })
        if isReadOnly { batch.commit() }
        if writing?.isAlone == true, reading == nil { try commit(&batch) }
        return batch
    }

    private func commit(_ batch: inout PostgresBatch) throws {
        if session.store.recordsHistory {
            batch.add(
                try HistoryMoment.ofTransaction(in: session.store.mapping.schemaName),
                onRow: { try self.moment.take($0) })
        }
        batch.commit()
    }

    func explain(_ error: any Error) -> any Error {
        session.unit.noteOutcome(of: error)
        guard let underlying = (error as? SwiftDataError)?.underlying else { return error }
        if underlying.sqlState == "25006" {
            return SwiftDataError(
                .readOnly, "\(purpose): it writes, and here is only read. \(underlying.message)", underlying: underlying
            )
        }
        guard underlying.code == .outcomeUnknown else { return error }
        return SwiftDataError(
            .outcomeUnknown,
            "The connection was lost while an SQL statement was being committed: it may have taken effect or not. Read what it "
                + "should have written before sending it again.", underlying: underlying)
    }

    /// What was made of the rows, once.
    func takeRows() -> [Row] { collector?.takeAll() ?? [] }

    /// Lets the context know that rows were written that no object of it has written.
    func noteWritten(in context: ModelContext) {
        guard writing != nil else { return }
        let unit = context.unit
        unit.stamps.save &+= 1
        unit.noteSaved(Journal())
        session.noteWritten()
        guard let position = moment.position else { return }
        unit.moments.append((session.store.identifier, position))
        context.noteMoments()
    }
}

extension UnitOfWork {
    /// The store that a statement is for: that of the classes it names, or the only one.
    fileprivate func session(of sql: SQLStatement) throws -> StoreSession {
        for descriptor in sql.classes {
            if let place = session(for: descriptor) { return place.session }
            throw SwiftDataError(
                .unknownSchema,
                "An SQL statement names \(descriptor.entityName), which is not part of this container's schema. Name it in "
                    + "ModelContainer(for:).")
        }
        guard sessions.count == 1, let only = sessions.first else {
            throw SwiftDataError(
                .unsupportedFeature,
                "An SQL statement names no class, and this container has \(sessions.count) stores. Name a class of the one that is "
                    + "meant, as in FROM \\(Trip.self).")
        }
        return only
    }
}
