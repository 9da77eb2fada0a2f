import Foundation
package import StrataClient

/// How values of one Swift type become elements of one column: chosen once a statement.
///
/// A value is read at the place where it stands, in a tuple of several types for example. So whoever writes a row need not know its
/// types, and nothing is boxed.
package struct ColumnEncoder {
    /// What the value is where it is written without a call to a closure: most columns.
    package let common: CommonValue?
    package let encode: (UnsafeRawPointer, inout PostgresArray) throws(PostgresError) -> Void

    fileprivate init(_ common: CommonValue) {
        self.common = common
        encode = { (place, array) throws(PostgresError) in try common.append(from: place, to: &array) }
    }

    package init(_ encode: @escaping (UnsafeRawPointer, inout PostgresArray) throws(PostgresError) -> Void) {
        common = nil
        self.encode = encode
    }
}

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
        if let common = CommonValue(Self.self) { return ColumnEncoder(common) }
        if form == .transported || columnType.oid == transportType.oid {
            return ColumnEncoder { (place, array) throws(PostgresError) in
                try append(place.assumingMemoryBound(to: Value.self).pointee, to: &array)
            }
        }
        return ColumnEncoder { (place, array) throws(PostgresError) in
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
