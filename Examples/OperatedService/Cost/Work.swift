import OperatedService
import Strata

/// What is measured, named as in Documentation/Performance.md.
enum Work: String {
    /// One object by its identifier, in a context of its own.
    case lookUp = "W4"
    /// 16 at once that read a trip, change it and save, on the container's executor. Each has trips of its own.
    case readChangeSave = "W10"

    var workers: Int { self == .lookUp ? 1 : 16 }

    /// Does it once.
    func run(_ trip: PersistentIdentifier, in container: ModelContainer) async throws {
        let context = ModelContext(container)
        let found: Trip? = try await context.existingModel(for: trip)
        guard self == .readChangeSave, let found else { return }
        found.travellers += 1
        try await context.save()
    }
}
