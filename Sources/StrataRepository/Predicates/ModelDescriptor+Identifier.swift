import StrataModels

extension ModelDescriptor {
    /// Whether a key path of the class is that of its objects' identifiers.
    func isIdentifier(_ keyPath: AnyKeyPath) -> Bool { identifiers.contains(keyPath) }

    /// The key paths that give the identifier of an object of the class.
    var identifiers: [AnyKeyPath] {
        func all<M: PersistentModel>(_: M.Type) -> [AnyKeyPath] {
            // The type chooses the property of models: without it, this is the requirement of Identifiable, and equal to none.
            let id: KeyPath<M, PersistentIdentifier> = \M.id
            return [\M.persistentModelID, id]
        }
        return all(self.type)
    }
}
