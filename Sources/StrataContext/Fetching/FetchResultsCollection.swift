/// The result of a fetch whose elements are read in batches, when they are asked for.
///
/// ```swift
/// let trips = try context.fetch(FetchDescriptor<Trip>(), batchSize: 100)
/// print(trips.count, trips[250].name)
/// ```
///
/// Which objects there are and their order are those of the moment of the fetch. An element's batch is read, blocking the
/// thread, when the element is asked for, and kept until one of another batch is.
public struct FetchResultsCollection<Element>: RandomAccessCollection {
    private let batches: FetchBatches<Element>

    init(_ batches: FetchBatches<Element>) {
        self.batches = batches
    }

    /// Elements that are all in memory.
    init(_ elements: [Element]) {
        self.init(FetchBatches(count: elements.count, size: Swift.max(1, elements.count)) { Array(elements[$0]) })
    }

    /// 0.
    public var startIndex: Int { 0 }
    /// How many elements there are.
    public var endIndex: Int { batches.count }

    /// The element at a position.
    ///
    /// When its batch cannot be read, or its row is gone since the fetch, an object without values stands in, and the
    /// context's next `save()` or ``ModelContext/throwUnreportedErrors()`` throws why.
    public subscript(position: Int) -> Element {
        precondition(indices.contains(position), "There is no element at \(position) of \(count).")
        return batches.element(at: position)
    }
}

/// The elements of a ``FetchResultsCollection``, of which one batch is in memory.
final class FetchBatches<Element> {
    let count: Int
    private let size: Int
    private let read: (Range<Int>) -> [Element]
    private var first = 0
    private var elements: [Element] = []

    /// - Parameter read: gives the elements at these positions, as many as there are positions.
    init(count: Int, size: Int, read: @escaping (Range<Int>) -> [Element]) {
        (self.count, self.size, self.read) = (count, size, read)
    }

    func element(at position: Int) -> Element {
        if position < first || position >= first + elements.count {
            first = position / size * size
            elements = read(first..<min(first + size, count))
        }
        return elements[position - first]
    }
}
