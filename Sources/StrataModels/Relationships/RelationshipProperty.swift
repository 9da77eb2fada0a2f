import Synchronization

/// A relationship, without the types of its two classes: what keeps both ends in step runs for every object, and generic code
/// that is not specialized looks its types up each time.
@usableFromInline package final class RelationshipProperty: ModelProperty {
    @usableFromInline package let name: String
    @usableFromInline package let keyPath: SendableKeyPath
    @usableFromInline package let slot: Int
    @usableFromInline package let declaringEntity: String
    @usableFromInline package var declaredColumn: String? { metadata.names.column }
    @usableFromInline package var originalName: String? { metadata.originalName }
    @usableFromInline package var hashModifier: String? { metadata.hashModifier }
    @usableFromInline package var defaultValue: Any? { nil }
    package let metadata: Schema.RelationshipMetadata
    package let destinationType: any PersistentModel.Type
    package let isToOne: Bool
    package let isOptional: Bool
    private let resolvedInverse = Mutex<InverseResolution?>(nil)
    /// The slot of the other side, for those who ask for every object; -1 for none.
    private let inverseSlot = Atomic<Int>(unresolved)
    private static let unresolved = -2

    /// Where the objects have it. One of the two.
    private let referencePlace: StoredPlace<HeldReference>?
    private let membersPlace: StoredPlace<Members>?
    /// Runs a write between the notifications of Observation.
    private let observed: @Sendable (any PersistentModel, () -> Void) -> Void

    /// A to-one relationship: `end` is where its storage keeps the reference.
    convenience init<M: PersistentModel, D: PersistentModel, Storage, Value>(
        at place: PropertyPlace, name: String, keyPath: KeyPath<M, Value>,
        storage: @escaping @Sendable () -> ReferenceWritableKeyPath<M, Storage>,
        end: any WritableKeyPath<Storage, HeldReference> & Sendable, destination: D.Type, isOptional: Bool,
        metadata: Schema.RelationshipMetadata
    ) {
        self.init(
            place, name, keyPath, destination, isOptional, metadata, StoredPlace { storage().appending(path: end) }, nil
        )
    }

    /// A to-many relationship: `end` is where its storage keeps the objects.
    convenience init<M: PersistentModel, D: PersistentModel, Storage, Value>(
        at place: PropertyPlace, name: String, keyPath: KeyPath<M, Value>,
        storage: @escaping @Sendable () -> ReferenceWritableKeyPath<M, Storage>,
        end: any WritableKeyPath<Storage, Members> & Sendable, destination: D.Type, isOptional: Bool,
        metadata: Schema.RelationshipMetadata
    ) {
        self.init(
            place, name, keyPath, destination, isOptional, metadata, nil, StoredPlace { storage().appending(path: end) }
        )
    }

    private init<M: PersistentModel, Value>(
        _ place: PropertyPlace, _ name: String, _ keyPath: KeyPath<M, Value>, _ destination: any PersistentModel.Type,
        _ isOptional: Bool,
        _ metadata: Schema.RelationshipMetadata, _ reference: StoredPlace<HeldReference>?,
        _ members: StoredPlace<Members>?
    ) {
        slot = place.slot
        declaringEntity = place.declaringEntity
        self.name = name
        self.keyPath = sendable(keyPath)
        self.metadata = metadata
        destinationType = destination
        isToOne = reference != nil
        self.isOptional = isOptional
        referencePlace = reference
        membersPlace = members
        observed = Self.observed(M.self, sendable(keyPath))
    }

    private static func observed<M: PersistentModel, Value>(
        _: M.Type, _ keyPath: any KeyPath<M, Value> & Sendable
    ) -> @Sendable (any PersistentModel, () -> Void) -> Void {
        { model, write in
            guard let model = model as? M else { return }
            model._$state.mutate(model, keyPath, write)
        }
    }

    package var destination: ModelDescriptor { destinationType._$descriptor }
    package var deleteRule: Schema.Relationship.DeleteRule { metadata.deleteRule }
    /// Whether the order of the objects is stored.
    package var isOrdered: Bool { !isToOne && metadata.options.contains(.ordered) }

    /// The other side, worked out once from both classes (``InverseResolution``).
    package func inverseResolution(of owner: ModelDescriptor) -> InverseResolution {
        resolvedInverse.withLock { known in
            if let known { return known }
            let resolution = InverseResolution(of: self, in: owner)
            known = resolution
            return resolution
        }
    }

    /// The other side in a version that may have classes of another one.
    package func inverseResolution(of owner: ModelDescriptor, among classes: VersionClasses) -> InverseResolution {
        // Only where both classes mean each other is the answer the same for all versions.
        guard classes.mean(owner, and: destination) else {
            return InverseResolution(of: self, in: owner, among: classes)
        }
        return inverseResolution(of: owner)
    }

    private func slotOfInverse(of owner: ModelDescriptor) -> Int {
        let known = inverseSlot.load(ordering: .relaxed)
        if known != Self.unresolved { return known }
        var slot = -1
        if case .found(let found) = inverseResolution(of: owner) { slot = found }
        inverseSlot.store(slot, ordering: .relaxed)
        return slot
    }

    /// Whether the objects at the other end know this end.
    package func hasInverse(in owner: any PersistentModel) -> Bool {
        slotOfInverse(of: type(of: owner)._$descriptor) >= 0
    }

    /// The relationship on the other side, as a property of the class of `other`.
    package func inverse(of owner: any PersistentModel, in other: any PersistentModel) -> RelationshipProperty? {
        inverse(of: type(of: owner)._$descriptor, in: other)
    }

    /// The relationship on the other side of an object of this class, as a property of the class of `other`.
    package func inverse(of owner: ModelDescriptor, in other: any PersistentModel) -> RelationshipProperty? {
        let slot = slotOfInverse(of: owner)
        guard slot >= 0, let inverse = type(of: other)._$descriptor.relationship(at: slot) else { return nil }
        // The other end may lead to a subclass: then only objects of that have an inverse.
        return owner.describes(inverse.destinationType) || owner.inherits(from: inverse.destination) ? inverse : nil
    }

    // MARK: Storage

    // Raw access, with Observation's notifications, without inverse maintenance. An owner of another class has nothing.

    package func reference(of owner: any PersistentModel) -> Reference {
        referencePlace?.with(owner) { $0.pointee.reference } ?? .none
    }

    /// The object that a to-one end keeps alive.
    package func heldObject(of owner: any PersistentModel) -> (any PersistentModel)? {
        referencePlace?.with(owner) { $0.pointee.object } ?? nil
    }

    package func setReference(_ reference: Reference, of owner: any PersistentModel) {
        write(owner) { referencePlace?.with(owner) { $0.pointee = HeldReference(reference) } }
    }

    package func objects(of owner: any PersistentModel) -> [any PersistentModel]? {
        loadedMembers(of: owner).map(models)
    }

    /// Objects of the class that the relationship leads to.
    func models(_ objects: [AnyObject]) -> [any PersistentModel] { objects.map(destination) }

    package func setObjects(_ objects: [any PersistentModel]?, of owner: any PersistentModel) {
        guard let objects else { return write(owner) { membersPlace?.with(owner) { $0.pointee = Members(nil) } } }
        setObjects(objects[...], of: owner)
    }

    package func setObjects(_ objects: ArraySlice<any PersistentModel>, of owner: any PersistentModel) {
        var array: [AnyObject] = []
        array.reserveCapacity(objects.count)
        for object in objects where leads(to: object) { array.append(object) }
        write(owner) { membersPlace?.with(owner) { $0.pointee = Members(array) } }
    }

    /// What it means to put these objects, of the class that the relationship leads to, in the place of those at this end.
    func change(to objects: [AnyObject], of owner: any PersistentModel) -> MembersChange? {
        membersPlace?.with(owner) { $0.pointee.change(to: objects) }
    }

    func replaceObjects(_ change: MembersChange, of owner: any PersistentModel) {
        write(owner) { membersPlace?.with(owner) { $0.pointee.replace(by: change) } }
    }

    /// The objects at this end in an array that nobody else has, if there is one (``Members/takeSpare()``).
    func takeSpare(of owner: any PersistentModel) -> [AnyObject]? {
        membersPlace?.with(owner) { $0.pointee.takeSpare() } ?? nil
    }

    /// The objects at this end, `nil` while they are not loaded.
    func loadedMembers(of owner: any PersistentModel) -> [AnyObject]? {
        membersPlace?.with(owner) { members in
            members.pointee.compact()
            return members.pointee.array
        } ?? nil
    }

    package func append(_ object: any PersistentModel, to owner: any PersistentModel) {
        guard leads(to: object) else { return }
        write(owner) { membersPlace?.with(owner) { $0.pointee.append(object) } }
    }

    package func remove(_ object: any PersistentModel, from owner: any PersistentModel) {
        guard contains(object, in: owner) else { return }
        write(owner) { membersPlace?.with(owner) { $0.pointee.remove(object) } }
    }

    package func contains(_ object: any PersistentModel, in owner: any PersistentModel) -> Bool {
        isToOne
            ? reference(of: owner).points(to: object)
            : membersPlace?.with(owner) { $0.pointee.contains(object) } ?? false
    }

    @usableFromInline package func isLoaded(in model: any PersistentModel) -> Bool {
        isToOne
            ? reference(of: model).isLoaded
            : membersPlace?.with(model) { $0.pointee.isLoaded } ?? false
    }

    /// Calls `body` with each object in memory at this end, as they were when it began.
    package func forEachLoadedObject(of owner: any PersistentModel, _ body: (any PersistentModel) -> Void) {
        if isToOne {
            if let object = heldObject(of: owner) { body(object) }
        } else if let array = loadedMembers(of: owner) {
            for object in array { body(destination(object)) }
        }
    }

    /// The objects in memory at this end, whichever kind it is.
    package func loadedObjects(of owner: any PersistentModel) -> [any PersistentModel] {
        isToOne ? reference(of: owner).object.map { [$0] } ?? [] : objects(of: owner) ?? []
    }

    /// Free when nobody ever read a property of the object.
    @inline(__always)
    private func write(_ owner: any PersistentModel, _ body: () -> Void) {
        if owner._$state.isObserved { observed(owner, body) } else { body() }
    }

    /// An object that was stored at this end, so it is of the class that the relationship leads to.
    @inline(__always)
    private func destination(_ object: AnyObject) -> any PersistentModel {
        func opened<Destination: PersistentModel>(_: Destination.Type) -> any PersistentModel {
            unsafeDowncast(object, to: Destination.self)
        }
        return opened(destinationType)
    }

    /// Whether an object is of the class that the relationship leads to, which it nearly always is exactly.
    @inline(__always)
    private func leads(to object: any PersistentModel) -> Bool {
        func opened<Destination: PersistentModel>(_: Destination.Type) -> Bool { object is Destination }
        return ObjectIdentifier(type(of: object)) == ObjectIdentifier(destinationType) || opened(destinationType)
    }

    // MARK: Values

    @usableFromInline package func currentValue(of model: any PersistentModel) -> OriginalValue? {
        let value = isToOne ? OriginalReference(reference(of: model)) : OriginalObjects(objects(of: model))
        value.slot = slot
        return value
    }

    @usableFromInline package func unknownValue() -> OriginalValue? {
        let value = isToOne ? OriginalReference(.unloaded) : OriginalObjects(nil)
        value.slot = slot
        return value
    }

    @usableFromInline package func announceChange(in model: any PersistentModel) {
        if isToOne {
            setReference(reference(of: model), of: model)
        } else {
            setObjects(objects(of: model), of: model)
        }
    }
}
