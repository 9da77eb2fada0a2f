import Foundation
import StrataModels

/// Which coding keys a key path into a Codable value reads.
///
/// A key path does not tell. So a value is decoded in which every leaf is different, the key path reads it, and what it
/// read is looked up in the value's JSON. A computed property gives something that is not there, or is there twice:
/// then the answer is none. Or it gives what is stored for this value and something else for others, as `max(0, amount)`:
/// a struct's stored properties have a place in it, which computed ones have not. Elsewhere further values are tried.
enum CodingPath {
    static func keys<Root, Value>(of keyPath: KeyPath<Root, Value>) throws -> [String]? {
        guard let decodable = Root.self as? any Decodable.Type else { return nil }
        var answer: [String]?
        // Booleans have two values only: one sample for each of them, in which it alone is true.
        var flags = 0
        var round = 0
        repeat {
            guard let (root, count) = sample(decodable, trueFlag: round), let root = root as? Root,
                let tree = json(root) as? [String: Any]
            else { return nil }
            let isStruct = Mirror(reflecting: root).displayStyle == .struct
            if isStruct, MemoryLayout<Root>.offset(of: keyPath) == nil { return nil }
            flags = count
            let read = json(root[keyPath: keyPath])
            let matches = tree.keys.filter { same(tree[$0], read) }
            if Value.self == Bool.self || Value.self == Bool?.self {
                guard let flag = root[keyPath: keyPath] as? Bool else { return nil }
                if flag {
                    guard matches.count == 1, answer == nil else { return nil }
                    answer = matches
                }
            } else {
                guard matches.count == 1, isStruct || holds(matches[0], keyPath, decodable) else { return nil }
                return matches
            }
            round += 1
        } while round < flags
        return answer
    }

    /// The keys of the part that `read` takes out of every value of a type: of each sample it is what stands under these keys.
    ///
    /// - Parameter read: gives the part of a value, which may be an optional; `nil` where it cannot be had.
    static func keys(in type: Any.Type, reading read: (Any) -> Any?) -> [String]? {
        guard let decodable = unwrappedType(type) as? any Decodable.Type, let first = sample(decodable) else {
            return nil
        }
        // Booleans have two values only: one sample for each of them, in which it alone is true.
        let samples =
            [first.value] + (0..<first.flags).dropFirst().compactMap { sample(decodable, trueFlag: $0)?.value }
            + SampleDecoder.Leaves.others.compactMap { sample(decodable, leaves: $0)?.value }
        var paths: [[String]]?
        for sample in samples {
            guard let tree = json(sample) as? [String: Any], let part = read(sample), let found = stored(part) else {
                return nil
            }
            paths = (paths ?? Self.paths(in: tree)).filter { same(value(at: $0[...], in: tree) ?? NSNull(), found) }
        }
        return paths?.count == 1 ? paths?[0] : nil
    }

    /// Whether a type writes JSON's null under a key of its where it has nothing, or leaves the key out; `nil` where no sample tells.
    static func writesNull(under key: String, in type: Any.Type) -> Bool? {
        guard let decodable = unwrappedType(type) as? any Decodable.Type,
            let empty = sample(decodable, leaves: .empty)?.value, let tree = json(empty) as? [String: Any]
        else { return nil }
        guard let value = tree[key] else { return false }
        return value is NSNull ? true : nil
    }

    private static func paths(in tree: [String: Any]) -> [[String]] {
        tree.flatMap { key, value in
            [[key]] + ((value as? [String: Any]).map(paths)?.map { [key] + $0 } ?? [])
        }
    }

    private static func value(at path: ArraySlice<String>, in json: Any?) -> Any? {
        guard let key = path.first else { return json }
        return value(at: path.dropFirst(), in: (json as? [String: Any])?[key])
    }

    /// The JSON of a value that was read: of what a sort descriptor sorts by, that of the value itself.
    private static func stored(_ value: Any) -> Any? {
        switch PredicateOperand(value) {
        case .null: NSNull()
        case .constant(let value): json((value as? any SortKey)?.stored ?? value)
        default: nil
        }
    }

    /// Whether the key path reads what stands under `key` in values of other kinds too, as far as the type allows them.
    private static func holds<Root, Value>(
        _ key: String, _ keyPath: KeyPath<Root, Value>, _ type: any Decodable.Type
    ) -> Bool {
        SampleDecoder.Leaves.others.allSatisfy { leaves in
            guard let root = sample(type, leaves: leaves)?.value as? Root, let tree = json(root) as? [String: Any]
            else {
                return true
            }
            return same(tree[key] ?? NSNull(), json(root[keyPath: keyPath]) ?? NSNull())
        }
    }

    /// A value, and how many booleans it was made from. Collections have an element each, so that they differ, or none
    /// where the type does not allow it.
    private static func sample(
        _ type: any Decodable.Type, trueFlag: Int = 0, leaves: SampleDecoder.Leaves = .distinct
    ) -> (value: Any, flags: Int)? {
        for hasElements in [true, false] {
            let decoder = SampleDecoder(trueFlag: trueFlag, hasElements: hasElements, leaves: leaves)
            if let value = try? type.init(from: decoder) { return (value, decoder.flags) }
        }
        return nil
    }

    private static func json<T>(_ value: T) -> Any? {
        guard let encodable = value as? any Encodable, let data = try? JSONForm.encoder.encode(encodable) else {
            return nil
        }
        return try? JSONSerialization.jsonObject(with: data, options: [.fragmentsAllowed])
    }

    private static func same(_ lhs: Any?, _ rhs: Any?) -> Bool {
        guard let lhs = text(lhs), let rhs = text(rhs) else { return false }
        return lhs == rhs
    }

    private static func text(_ json: Any?) -> Data? {
        json.flatMap { try? JSONSerialization.data(withJSONObject: $0, options: [.fragmentsAllowed, .sortedKeys]) }
    }
}
