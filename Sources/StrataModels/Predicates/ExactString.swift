/// Strings as PostgreSQL compares them under the collation "C": by their UTF-8 bytes, which is by Unicode scalars.
///
/// Swift's own operators treat canonically equivalent strings as equal and search by whole characters.
package enum ExactString {
    package static func equal(_ lhs: String, _ rhs: String) -> Bool {
        lhs.utf8.elementsEqual(rhs.utf8)
    }

    package static func less(_ lhs: String, _ rhs: String) -> Bool {
        lhs.utf8.lexicographicallyPrecedes(rhs.utf8)
    }

    package static func hasPrefix(_ string: String, _ prefix: String) -> Bool {
        string.utf8.starts(with: prefix.utf8)
    }

    package static func hasSuffix(_ string: String, _ suffix: String) -> Bool {
        string.utf8.count >= suffix.utf8.count && string.utf8.suffix(suffix.utf8.count).elementsEqual(suffix.utf8)
    }

    /// Whether `needle` occurs anywhere; an empty one always does.
    package static func contains(_ string: String, _ needle: String) -> Bool {
        var string = string
        var needle = needle
        return string.withUTF8 { haystack in
            needle.withUTF8 { needle in
                guard let first = needle.first else { return true }
                guard haystack.count >= needle.count else { return false }
                for start in 0...(haystack.count - needle.count) where haystack[start] == first {
                    if haystack[start..<(start + needle.count)].elementsEqual(needle) { return true }
                }
                return false
            }
        }
    }
}
