import Foundation
package import StrataModels
import StrataRepository

/// What an observer of results is asked to show.
package struct ResultRequest<Element: PersistentModel, SectionTitle: Hashable> {
    var descriptor: FetchDescriptor<Element>
    let sections: Sections?

    /// By what a result is sectioned.
    struct Sections {
        let keyPath: PartialKeyPath<Element>
        let title: (Element) -> SectionTitle
    }

    private init(
        _ descriptor: FetchDescriptor<Element>?, _ filter: Predicate<Element>?, _ sort: [SortDescriptor<Element>]?,
        _ sections: Sections?
    ) {
        self.descriptor = descriptor ?? FetchDescriptor()
        if let filter { self.descriptor.predicate = filter }
        if let sort { self.descriptor.sortBy = sort }
        self.sections = sections
    }

    /// A result without sections.
    package init(
        _ descriptor: FetchDescriptor<Element>?, _ filter: Predicate<Element>?, _ sort: [SortDescriptor<Element>]?
    ) {
        self.init(descriptor, filter, sort, nil)
    }

    /// A result in sections by a property.
    package init(
        _ descriptor: FetchDescriptor<Element>?, _ filter: Predicate<Element>?, _ sort: [SortDescriptor<Element>]?,
        by keyPath: KeyPath<Element, SectionTitle>
    ) {
        self.init(descriptor, filter, sort, Sections(keyPath: keyPath) { $0[keyPath: keyPath] })
    }

    /// A result in sections by an optional property: `nil` is the title without characters.
    package init(
        _ descriptor: FetchDescriptor<Element>?, _ filter: Predicate<Element>?, _ sort: [SortDescriptor<Element>]?,
        by keyPath: KeyPath<Element, String?>
    ) where SectionTitle == String {
        self.init(descriptor, filter, sort, Sections(keyPath: keyPath) { $0[keyPath: keyPath] ?? "" })
    }
}

/// A request that was looked at: everything that does not change from one reading to the next.
struct ResultQuery<Element: PersistentModel, SectionTitle: Hashable> {
    /// Sorted by the sections first.
    let request: ResultRequest<Element, SectionTitle>
    let session: StoreSession
    let dependencies: ResultDependencies
    /// The relationships that the descriptor names.
    let prefetched: PrefetchTree
    /// Those that lead to the titles of the sections.
    let titles: PrefetchTree
    /// The hierarchies of the objects that a fetch leaves as they are once they are in memory.
    let targetRoots: Set<Int>
    /// The attributes that the descriptor names; `nil` for all.
    let slots: SlotSet?

    var descriptor: FetchDescriptor<Element> { request.descriptor }

    /// Throws ``SwiftDataError`` for what cannot be fetched, sorted or observed; nothing is sent.
    init(_ request: ResultRequest<Element, SectionTitle>, in unit: UnitOfWork) throws {
        let (session, _) = try unit.place(of: Element.self)
        let mapping = session.store.mapping
        let request = try Self.sortedBySections(request)
        self.request = request
        self.session = session
        dependencies = try ResultDependencies(request.descriptor, in: session.store)
        prefetched = try PrefetchTree(request.descriptor.prefetchedKeyPaths, mapping: mapping)
        titles = try PrefetchTree(
            throughRelationships: request.sections.map { [$0.keyPath] } ?? [], mapping: mapping)
        targetRoots = prefetched.targetRoots.union(titles.targetRoots)
        let slots = request.descriptor.fetchedKeyPaths.compactMap { Element._$descriptor.property(for: $0)?.slot }
        self.slots = slots.isEmpty ? nil : SlotSet(slots)
    }

    /// The same with another descriptor.
    func asking(for descriptor: FetchDescriptor<Element>) throws -> Self {
        var request = request
        request.descriptor = descriptor
        return try Self(request, in: session.unit)
    }

    private static func sortedBySections(
        _ request: ResultRequest<Element, SectionTitle>
    ) throws -> ResultRequest<Element, SectionTitle> {
        guard let keyPath = request.sections?.keyPath else { return request }
        guard request.descriptor.orderBy.isEmpty else {
            throw SwiftDataError(
                .unsupportedSortDescriptor,
                "Sections of \(Element.self) come in the order of their titles, and the descriptor's orderBy would come before it. Sort by "
                    + "sortBy within the sections.")
        }
        if let first = request.descriptor.sortBy.first?.keyPath, SortKeyPath.all(of: keyPath).contains(first) {
            return request
        }
        guard let order = SortDescriptor<Element>.ascending(by: keyPath) else {
            throw SwiftDataError(
                .unsupportedSortDescriptor,
                "\(Element.self) cannot be sectioned by \(keyPath): \(type(of: keyPath).valueType) has no order. Section by a "
                    + "property that can be sorted, such as a text, a number, a date or an enumeration with a raw value."
            )
        }
        var request = request
        request.descriptor.sortBy.insert(order, at: 0)
        return request
    }
}
