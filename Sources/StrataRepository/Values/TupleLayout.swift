/// Where the elements of a tuple stand: one after the other, each at the next multiple of its alignment.
struct TupleLayout {
    private var end = 0

    /// The place of the next element.
    mutating func place<Element>(_: Element.Type) -> Int {
        let alignment = MemoryLayout<Element>.alignment
        let offset = (end + alignment - 1) / alignment * alignment
        end = offset + MemoryLayout<Element>.size
        return offset
    }

    /// Stops the program where the tuple of these elements has another layout: values would be read and written in places that are not theirs.
    func requireLayout<Tuple>(of _: Tuple.Type) {
        precondition(end == MemoryLayout<Tuple>.size, "a tuple has another layout")
    }
}
