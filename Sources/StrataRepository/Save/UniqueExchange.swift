import Foundation
import StrataClient
import StrataModels

/// Unique values that pass between rows which are changed in one save: two that exchange theirs, a circle, or a chain.
///
/// A unique constraint looks at each row as it is written (it is not deferrable: `ON CONFLICT` takes no others), so in no order can
/// one row take a value before the other has left it. The rows whose values are taken are parked first: one of the changed
/// columns of the set holds a value that nobody has, and the update that follows replaces it.
struct UniqueExchange {
    /// What columns hold meanwhile, by object and slot; `nil` for NULL.
    private(set) var parked: [ObjectIdentifier: [Int: [UInt8]?]] = [:]

    /// - Throws: for a value that cannot be encoded.
    init(_ context: SaveContext) throws {
        guard context.changed.count > 1 else { return }
        var sets: [(set: UniqueSet, groups: [ModelGroups.Group])] = []
        for group in context.changed.groups {
            for set in group.entity.uniqueSets {
                let known = sets.firstIndex { $0.set.owner === set.owner && $0.set.slots == set.slots }
                if let known { sets[known].groups.append(group) } else { sets.append((set, [group])) }
            }
        }
        for (set, groups) in sets { try park(set, groups, context) }
    }

    private mutating func park(_ set: UniqueSet, _ groups: [ModelGroups.Group], _ context: SaveContext) throws {
        var taken: Set<UniqueTuple> = []
        var leaving: [any PersistentModel] = []
        var count = 0
        for group in groups {
            let writer = UniqueValues(of: group.entity.descriptor, set, context.rewriting)
            for model in group.models where set.isChanged(in: model) {
                count += 1
                if let tuple = try UniqueTuple(model, set, writer) { taken.insert(tuple) }
            }
        }
        guard count > 1 else { return }
        for group in groups {
            let writer = UniqueValues(of: group.entity.descriptor, set, context.rewriting)
            for model in group.models where set.isChanged(in: model) {
                guard let tuple = try UniqueTuple(originalOf: model, set, writer), taken.contains(tuple),
                    // The value was assigned again and is the same: no other row can take it.
                    try UniqueTuple(model, set, writer) != tuple
                else { continue }
                leaving.append(model)
            }
        }
        for (number, model) in leaving.enumerated() {
            guard let (slot, value) = Self.parkingPlace(for: model, in: set, number) else { continue }
            parked[ObjectIdentifier(model), default: [:]][slot] = .some(value)
        }
    }

    /// The changed column of the set that is written, and what: NULL where that can be. `nil` where no column can hold a value
    /// that nobody has.
    private static func parkingPlace(
        for model: any PersistentModel, in set: UniqueSet, _ number: Int
    ) -> (slot: Int, value: [UInt8]?)? {
        let properties = type(of: model)._$descriptor.properties
        let changed = zip(set.slots, set.columns).filter { model._$state.changedSlots.contains($0.0) }
        let attributes = changed.filter { !(properties[$0.0] is RelationshipProperty) }
        if let place = attributes.first(where: \.1.isNullable) { return (place.0, nil) }
        for (slot, column) in attributes {
            if let value = ParkingValue.bytes(of: column.transportType, key: model._$state.key, number) {
                return (slot, value)
            }
        }
        return changed.first(where: \.1.isNullable).map { ($0.0, nil) }
    }
}

/// A value that nobody has, one for each row, in the form of a type.
private enum ParkingValue {
    /// - Parameters:
    ///   - key: of the row.
    ///   - number: of the row within the save, for types in which a key has no room.
    /// - Returns: `nil` for a type that has too few values.
    static func bytes(of type: PostgresType, key: Int64, _ number: Int) -> [UInt8]? {
        switch type {
        case .text, .varchar: Array("strata parks \(key)".utf8)
        case .bytea: Array("strata parks \(key)".utf8)
        case .uuid: Array("strata\0\0".utf8) + bigEndian(key)
        case .int8: bigEndian(Int64.min &+ key)
        case .int4: Int32(exactly: number).map { bigEndian(Int32.min + $0) }
        case .int2: number < 1000 ? bigEndian(Int16.min + Int16(number)) : nil
        case .float8: bigEndian((-Double.greatestFiniteMagnitude).bitPattern - UInt64(number))
        case .float4: UInt32(exactly: number).map { bigEndian((-Float.greatestFiniteMagnitude).bitPattern - $0) }
        // The first microseconds, and days, of the calendar (manual, 8.5), counted from the year 2000.
        case .timestamp, .timestamptz: bigEndian(-211_813_488_000_000_000 + Int64(number))
        case .date: Int32(exactly: number).map { bigEndian(-2_451_545 + $0) }
        case .numeric: numeric(Decimal(sign: .minus, exponent: 40, significand: Decimal(key)))
        default: nil
        }
    }

    private static func bigEndian<Value: FixedWidthInteger>(_ value: Value) -> [UInt8] {
        withUnsafeBytes(of: value.bigEndian) { Array($0) }
    }

    private static func numeric(_ value: Decimal) -> [UInt8]? {
        var array = PostgresArray(elementType: .numeric, reservingCapacity: 1)
        guard (try? array.append(value)) != nil else { return nil }
        return array.firstElement
    }
}
