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

    private static let found = KeyPathCache<[any ModelProperty]>()

    /// Through relationships.
    private func longer(_ keyPath: AnyKeyPath, from start: ModelDescriptor) -> [any ModelProperty]? {
        if let found = search(keyPath, from: start, prefix: nil, steps: []) { return found }
        // Only this spelling needs the probe. Where descriptions are not to be had, it is refused; so is `!` within it, which would stop
        // the program where the probe has nothing.
        let text = keyPath.debugDescription
        return text.contains("?") && !text.contains("!") ? SortProbe.steps(of: keyPath, from: start) : nil
    }

    private func search(
        _ keyPath: AnyKeyPath, from descriptor: ModelDescriptor, prefix: AnyKeyPath?, steps: [any ModelProperty]
    ) -> [any ModelProperty]? {
        guard steps.count < Self.depth else { return nil }
        for relationship in descriptor.relationships where relationship.isToOne {
            guard let path = prefix.map({ $0.appending(path: relationship.keyPath) }) ?? relationship.keyPath else {
                continue
            }
            let passed = steps + [relationship]
            for path in [path, Self.unwrapped(path, relationship)].compactMap({ $0 }) {
                for property in relationship.destination.properties where !(property is RelationshipProperty) {
                    let candidates = SortKeyPath.all(of: property.keyPath).compactMap { path.appending(path: $0) }
                    if candidates.contains(keyPath) { return passed + [property] }
                }
                if let found = search(keyPath, from: relationship.destination, prefix: path, steps: passed) {
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
