import Strata

/// Does the work in a fresh context, and again when somebody else stood in the way.
func withRetries<Result>(
    _ container: ModelContainer, attempts: Int = 3, _ work: (ModelContext) async throws -> Result
) async throws -> Result {
    var attempt = 1
    while true {
        let context = ModelContext(container)
        do {
            return try await work(context)
        } catch let error as SwiftDataError where error.isRetryable && attempt < attempts {
            attempt += 1
        }
    }
}
