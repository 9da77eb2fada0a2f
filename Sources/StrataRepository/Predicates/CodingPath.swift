import Foundation
import StrataModels

/// Which coding keys a key path into a Codable value reads.
///
/// A key path does not tell. So a value is decoded in which every leaf is different, the key path reads it, and what it
/// read is looked up in the value's JSON. A computed property gives something that is not there, or is there twice:
/// then the answer is none.
enum CodingPath {
    static func keys<Root, Value>(of keyPath: KeyPath<Root, Value>) throws -> [String]? {
        guard let decodable = Root.self as? any Decodable.Type else { return nil }
        var answer: [String]?
        // Booleans have two values only: one sample for each of them, in which it alone is true.
        var flags = 0
        var round = 0
        repeat {
            let samples = SampleDecoder(trueFlag: round)
            guard let root = try? decodable.init(from: samples) as? Root,
                let tree = json(root) as? [String: Any]
            else { return nil }
            flags = samples.flags
            let read = json(root[keyPath: keyPath])
            let matches = tree.keys.filter { same(tree[$0], read) }
            if Value.self == Bool.self || Value.self == Bool?.self {
                guard let flag = root[keyPath: keyPath] as? Bool else { return nil }
                if flag {
                    guard matches.count == 1, answer == nil else { return nil }
                    answer = matches
                }
            } else {
                guard matches.count == 1 else { return nil }
                return matches
            }
            round += 1
        } while round < flags
        return answer
    }

    private static func json<T>(_ value: T) -> Any? {
        guard let encodable = value as? any Encodable, let data = try? JSONForm.encoder.encode(encodable) else {
            return nil
        }
        return try? JSONSerialization.jsonObject(with: data, options: [.fragmentsAllowed])
    }

    private static func same(_ lhs: Any?, _ rhs: Any?) -> Bool {
        guard let lhs = lhs as? AnyHashable, let rhs = rhs as? AnyHashable else {
            guard let lhs = lhs as? NSObject, let rhs = rhs as? NSObject else { return false }
            return lhs.isEqual(rhs)
        }
        return lhs == rhs
    }
}
