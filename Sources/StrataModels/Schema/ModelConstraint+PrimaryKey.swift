extension [Schema.ModelConstraint] {
    /// The key paths of the class's `#PrimaryKey`; `nil` without one.
    var primaryKey: [SendableKeyPath]? {
        for case .primaryKey(let parts) in self { return parts }
        return nil
    }

    /// The slots of the properties that are the key together; none where there is no `#PrimaryKey`, or one that is refused
    /// (``SchemaValidation``).
    func keySlots(among properties: [any ModelProperty]) -> [Int] {
        guard let primaryKey else { return [] }
        let slots = primaryKey.compactMap { part in properties.firstIndex { $0.keyPath == part } }
        return slots.count == primaryKey.count ? slots : []
    }
}
