import StrataClient
import StrataModels
import StrataRepository

/// What a result shows, by value: its objects in their order, those that prefetched relationships lead to, and the values of all
/// of them that the fetch reads.
///
/// Two results with the same content look the same to whoever reads what was fetched. It holds the objects, so that what was
/// prefetched stays in memory as long as the result.
struct ResultContent {
    /// One object as it is now.
    private struct Line {
        let model: any PersistentModel
        /// The attributes, those that were not fetched as NULL.
        let values: PostgresParameters
        /// Where its relationships lead, as far as the row says so or they were prefetched.
        let links: [RowKey]
    }

    private var lines: [Line] = []
    /// The objects by hierarchy and key.
    private(set) var shown: Set<ResultDependencies.Shown> = []

    init() {}

    /// - Parameters:
    ///   - tree: the relationships that were loaded along.
    ///   - slots: the attributes of the objects that were fetched; `nil` for all.
    init(_ objects: [any PersistentModel], _ tree: PrefetchTree, slots: SlotSet?, in session: StoreSession) {
        var seen = Set<ObjectIdentifier>()
        add(objects, tree, slots, session, &seen)
    }

    private mutating func add(
        _ objects: [any PersistentModel], _ tree: PrefetchTree, _ slots: SlotSet?, _ session: StoreSession,
        _ seen: inout Set<ObjectIdentifier>
    ) {
        for object in objects {
            guard let entity = session.store.mapping.entity(for: type(of: object)) else { continue }
            let branches = tree.branches.filter { entity.descriptor.inherits(from: $0.mapping.owner.descriptor) }
            let targets = branches.map { session.unit.targets(of: $0.mapping.property(in: entity), in: object) }
            if seen.insert(ObjectIdentifier(object)).inserted {
                lines.append(Self.line(object, entity, slots, targets))
                shown.insert(
                    ResultDependencies.Shown(
                        root: ObjectIdentifier(entity.root.descriptor), key: object._$state.key))
            }
            for (branch, reached) in zip(branches, targets) { add(reached, branch.tree, nil, session, &seen) }
        }
    }

    private static func line(
        _ object: any PersistentModel, _ entity: EntityMapping, _ slots: SlotSet?,
        _ targets: [[any PersistentModel]]
    ) -> Line {
        var values = PostgresParameters()
        var links: [RowKey] = []
        for property in entity.descriptor.properties {
            if let attribute = property as? AnyAttributeProperty {
                append(attribute, of: object, slots, to: &values)
            } else if let relationship = property as? RelationshipProperty, entity.columns[property.slot] != nil {
                links.append(relationship.reference(of: object).key ?? 0)
            }
        }
        for reached in targets {
            links.append(RowKey(-Int64(reached.count)))
            links += reached.map(\._$state.key)
        }
        return Line(model: object, values: values, links: links)
    }

    /// Always one parameter, so that values are found by position.
    private static func append(
        _ attribute: AnyAttributeProperty, of object: any PersistentModel, _ slots: SlotSet?,
        to values: inout PostgresParameters
    ) {
        // What is read for itself when somebody asks is no part of a result.
        let isShown = slots?.contains(attribute.slot) ?? !attribute.options.contains(.externalStorage)
        do {
            if isShown { return try attribute.appendStored(in: object, to: &values) }
        } catch {
            // A value that cannot be stored: the save will say so.
        }
        values.appendNull(attribute.columnType)
    }

    /// Whether both show the same objects with the same values.
    func isSame(as other: ResultContent) -> Bool {
        lines.elementsEqual(other.lines) { one, other in
            one.model === other.model && one.links == other.links
                && (one.values.isSame(as: other.values) || Self.mean(one, other))
        }
    }

    /// Whether values that are stored in different forms are the same ones.
    private static func mean(_ one: Line, _ other: Line) -> Bool {
        let attributes = type(of: one.model)._$descriptor.properties.lazy.compactMap { $0 as? AnyAttributeProperty }
        return attributes.enumerated().allSatisfy { index, attribute in
            attribute.areSame(one.values.bytes(at: index), other.values.bytes(at: index))
        }
    }
}

extension RelationshipMapping {
    /// The relationship as a class below its own has it.
    fileprivate func property(in entity: EntityMapping) -> RelationshipProperty {
        entity.descriptor.relationship(at: property.slot) ?? property
    }
}
