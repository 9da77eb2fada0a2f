package import StrataClient

/// Rows of a result as tuples, each value made at its place in them.
///
/// What a row costs is the reading of its values: types were asked for when the readers were chosen.
package final class PlacedRows<Values> {
    private var start: UnsafeMutablePointer<Values>
    private var count = 0
    private var capacity: Int
    private let columns: [Column]

    private struct Column {
        let offset: Int
        let read: (PostgresRow, UnsafeMutableRawPointer) throws -> Void
        let destroy: (UnsafeMutableRawPointer) -> Void
    }

    /// - Parameter capacity: how many rows there is room for at first.
    package init<each Value>(_ readers: repeat PlacedReader<each Value>, capacity: Int = 64)
    where Values == (repeat each Value) {
        var (columns, end): ([Column], Int) = ([], 0)
        // A tuple's elements stand one after the other, each at the next multiple of its alignment.
        func place<V>(_ reader: PlacedReader<V>) {
            let alignment = MemoryLayout<V>.alignment
            let offset = (end + alignment - 1) / alignment * alignment
            end = offset + MemoryLayout<V>.size
            columns.append(
                Column(offset: offset, read: reader.read) { place in
                    place.assumingMemoryBound(to: V.self).deinitialize(count: 1)
                })
        }
        repeat place(each readers)
        assert(end == MemoryLayout<Values>.size, "a tuple has another layout")
        self.columns = columns
        self.capacity = capacity
        start = .allocate(capacity: capacity)
    }

    deinit {
        start.deinitialize(count: count)
        start.deallocate()
    }

    package func append(_ row: PostgresRow) throws {
        if count == capacity { grow() }
        let place = UnsafeMutableRawPointer(start + count)
        var made = 0
        do {
            while made < columns.count {
                try columns[made].read(row, place + columns[made].offset)
                made += 1
            }
        } catch {
            for column in columns[..<made] { column.destroy(place + column.offset) }
            throw error
        }
        count += 1
    }

    /// The rows, which are then no longer here.
    package func takeAll() -> [Values] {
        defer { count = 0 }
        return Array(unsafeUninitializedCapacity: count) { buffer, initialized in
            buffer.baseAddress?.moveInitialize(from: start, count: count)
            initialized = count
        }
    }

    /// The last row, which is then no longer here; there must be one.
    package func takeLast() -> Values {
        count -= 1
        return (start + count).move()
    }

    private func grow() {
        let larger = UnsafeMutablePointer<Values>.allocate(capacity: capacity * 2)
        larger.moveInitialize(from: start, count: count)
        start.deallocate()
        start = larger
        capacity *= 2
    }
}
