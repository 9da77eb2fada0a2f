/// A place in the history of one store.
package struct HistoryPosition: Hashable, Sendable {
    /// What was delivered of a snapshot, in the order of the transactions' last change numbers.
    package struct Page: Hashable, Sendable {
        package var ceiling: HistorySnapshot
        package var upto: Int64

        package init(ceiling: HistorySnapshot, upto: Int64) {
            self.ceiling = ceiling
            self.upto = upto
        }
    }

    /// The transaction whose token this is.
    package struct Mark: Hashable, Sendable {
        package var generation: Int64
        package var transaction: Int64
        /// Its last change number.
        package var number: Int64

        package init(generation: Int64, transaction: Int64, number: Int64) {
            self.generation = generation
            self.transaction = transaction
            self.number = number
        }
    }

    /// Whose transaction numbers these are: a store that was restored from a backup is in another generation.
    package var generation: Int64
    /// Everything that is covered, apart from ``page``; `nil` at the beginning of the history.
    package var base: HistorySnapshot?
    /// How often something had been deleted when a reading from the beginning began.
    package var floor: Int64
    package var page: Page?
    package var mark: Mark?

    package init(
        generation: Int64, base: HistorySnapshot?, floor: Int64 = 0, page: Page? = nil, mark: Mark? = nil
    ) {
        self.generation = generation
        self.base = base
        self.floor = base == nil ? floor : 0
        self.page = page
        self.mark = mark
    }

    /// Whether a transaction lies before the place.
    package func covers(_ mark: Mark) -> Bool {
        // What is of an earlier generation was over before this one began.
        func lies(in snapshot: HistorySnapshot) -> Bool {
            mark.generation < generation || (mark.generation == generation && snapshot.contains(mark.transaction))
        }
        if let base, lies(in: base) { return true }
        guard let page else { return false }
        return mark.number <= page.upto && lies(in: page.ceiling)
    }

    package var unmarked: HistoryPosition {
        var position = self
        position.mark = nil
        return position
    }
}

extension HistoryPosition {
    /// The order of the places that one consumer passes.
    package static func precedes(_ lhs: Self, _ rhs: Self) -> Bool {
        if lhs.generation != rhs.generation { return lhs.generation < rhs.generation }
        if lhs.base != rhs.base {
            guard let left = lhs.base, let right = rhs.base else { return lhs.base == nil }
            if left < right || right < left { return left < right }
            return left.running.lexicographicallyPrecedes(right.running)
        }
        guard let right = rhs.page else { return false }
        guard let left = lhs.page else { return true }
        return left.upto != right.upto ? left.upto < right.upto : left.ceiling < right.ceiling
    }
}
