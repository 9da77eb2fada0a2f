package import StrataClient

/// What is kept of an object, as other modules read and write it: the accessors are inlined there, so that no access is
/// checked for overlapping others.
extension ModelState {
    /// The row's key; 0 until the object has one.
    package internal(set) var key: RowKey {
        @inlinable get { storedKey }
        set { storedKey = newValue }
    }

    /// Where the object stands in the unit of work.
    @inlinable package var phase: Phase {
        get { storedPhase }
        set { storedPhase = newValue }
    }

    /// Store and entity of the row, set with the key.
    package internal(set) var identity: EntityIdentity? {
        @inlinable get { storedIdentity }
        set { storedIdentity = newValue }
    }

    /// Inserted by this process and not saved since.
    @inlinable package var wasInserted: Bool {
        get { storedWasInserted }
        set { storedWasInserted = newValue }
    }

    /// The properties written since the object was last in step with its row.
    package internal(set) var changedSlots: SlotSet {
        @inlinable get { storedChangedSlots }
        _modify { yield &storedChangedSlots }
    }

    /// The edits of the object since it was last in step with its row: the values before them, in order.
    package internal(set) var originals: [OriginalValue] {
        @inlinable get { storedOriginals }
        _modify { yield &storedOriginals }
    }

    /// Whether a save that others can interrupt is writing this object.
    package internal(set) var isUnderWay: Bool {
        @inlinable get { storedIsUnderWay }
        set { storedIsUnderWay = newValue }
    }

    /// Where that save stands among the edits, once the object was edited after it began.
    package internal(set) var saveMark: SaveMark? {
        @inlinable get { storedSaveMark }
        set { storedSaveMark = newValue }
    }

    /// When values of the object were last read, counted in the context's saves (`UnitOfWork.readStamp`).
    @inlinable package var readStamp: UInt32 {
        get { storedReadStamp }
        set { storedReadStamp = newValue }
    }

    /// The last save that wrote the object, counted in the context's saves (`UnitOfWork.saveStamp`).
    @inlinable package var saveStamp: UInt32 {
        get { storedSaveStamp }
        set { storedSaveStamp = newValue }
    }

    /// The siblings this object was fetched with: lazy loading loads for all of them.
    @inlinable package var fetchGroup: FetchGroup? {
        get { storedFetchGroup }
        set { storedFetchGroup = newValue }
    }

    /// The context this object belongs to. Unowned without checks: the context clears it in every registered state
    /// when it goes away.
    @inlinable package var context: (any ObjectContext)? {
        get { storedContext }
        set { storedContext = newValue }
    }

    /// Whether the object belongs to a context.
    @inlinable package var hasContext: Bool { storedContext != nil }

    /// Whether both belong to one context, or neither to any.
    @inlinable
    package func sharesContext(with other: ModelState) -> Bool { storedContext === other.storedContext }

    /// The object itself, set while it is registered in a context; this state never outlives it.
    @inlinable package var model: (any PersistentModel)? {
        get { storedModel }
        set { storedModel = newValue }
    }

    /// Which store of its context, and which hierarchy in it: where the identity map has its entry.
    @inlinable package var storeIndex: Int16 {
        get { storedStoreIndex }
        set { storedStoreIndex = newValue }
    }

    /// Which hierarchy of that store, by the index of its root.
    @inlinable package var rootIndex: Int16 {
        get { storedRootIndex }
        set { storedRootIndex = newValue }
    }
}
