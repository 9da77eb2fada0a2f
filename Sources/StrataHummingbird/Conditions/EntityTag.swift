#if Hummingbird
import Foundation
public import Strata

/// The `ETag` of an object as a client saw it: a digest of each property that the snapshot has.
///
/// ```
/// ETag: "destination-1f0q9v8k3m2aa.name-3w5e11264sgsf"
/// ```
/// So a later `If-Match` can say *which* properties have changed since: ``Hummingbird/Request/requireMatch(of:_:isRequired:)``. To caches
/// and clients it is an opaque validator that changes with every value of the representation (RFC 9110, 8.8.3). It takes about
/// 15 bytes a property beside its name.
public struct EntityTag: Sendable, Equatable, CustomStringConvertible {
    /// The digest of each property, by its name.
    private let digests: [String: UInt64]

    /// The tag of what a snapshot has, relationships included.
    ///
    /// Equal values have equal tags in every process, however the answer writes them: sets and dictionaries have no order, and a to-many
    /// relationship has one only where it is stored. Two kinds of values have another tag each time, so that no `If-Match` holds; leave them out of
    /// snapshots with a tag: what is not `Encodable` and goes through a transformer that adds salt, and what writes a list in any order by
    /// an `encode(to:)` of its own.
    /// - Throws: what a transformer of an attribute throws, and the `init(from:)` and `encode(to:)` of a value.
    public init<T: PersistentModel>(_ snapshot: ModelSnapshot<T>) throws {
        digests = try snapshot.content.digests()
    }

    /// The tag that ``description`` has written; `nil` for anything else.
    public init?(_ text: some StringProtocol) {
        guard text.count > 2, text.first == "\"", text.last == "\"" else { return nil }
        var digests: [String: UInt64] = [:]
        for part in text.dropFirst().dropLast().split(separator: ".", omittingEmptySubsequences: false) {
            guard let dash = part.lastIndex(of: "-"), let name = String(part[..<dash]).removingPercentEncoding,
                let digest = UInt64(part[dash...].dropFirst(), radix: 36)
            else { return nil }
            digests[name] = digest
        }
        self.digests = digests
    }

    /// The tag with its quotes, for the header.
    public var description: String {
        let parts = digests.sorted { $0.key < $1.key }.map { "\(Self.escaped($0.key))-\(String($0.value, radix: 36))" }
        return "\"\(parts.joined(separator: "."))\""
    }

    /// The properties that the other tag has with another value, or does not have: nothing is known of those.
    func differences(from other: EntityTag) -> Set<String> {
        Set(digests.filter { other.digests[$0.key] != $0.value }.keys)
    }

    private static func escaped(_ name: String) -> String {
        guard !name.utf8.allSatisfy(isPlain) else { return name }
        return name.utf8.reduce(into: "") { escaped, byte in
            if isPlain(byte) {
                escaped.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                escaped += (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
            }
        }
    }

    /// Letters and digits of ASCII, and the underscore.
    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
            true
        default: false
        }
    }

    /// Two values are told apart, nothing is proven.
    static func digest(_ bytes: Data) -> UInt64 {
        var digest = ValueDigest()
        bytes.withUnsafeBytes { digest.add($0) }
        return digest.value
    }
}
#endif
