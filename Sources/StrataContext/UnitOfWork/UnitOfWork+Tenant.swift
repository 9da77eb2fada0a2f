import StrataModels
import StrataRepository

/// Whose rows the objects of a context are.
extension UnitOfWork {
    /// Gives a new object the tenant of the context. Reports one that names another, which is left out.
    func give(_ property: AnyAttributeProperty, to object: any PersistentModel, of place: ClassPlace) -> Bool {
        guard let tenant = place.session.store.rows.tenant else { return true }
        switch property.tenant(of: object) {
        case tenant: return true
        case nil:
            property.setTenant(tenant, of: object)
            return true
        case let other?:
            report(
                SwiftDataError(
                    .otherTenant,
                    "A \(type(of: object)) was inserted and left out: its \(property.name) names the tenant \"\(other.text)\", and the context is "
                        + "\"\(tenant.text)\"'s. Insert it into a context of its tenant, or leave \(property.name) as it is in a new object."
                ))
            return false
        }
    }

    /// Throws for a new object that names no tenant or another than the context's, and for a changed one whose row would become another tenant's.
    func requireOwnRows() throws(SwiftDataError) {
        guard sessions.contains(where: { $0.store.mapping.tenant != nil }) else { return }
        for model in unsaved.insertedModels {
            try requireOwn(model, isNew: true)
            try requireOwnEnds(model, isNew: true)
        }
        for model in unsaved.changedModels {
            try requireOwn(model, isNew: false)
            try requireOwnEnds(model, isNew: false)
        }
    }

    private func requireOwn(_ model: any PersistentModel, isNew: Bool) throws(SwiftDataError) {
        guard let property = type(of: model)._$descriptor.tenant, property.isLoaded(in: model),
            isNew || model._$state.changedSlots.contains(property.slot)
        else { return }
        let rows = sessions[Int(model._$state.storeIndex)].store.rows
        let named = property.tenant(of: model)
        // A stored object that names another tenant than before leaves behind what refers to it.
        if let named, rows.tenant.map({ $0 == named }) ?? isNew { return }
        let names = named.map { "the tenant \"\($0.text)\"" } ?? "no tenant"
        let whose =
            rows.tenant.map { "the context is \"\($0.text)\"'s" }
            ?? (isNew ? "nobody would see its row" : "it may have named another before")
        throw SwiftDataError(
            .otherTenant,
            "A \(type(of: model)) was not saved: its \(property.name) names \(names), and \(whose). Set it back, or roll back: whose row an object is is "
                + "final from insert on.", identifiers: [model.persistentModelID])
    }

    /// Throws for a relationship between objects of two tenants, in a context that sees all: foreign keys do not ask whose rows they join.
    private func requireOwnEnds(_ model: any PersistentModel, isNew: Bool) throws(SwiftDataError) {
        let descriptor = type(of: model)._$descriptor
        guard let property = descriptor.tenant, case .all = sessions[Int(model._$state.storeIndex)].store.rows,
            let own = property.tenant(of: model)
        else { return }
        for relationship in descriptor.relationships
        where isNew || model._$state.changedSlots.contains(relationship.slot) {
            for target in targets(of: relationship, in: model) {
                guard let other = type(of: target)._$descriptor.tenant?.tenant(of: target), other != own else {
                    continue
                }
                throw SwiftDataError(
                    .otherTenant,
                    "A \(type(of: model)) of the tenant \"\(own.text)\" was not saved: \(relationship.qualifiedName) leads to a \(type(of: target)) of \"\(other.text)\". "
                        + "Objects of one tenant lead to no other's.",
                    identifiers: [model.persistentModelID, target.persistentModelID])
            }
        }
    }
}
