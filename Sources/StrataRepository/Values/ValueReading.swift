import StrataClient
package import StrataModels

/// What becomes of the rows of a query for values.
package struct ValueReading<Row> {
    /// Throws ``SwiftDataError`` for a column that cannot be read as its type. The identities are those of the store's classes.
    package let collector: (ValueSelection, [EntityIdentity]) throws -> RowCollector<Row>

    /// The values as they are.
    package static func tuples<each Value>(of types: repeat (each Value).Type) -> ValueReading
    where Row == (repeat each Value) {
        ValueReading { selection, identities in
            RowCollector(try rows(selection, identities, repeat each types))
        }
    }

    /// What `transform` makes of the values.
    package static func into<each Value>(_ transform: @escaping (repeat each Value) throws -> Row) -> ValueReading {
        ValueReading { selection, identities in
            let rows = try rows(selection, identities, repeat (each Value).self)
            return RowCollector { row in
                try rows.append(row)
                let values = rows.takeLast()
                return try transform(repeat each values)
            }
        }
    }

    private static func rows<each Value>(
        _ selection: ValueSelection, _ identities: [EntityIdentity], _ types: repeat (each Value).Type
    ) throws -> PlacedRows<(repeat each Value)> {
        var index = -1
        func reader<V>(_ type: V.Type) throws -> PlacedReader<V> {
            index += 1
            return try selection.reader(index, of: type, identities: identities)
        }
        return PlacedRows(repeat try reader(each types))
    }
}
