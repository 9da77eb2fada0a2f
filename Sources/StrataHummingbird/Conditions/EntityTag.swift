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
    /// - Throws: what encoding the snapshot throws.
    public init<T: PersistentModel>(_ snapshot: ModelSnapshot<T>) throws {
        let values = try JSONSerialization.jsonObject(with: JSONEncoder().encode(snapshot)) as? [String: Any]
        digests = try (values ?? [:]).mapValues { value in
            let text = try JSONSerialization.data(
                withJSONObject: value, options: [.sortedKeys, .fragmentsAllowed, .withoutEscapingSlashes])
            return Self.digest(text)
        }
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
        name.addingPercentEncoding(withAllowedCharacters: letters) ?? name
    }

    private static let letters = CharacterSet(
        charactersIn: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")

    /// FNV-1a with 64 bits: the same in every process. Two values of one property are told apart, nothing is proven.
    static func digest(_ bytes: Data) -> UInt64 {
        bytes.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }
}
#endif
