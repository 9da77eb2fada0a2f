import StrataModels

extension ModelDescriptor {
    /// Whether a key path of the class is that of its objects' identifiers.
    func isIdentifier(_ keyPath: AnyKeyPath) -> Bool {
        func matches<M: PersistentModel>(_: M.Type) -> Bool {
            // The type chooses the property of models: without it, this is the requirement of Identifiable, and equal to none.
            let id: KeyPath<M, PersistentIdentifier> = \M.id
            return keyPath == \M.persistentModelID || keyPath == id
        }
        return matches(self.type)
    }
}
