/// A Boolean value in the order of its column: `false` first.
package struct BooleanSortKey: SortKey, Comparable, Sendable {
    private let flag: Bool

    init(_ flag: Bool) { self.flag = flag }

    package static var storedType: Any.Type { Bool.self }
    package var stored: Any { flag }

    package static func < (lhs: Self, rhs: Self) -> Bool { !lhs.flag && rhs.flag }
}

extension Bool {
    /// The value, for a sort descriptor.
    var sortKey: BooleanSortKey { BooleanSortKey(self) }
}

extension Bool? {
    /// The value, for a sort descriptor.
    var sortKey: BooleanSortKey? { map(BooleanSortKey.init) }
}
