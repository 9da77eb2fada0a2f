import SwiftSyntax
import Synchronization

/// The slots of a class's persisted properties: what `@Model` has to know to write the attribute on one of them.
///
/// The compiler asks for each member by itself, and sends the whole class each time. The class is read once: the tree that it sends
/// is the same one as long as the source is.
struct ModelSlots {
    private let declaration: ClassDeclSyntax
    private let surroundings: [String]
    private let owner: String
    private let isSubclass: Bool
    /// By the property's name; empty where the class cannot be a model.
    private let slots: [String: Int]
    /// The names of those that memory computes.
    private let computed: Set<String>

    private static let latest = Mutex<ModelSlots?>(nil)

    static func of(_ declaration: ClassDeclSyntax, within surroundings: [Syntax]) -> ModelSlots {
        let descriptions = surroundings.map(\.trimmedDescription)
        if let latest = latest.withLock({ $0 }), latest.declaration.id == declaration.id,
            latest.surroundings == descriptions
        {
            return latest
        }
        let slots = ModelSlots(declaration, surroundings, descriptions)
        latest.withLock { $0 = slots }
        return slots
    }

    private init(_ declaration: ClassDeclSyntax, _ surroundings: [Syntax], _ descriptions: [String]) {
        let model = ModelDeclaration(declaration)
        self.declaration = declaration
        self.surroundings = descriptions
        owner = model.name
        isSubclass = model.hasInheritanceClause
        let properties = model.isPossible(declaration, within: surroundings) ? model.properties : []
        computed = Set(properties.filter(model.computes).map(\.name))
        slots = Dictionary(properties.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// The attribute on the property, if it has a slot.
    func attribute(of property: PersistedProperty) -> AttributeSyntax? {
        let end = computed.contains(property.name) ? ", isComputed: true" : ""
        return slots[property.name].map {
            AttributeSyntax(text: "_PersistedProperty(\($0), \"\(owner)\", isSubclass: \(isSubclass)\(end))")
        }
    }
}
