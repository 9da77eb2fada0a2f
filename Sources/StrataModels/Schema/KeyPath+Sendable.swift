/// A key path that is sent on: of a property, of part of its value, or of what lies behind a relationship.
@usableFromInline package typealias SendableKeyPath = any AnyKeyPath & Sendable

// A key path is immutable, and those that lead to properties capture nothing; only the types in which SwiftData's interface and the operations on
// key paths hand them out do not say so. These functions say it, and nothing else does.

/// The key path, as one that may be sent.
package func sendable(_ keyPath: AnyKeyPath) -> SendableKeyPath {
    unsafeBitCast(keyPath, to: SendableKeyPath.self)
}

/// The key path, as one that may be sent.
package func sendable<Root>(_ keyPath: PartialKeyPath<Root>) -> any PartialKeyPath<Root> & Sendable {
    unsafeBitCast(keyPath, to: (any PartialKeyPath<Root> & Sendable).self)
}

/// The key path, as one that may be sent.
package func sendable<Root, Value>(_ keyPath: KeyPath<Root, Value>) -> any KeyPath<Root, Value> & Sendable {
    unsafeBitCast(keyPath, to: (any KeyPath<Root, Value> & Sendable).self)
}
