extension SchemaCorrespondence {
    /// Every `originalName` must name what the version before has: a typing mistake would make a new, empty property of one
    /// that was renamed.
    func checkOriginalNames() throws(MigrationError) {
        for entity in new.entities {
            for property in entity.propertyNames {
                guard let original = entity.originalName(of: property), !isRenamedTo(property, of: entity) else {
                    continue
                }
                let chains = oldChains(of: entity)
                let isKnown = chains.contains { chain in
                    // A declaration that the version before has as well tells of a rename that is done.
                    chain.contains { $0.declares(original) || $0.originalName(of: property) == original }
                }
                if !isKnown { throw unknown(original, of: property, in: entity, chains) }
            }
        }
    }

    /// Whether a change of the stage says what the property was, whatever its declaration says.
    private func isRenamedTo(_ property: String, of entity: FrozenEntity) -> Bool {
        let names = Set(new.family(of: entity).map(\.name))
        return changes.contains {
            if case .renamed(_, let to) = $0.kind {
                to.property == property && names.contains(to.entity)
            } else {
                false
            }
        }
    }

    /// The old classes, each with its superclasses, whose rows have the properties of a new one, or whose objects its
    /// superclasses have.
    private func oldChains(of entity: FrozenEntity) -> [[FrozenEntity]] {
        let rows = rowClasses.filter { new.chain(of: $0.new).contains(entity) }.map(\.old)
        let above = new.chain(of: entity).compactMap { oldEntity(of: $0) }
        return (above.reversed() + rows).map { old.chain(of: $0) }
    }

    private func unknown(
        _ original: String, of property: String, in entity: FrozenEntity, _ chains: [[FrozenEntity]]
    ) -> MigrationError {
        let subject = "\(entity.name).\(property)"
        guard let chain = chains.first, let owner = chain.last else {
            return MigrationError(
                .usage,
                "\(subject) has the originalName \(original), and no class of version \(old.version) becomes \(entity.name).",
                places: [subject], remedy: "leave originalName out: \(entity.name) is new, and has no values of before")
        }
        let names = chain.flatMap(\.propertyNames)
        let nearest = NearestName.of(original, among: names)
        return MigrationError(
            .usage,
            "\(subject) has the originalName \(original), and \(owner.name) has no such property in version \(old.version). "
                + "There are: \(names.joined(separator: ", ")).", places: [subject],
            remedy: nearest.map { "did you mean originalName: \"\($0)\"? Else leave it out: the property is new then" }
                ?? "name one of these, or leave originalName out: the property is new then")
    }
}
