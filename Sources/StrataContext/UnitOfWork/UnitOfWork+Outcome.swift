import StrataClient
import StrataModels

extension UnitOfWork {
    /// Notes that a call has failed: with an unknown outcome it may have committed what it wrote.
    func noteOutcome(of error: any Error) {
        let failure = error as? PostgresError ?? (error as? SwiftDataError)?.underlying
        if failure?.code == .outcomeUnknown || (error as? SwiftDataError)?.code == .outcomeUnknown {
            mayHaveCommitted = true
        }
    }
}
