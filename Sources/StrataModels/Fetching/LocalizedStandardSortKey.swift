/// A string in the order of ``LocalizedStringComparator/localizedStandard``: folded, and as it is where that is the same.
package struct LocalizedStandardSortKey: SortKey, Comparable, Sendable {
    package let string: String

    package static var storedType: Any.Type { String.self }
    package var stored: Any { string }

    package static func == (lhs: Self, rhs: Self) -> Bool { ExactString.equal(lhs.string, rhs.string) }

    package static func < (lhs: Self, rhs: Self) -> Bool {
        let (left, right) = (LocalizedStandardFold.fold(lhs.string), LocalizedStandardFold.fold(rhs.string))
        return ExactString.equal(left, right) ? ExactString.less(lhs.string, rhs.string) : ExactString.less(left, right)
    }

    /// Whether a sort descriptor's key path leads to such a key, of text or optional text.
    package static func isValue(of keyPath: AnyKeyPath) -> Bool {
        let valueType = type(of: keyPath).valueType
        return valueType == Self.self || valueType == Self?.self
    }
}

extension String {
    /// The string, for a sort descriptor that leaves case and accents aside.
    var localizedStandardSortKey: LocalizedStandardSortKey { LocalizedStandardSortKey(string: self) }
}

extension String? {
    /// The string, for a sort descriptor that leaves case and accents aside.
    var localizedStandardSortKey: LocalizedStandardSortKey? { map(LocalizedStandardSortKey.init) }
}
