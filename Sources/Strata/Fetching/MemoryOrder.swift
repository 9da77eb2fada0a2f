import Foundation
import StrataModels

/// The order PostgreSQL sorts by, in memory: `nil` first ascending, strings by their UTF-8 bytes, ties by key.
struct MemoryOrder<T: PersistentModel> {
    private let descriptors: [SortDescriptor<T>]

    init(_ descriptors: [SortDescriptor<T>]) {
        self.descriptors = descriptors
    }

    func precedes(_ lhs: T, _ rhs: T) -> Bool {
        for descriptor in descriptors {
            switch compare(lhs, rhs, by: descriptor) {
            case .orderedAscending: return true
            case .orderedDescending: return false
            case .orderedSame: continue
            }
        }
        return lhs._$state.key < rhs._$state.key
    }

    private func compare(_ lhs: T, _ rhs: T, by descriptor: SortDescriptor<T>) -> ComparisonResult {
        guard let keyPath = descriptor.keyPath, let left = text(lhs[keyPath: keyPath]),
            let right = text(rhs[keyPath: keyPath])
        else { return descriptor.compare(lhs, rhs) }
        let ascending = order(left, right)
        return descriptor.order == .forward ? ascending : reversed(ascending)
    }

    /// The value as text, if it is text: outer `nil` for another type, inner for a `nil` string.
    private func text(_ value: Any) -> String?? {
        if let text = value as? String { return .some(text) }
        if let text = value as? String? { return .some(text) }
        return nil
    }

    private func order(_ left: String?, _ right: String?) -> ComparisonResult {
        switch (left, right) {
        case (nil, nil): return .orderedSame
        case (nil, _): return .orderedAscending
        case (_, nil): return .orderedDescending
        case (let left?, let right?):
            if left.utf8.elementsEqual(right.utf8) { return .orderedSame }
            return left.utf8.lexicographicallyPrecedes(right.utf8) ? .orderedAscending : .orderedDescending
        }
    }

    private func reversed(_ result: ComparisonResult) -> ComparisonResult {
        switch result {
        case .orderedAscending: .orderedDescending
        case .orderedDescending: .orderedAscending
        case .orderedSame: .orderedSame
        }
    }
}
