import Foundation
import StrataTestSupport
import SwiftData

/// Runs `body` with a container for these classes, on a database of its own that is gone afterwards.
///
/// `body` is synchronous, as the ported source is: in it calls that read or write block.
func withPortedStore(
    _ types: any PersistentModel.Type..., body: (ModelContainer) throws -> Void
) async throws {
    try await withTestDatabase { database in
        guard let url = database.foundationURL else { throw CocoaError(.fileNoSuchFile) }
        let container = try ModelContainer(for: Schema(types), configurations: ModelConfiguration(url: url))
        do {
            try body(container)
        } catch {
            await container.close()
            throw error
        }
        await container.close()
    }
}

extension ModelContainer {
    /// What a context that knows nothing finds.
    func count<M: PersistentModel>(_: M.Type) throws -> Int {
        try ModelContext(self).fetchCount(FetchDescriptor<M>())
    }
}

/// A day, counted from 1970.
func day(_ number: Double) -> Date { Date(timeIntervalSince1970: number * 86_400) }
