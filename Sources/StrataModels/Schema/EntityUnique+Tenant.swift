// Of a class whose rows are of many tenants the tenant is the first column of what is unique, and of what is searched: this is the one place that
// says so. Tables, frozen versions, upserts and look-ups by unique values follow from it.

extension Schema.EntityUnique {
    /// Unique within a tenant.
    func withinTenant(of descriptor: ModelDescriptor) -> Schema.EntityUnique {
        guard let tenant = descriptor.tenantBefore(names) else { return self }
        return Schema.EntityUnique(
            names: [tenant] + names, givenName: givenName, letterCase: letterCase, nulls: nulls, timing: timing,
            condition: condition,
            source: source)
    }
}

extension Schema.EntityIndex {
    /// Searched within a tenant. Other methods than B-trees cannot have a column before the others for that, or need none.
    func withinTenant(of descriptor: ModelDescriptor) -> Schema.EntityIndex {
        guard method == .btree, let tenant = descriptor.tenantBefore(names) else { return self }
        return Schema.EntityIndex(
            method: method, givenName: givenName, keys: [Key(name: tenant, form: .plain)] + keys, included: included,
            condition: condition, source: source)
    }
}

extension ModelDescriptor {
    /// The tenant's property, where these are columns of the same table, and it is not among them.
    fileprivate func tenantBefore(_ names: [String]) -> String? {
        guard let tenant, !names.isEmpty, !names.contains(tenant.name),
            names.allSatisfy({ name in root.property(named: name) != nil })
        else { return nil }
        return tenant.name
    }
}
