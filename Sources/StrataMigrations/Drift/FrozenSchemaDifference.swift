/// What differs between two frozen schemas, field by field; versions do not count. Empty exactly when the fingerprints are
/// equal.
package struct FrozenSchemaDifference: Hashable, Sendable {
    /// `Trip.name: isOptional false → true`, `Trip.notes: attribute removed`, `column trip.name: type text → bigint`.
    package let lines: [String]

    package init(from old: FrozenSchema, to new: FrozenSchema) {
        lines = PartChange.between(old.parts, new.parts).map(Self.line)
    }

    package var isEmpty: Bool { lines.isEmpty }

    private static func line(_ change: PartChange) -> String {
        switch change {
        case .added(let part): "\(title(part)): \(noun(part))added"
        case .removed(let part): "\(title(part)): \(noun(part))removed"
        case .renamed(let part, let other): "\(title(part)): renamed to \(other.name)"
        case .changed(let part, let field, let old, let new):
            "\(title(part)): \(field) \(old?.readable ?? "none") → \(new?.readable ?? "none")"
        }
    }

    /// Classes and properties go by their names alone, as in Swift.
    private static func title(_ part: ComparedPart) -> String {
        switch part.kind {
        case .entity, .attribute, .relationship: part.place
        default: part.label
        }
    }

    private static func noun(_ part: ComparedPart) -> String {
        switch part.kind {
        case .entity, .attribute, .relationship: part.kind.rawValue + " "
        default: ""
        }
    }
}
