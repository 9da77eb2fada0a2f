extension SnapshotContent {
    /// A digest of each property that is in it, and of class and identifier, by the names that they have in JSON.
    ///
    /// The same for the same values in every process and whatever they were made of, a row, JSON or a new object. Made of the stored forms
    /// that a snapshot holds anyway; of numbers, documents and transformed values, which have several, anew from the value. There is no such form of
    /// a transformed value that is not `Encodable` and whose transformer adds salt, nor of one whose own `encode(to:)` writes a list in
    /// any order: their digests differ each time. A to-many relationship without an order is digested as the set that it is.
    /// - Throws: what a transformer throws, and the `init(from:)` and `encode(to:)` of a value.
    package func digests() throws -> [String: UInt64] {
        var digests: [String: UInt64] = [:]
        try forEachDigest { name, digest in digests[name] = digest }
        return digests
    }

    /// In the order of the class's declaration.
    private func forEachDigest(_ body: (String, UInt64) -> Void) throws {
        body(SnapshotKey.entity.stringValue, Self.digest { $0.add(descriptor.entityName) })
        if let identifier {
            body(SnapshotKey.identifier.stringValue, Self.digest { $0.add(identifier.description) })
        }
        for property in descriptor.properties {
            if let cell = attributes[property.slot], let attribute = property as? AnyAttributeProperty {
                let form = try attribute.canonicalForm(of: cell)
                body(property.name, Self.digest { $0.add(form) })
            } else if let relationship = relationships[property.slot] {
                let isOrdered = (property as? RelationshipProperty)?.isOrdered ?? false
                body(property.name, try Self.digest { try relationship.add(to: &$0, isOrdered: isOrdered) })
            }
        }
    }

    /// One digest of all that is in it, for an object that a relationship leads to.
    fileprivate func digest() throws -> UInt64 {
        try Self.digest { digest in
            try forEachDigest { name, part in
                digest.add(name)
                digest.add(part)
            }
        }
    }

    fileprivate static func digest(_ add: (inout ValueDigest) throws -> Void) rethrows -> UInt64 {
        var digest = ValueDigest()
        try add(&digest)
        return digest.value
    }
}

extension SnapshotContent.Relationship {
    /// Without an order of its own it lies in memory as it was made, and is read in the order of keys.
    fileprivate func add(to digest: inout ValueDigest, isOrdered: Bool) throws {
        let (kind, parts): (UInt8, [UInt64]) =
            switch self {
            case .objects(let objects): (0, try objects.map { try $0.digest() })
            case .identifiers(let identifiers):
                (1, identifiers.map { identifier in SnapshotContent.digest { $0.add(identifier.description) } })
            }
        digest.add(kind)
        digest.add(UInt64(parts.count))
        for part in isOrdered ? parts : parts.sorted() { digest.add(part) }
    }
}
