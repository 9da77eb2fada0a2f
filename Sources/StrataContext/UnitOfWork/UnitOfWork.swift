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
    @exclusivity(unchecked) private(set) var sessions: [StoreSession] = []
    weak var context: ModelContext?
    /// How to run something in the context's isolation, where that is known.
    var turns: IsolationTurns?
    /// Where the classes belong that were asked for first: objects of few classes come in large numbers.
    @exclusivity(unchecked) private var classPlaces: [(session: StoreSession, entity: EntityMapping)] = []
    private static let classPlacesKept = 8

    /// In order. An object whose phase has moved on stays here until the next collection.
    @exclusivity(unchecked) var inserted: [any PersistentModel] = []
    @exclusivity(unchecked) var changed: [any PersistentModel] = []
    @exclusivity(unchecked) var deleted: [any PersistentModel] = []
    /// Room for the objects that one insertion reaches: mostly few, and asked for with every one.
    @exclusivity(unchecked) var reachedByInsert: [any PersistentModel] = []
    /// Changes by predicate, in order.
    var bulkChanges: [BulkChange] = []
    var claims = TargetClaims()
    /// The object that becomes one of another class with the next save.
    var classChange: ClassChange?
    /// Errors that getters and setters could not throw; `save()` throws the first.
    var errors: [SwiftDataError] = [] {
        didSet { errorsEver += max(0, errors.count - oldValue.count) }
    }
    /// How many there have been.
    private(set) var errorsEver = 0
    /// Those that were met beside the open transaction, which has nothing to do with them.
    var errorsBeside: [SwiftDataError] = []
    /// Those of the task that asks.
    var unreported: [SwiftDataError] {
        get { isBesideTransaction ? errorsBeside : errors }
        set { if isBesideTransaction { errorsBeside = newValue } else { errors = newValue } }
    }
    var lazyLoading = ModelContext.LazyLoading.allowed
    /// Whether the context is one of `ModelContainer.read`: it saves nothing, and its transactions are read-only.
    var onlyReads = false
    /// The time of each call; `nil` for any.
    var timeout: Duration?
    /// The times of each transaction, as far as they are not the configuration's.
    var transactionLimits = SessionLimits()
    /// The rows of each fetch; `nil` for what the configuration says.
    var rowLimit: Int?
    /// Where statements and what nobody has thrown are logged; `nil` for where the container logs.
    var ownLogger: Logger?
    var logger: Logger { ownLogger ?? container.logger }
    /// Whether a relationship was ever loaded, set or saved in this context.
    @exclusivity(unchecked) var mayHoldCycles = false
    /// Objects that are kept in memory until as many others have taken their place (``keepForNow(_:)``).
    private var kept: [[any PersistentModel]] = []
    /// The saves that are under way: a second one, by another task, would write the same again.
    var savesUnderWay: [PendingSave] = []
    /// ``edits`` when they began.
    var editsWhenSaveBegan = 0
    /// Noted in objects whose values are read. Counts what was saved in transactions: what was read after a save that is
    /// undone has to be read again.
    @exclusivity(unchecked) var readStamp: UInt32 = 0
    /// Noted in objects that are saved. Counts the saves: what was read before one must not replace what it wrote.
    @exclusivity(unchecked) var saveStamp: UInt32 = 0
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

    /// Everything that may be unsaved, some of it twice.
    var allPending: [any PersistentModel] { inserted + changed + deleted }
    /// The places in the history after what was committed, by store, until the context's token has moved.
    var moments: [(store: String, position: HistoryPosition)] = []
    /// Whether something was ever committed through the context, or may have been: work that did is not done again.
    var mayHaveCommitted = false
    /// The levels of the open transaction; empty when there is none.
    var transactionLevels: [TransactionLevel] = []
    /// How many pieces of work have the transaction's connections just now, and who waits until none has.
    var usesOfTransaction = 0
    var endOfUses: UnsafeContinuation<Void, Never>?
    /// Whether a piece of work sends statements on them just now, and who sends next.
    var isTurnTaken = false
    var awaitingTurn: [UnsafeContinuation<Void, Never>] = []
    /// Rows that go on their way while others are encoded: whoever sends something comes after them.
    var rowsUnderWay: RowInsertion?
    /// Rows that were refused while others were encoded: the server takes nothing more of the transaction, and whoever sends something
    /// hears why.
    var refusedRows: RowInsertion?
    /// Whether there were no keys for new objects: the next save asks for them again.
    var lacksKeys = false
    /// For classes of objects that were deleted before they were saved: whether others can refer to them without an inverse.
    var oneWayTargets: [ObjectIdentifier: Bool] = [:]

    init(_ container: ModelContainer) {
        self.container = container
        sessions = container.stores.enumerated().map { StoreSession($1, index: $0, unit: self) }
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
        for model in inserted where model._$state.phase == .inserted { model._$state.phase = .detached }
        var states: [ModelState] = []
        for session in sessions { session.forEachState { states.append($0) } }
        // New objects for which there was no key are in no identity map.
        states += inserted.map(\._$state).filter { $0.key == 0 }
        let models = states.compactMap(\.model)
        for state in states { state.unregister() }
        GraphCycles.cut(models)
    }

    /// Nobody will throw these any more, and somebody was given values that were made up.
    private func logUnthrown() {
        for error in errors + errorsBeside {
            logger.error(
                """
                A context ended with an error of a getter or setter that nobody has thrown. Read with container.read { }, or call \
                throwUnreportedErrors() at the end.
                """, metadata: ["error": "\(error)"])
        }
    }

    // MARK: Finding

    func session(for descriptor: ModelDescriptor) -> (session: StoreSession, entity: EntityMapping)? {
        // By index: a place in the loop's variable is retained for each that is looked at.
        for index in classPlaces.indices where classPlaces[index].entity.descriptor === descriptor {
            return classPlaces[index]
        }
        for session in sessions {
            guard let entity = session.store.mapping.entity(for: descriptor) else { continue }
            if classPlaces.count < Self.classPlacesKept { classPlaces.append((session, entity)) }
            return (session, entity)
        }
        return nil
    }

    /// The store and entity of a class, or an error that says what to do.
    func place(of type: any PersistentModel.Type) throws -> (session: StoreSession, entity: EntityMapping) {
        try requireModel(type)
        guard let place = session(for: type._$descriptor) else {
            throw SwiftDataError(
                .unknownSchema,
                "\(type) is not part of this container's schema. Name it in ModelContainer(for:).")
        }
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
        for session in sessions where session.store.identifier == identifier.storeIdentifier {
            if let entity = session.store.mapping.entity(named: identifier.entityName) {
                return (session, entity)
            }
        }
        throw SwiftDataError(
            .unknownSchema,
            "The identifier \(identifier) belongs to a store or an entity that this container does not have.",
            identifiers: [identifier])
    }

    func registered(_ identifier: PersistentIdentifier) -> (any PersistentModel)? {
        guard let (session, entity) = try? place(of: identifier) else { return nil }
        return session.state(key: identifier.key, root: entity.root)?.model
    }

    /// Keeps objects alive until a few other loads have kept theirs.
    func keepForNow(_ models: [any PersistentModel]) {
        if kept.count == 4 { kept.removeFirst() }
        kept.append(models)
    }

    // MARK: Pending changes

    var hasChanges: Bool {
        !bulkChanges.isEmpty || classChange != nil || inserted.contains { $0._$state.phase == .inserted }
            || changed.contains { $0._$state.phase == .registered && !$0._$state.changedSlots.isEmpty }
            || deleted.contains { $0._$state.phase == .deleted }
    }

    var insertedModels: [any PersistentModel] { current(inserted) { $0.phase == .inserted } }
    var changedModels: [any PersistentModel] {
        current(changed) { $0.phase == .registered && !$0.changedSlots.isEmpty }
    }
    var deletedModels: [any PersistentModel] { current(deleted) { $0.phase == .deleted } }

    private func current(_ models: [any PersistentModel], _ isCurrent: (ModelState) -> Bool) -> [any PersistentModel] {
        let collection = ModelState.newCollection()
        func stays(_ model: any PersistentModel) -> Bool { isCurrent(model._$state) && model._$state.joins(collection) }
        // Mostly all of them: then nothing is copied.
        guard let first = models.firstIndex(where: { !stays($0) }) else { return models }
        return models[..<first] + models[(first + 1)...].filter(stays)
    }

    /// Inserted and changed objects of a class and its subclasses.
    func pending(of descriptor: ModelDescriptor) -> [any PersistentModel] {
        if inserted.isEmpty && changed.isEmpty { return [] }
        return (insertedModels + changedModels).filter { type(of: $0)._$descriptor.inherits(from: descriptor) }
    }

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
        if bulkChanges.contains(where: { $0.session === session }) { return true }
        if let classChange, sessions[Int(classChange.model._$state.storeIndex)] === session { return true }
        if sessions.count == 1 { return hasChanges }
        return (insertedModels + changedModels + deletedModels).contains {
            session.store.mapping.entity(for: type(of: $0)) != nil
        }
    }

    /// Forgets what was saved; what was changed while the save was under way stays unsaved.
    func clearSaved(_ saves: [PendingSave]) {
        Self.keep(&inserted) { $0.phase == .inserted }
        Self.keep(&changed) { $0.phase == .registered && !$0.changedSlots.isEmpty }
        Self.keep(&deleted) { $0.phase == .deleted }
        if saves.contains(where: \.changesClass) { classChange = nil }
        bulkChanges.removeAll { change in saves.contains { $0.carriesOut(change) } }
        if inserted.isEmpty, changed.isEmpty { claims = TargetClaims() }
    }

    /// Keeps the objects that are still what they are listed as. Mostly none is, and the save shares the array: taking objects
    /// out of it would copy all of them first.
    private static func keep(_ models: inout [any PersistentModel], _ isCurrent: (ModelState) -> Bool) {
        if models.contains(where: { isCurrent($0._$state) }) {
            models.removeAll { !isCurrent($0._$state) }
        } else {
            models = []
        }
    }

    /// An object has its first unsaved change.
    func noteChanged(_ model: any PersistentModel) { changed.append(model) }
    func noteDeleted(_ model: any PersistentModel) { deleted.append(model) }

    /// An object has changes that nobody made just now.
    func noteDirty(_ model: any PersistentModel) {
        guard !model._$state.changedSlots.isEmpty else { return }
        changed.append(model)
        noteEdit()
    }

    /// Makes an object one that the next save deletes.
    func markDeleted(_ model: any PersistentModel, wasInserted: Bool) {
        model._$state.separateFromSave()
        model._$state.phase = .deleted
        model._$state.wasInserted = wasInserted
        deleted.append(model)
        noteEdit()
    }
}
