import Foundation
import StrataClient
import StrataModels

/// Reads one column of every row as one type: how, is decided once a result.
final class ColumnReader<Value> {
    /// Of the column, which may be NULL for types that have a value for it.
    let reader: PlacedReader<Value>

    init(_ read: @escaping (PostgresRow, UnsafeMutableRawPointer) throws -> Void) { reader = PlacedReader(read) }

    private init(_ reader: PlacedReader<Value>) { self.reader = reader }

    func read(_ row: PostgresRow) throws -> Value { try reader.value(in: row) }

    /// Throws when the column's type is none that `Value` can be read from.
    static func plan(_ column: Int, of columns: ResultColumns) throws -> ColumnReader where Value: Decodable {
        if let scalar = Value.self as? any PostgresCodable.Type {
            return try scalarReader(scalar, column, columns)
        }
        if let optional = Value.self as? any OptionalColumn.Type,
            let reader = try optional.reader(column, columns) as? ColumnReader
        {
            return reader
        }
        return columns.isJSON(column) ? jsonReader(column, columns) : singleValueReader(column, columns)
    }

    private static func scalarReader<Scalar: PostgresCodable>(
        _: Scalar.Type, _ column: Int, _ columns: ResultColumns
    ) throws -> ColumnReader {
        guard Scalar.canDecode(columns.types[column]) else { throw columns.misfit(column, Value.self) }
        let decoder = ScalarCoding<Scalar>.decoder(of: Scalar.self)
        let isText = !columns.needsTextCheck(column, as: Scalar.self)
        return ColumnReader(
            PlacedReader(isText ? decoder?.scalar : nil, of: column) { row, place in
                guard let bytes = row.bytes(column) else { throw columns.unexpectedNull(column, Value.self) }
                if !isText { try columns.requireText(bytes, column) }
                do throws(PostgresError) { try decoder?.decode(bytes, to: place) } catch {
                    throw columns.misfit(column, Value.self, error.message, underlying: error)
                }
            })
    }

    private static func jsonReader(_ column: Int, _ columns: ResultColumns) -> ColumnReader where Value: Decodable {
        let isBinary = columns.types[column] == PostgresType.jsonb.oid
        let decoder = JSONForm.decoder
        return ColumnReader { row, place in
            guard let bytes = row.bytes(column) else { throw columns.unexpectedNull(column, Value.self) }
            do {
                let json = isBinary ? try PostgresJSONB(postgresBytes: bytes).json : Data(bytes)
                place.initializeMemory(as: Value.self, to: try decoder.decode(Value.self, from: json))
            } catch {
                throw columns.misfit(column, Value.self, "a document of it is no \(Value.self).")
            }
        }
    }

    /// Types that decode themselves from one value, such as enumerations with raw values.
    private static func singleValueReader(_ column: Int, _ columns: ResultColumns) -> ColumnReader
    where Value: Decodable {
        let decoder = SingleColumnDecoder(column, columns)
        return ColumnReader { row, place in
            guard !row.isNull(column) else { throw columns.unexpectedNull(column, Value.self) }
            decoder.row = row
            do { place.initializeMemory(as: Value.self, to: try Value(from: decoder)) } catch is DecodingError {
                throw columns.misfit(column, Value.self, "a value of it is no \(Value.self).")
            }
        }
    }
}

/// An optional type, seen from outside.
private protocol OptionalColumn {
    static func reader(_ column: Int, _ columns: ResultColumns) throws -> AnyObject?
}

extension Optional: OptionalColumn where Wrapped: Decodable {
    fileprivate static func reader(_ column: Int, _ columns: ResultColumns) throws -> AnyObject? {
        let wrapped = try ColumnReader<Wrapped>.plan(column, of: columns)
        return ColumnReader<Wrapped?> { row, place in
            let value = row.isNull(column) ? nil : try wrapped.read(row)
            place.initializeMemory(as: Wrapped?.self, to: value)
        }
    }
}
