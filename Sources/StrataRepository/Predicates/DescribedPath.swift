import StrataModels

/// A way into a Codable value, as far as Swift's description of a key path tells it: `\Trip.<computed 0x1000 (Address)>.city`.
///
/// A property of a model is computed, and described by its type; a stored part of a value by its name. So a description tells whether
/// anything else than stored parts is read behind the property, which the values that are read do not. It decides what is tried, and
/// refuses: which property and which coding keys are read is found by reading (``SortProbe``). Where descriptions are not to be had,
/// nothing is tried.
struct DescribedPath {
    /// The relationships on the way, and the property with the value.
    let steps: [any ModelProperty]
    /// Whether all parts behind it are stored.
    let isStored: Bool

    /// The ways that fit the description: several where properties have the same type, none for a key path that does not lead into a
    /// Codable value.
    static func all(_ keyPath: AnyKeyPath, from start: ModelDescriptor) -> [DescribedPath] {
        parts(of: keyPath).map { ways($0, start, [], isSorted: isSortKey(keyPath)) } ?? []
    }

    private static func ways(
        _ text: Substring, _ descriptor: ModelDescriptor, _ passed: [any ModelProperty], isSorted: Bool
    ) -> [DescribedPath] {
        descriptor.properties.flatMap { property -> [DescribedPath] in
            guard var rest = remainder(of: text, behind: property) else { return [] }
            let steps = passed + [property]
            if let relationship = property as? RelationshipProperty {
                guard relationship.isToOne else { return [] }
                if rest.first == "?" || rest.first == "!" { rest.removeFirst() }
                return ways(rest, relationship.destination, steps, isSorted: isSorted)
            }
            guard (property as? AnyAttributeProperty)?.isJSON == true else { return [] }
            return DescribedPath(steps, rest, isSorted: isSorted).map { [$0] } ?? []
        }
    }

    private init?(_ steps: [any ModelProperty], _ text: Substring, isSorted: Bool) {
        var rest = text
        if isSorted {
            // The descriptor's own step, from the part to what it sorts by.
            guard let last = rest.ranges(of: Self.computed).last else { return nil }
            rest.removeSubrange(last.lowerBound...)
        }
        guard rest.contains(".") else { return nil }
        self.steps = steps
        // `!` would stop the program where a sample has nothing.
        isStored = !rest.contains(Self.computed) && !rest.contains("!")
    }

    private static let computed = ".<computed "

    /// What stands behind the root.
    private static func parts(of keyPath: AnyKeyPath) -> Substring? {
        let text = keyPath.debugDescription[...]
        return text.firstRange(of: computed).map { text[$0.lowerBound...] }
    }

    /// What stands behind a property of the type of this one. The getter's address differs from one place of the program to another.
    private static func remainder(of text: Substring, behind property: any ModelProperty) -> Substring? {
        guard let own = parts(of: property.keyPath), let type = own.firstIndex(of: "("), text.hasPrefix(computed),
            let start = text.firstIndex(of: "("), text[start...].hasPrefix(own[type...])
        else { return nil }
        return text[start...].dropFirst(own[type...].count)
    }

    private static func isSortKey(_ keyPath: AnyKeyPath) -> Bool {
        unwrappedType(type(of: keyPath).valueType) is any SortKey.Type
    }
}
