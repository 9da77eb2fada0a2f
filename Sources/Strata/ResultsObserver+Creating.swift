public import Foundation
public import StrataContext

extension ResultsObserver where SectionTitle == Never {
    /// Observes a result without sections; awaits its first reading. One round trip a store more than its fetch.
    ///
    /// - Parameters:
    ///   - fetchDescriptor: what to fetch; all objects without.
    ///   - filterBy: in place of the descriptor's predicate.
    ///   - sortBy: in place of the descriptor's order.
    ///   - modelContext: the context whose unsaved changes take part, and to which the objects belong.
    ///   - isolation: the actor that the observer belongs to; the caller's.
    /// - Throws: what `fetch` throws; `unsupportedFeature` outside of any actor, and for a class whose history is not recorded.
    public convenience init(
        fetchDescriptor: FetchDescriptor<Element>? = nil, filterBy: Predicate<Element>? = nil,
        sortBy: [SortDescriptor<Element>]? = nil, modelContext: ModelContext,
        isolation: isolated (any Actor)? = #isolation
    ) async throws {
        try await self.init(suspending: ResultRequest(fetchDescriptor, filterBy, sortBy), modelContext, isolation)
    }

    /// Observes a result without sections, through a context of its own; awaits its first reading.
    ///
    /// As the form with a context.
    public convenience init(
        fetchDescriptor: FetchDescriptor<Element>? = nil, filterBy: Predicate<Element>? = nil,
        sortBy: [SortDescriptor<Element>]? = nil, modelContainer: ModelContainer,
        isolation: isolated (any Actor)? = #isolation
    ) async throws {
        try await self.init(
            suspending: ResultRequest(fetchDescriptor, filterBy, sortBy), ModelContext(modelContainer), isolation)
    }
}

extension ResultsObserver {
    /// Observes a result in sections by a property; awaits its first reading. One round trip a store more than its fetch.
    ///
    /// The result is sorted by the property first: ascending, unless the order given begins with it. It may be one of a related object
    /// (`\.owner.name`); it must have an order in the database.
    /// - Parameters:
    ///   - fetchDescriptor: what to fetch; all objects without.
    ///   - filterBy: in place of the descriptor's predicate.
    ///   - sortBy: in place of the descriptor's order.
    ///   - sectionBy: the property whose values are the sections' titles.
    ///   - modelContext: the context whose unsaved changes take part, and to which the objects belong.
    ///   - isolation: the actor that the observer belongs to; the caller's.
    /// - Throws: what `fetch` throws; `unsupportedSortDescriptor` for a property without an order; `unsupportedFeature` outside of
    ///   any actor, and for a class whose history is not recorded.
    public convenience init(
        fetchDescriptor: FetchDescriptor<Element>? = nil, filterBy: Predicate<Element>? = nil,
        sortBy: [SortDescriptor<Element>]? = nil, sectionBy: KeyPath<Element, SectionTitle>, modelContext: ModelContext,
        isolation: isolated (any Actor)? = #isolation
    ) async throws {
        try await self.init(
            suspending: ResultRequest(fetchDescriptor, filterBy, sortBy, by: sectionBy), modelContext, isolation)
    }

    /// Observes a result in sections by a property, through a context of its own; awaits its first reading.
    ///
    /// As the form with a context.
    public convenience init(
        fetchDescriptor: FetchDescriptor<Element>? = nil, filterBy: Predicate<Element>? = nil,
        sortBy: [SortDescriptor<Element>]? = nil, sectionBy: KeyPath<Element, SectionTitle>,
        modelContainer: ModelContainer, isolation: isolated (any Actor)? = #isolation
    ) async throws {
        try await self.init(
            suspending: ResultRequest(fetchDescriptor, filterBy, sortBy, by: sectionBy), ModelContext(modelContainer),
            isolation)
    }
}

extension ResultsObserver where SectionTitle == String {
    /// Observes a result in sections by an optional text; awaits its first reading. Objects without a text are in the
    /// section whose title is empty.
    ///
    /// As the form with a text that is not optional.
    public convenience init(
        fetchDescriptor: FetchDescriptor<Element>? = nil, filterBy: Predicate<Element>? = nil,
        sortBy: [SortDescriptor<Element>]? = nil, sectionBy: KeyPath<Element, String?>, modelContext: ModelContext,
        isolation: isolated (any Actor)? = #isolation
    ) async throws {
        try await self.init(
            suspending: ResultRequest(fetchDescriptor, filterBy, sortBy, by: sectionBy), modelContext, isolation)
    }

    /// Observes a result in sections by an optional text, through a context of its own; awaits its first reading.
    ///
    /// As the form with a context.
    public convenience init(
        fetchDescriptor: FetchDescriptor<Element>? = nil, filterBy: Predicate<Element>? = nil,
        sortBy: [SortDescriptor<Element>]? = nil, sectionBy: KeyPath<Element, String?>, modelContainer: ModelContainer,
        isolation: isolated (any Actor)? = #isolation
    ) async throws {
        try await self.init(
            suspending: ResultRequest(fetchDescriptor, filterBy, sortBy, by: sectionBy), ModelContext(modelContainer),
            isolation)
    }
}

extension ResultsObserver {
    /// Reads the result now. One round trip, one a level of prefetching, and one where the sections' titles are those of related
    /// objects.
    ///
    /// Nobody has to call it: the observer reads by itself when something has changed. When it returns, ``results`` has everything
    /// that was edited and committed before.
    /// - Parameter descriptor: what to show from now on; the same as before when `nil`. One that cannot be fetched or observed
    ///   changes nothing.
    /// - Throws: what `fetch` throws.
    public func refetch(_ descriptor: FetchDescriptor<Element>? = nil) async throws {
        try await suspendingRefetch(descriptor)
    }
}
