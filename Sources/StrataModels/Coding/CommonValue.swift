import Foundation
package import StrataClient

/// A value of a type that most columns have, or an optional of it, by where it stands: it is written by code of its own, which goes through
/// no protocol and no closure.
package enum CommonValue {
    case string, int, double, bool, date, uuid
    case optionalString, optionalInt, optionalDouble, optionalBool, optionalDate, optionalUUID

    /// `nil` for another coding.
    init?(_ coding: Any.Type) {
        switch coding {
        case is ScalarCoding<String>.Type: self = .string
        case is OptionalCoding<ScalarCoding<String>>.Type: self = .optionalString
        case is ScalarCoding<Int>.Type: self = .int
        case is OptionalCoding<ScalarCoding<Int>>.Type: self = .optionalInt
        case is ScalarCoding<Double>.Type: self = .double
        case is OptionalCoding<ScalarCoding<Double>>.Type: self = .optionalDouble
        case is ScalarCoding<Bool>.Type: self = .bool
        case is OptionalCoding<ScalarCoding<Bool>>.Type: self = .optionalBool
        case is ScalarCoding<Date>.Type: self = .date
        case is OptionalCoding<ScalarCoding<Date>>.Type: self = .optionalDate
        case is ScalarCoding<UUID>.Type: self = .uuid
        case is OptionalCoding<ScalarCoding<UUID>>.Type: self = .optionalUUID
        default: return nil
        }
    }

    /// Appends the value at `place`, which must be of this type.
    package func append(from place: UnsafeRawPointer, to array: inout PostgresArray) throws(PostgresError) {
        switch self {
        case .string: try append(String.self, place, &array)
        case .int: try append(Int.self, place, &array)
        case .double: try append(Double.self, place, &array)
        case .bool: try append(Bool.self, place, &array)
        case .date: try append(Date.self, place, &array)
        case .uuid: try append(UUID.self, place, &array)
        case .optionalString: try append(String?.self, place, &array)
        case .optionalInt: try append(Int?.self, place, &array)
        case .optionalDouble: try append(Double?.self, place, &array)
        case .optionalBool: try append(Bool?.self, place, &array)
        case .optionalDate: try append(Date?.self, place, &array)
        case .optionalUUID: try append(UUID?.self, place, &array)
        }
    }

    @inline(__always)
    private func append<Scalar: PostgresCodable>(
        _: Scalar.Type, _ place: UnsafeRawPointer, _ array: inout PostgresArray
    ) throws(PostgresError) {
        try array.append(place.assumingMemoryBound(to: Scalar.self).pointee)
    }

    @inline(__always)
    private func append<Scalar: PostgresCodable>(
        _: Scalar?.Type, _ place: UnsafeRawPointer, _ array: inout PostgresArray
    ) throws(PostgresError) {
        try array.append(place.assumingMemoryBound(to: Scalar?.self).pointee)
    }
}
