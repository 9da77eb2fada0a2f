import SwiftSyntax

/// `willSet` or `didSet` of a persisted property.
struct PropertyObserver {
    /// Whether it runs before the value is stored.
    let isBefore: Bool
    /// What the observer calls the other value: `newValue`, `oldValue`, or a name of its own.
    let parameter: String
    /// Whether it asks for the other value. The old one is read for that only: reading may load it.
    let usesParameter: Bool
    /// The code with its braces.
    let body: String

    /// The observers of a property, `willSet` first.
    static func all(of block: AccessorBlockSyntax) -> [PropertyObserver] {
        guard block.observesOnly, case .accessors(let accessors) = block.accessors else { return [] }
        return accessors.compactMap(PropertyObserver.init).sorted { $0.isBefore && !$1.isBefore }
    }

    private init?(_ accessor: AccessorDeclSyntax) {
        guard let body = accessor.body else { return nil }
        isBefore = accessor.accessorSpecifier.tokenKind == .keyword(.willSet)
        let implicit = isBefore ? "newValue" : "oldValue"
        let name = accessor.parameters?.name.text
        parameter = name ?? implicit
        usesParameter = name != nil || body.tokens(viewMode: .sourceAccurate).contains { $0.text == implicit }
        self.body = body.trimmedDescription
    }

    /// The name of the function that the setter makes of it: a function of its own, so that the code may return early.
    var function: String { isBefore ? "_$willSet" : "_$didSet" }
}
