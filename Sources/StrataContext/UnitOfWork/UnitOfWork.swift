import Foundation
import Logging
import StrataClient
import StrataModels
import StrataRepository

/// What a context keeps of its objects: who they are (identity map) and what changed (unit of work).
///
/// Registered objects are not kept alive by it; inserted, changed and deleted ones are, until they are saved.
///
/// What is read and written for every object goes without the checks for overlapping access.
final class UnitOfWork {
    let container: ModelContainer
    @exclusivity(unchecked) private var identities = IdentityMap([])
    weak var context: ModelContext?
    /// How to run something in the context's isolation, where that is known.
    var turns: IsolationTurns?
    let unsaved = UnsavedChanges()
    /// Room for the objects that one insertion reaches: mostly few, and asked for with every one.
    @exclusivity(unchecked) var reachedByInsert: [any PersistentModel] = []
    /// Errors that getters and setters could not throw; `save()` throws the first.
    var errors = ReportedErrors()
    var lazyLoading = ModelContext.LazyLoading.allowed
    /// Whether the context is one of `ModelContainer.read`: it saves nothing, and its transactions are read-only.
    var onlyReads = false
    /// Where the context reads.
    var reading = ModelContext.Reading.primary
    /// What each call asks of its connection.
    var terms = CallTerms()
    /// What the user wants to be set. Whose rows are seen, the container says.
    var settings: [String: String] = [:] {
        didSet {
            let rows = container.rowSettings?.values ?? [:]
            let refused = settings.keys.filter { RowScope.settingNames.contains($0.lowercased()) }.sorted()
            if !rows.isEmpty, !refused.isEmpty {
                for name in refused { settings[name] = nil }
                report(
                    SwiftDataError(
                        .unsupportedFeature,
                        "The settings of a context name \(refused.joined(separator: ", ")), by which its container says whose rows are seen. Leave it out, and "
                            + "ask for the container of another tenant: container.tenant(_:)."))
            }
            terms.settings = settings.isEmpty ? container.rowSettings : CallSettings(settings.merging(rows) { $1 })
        }
    }
    /// The times of each transaction, as far as they are not the configuration's.
    var transactionLimits = SessionLimits()
    /// The rows of each fetch; `nil` for what the configuration says.
    var rowLimit: Int?
    /// Where statements and what nobody has thrown are logged; `nil` for where the container logs.
    var ownLogger: Logger?
    var logger: Logger { ownLogger ?? container.logger }
    /// Whether a relationship was ever loaded, set or saved in this context.
    @exclusivity(unchecked) var mayHoldCycles = false
    var savesUnderWay = SavesUnderWay()
    @exclusivity(unchecked) var stamps = Stamps()
    /// How often a getter had to load something.
    var lazyLoads = 0
    /// Counts every edit, so that an enumeration notices one.
    var edits = 0 {
        didSet { autosave?.edited() }
    }
    /// Takes back what is done in this context, if somebody wants that.
    @exclusivity(unchecked) var undoManager: ModelUndoManager?
    /// `nil` while autosave is off.
    @exclusivity(unchecked) var autosave: Autosave?
    /// The observers of results that show what is unsaved here.
    @exclusivity(unchecked) var editWatch = EditWatch()

    /// The places in the history after what was committed, by store, until the context's token has moved.
    var moments: [(store: String, position: HistoryPosition)] = []
    /// Whether something was ever committed through the context, or may have been: work that did is not done again.
    var mayHaveCommitted = false
    /// The open transaction; it has no levels when there is none.
    var transaction = TransactionStack<TransactionScope, Int?, UnsafeContinuation<Void, Never>>()
    /// What its saves did in memory. Each level's memory is the place of its mark; none before the level is opened.
    var journal = Journal()
    /// Rows that go on their way while others are encoded: whoever sends something comes after them.
    var rowsUnderWay: RowInsertion?
    /// Rows that were refused while others were encoded: the server takes nothing more of the transaction, and whoever sends something
    /// hears why.
    var refusedRows: RowInsertion?
    /// Whether there were no keys for new objects: the next save asks for them again.
    var lacksKeys = false
    /// New objects that do not have all parts of their keys yet.
    var lackingParts: [any PersistentModel] = []
    /// For classes of objects that were deleted before they were saved: whether others can refer to them without an inverse.
    var oneWayTargets: [ObjectIdentifier: Bool] = [:]

    init(_ container: ModelContainer) {
        self.container = container
        terms.settings = container.rowSettings
        identities = IdentityMap(container.stores.enumerated().map { StoreSession($1, index: $0, unit: self) })
    }

