package import StrataModels

/// What the result of a fetch is made from: a change of anything else leaves it as it is.
package struct QueryDependencies: Hashable, Sendable {
    /// The classes that results are of.
    package let objects: Set<String>
    /// Further classes whose objects decide or are shown by being there: those that predicate, order and prefetched
    /// relationships lead to.
    package let related: Set<String>
    /// By class, the properties whose values decide which objects are found, in which order, and what they lead to.
    package let properties: [String: Set<String>]
    /// Classes any update of which may count, because what decides is a column that no property shows.
    package let wholes: Set<String>

    /// Throws ``SwiftDataError`` for what cannot be translated, as the fetch would.
    ///
    /// - Parameter prefetched: the relationships that are loaded along, at any depth.
    package init<T: PersistentModel>(
        _ descriptor: FetchDescriptor<T>, prefetched: [RelationshipMapping], mapping: StoreMapping, store: String
    ) throws {
        let plan = try FetchPlan(descriptor, mapping: mapping, store: store, reading: .objects)
        let trace = DependencyTrace()
        let translator = PredicateTranslator(mapping: mapping, store: store, trace: trace)
        let scope = TableScope(plan.entity, .stored, aliases: AliasGenerator())
        if !descriptor.includeDeleted { trace.range(over: plan.entity) }
        if let predicate = descriptor.predicate { _ = try translator.condition(predicate, on: scope) }
        _ = try translator.order(of: descriptor, on: scope)
        for key in descriptor.groupLimit?.keys ?? [] { _ = try translator.argument(key, on: scope) }
        for relationship in prefetched { trace.follow(relationship, from: relationship.owner) }
        objects = Set(plan.entity.family.map(\.name))
        related = trace.related
        properties = trace.properties
        wholes = trace.wholes
    }
}
