import Synchronization

/// Where in its objects a value is stored: found once through its key path, and from then on read and written there.
///
/// A key path to a stored property takes a hundred times as long as the property itself: it is interpreted each time. Only for
/// the storage that `@Model` declares (`private final var`, structs in it): a key path to that leads into the object itself.
final class StoredPlace<Value>: Sendable {
    private let owner: ObjectIdentifier
    private let isOwner: @Sendable (any PersistentModel) -> Bool
    private let find: @Sendable (any PersistentModel, (UnsafeMutablePointer<Value>) -> Void) -> Void
    /// Bytes from the beginning of the object. No property is stored at 0: every object begins with its header.
    private let offset = Atomic<Int>(0)
    /// The value turned out not to be stored in the object itself.
    private static var elsewhere: Int { -1 }
    private static var largestObject: Int { 1 << 16 }

    /// - Parameter keyPath: asked for when the place is looked for.
    init<Model: PersistentModel>(_ keyPath: @escaping @Sendable () -> ReferenceWritableKeyPath<Model, Value>) {
        owner = ObjectIdentifier(Model.self)
        isOwner = { $0 is Model }
        find = { model, body in
            guard let model = model as? Model else { return }
            withUnsafeMutablePointer(to: &model[keyPath: keyPath()], body)
        }
    }

    /// Calls `body` with the place in this object; `nil` when the object is of another class. It must not touch the property in
    /// another way meanwhile.
    @inline(__always)
    @discardableResult
    func with<Result>(_ model: any PersistentModel, _ body: (UnsafeMutablePointer<Value>) -> Result) -> Result? {
        let known = offset.load(ordering: .relaxed)
        guard known > 0, ObjectIdentifier(type(of: model)) == owner || isOwner(model) else {
            return search(model, known, body)
        }
        let result = body(
            Unmanaged.passUnretained(model as AnyObject).toOpaque().advanced(by: known)
                .assumingMemoryBound(to: Value.self))
        // Not deferred: that is a call of its own for each look.
        withExtendedLifetime(model) {}
        return result
    }

    /// The value in this object; `nil` when it is of another class.
    @inline(__always)
    func value(in model: any PersistentModel) -> Value? {
        with(model) { $0.pointee }
    }

    @inline(never)
    private func search<Result>(
        _ model: any PersistentModel, _ known: Int, _ body: (UnsafeMutablePointer<Value>) -> Result
    ) -> Result? {
        var result: Result?
        find(model) { place in
            if known == 0 {
                let object = Unmanaged.passUnretained(model as AnyObject).toOpaque()
                let distance = UnsafeMutableRawPointer(place) - object
                // A copy, which a property that is computed would hand out, lies elsewhere.
                let isInside = distance > 0 && distance < Self.largestObject
                offset.store(isInside ? distance : Self.elsewhere, ordering: .relaxed)
            }
            result = body(place)
        }
        return result
    }
}
