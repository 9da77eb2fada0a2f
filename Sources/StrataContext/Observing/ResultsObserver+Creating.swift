public import Foundation
public import StrataModels

extension ResultsObserver where SectionTitle == Never {
    /// Observes a result without sections; blocks this thread until it is read. One round trip a store more than its fetch.
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
    ) throws {
        try self.init(blocking: ResultRequest(fetchDescriptor, filterBy, sortBy), modelContext, isolation)
    }

    /// Observes a result without sections, through a context of its own; blocks this thread until it is read.
    ///
    /// As the form with a context.
    public convenience init(
        fetchDescriptor: FetchDescriptor<Element>? = nil, filterBy: Predicate<Element>? = nil,
        sortBy: [SortDescriptor<Element>]? = nil, modelContainer: ModelContainer,
        isolation: isolated (any Actor)? = #isolation
    ) throws {
        try self.init(
            blocking: ResultRequest(fetchDescriptor, filterBy, sortBy), ModelContext(modelContainer), isolation)
    }
}

extension ResultsObserver {
    /// Observes a result in sections by a property; blocks this thread until it is read. One round trip a store more than its fetch.
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
    ) throws {
        try self.init(
            blocking: ResultRequest(fetchDescriptor, filterBy, sortBy, by: sectionBy), modelContext, isolation)
    }

    /// Observes a result in sections by a property, through a context of its own; blocks this thread until it is read.
    ///
    /// As the form with a context.
    public convenience init(
        fetchDescriptor: FetchDescriptor<Element>? = nil, filterBy: Predicate<Element>? = nil,
        sortBy: [SortDescriptor<Element>]? = nil, sectionBy: KeyPath<Element, SectionTitle>,
        modelContainer: ModelContainer, isolation: isolated (any Actor)? = #isolation
    ) throws {
        try self.init(
            blocking: ResultRequest(fetchDescriptor, filterBy, sortBy, by: sectionBy), ModelContext(modelContainer),
            isolation)
    }
}

extension ResultsObserver where SectionTitle == String {
    /// Observes a result in sections by an optional text; blocks this thread until it is read. Objects without a text are in the
    /// section whose title is empty.
    ///
    /// As the form with a text that is not optional.
    public convenience init(
        fetchDescriptor: FetchDescriptor<Element>? = nil, filterBy: Predicate<Element>? = nil,
        sortBy: [SortDescriptor<Element>]? = nil, sectionBy: KeyPath<Element, String?>, modelContext: ModelContext,
        isolation: isolated (any Actor)? = #isolation
    ) throws {
        try self.init(
            blocking: ResultRequest(fetchDescriptor, filterBy, sortBy, by: sectionBy), modelContext, isolation)
    }

    /// Observes a result in sections by an optional text, through a context of its own; blocks this thread until it is read.
    ///
    /// As the form with a context.
    public convenience init(
        fetchDescriptor: FetchDescriptor<Element>? = nil, filterBy: Predicate<Element>? = nil,
        sortBy: [SortDescriptor<Element>]? = nil, sectionBy: KeyPath<Element, String?>, modelContainer: ModelContainer,
        isolation: isolated (any Actor)? = #isolation
    ) throws {
        try self.init(
            blocking: ResultRequest(fetchDescriptor, filterBy, sortBy, by: sectionBy), ModelContext(modelContainer),
            isolation)
    }
}
