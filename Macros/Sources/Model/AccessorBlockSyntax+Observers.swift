import SwiftSyntax

extension AccessorBlockSyntax {
    /// Whether the accessors are `willSet` and `didSet`.
    var observesOnly: Bool {
        guard case .accessors(let accessors) = accessors else { return false }
        return accessors.allSatisfy {
            [.keyword(.willSet), .keyword(.didSet)].contains($0.accessorSpecifier.tokenKind)
        }
    }
}
