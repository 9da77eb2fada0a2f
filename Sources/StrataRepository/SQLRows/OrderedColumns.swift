/// The columns in their order.
struct OrderedColumns: UnkeyedDecodingContainer {
    private let decoder: RowValueDecoder
    private(set) var currentIndex = 0

    init(decoder: RowValueDecoder) { self.decoder = decoder }

    var codingPath: [any CodingKey] { [] }
    var count: Int? { decoder.columns.count }
    var isAtEnd: Bool { currentIndex >= decoder.columns.count }

    mutating func decodeNil() throws -> Bool {
        guard !isAtEnd, decoder.row?.isNull(currentIndex) == true else { return false }
        currentIndex += 1
        return true
    }
    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        guard !isAtEnd, let row = decoder.row else { throw decoder.nested("column \(currentIndex)") }
        defer { currentIndex += 1 }
        return try ColumnReader<Value>.plan(currentIndex, of: decoder.columns).read(row)
    }
    mutating func nestedContainer<NestedKey>(keyedBy type: NestedKey.Type) throws -> KeyedDecodingContainer<NestedKey> {
        throw decoder.nested("column \(currentIndex)")
    }
    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        throw decoder.nested("column \(currentIndex)")
    }
    mutating func superDecoder() throws -> any Decoder { decoder }
}
