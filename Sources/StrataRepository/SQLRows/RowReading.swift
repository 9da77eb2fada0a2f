package import StrataClient
import StrataModels

/// What becomes of the rows of a result: planned when its columns are known, before the first row.
package struct RowReading<Row> {
    package let plan: (ResultColumns) throws -> RowCollector<Row>

    private init(_ plan: @escaping (ResultColumns) throws -> RowCollector<Row>) { self.plan = plan }
}

extension RowReading where Row: Decodable {
    /// A type that is one value from one column; any other from the columns that have the names of its properties.
    package static var decoding: RowReading {
        RowReading { columns in
            if isOneValue(Row.self) {
                try columns.requireCount(1, for: Row.self)
                return RowCollector(PlacedRows(try ColumnReader<Row>.plan(0, of: columns).reader))
            }
            return RowCollector(PlacedRows(each: RowValueDecoder(Row.self, columns).reader(of: Row.self)))
        }
    }

    private static func isOneValue(_ type: Any.Type) -> Bool {
        type is any PostgresCodable.Type || type is any ExpressibleByNilLiteral.Type
    }
}

extension RowReading {
    /// A tuple, from the columns in their order.
    package static func tuple<First: Decodable, Second: Decodable, each Rest: Decodable>() -> RowReading
    where Row == (First, Second, repeat each Rest) {
        RowReading { columns in
            var position = 0
            func next<Value: Decodable>(_: Value.Type) throws -> PlacedReader<Value> {
                defer { position += 1 }
                return try ColumnReader<Value>.plan(position, of: columns).reader
            }
            var needed = 2
            for _ in repeat (each Rest).self { needed += 1 }
            try columns.requireCount(needed, for: Row.self)
            let (first, second) = (try next(First.self), try next(Second.self))
            let rest = (repeat try next((each Rest).self))
            return RowCollector(PlacedRows(first, second, repeat each rest))
        }
    }
}

extension RowReading {
    /// The keys of objects, which stand in the first column.
    package static func keys(of entity: EntityMapping) -> RowReading<RowKey> {
        RowReading<RowKey> { columns in
            guard let type = columns.types.first, entity.keyKind.isRead(of: type) else {
                throw SwiftDataError(
                    .invalidValue,
                    "The first column of a statement that is to fetch \(entity.name) objects has to be their key. Begin with SELECT "
                        + "\\(\\\(entity.name).persistentModelID).")
            }
            let reader = PlacedReader<RowKey> { row, place in
                guard !row.isNull(0) else {
                    throw SwiftDataError(
                        .invalidValue,
                        "The key of a row that is to become a \(entity.name) is NULL. Leave such rows out.")
                }
                place.initializeMemory(as: RowKey.self, to: row.key(0, entity.keyKind))
            }
            return RowCollector(PlacedRows(reader))
        }
    }
}
