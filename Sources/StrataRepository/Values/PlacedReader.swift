package import StrataClient

/// Reads one column of a row as one type, and makes the value where it stays: how, was decided once a result.
package struct PlacedReader<Value> {
    /// Makes the value of a row at a place that holds none.
    package let read: (PostgresRow, UnsafeMutableRawPointer) throws -> Void

    /// The same without a call, for a column of a type that most have.
    let scalar: (type: CommonScalar, column: Int)?

    package init(_ read: @escaping (PostgresRow, UnsafeMutableRawPointer) throws -> Void) {
        self.read = read
        scalar = nil
    }

    /// Reads a column that is of a common type, and otherwise as `read` does.
    init(
        _ scalar: CommonScalar?, of column: Int,
        otherwise read: @escaping (PostgresRow, UnsafeMutableRawPointer) throws -> Void
    ) {
        self.read = read
        self.scalar = scalar.map { ($0, column) }
    }

    /// The value itself, for callers that have no place for it.
    func value(in row: PostgresRow) throws -> Value {
        try withUnsafeTemporaryAllocation(of: Value.self, capacity: 1) { place in
            // There is room for one.
            let address = place.baseAddress.unsafelyUnwrapped
            try read(row, UnsafeMutableRawPointer(address))
            return address.move()
        }
    }
}
