import StrataClient
import StrataModels

/// Which column has the value of which slot of one class: what ``RowWriter`` and ``RowReader`` ask for every object. -1 for none.
struct SlotColumns: Sendable {
    private var columns: [Int16]

    init(_ count: Int) {
        columns = Array(repeating: -1, count: max(count, 1))
    }

    subscript(slot: Int) -> Int {
        get { Int(columns[slot]) }
        // Below 1,600, the columns a table can have, for each class of a hierarchy; a hierarchy of more than twenty full
        // tables would be refused by Int16 and is not met.
        set { columns[slot] = Int16(clamping: newValue) }
    }

    /// The number of a slot's column, with the marks of ``RowReader``.
    subscript(marked slot: Int) -> Int16 {
        get { columns[slot] }
        set { columns[slot] = newValue }
    }

    /// Writes an object into buffers. Returns the first value that could not be written.
    @inline(__always)
    func write(_ model: any PersistentModel, into buffers: ColumnBuffers) -> RowReader.Failure? {
        // An array is a pointer for as long as a call takes.
        func write(_ columns: UnsafePointer<Int16>) -> RowReader.Failure? {
            var writer = RowWriter(buffers: buffers, columns: columns)
            model._$encode(&writer)
            return writer.failure
        }
        return write(columns)
    }

    var count: Int { columns.count }

    /// Copies the numbers of the columns to `place`, where as many have room. Returns the end of the copy.
    func write(to place: UnsafeMutablePointer<Int16>) -> UnsafeMutablePointer<Int16> {
        columns.withUnsafeBufferPointer { numbers in
            if let start = numbers.baseAddress { place.initialize(from: start, count: numbers.count) }
        }
        return place + columns.count
    }
}
