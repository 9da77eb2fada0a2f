import StrataClient
import StrataModels
import StrataRepository

/// A fetch on its way to its statement: which rows unsaved new objects take over is looked up first, where that matters.
final class FetchQuery<T: PersistentModel, Statement> {
    let session: StoreSession
    let entity: EntityMapping
    /// Of the session, when this was planned: what is saved since is newer than the rows.
    let saveStamp: UInt32
    private let overlay: PendingOverlay?
    private let make: () throws -> Statement
    private var statement: Statement?

    /// Unsaved changes are those of now, unless something has to be looked up.
    ///
    /// - Parameter plain: makes the statement where no unsaved changes take part, if that takes less than a plan.
    init(
        _ descriptor: FetchDescriptor<T>, unit: UnitOfWork, reading: FetchReading = .objects,
        plain: ((StoreSession) throws -> Statement)? = nil,
        _ make: @escaping (FetchPlan<T>) throws -> Statement
    ) throws {
        (session, entity) = try unit.place(of: T.self)
        if entity.isView, descriptor.includePendingChanges, unit.hasChanges(in: session) {
            throw SwiftDataError(
                .unsupportedFeature,
                "A fetch of \(T.self) was not sent: it reads a view, which shows what is saved, and this context has unsaved changes. "
                    + "Call save() first (within a transaction that commits nothing), or set includePendingChanges to false."
            )
        }
        saveStamp = unit.stamps.save
        let overlay = try unit.overlay(for: descriptor, in: session)
        self.overlay = overlay
        if overlay == nil, let plain {
            self.make = { [session] in try plain(session) }
        } else {
            let plan = try FetchPlan(
                descriptor, mapping: session.store.mapping, store: session.store.identifier, overlay: overlay,
                reading: reading)
            self.make = { try make(plan) }
        }
        // What cannot be translated is refused now, and what is asked of the tables is known then.
        statement = try self.make()
    }

    /// What has to be asked before the statement is known.
    func lookUp() throws -> PostgresBatch? {
        guard let overlay, var batch = try overlay.lookUp() else { return nil }
        batch.limitsRows = false
        statement = nil
        return batch
    }

    /// The statement; after ``lookUp()``.
    func planned() throws -> Statement {
        if let statement { return statement }
        overlay?.finishLookup()
        let statement = try make()
        self.statement = statement
        return statement
    }

    /// New objects that stand for rows which they will take over, by the rows' keys.
    var replacements: [RowKey: any PersistentModel] { overlay?.replacements[entity.root.index] ?? [:] }
}
