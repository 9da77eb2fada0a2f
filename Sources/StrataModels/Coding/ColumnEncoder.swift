import Foundation
package import StrataClient

/// How values of one Swift type become elements of one column: chosen once a statement.
///
/// A value is read at the place where it stands, in a tuple of several types for example. So whoever writes a row need not know its
/// types, and nothing is boxed.
package typealias ColumnEncoder = (UnsafeRawPointer, inout PostgresArray) throws(PostgresError) -> Void

/// In which type a value travels.
package enum ColumnForm {
    /// The column's: what COPY takes.
    case stored
    /// That of an element of an array parameter: see ``AttributeCoding/transportType``.
    case transported
}

extension AttributeCoding {
    /// An encoder for values of this coding.
    package static func encoder(in form: ColumnForm) -> ColumnEncoder {
        if let common = CommonScalarEncoder.encoder(for: Self.self) { return common }
        if form == .transported || columnType.oid == transportType.oid {
            return { (place, array) throws(PostgresError) in
                try append(place.assumingMemoryBound(to: Value.self).pointee, to: &array)
            }
        }
        return { (place, array) throws(PostgresError) in
            try appendStored(place.assumingMemoryBound(to: Value.self).pointee, to: &array)
        }
    }

    /// What appends a value that is made anew for each row.
    package static func writer(
        of make: @escaping () -> Value, in form: ColumnForm
    ) -> (inout PostgresArray) throws(PostgresError) -> Void {
        if form == .transported || columnType.oid == transportType.oid {
            return { (array) throws(PostgresError) in try append(make(), to: &array) }
        }
        return { (array) throws(PostgresError) in try appendStored(make(), to: &array) }
    }

    private static func appendStored(_ value: Value, to array: inout PostgresArray) throws(PostgresError) {
        var parameters = PostgresParameters()
        try append(value, to: &parameters)
        array.append(binary: parameters.bytes(at: 0))
    }
}

/// The types that most columns have: each is written by code of its own, which goes through no protocol.
private enum CommonScalarEncoder {
    static func encoder(for coding: Any.Type) -> ColumnEncoder? {
        switch coding {
        case is ScalarCoding<String>.Type: required(String.self)
        case is OptionalCoding<ScalarCoding<String>>.Type: optional(String.self)
        case is ScalarCoding<Int>.Type: required(Int.self)
        case is OptionalCoding<ScalarCoding<Int>>.Type: optional(Int.self)
        case is ScalarCoding<Double>.Type: required(Double.self)
        case is OptionalCoding<ScalarCoding<Double>>.Type: optional(Double.self)
        case is ScalarCoding<Bool>.Type: required(Bool.self)
        case is OptionalCoding<ScalarCoding<Bool>>.Type: optional(Bool.self)
        case is ScalarCoding<Date>.Type: required(Date.self)
        case is OptionalCoding<ScalarCoding<Date>>.Type: optional(Date.self)
        case is ScalarCoding<UUID>.Type: required(UUID.self)
        case is OptionalCoding<ScalarCoding<UUID>>.Type: optional(UUID.self)
        default: nil
        }
    }

    private static func required<Scalar: PostgresCodable>(_: Scalar.Type) -> ColumnEncoder {
        { (place, array) throws(PostgresError) in
            try array.append(place.assumingMemoryBound(to: Scalar.self).pointee)
        }
    }

    private static func optional<Scalar: PostgresCodable>(_: Scalar.Type) -> ColumnEncoder {
        { (place, array) throws(PostgresError) in
            try array.append(place.assumingMemoryBound(to: Scalar?.self).pointee)
        }
    }
}
