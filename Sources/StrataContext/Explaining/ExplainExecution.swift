import StrataClient
import StrataModels
import StrataRepository

/// Asks the server how it carries out a query.
final class ExplainExecution<T: PersistentModel>: ContextCall {
    let session: StoreSession
    var purpose: String { "explain \(T.self)" }
    var isReadAgain: Bool { false }
    private let query: FetchQuery<T, (explanation: PostgresStatement, sql: String)>
    private let avoidsSequentialScans: Bool
    private var isDone = false
    private var result: QueryPlan?

    init(_ request: ExplainRequest<T>, unit: UnitOfWork) throws {
        avoidsSequentialScans = request.avoidsSequentialScans
        query = try FetchQuery(request.descriptor, unit: unit, reading: request.query.reading) {
            try $0.explanation(of: request.query, analyze: request.analyze)
        }
        session = query.session
        if avoidsSequentialScans, try session.transactionConnection() != nil {
            throw SwiftDataError(
                .unsupportedFeature,
                "explain with avoidsSequentialScans changes a setting of the server for its own transaction, and cannot be called in "
                    + "one. Call it outside of transaction.")
        }
    }

    func next() throws -> PostgresBatch? {
        guard !isDone else { return nil }
        if let lookup = try query.lookUp() { return lookup }
        isDone = true
        let (explanation, sql) = try query.planned()
        var batch = PostgresBatch()
        if avoidsSequentialScans {
            batch.begin(readOnly: true)
            batch.add(Explanation.avoidingSequentialScans)
        }
        var keyIndexes: Set<String> = []
        batch.add(Explanation.keyIndexes, onRow: { keyIndexes.insert($0.string(0)) })
        batch.add(
            explanation,
            onRow: { self.result = try QueryPlan(document: $0.string(0), sql: sql, keyIndexes: keyIndexes) })
        if avoidsSequentialScans { batch.commit() }
        return batch
    }

    /// The plan, after the last batch.
    func plan() throws -> QueryPlan {
        guard let result else { throw SwiftDataError(.storeFailure, "\(purpose): the server answered nothing.") }
        return result
    }
}
