/// What a property or class that is gone was probably renamed to: something new of its kind.
struct RenameCandidate {
    private let match: SchemaCorrespondence
    private let stage: MigrationChain.Stage

    init(_ match: SchemaCorrespondence, _ stage: MigrationChain.Stage) {
        (self.match, self.stage) = (match, stage)
    }

    /// `did you mean .renamed(\V1.Trip.nmae, to: \V2.Trip.name)? Else `, to stand before what else can be said; empty
    /// where nothing is a candidate, or several are and none has a similar name.
    func question(for property: SchemaChange.Subject) -> String {
        guard let name = property.property, let new = newProperty(of: property) else { return "" }
        let (before, after) = (
            Self.path(property.entity, name, stage.oldTypeNames),
            Self.path(new.entity, new.property ?? "", stage.newTypeNames)
        )
        return "did you mean .renamed(\\\(before), to: \\\(after))? Else "
    }

    /// The same for a class that is gone.
    func question(forClass entity: FrozenEntity) -> String {
        guard let new = newClass(of: entity) else { return "" }
        let before = stage.oldTypeNames[entity.name] ?? entity.name
        let after = stage.newTypeNames[new.name] ?? new.name
        return "did you mean .renamed(\(before).self, to: \(after).self)? Else "
    }

    /// With the plain name of a class, the program means the newest one.
    static func path(_ entity: String, _ property: String, _ typeNames: [String: String]) -> String {
        (typeNames[entity] ?? entity) + "." + property
    }

    // MARK: What is new

    private func newProperty(of old: SchemaChange.Subject) -> SchemaChange.Subject? {
        guard let owner = match.old.entity(named: old.entity), let name = old.property,
            let target = match.newEntity(of: owner)
        else { return nil }
        let family = match.new.chain(of: target)
        let fed = Set(match.continuations.all.map(\.new))
        let candidates = family.flatMap { entity in
            entity.propertyNames.filter { isAlike(owner, name, entity, $0) }
                .map { SchemaChange.Subject(entity.name, $0) }
        }.filter { !fed.contains($0) }
        if candidates.count == 1 { return candidates[0] }
        let nearest = NearestName.of(name, among: candidates.compactMap(\.property))
        return candidates.first { $0.property == nearest }
    }

    /// Whether one could hold what the other held, as it is.
    private func isAlike(_ old: FrozenEntity, _ name: String, _ new: FrozenEntity, _ other: String) -> Bool {
        if let before = old.relationship(name), let after = new.relationship(other) {
            return before.isToOne == after.isToOne && match.leads(from: before.destination, to: after.destination)
        }
        let before = old.attributes.first { $0.name == name }
        let after = new.attributes.first { $0.name == other }
        return before != nil && before?.type == after?.type
    }

    private func newClass(of old: FrozenEntity) -> FrozenEntity? {
        let candidates = match.new.entities.filter { entity in
            match.oldEntity(of: entity) == nil && !isSplit(entity)
                && (old.propertyNames.isEmpty || !Set(entity.propertyNames).isDisjoint(with: old.propertyNames))
        }
        if candidates.count == 1 { return candidates[0] }
        let nearest = NearestName.of(old.name, among: candidates.map(\.name))
        return candidates.first { $0.name == nearest }
    }

    private func isSplit(_ entity: FrozenEntity) -> Bool {
        match.changes.contains { if case .split(entity.name, _) = $0.kind { true } else { false } }
    }
}
