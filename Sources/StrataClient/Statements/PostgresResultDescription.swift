import CLibPQ

/// The columns of a result. Valid only inside the closure that receives it.
package struct PostgresResultDescription {
    let result: OpaquePointer

    package var columnCount: Int { Int(PQnfields(result)) }

    /// The object identifier of the column's type.
    package func columnType(_ column: Int) -> UInt32 {
        PQftype(result, Int32(truncatingIfNeeded: column))
    }

    package func columnName(_ column: Int) -> String {
        PQfname(result, Int32(truncatingIfNeeded: column)).map { String(cString: $0) } ?? ""
    }
}
