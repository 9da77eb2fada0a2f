import Observation
public import StrataClient
import Synchronization

/// What Strata knows of one object beside its properties: its key, its context, what changed and what it was before.
///
/// One instance a model, owned by it; the identity map refers to it unowned and forgets it when it is freed with
/// its model.
///
/// Its fields are read and written one at a time, never held across a call, so they go without the checks for
/// overlapping access: these cost more than the accesses, in code that runs for every row. The compiler leaves the checks
/// out within this module only; so other modules get at the fields through accessors that are inlined (ModelState+Fields).
public final class ModelState {
    /// Where an object stands in the unit of work.
    @usableFromInline @frozen
    package enum Phase: UInt8 {
        /// Belongs to no context.
        case detached
        /// Inserted, not saved.
        case inserted
        /// In step with its row, or changed since (`changedSlots`).
        case registered
        /// Deleted, not saved.
        case deleted
        /// The deletion was saved, or the row was found gone.
        case gone

        // The compiler's own is called through a witness table from other modules.
        @inlinable @inline(__always)
        package static func == (one: Phase, other: Phase) -> Bool {
            // An enum of so few cases without payload is one byte.
            unsafeBitCast(one, to: UInt8.self) == unsafeBitCast(other, to: UInt8.self)
        }
    }

    // Words first, then what is smaller: between them nothing is left free, and of these there is one an object.
    @usableFromInline @exclusivity(unchecked) var storedKey: RowKey = 0
    @usableFromInline @exclusivity(unchecked) var storedIdentity: EntityIdentity?
    @usableFromInline @exclusivity(unchecked) unowned(unsafe) var storedContext: (any ObjectContext)?
    @usableFromInline @exclusivity(unchecked) unowned(unsafe) var storedModel: (any PersistentModel)?
    @usableFromInline @exclusivity(unchecked) var storedFetchGroup: FetchGroup?
    @usableFromInline @exclusivity(unchecked) var storedChangedSlots = SlotSet()
    @usableFromInline @exclusivity(unchecked) var storedOriginals: [OriginalValue] = []
    @exclusivity(unchecked) private var registrar: ObservationRegistrar?
    /// The last collection of objects that this one joined.
    @exclusivity(unchecked) private var collection: UInt64 = 0
    var temporaryKey: Int64 = 0
    /// Set when the object was hashed before it had a key: that hash is kept.
    var hashBeforeKey: Int?
    /// Whether the object was hashed by its key.
    private var wasHashed = false
    /// Whether a property was ever read, so that somebody may observe it. Asking the registrar itself copies it.
    @exclusivity(unchecked) private(set) var isObserved = false
    @usableFromInline @exclusivity(unchecked) var storedWasInserted = false
    @usableFromInline @exclusivity(unchecked) var storedIsUnderWay = false
    @usableFromInline @exclusivity(unchecked) var storedPhase: Phase = .detached
    @usableFromInline @exclusivity(unchecked) var storedStoreIndex: Int16 = 0
    @usableFromInline @exclusivity(unchecked) var storedRootIndex: Int16 = 0
    @usableFromInline @exclusivity(unchecked) var storedReadStamp: UInt32 = 0
    @usableFromInline @exclusivity(unchecked) var storedSaveStamp: UInt32 = 0
    @usableFromInline @exclusivity(unchecked) var storedSaveMark: SaveMark?

    private static let collections = Atomic<UInt64>(0)

    /// A number for a collection of objects without duplicates: unlike a set, it costs one comparison an object.
    package static func newCollection() -> UInt64 { collections.add(1, ordering: .relaxed).newValue }

    /// Whether the object was not in the collection yet; it is now. One collection at a time.
    package func joins(_ collection: UInt64) -> Bool {
        guard self.collection != collection else { return false }
        self.collection = collection
        return true
    }

    /// The state of a new object: without key, context and changes. Called by code that `@Model` wrote.
    public init() {}

    deinit {
        context?.forget(self)
    }

    /// Gives an object another key: saving merged it into an existing row. A hash taken before stays.
    package func rekey(to newKey: RowKey) {
        if wasHashed { hashBeforeKey = currentHash }
        key = newKey
    }

    /// Gives the object its key and context. Called once per registration.
    package func register(
        _ model: any PersistentModel, key: RowKey, identity: EntityIdentity, in context: any ObjectContext, phase: Phase
    ) {
        self.model = model
        if self.key != key { rekey(to: key) }
        self.identity = identity
        self.context = context
        self.phase = phase
    }

    /// Takes the object out of its context: it keeps its key and values, and loads nothing any more.
    package func unregister() {
        context = nil
        fetchGroup = nil
        model = nil
        isUnderWay = false
        saveMark = nil
    }

