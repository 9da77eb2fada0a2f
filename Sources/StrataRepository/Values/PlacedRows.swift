package import StrataClient

/// Rows of a result as tuples, each value made at its place in them.
///
/// What a row costs is the reading of its values: types were asked for when the readers were chosen, and nothing that is done for each
/// row knows `Values`.
package final class PlacedRows<Values> {
    private let columns: [PlacedColumn]
    /// The same without their closures, which whoever looks at a column would retain and release for each value.
    private let scalars: UnsafeMutableBufferPointer<PlacedScalar?>
    /// Rows stay where they were made: where there is no room for more, further room begins.
    private var rooms: [(start: UnsafeMutablePointer<Values>, capacity: Int)] = []
    /// Where the next row is made, in the last room, and where that ends.
    private var next: UnsafeMutableRawPointer
    private var end: UnsafeMutableRawPointer
    private let stride = MemoryLayout<Values>.stride

    /// Rows with a value of each reader.
    package convenience init<each Value>(_ readers: repeat PlacedReader<each Value>)
    where Values == (repeat each Value) {
        var (columns, layout): ([PlacedColumn], TupleLayout) = ([], TupleLayout())
        func place<V>(_ reader: PlacedReader<V>) {
            columns.append(PlacedColumn(reader, offset: layout.place(V.self)))
        }
        repeat place(each readers)
        // Once a statement.
        layout.requireLayout(of: Values.self)
        self.init(of: columns)
    }

    /// Rows that are made as a whole.
    convenience init(each reader: PlacedReader<Values>) { self.init(of: [PlacedColumn(reader, offset: 0)]) }

    private init(of columns: [PlacedColumn]) {
        self.columns = columns
        scalars = .allocate(capacity: columns.count)
        _ = scalars.initialize(from: columns.map(\.scalar))
        let (start, capacity) = (UnsafeMutablePointer<Values>.allocate(capacity: 64), 64)
        rooms = [(start, capacity)]
        next = UnsafeMutableRawPointer(start)
        end = UnsafeMutableRawPointer(start + capacity)
    }

    deinit {
        for (start, count) in filled { start.deinitialize(count: count) }
        for room in rooms { room.start.deallocate() }
        scalars.deallocate()
    }

    package func append(_ row: PostgresRow) throws {
        if next == end { addRoom() }
        let place = next
        let scalars = UnsafeBufferPointer(scalars)
        var made = row.make(scalars, from: 0, at: place)
        while made < columns.count {
            do { try columns[made].read(row, place + columns[made].offset) } catch {
                for column in columns[..<made] { column.destroy(place + column.offset) }
                throw error
            }
            made = row.make(scalars, from: made + 1, at: place)
        }
        next = place + stride
    }

    /// The rows, which are then no longer here.
    package func takeAll() -> [Values] {
        let filled = filled
        let rows = [Values](unsafeUninitializedCapacity: filled.reduce(0) { $0 + $1.count }) { buffer, initialized in
            guard var place = buffer.baseAddress else { return }
            for (start, count) in filled {
                place.moveInitialize(from: start, count: count)
                place += count
                initialized += count
            }
        }
        // The last room is the largest.
        for room in rooms.dropLast() { room.start.deallocate() }
        rooms.removeFirst(rooms.count - 1)
        next = UnsafeMutableRawPointer(rooms[0].start)
        return rows
    }

    /// The last row, which is then no longer here; it must have been the last thing that was made.
    package func takeLast() -> Values {
        next -= stride
        return next.assumingMemoryBound(to: Values.self).move()
    }

    /// The rows of each room.
    private var filled: [(start: UnsafeMutablePointer<Values>, count: Int)] {
        rooms.enumerated().map { index, room in
            let isLast = index == rooms.count - 1
            return (room.start, isLast ? (next - UnsafeMutableRawPointer(room.start)) / stride : room.capacity)
        }
    }

    private func addRoom() {
        let capacity = rooms[rooms.count - 1].capacity * 2
        let start = UnsafeMutablePointer<Values>.allocate(capacity: capacity)
        rooms.append((start, capacity))
        next = UnsafeMutableRawPointer(start)
        end = UnsafeMutableRawPointer(start + capacity)
    }
}
