extension SnapshotContent {
    /// A digest of each property that is in it, and of class and identifier, by the names that they have in JSON.
    ///
    /// The same for the same values in every process and whatever they were made of, a row, JSON or a new object. Made of the stored forms
    /// that a snapshot holds anyway: nothing is written as JSON for it.
    /// - Throws: what a transformer throws.
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
                body(property.name, try Self.digest { try relationship.add(to: &$0) })
            }
        }
    }

    /// An object among others.
    fileprivate func add(to digest: inout ValueDigest) throws {
        try forEachDigest { name, part in
            digest.add(name)
            digest.add(part)
        }
    }

    private static func digest(_ add: (inout ValueDigest) throws -> Void) rethrows -> UInt64 {
        var digest = ValueDigest()
        try add(&digest)
        return digest.value
    }
}

extension SnapshotContent.Relationship {
    fileprivate func add(to digest: inout ValueDigest) throws {
        switch self {
        case .objects(let objects):
            digest.add(UInt8(0))
            digest.add(UInt64(objects.count))
            for object in objects { try object.add(to: &digest) }
        case .identifiers(let identifiers):
            digest.add(UInt8(1))
            digest.add(UInt64(identifiers.count))
            for identifier in identifiers { digest.add(identifier.description) }
        }
    }
}