    deinit {
        logUnthrown()
        // Objects may outlive their context: they keep their values, and know no context. Taking relationships apart
        // frees cycles of objects that hold each other; there are none where no relationship was ever in memory.
        guard mayHoldCycles else {
            for session in sessions { session.forEachState { $0.unregister() } }
            return
        }
        // What was never saved can be inserted into another context.
        for model in unsaved.inserted where model._$state.phase == .inserted { model._$state.phase = .detached }
        var states: [ModelState] = []
        for session in sessions { session.forEachState { states.append($0) } }
        // New objects for which there was no key are in no identity map.
        states += unsaved.inserted.map(\._$state).filter { $0.key == 0 }
        let models = states.compactMap(\.model)
        for state in states { state.unregister() }
        GraphCycles.cut(models)
    }

    /// Nobody will throw these any more, and somebody was given values that were made up.
    private func logUnthrown() {
        for error in errors.all {
            logger.error(
                """
                A context ended with an error of a getter or setter that nobody has thrown. Read with container.read { }, or call \
                throwUnreportedErrors() at the end.
                """, metadata: ["error": "\(error)"])
        }
    }

    // MARK: Finding

    var sessions: [StoreSession] { identities.sessions }

    /// The store and entity of a class; `nil` for one that no store has.
    func session(for descriptor: ModelDescriptor) -> (session: StoreSession, entity: EntityMapping)? {
        identities.place(of: descriptor)
    }

    /// Where new objects of a class belong, if it was found before.
    func insertablePlace(of type: any PersistentModel.Type) -> ClassPlace? { identities.insertablePlace(of: type) }

    func keep(_ place: ClassPlace) { identities.keep(place) }

    /// The store and entity of a class, or an error that says what to do.
    func place(of type: any PersistentModel.Type) throws -> (session: StoreSession, entity: EntityMapping) {
        try requireModel(type)
        guard let place = session(for: type._$descriptor) else {
            throw SwiftDataError(
                .unknownSchema,
                "\(type) is not part of this container's schema. Name it in ModelContainer(for:).")
        }
        try place.session.store.requireTenant(for: place.entity)
        return place
    }

    /// A subclass that is not marked `@Model` would be stored as its superclass, without its own properties.
    func requireModel(_ type: any PersistentModel.Type) throws {
        guard !type._$descriptor.describes(type) else { return }
        throw SwiftDataError(
            .unknownSchema,
            "\(type) inherits from the model \(type._$descriptor.entityName) but is not a model itself. Write @Model before "
                + "class \(type).")
    }

    func place(of identifier: PersistentIdentifier) throws -> (session: StoreSession, entity: EntityMapping) {
        if let place = identities.place(of: identifier) {
            guard !identifier.key.isFinal || place.entity.key.accepts(identifier.key) else {
                throw SwiftDataError(
                    .invalidIdentifier,
                    "The identifier \(identifier) has a key of another kind than \(place.entity.name), whose keys are "
                        + "\(place.entity.key.typeDescription). It was not made by this store.",
                    identifiers: [identifier])
            }
            try place.session.store.requireTenant(for: place.entity)
            return place
        }
        throw SwiftDataError(
            .unknownSchema,
            "The identifier \(identifier) belongs to a store or an entity that this container does not have.",
            identifiers: [identifier])
    }

    func registered(_ identifier: PersistentIdentifier) -> (any PersistentModel)? { identities.object(identifier) }

    /// Keeps objects alive until a few other loads have kept theirs.
    func keepForNow(_ models: [any PersistentModel]) { identities.keepForNow(models) }

    // MARK: Unsaved changes

    var hasChanges: Bool { !unsaved.isEmpty }

    /// The objects in memory at one end.
    func targets(of property: RelationshipProperty, in model: any PersistentModel) -> [any PersistentModel] {
        if case .key(let key) = property.reference(of: model), property.isToOne {
            return registered(key: key, root: property.destination.root).map { [$0] } ?? []
        }
        return property.loadedObjects(of: model)
    }

    // MARK: Noting changes, and what was saved

    /// Whether anything unsaved belongs to this store.
    func hasChanges(in session: StoreSession) -> Bool {
        if unsaved.bulkChanges.contains(where: { $0.session === session }) { return true }
        if let change = unsaved.classChange, sessions[Int(change.model._$state.storeIndex)] === session { return true }
        if sessions.count == 1 { return hasChanges }
        return (unsaved.insertedModels + unsaved.changedModels + unsaved.deletedModels).contains {
            session.store.mapping.entity(for: type(of: $0)) != nil
        }
    }

    /// An object has its first unsaved change.
    func noteChanged(_ model: any PersistentModel) { unsaved.changed.append(model) }
    func noteDeleted(_ model: any PersistentModel) { unsaved.deleted.append(model) }

    /// An object has changes that nobody made just now.
    func noteDirty(_ model: any PersistentModel) {
        guard !model._$state.changedSlots.isEmpty else { return }
        unsaved.changed.append(model)
        noteEdit()
    }

    /// Makes an object one that the next save deletes.
    func markDeleted(_ model: any PersistentModel, wasInserted: Bool) {
        model._$state.placeSaveMark()
        model._$state.phase = .deleted
        model._$state.wasInserted = wasInserted
        unsaved.deleted.append(model)
        noteEdit()
    }
}
