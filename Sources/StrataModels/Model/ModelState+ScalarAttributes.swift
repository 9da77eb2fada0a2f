public import Foundation
public import StrataClient

/// Writes attributes of the types that most properties have. The general form looks up at every call what a coding is made of;
/// here the compiler knows.
extension ModelState {
    /// Writes a `String`, as the general form does.
    public func set<M: PersistentModel>(
        _ value: String, at slot: Int, current: AttributeStorage<ScalarCoding<String>>, of model: M,
        _ keyPath: KeyPath<M, String>, _ write: (M, AttributeStorage<ScalarCoding<String>>) -> Void
    ) {
        assign(value, at: slot, current: current, of: model, keyPath, write)
    }

    /// Writes a `String?`, as the general form does.
    public func set<M: PersistentModel>(
        _ value: String?, at slot: Int, current: AttributeStorage<OptionalCoding<ScalarCoding<String>>>, of model: M,
        _ keyPath: KeyPath<M, String?>, _ write: (M, AttributeStorage<OptionalCoding<ScalarCoding<String>>>) -> Void
    ) {
        assign(value, at: slot, current: current, of: model, keyPath, write)
    }

    /// Writes an `Int`, as the general form does.
    public func set<M: PersistentModel>(
        _ value: Int, at slot: Int, current: AttributeStorage<ScalarCoding<Int>>, of model: M,
        _ keyPath: KeyPath<M, Int>, _ write: (M, AttributeStorage<ScalarCoding<Int>>) -> Void
    ) {
        assign(value, at: slot, current: current, of: model, keyPath, write)
    }

    /// Writes an `Int?`, as the general form does.
    public func set<M: PersistentModel>(
        _ value: Int?, at slot: Int, current: AttributeStorage<OptionalCoding<ScalarCoding<Int>>>, of model: M,
        _ keyPath: KeyPath<M, Int?>, _ write: (M, AttributeStorage<OptionalCoding<ScalarCoding<Int>>>) -> Void
    ) {
        assign(value, at: slot, current: current, of: model, keyPath, write)
    }

    /// Writes a `Double`, as the general form does.
    public func set<M: PersistentModel>(
        _ value: Double, at slot: Int, current: AttributeStorage<ScalarCoding<Double>>, of model: M,
        _ keyPath: KeyPath<M, Double>, _ write: (M, AttributeStorage<ScalarCoding<Double>>) -> Void
    ) {
        assign(value, at: slot, current: current, of: model, keyPath, write)
    }

    /// Writes a `Bool`, as the general form does.
    public func set<M: PersistentModel>(
        _ value: Bool, at slot: Int, current: AttributeStorage<ScalarCoding<Bool>>, of model: M,
        _ keyPath: KeyPath<M, Bool>, _ write: (M, AttributeStorage<ScalarCoding<Bool>>) -> Void
    ) {
        assign(value, at: slot, current: current, of: model, keyPath, write)
    }

    /// Writes a `Date`, as the general form does.
    public func set<M: PersistentModel>(
        _ value: Date, at slot: Int, current: AttributeStorage<ScalarCoding<Date>>, of model: M,
        _ keyPath: KeyPath<M, Date>, _ write: (M, AttributeStorage<ScalarCoding<Date>>) -> Void
    ) {
        assign(value, at: slot, current: current, of: model, keyPath, write)
    }

    /// Writes a `Date?`, as the general form does.
    public func set<M: PersistentModel>(
        _ value: Date?, at slot: Int, current: AttributeStorage<OptionalCoding<ScalarCoding<Date>>>, of model: M,
        _ keyPath: KeyPath<M, Date?>, _ write: (M, AttributeStorage<OptionalCoding<ScalarCoding<Date>>>) -> Void
    ) {
        assign(value, at: slot, current: current, of: model, keyPath, write)
    }
}
