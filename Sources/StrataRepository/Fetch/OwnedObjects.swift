import StrataClient
import StrataModels

/// Objects by the objects that they belong to, as rows name them: in any order, by the key of the owner.
///
/// One array for all of them: an array for each owner, in a dictionary, costs as much as making the objects.
struct OwnedObjects {
    /// Keys of owners and where they stand among the owners: open addressing.
    private var keys: [RowKey]
    private var places: [Int32]
    private let mask: Int
    private let ownerCount: Int
    private var objects: [any PersistentModel] = []
    /// The owner and the key of each object.
    private var rows: [(owner: Int32, key: RowKey)] = []
    /// Where each owner's objects begin; one more for the end.
    private var starts: [Int] = []

    /// - Parameter owners: their keys, none of them 0.
    init(_ owners: [RowKey]) {
        ownerCount = owners.count
        var size = 16
        while size < owners.count * 2 { size *= 2 }
        mask = size - 1
        keys = Array(repeating: 0, count: size)
        places = Array(repeating: -1, count: size)
        for (index, key) in owners.enumerated() {
            let slot = slot(of: key)
            keys[slot] = key
            places[slot] = Int32(truncatingIfNeeded: index)
        }
    }

    private func slot(of key: RowKey) -> Int {
        var slot = Int(truncatingIfNeeded: (UInt64(bitPattern: key.word) &* 0x9E37_79B9_7F4A_7C15) >> 20) & mask
        while places[slot] >= 0, keys[slot] != key { slot = (slot &+ 1) & mask }
        return slot
    }

    /// An object, by its key, of the owner with this one. One of somebody else is left out.
    mutating func add(_ object: any PersistentModel, _ key: RowKey, to owner: RowKey) {
        let place = places[slot(of: owner)]
        guard place >= 0 else { return }
        objects.append(object)
        rows.append((place, key))
    }

    /// Puts each owner's objects together, in the order of their keys or in that in which they came. Call after the last was
    /// added.
    mutating func group(byKey: Bool) {
        starts = Array(repeating: 0, count: ownerCount + 1)
        for row in rows { starts[Int(row.owner) + 1] += 1 }
        for index in 0..<ownerCount { starts[index + 1] += starts[index] }
        func isInOrder(_ one: (owner: Int32, key: RowKey), _ next: (owner: Int32, key: RowKey)) -> Bool {
            one.owner < next.owner || one.owner == next.owner && (!byKey || one.key <= next.key)
        }
        // Rows mostly come like that.
        if rows.indices.dropFirst().allSatisfy({ isInOrder(rows[$0 - 1], rows[$0]) }) { return }
        var next = starts
        var order = Array(repeating: 0, count: rows.count)
        for index in rows.indices {
            let owner = Int(rows[index].owner)
            order[next[owner]] = index
            next[owner] += 1
        }
        if byKey {
            for owner in 0..<ownerCount where starts[owner + 1] - starts[owner] > 1 {
                order[starts[owner]..<starts[owner + 1]].sort { rows[$0].key < rows[$1].key }
            }
        }
        objects = order.map { objects[$0] }
    }

    /// The objects of an owner, after ``group(byKey:)``.
    func objects(ofOwnerAt index: Int) -> ArraySlice<any PersistentModel> {
        objects[starts[index]..<starts[index + 1]]
    }
}