    package var hasChanges: Bool {
        switch phase {
        case .inserted, .deleted: true
        case .registered: !changedSlots.isEmpty
        case .detached, .gone: false
        }
    }

    package var isDeleted: Bool { phase == .deleted || phase == .gone }

    // MARK: Identity

    private static let temporaryKeys = Atomic<Int64>(0)

    func identifier(of model: any PersistentModel) -> PersistentIdentifier {
        if let identity, key != 0 { return PersistentIdentifier(identity: identity, key: key) }
        let entityName = type(of: model)._$descriptor.entityName
        return PersistentIdentifier(
            identity: EntityIdentity(store: nil, entityName: entityName), key: RowKey(negativeKey))
    }

    private var negativeKey: Int64 {
        if temporaryKey == 0 { temporaryKey = Self.temporaryKeys.subtract(1, ordering: .relaxed).newValue }
        return temporaryKey
    }

    func sharesRow(with other: ModelState) -> Bool {
        guard key != 0, key == other.key, let identity, let otherIdentity = other.identity else { return false }
        // Whoever was hashed before it had a key keeps that hash; equal objects must have equal ones.
        return identity == otherIdentity && currentHash == other.currentHash
    }

    /// The hash of the object, from now on for ever.
    var stableHash: Int {
        let hash = currentHash
        if key == 0 { hashBeforeKey = hash } else { wasHashed = true }
        return hash
    }

    private var currentHash: Int { hashBeforeKey ?? (key != 0 ? key : RowKey(negativeKey)).hashValue }

    // MARK: Changes

    /// Notes that `slot` is about to be written, with the value it has.
    func recordChange(_ slot: Int, original: @autoclosure () -> OriginalValue) {
        guard let context else { return }
        guard context.watchesWrites, let noted = context.willWrite(slot, of: self) else {
            return note(slot, original, context)
        }
        note(slot, { noted }, context)
    }

    private func note(_ slot: Int, _ original: () -> OriginalValue, _ context: any ObjectContext) {
        guard !isUnderWay else { return noteDuringSave(slot, original, context) }
        // A deleted object too: taking the deletion back must find what was written meanwhile.
        guard phase == .registered || phase == .deleted, !changedSlots.contains(slot) else {
            if phase == .inserted { context.insertedModelDidChange(self) }
            return
        }
        let wasClean = changedSlots.isEmpty
        changedSlots.insert(slot)
        let image = original()
        image.slot = slot
        originals.append(image)
        if wasClean { context.modelDidChange(self) }
    }

    /// Notes that `slot` is about to be written by who watches writes itself.
    package func noteChange(_ slot: Int, original: OriginalValue) {
        if let context { note(slot, { original }, context) }
    }

    /// Notes that `slot` has the value again that it had before its first change, if that is `value`: it is unchanged.
    package func noteUnchanged(_ slot: Int, _ value: OriginalValue) {
        guard !isUnderWay, phase != .inserted, original(at: slot)?.isSame(as: value) == true else { return }
        changedSlots.subtract(SlotSet([slot]))
        originals.removeAll { $0.slot == slot }
    }

    /// Notes that what `slot` holds differs from the rows by unsaved changes of other objects: it was loaded with them merged
    /// in, and goes back to `original` when they are rolled back.
    package func noteMerged(_ slot: Int, original: OriginalValue) {
        if let context { note(slot, { original }, context) }
    }

    /// Forgets what changed: the object is in step with its row.
    package func clearChanges() {
        guard !originals.isEmpty else { return }
        changedSlots = SlotSet()
        originals.removeAll()
        saveMark?.edits = 0
    }

    /// The value `slot` had when the object was last in step with its row, if it was written since; `nil` while there is no row, which a
    /// save under way may be about to write.
    package func original(at slot: Int) -> OriginalValue? {
        if originals.isEmpty || (saveMark?.phase ?? phase) == .inserted { return nil }
        return originals.first { $0.slot == slot }
    }

    // MARK: Observation

    func access<M: PersistentModel, V>(_ model: M, _ keyPath: KeyPath<M, V>) {
        if !isObserved {
            registrar = ObservationRegistrar()
            isObserved = true
        }
        registrar?.access(model, keyPath: keyPath)
    }

    /// Runs a write of `keyPath` between the notifications of Observation. Free when nobody ever read a property.
    func mutate<M: PersistentModel, V>(_ model: M, _ keyPath: KeyPath<M, V>, _ write: () -> Void) {
        guard isObserved, let registrar else { return write() }
        registrar.withMutation(of: model, keyPath: keyPath, write)
    }
}
