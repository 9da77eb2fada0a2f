import StrataClient
import Synchronization

/// The type of a column with a part of a key, where it is another one than keys of its kind have: `date` and `bytea` of what the class declares;
/// `bpchar` and `timestamp` of what somebody else's table has, which is known once the store was looked at. All foreign keys that lead
/// there have the same one.
package final class KeyColumnType: Sendable {
    private let value: Mutex<String?>

    init(_ declared: String?) { value = Mutex(declared) }

    /// `nil` for the type of the kind.
    package var name: String? { value.withLock { $0 } }

    /// Is told what was found.
    func learn(_ found: String) { value.withLock { $0 = found } }
}

extension KeyColumnType: Equatable {
    package static func == (one: KeyColumnType, other: KeyColumnType) -> Bool { one.name == other.name }
}
