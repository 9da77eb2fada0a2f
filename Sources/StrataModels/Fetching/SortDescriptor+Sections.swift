package import Foundation

extension SortDescriptor where Compared: PersistentModel {
    /// Sorts by a property whose type only the program knows, as ``SortDescriptor/init(_:order:)`` for that type would; `nil` if it
    /// has no order.
    package static func ascending(by keyPath: PartialKeyPath<Compared>) -> SortDescriptor<Compared>? {
        for path in SortKeyPath.all(of: keyPath) {
            switch type(of: path).valueType {
            case let value as any Comparable.Type:
                if let descriptor = descriptor(path, to: value) { return descriptor }
            case let value as any ComparableOptional.Type:
                if let descriptor = value.descriptor(path, of: Compared.self) { return descriptor }
            default: continue
            }
        }
        return nil
    }

    private static func descriptor<Value: Comparable>(_ path: AnyKeyPath, to: Value.Type) -> SortDescriptor<Compared>? {
        (path as? KeyPath<Compared, Value>).map { SortDescriptor(sendable($0)) }
    }
}

/// An optional whose wrapped type is known to have an order only when the program runs.
private protocol ComparableOptional {
    static func descriptor<M: PersistentModel>(_ path: AnyKeyPath, of: M.Type) -> SortDescriptor<M>?
}

extension Optional: ComparableOptional where Wrapped: Comparable {
    fileprivate static func descriptor<M: PersistentModel>(_ path: AnyKeyPath, of: M.Type) -> SortDescriptor<M>? {
        (path as? KeyPath<M, Self>).map { SortDescriptor(sendable($0)) }
    }
}
