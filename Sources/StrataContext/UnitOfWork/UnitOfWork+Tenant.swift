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
        for model in unsaved.insertedModels { try requireOwn(model, isNew: true) }
        for model in unsaved.changedModels { try requireOwn(model, isNew: false) }
    }

    private func requireOwn(_ model: any PersistentModel, isNew: Bool) throws(SwiftDataError) {
        guard let property = type(of: model)._$descriptor.tenant, property.isLoaded(in: model),
            isNew || model._$state.changedSlots.contains(property.slot)
        else { return }
        let rows = sessions[Int(model._$state.storeIndex)].store.rows
        let named = property.tenant(of: model)
        if named != nil, rows.tenant == nil || named == rows.tenant { return }
        let names = named.map { "the tenant \"\($0.text)\"" } ?? "no tenant"
        let whose = rows.tenant.map { "the context is \"\($0.text)\"'s" } ?? "nobody would see its row"
        throw SwiftDataError(
            .otherTenant,
            "A \(type(of: model)) was not saved: its \(property.name) names \(names), and \(whose). Set it back: whose row an object is is final "
                + "from insert on.", identifiers: [model.persistentModelID])
    }
}
