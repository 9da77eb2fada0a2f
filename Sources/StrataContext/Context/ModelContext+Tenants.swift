extension ModelContext {
    /// A context of a tenant's objects; its ``container`` is that tenant's.
    ///
    /// ```swift
    /// let context = try await ModelContext(container, tenant: "acme")
    /// ```
    /// No round trip for a tenant that is at hand; see `ModelContainer.tenant(_:)`.
    /// - Throws: as that.
    public convenience init(_ container: ModelContainer, tenant: String) async throws {
        self.init(try await container.tenant(tenant))
    }

    /// A context of a tenant's objects; blocks this thread where the tenant is not at hand.
    public convenience init(_ container: ModelContainer, tenant: String) throws {
        self.init(try container.tenant(tenant))
    }
}
