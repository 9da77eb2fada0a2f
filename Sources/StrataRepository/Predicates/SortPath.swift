import Foundation
package import StrataModels

/// Which properties the key path of a sort descriptor goes through.
///
/// A key path does not say. One property is found by equality; a path through to-one relationships by putting the
/// candidates together, as far as three relationships deep; one with `?` by trying it out (``SortProbe``).
package struct SortPath {
    private static let depth = 3

    package init() {}

    package func steps(of keyPath: AnyKeyPath, from start: ModelDescriptor) -> [any ModelProperty]? {
        if let property = start.property(for: keyPath) { return [property] }
        if let property = start.properties.first(where: { SortKeyPath.all(of: $0.keyPath).contains(keyPath) }) {
            return [property]
        }
        if let known = Self.found[keyPath, start] { return known }
        let steps = longer(keyPath, from: start)
        if let steps { Self.found[keyPath, start] = steps }
        return steps
    }

    /// The relationships through which a key path leads to the identifier of another object; `nil` when it leads to anything else.
    package func relationships(of keyPath: AnyKeyPath, from start: ModelDescriptor) -> [any ModelProperty]? {
        let put = search(keyPath, from: start, prefix: nil, steps: []) { path, destination in
            destination.identifiers.contains { path.appending(path: $0) == keyPath } ? [] : nil
        }
        return put ?? (Self.isTried(keyPath) ? SortProbe.relationships(of: keyPath, from: start) : nil)
    }

    /// Why a key path that leads to no column may lead to one, if that cannot be found out.
    package static func obstacle(of keyPath: AnyKeyPath, from start: ModelDescriptor) -> String? {
        guard isTried(keyPath), let property = SortProbe.unsafe(start) else { return nil }
        return
            "has a \"?\", and may lead through a class whose property \(property.qualifiedName) has nothing that can stand in for a value, "
            + "without which it cannot be told where the path leads: give that property a default, or write the path in an #Expression, where that may stand"
    }

    private static let found = KeyPathCache<[any ModelProperty]>()

    /// Only this spelling needs the probe. Where descriptions are not to be had, it is refused; so is `!` within it, which would stop
    /// the program where the probe has nothing.
    private static func isTried(_ keyPath: AnyKeyPath) -> Bool {
        let text = keyPath.debugDescription
        return text.contains("?") && !text.contains("!")
    }

    /// Through relationships.
    private func longer(_ keyPath: AnyKeyPath, from start: ModelDescriptor) -> [any ModelProperty]? {
        let put = search(keyPath, from: start, prefix: nil, steps: []) { path, destination in
            let property = destination.properties.first { property in
                !(property is RelationshipProperty)
                    && SortKeyPath.all(of: property.keyPath).contains { path.appending(path: $0) == keyPath }
            }
            return property.map { [$0] }
        }
        return put ?? (Self.isTried(keyPath) ? SortProbe.steps(of: keyPath, from: start) : nil)
    }

    /// - Parameter ending: the steps behind a path through relationships to a class, where it is the one looked for.
    private func search(
        _ keyPath: AnyKeyPath, from descriptor: ModelDescriptor, prefix: AnyKeyPath?, steps: [any ModelProperty],
        ending: (AnyKeyPath, ModelDescriptor) -> [any ModelProperty]?
    ) -> [any ModelProperty]? {
        guard steps.count < Self.depth else { return nil }
        for relationship in descriptor.relationships where relationship.isToOne {
            guard let path = prefix.map({ $0.appending(path: relationship.keyPath) }) ?? relationship.keyPath else {
                continue
            }
            let passed = steps + [relationship]
            for path in [path, Self.unwrapped(path, relationship)].compactMap({ $0 }) {
                if let end = ending(path, relationship.destination) { return passed + end }
                if let found = search(
                    keyPath, from: relationship.destination, prefix: path, steps: passed, ending: ending)
                {
                    return found
                }
            }
        }
        return nil
    }

    /// The path followed by `!`.
    private static func unwrapped(_ path: AnyKeyPath, _ relationship: RelationshipProperty) -> AnyKeyPath? {
        guard relationship.isOptional else { return nil }
        func force<M: PersistentModel>(_: M.Type) -> AnyKeyPath { \M?.!.self }
        return path.appending(path: force(relationship.destinationType))
    }
}
