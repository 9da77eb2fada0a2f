public import Foundation
public import Observation
public import StrataModels
import StrataRepository

/// The result of a fetch that stays true: it follows the edits of its context, and the commits of everybody.
///
/// ```swift
/// @MainActor final class Board {
///     private let observer: ResultsObserver<Trip, String>
///
///     init(_ container: ModelContainer) async throws {
///         observer = try await ResultsObserver(sectionBy: \Trip.destination, modelContext: container.mainContext)
///     }
///
///     var lines: [String] { (observer.sections ?? []).map { "\($0.title): \($0.count)" } }
/// }
/// ```
/// ``results`` is what a fetch by ``modelContext`` returns: with its unsaved insertions, edits and deletions, and with what other
/// contexts, processes and programs have committed. It changes only when it looks different: other objects, another order, other
/// sections, or other values of what the fetch reads. `Observations { }` and `withObservationTracking` tell of the change.
///
/// The observer belongs to an actor, that of whoever makes it, and reads again there, without blocking it: after edits as soon as
/// the actor has time, after commits within some 25 milliseconds, once for all that came meanwhile. While a transaction of the context
/// is open it waits for its end. It stops when it is freed, or when the container is closed.
///
/// When the server cannot be reached, ``results`` stays as it is and ``fetchError`` says why; it is tried again until it works.
///
/// Changes are found in the history: classes whose history is not recorded cannot be observed.
@Observable
public final class ResultsObserver<Element: PersistentModel, SectionTitle: Hashable> {
    /// The context whose fetch this is the result of.
    @ObservationIgnored public let modelContext: ModelContext
    /// Why the latest attempt to read the result failed; `nil` when it succeeded.
    public private(set) var fetchError: (any Error)?

    private var shown = Shown()
    private var query: ResultQuery<Element, SectionTitle>
    /// Woken when something may have changed.
    @ObservationIgnored private let changes = WakeSignal()
    @ObservationIgnored private var updates: ObserverUpdates?
    /// What others have changed of related objects since the latest reading.
    @ObservationIgnored private var outdated = OutdatedTargets()
    /// Counts the readings, so that none replaces one that began later.
    @ObservationIgnored private var readings = 0
    @ObservationIgnored private var shownReading = 0
    /// Whether a reading waits for the server: rows of two would come in any order.
    @ObservationIgnored private var isReading = false
    @ObservationIgnored private var waitingToRead: [UnsafeContinuation<Void, Never>] = []

    private struct Shown {
        var objects: [Element] = []
        var titles: [SectionTitle] = []
        var sections: SectionedResults<Element, SectionTitle>?
        var content = ResultContent()
    }

    private init(_ request: ResultRequest<Element, SectionTitle>, in context: ModelContext) throws {
        modelContext = context
        query = try ResultQuery(request, in: context.unit)
        watchEdits()
    }

    // MARK: What is shown

    /// The objects, in the descriptor's order.
    public var results: FetchResultsCollection<Element> { FetchResultsCollection(shown.objects) }

    /// The objects in sections, in the order of their titles; `nil` for an observer without sections.
    public var sections: SectionedResults<Element, SectionTitle>? { shown.sections }

    /// The property by which the result is sectioned; `nil` for an observer without sections.
    public var sectionBy: PartialKeyPath<Element>? { query.request.sections?.keyPath }

    /// The object at a place in the sections: `indexPath[0]` is the section, `indexPath[1]` the place in it; `nil` without sections,
    /// and for a place that is not there.
    public func element(at indexPath: IndexPath) -> Element? {
        guard let sections, indexPath.count == 2, sections.indices.contains(indexPath[0]) else { return nil }
        let section = sections[indexPath[0]]
        return section.indices.contains(indexPath[1]) ? section[indexPath[1]] : nil
    }

    /// The place of an object in the sections; `nil` without sections, and for an object that is not shown.
    public func indexPath(for element: Element) -> IndexPath? {
        guard let sections else { return nil }
        for (index, section) in sections.enumerated() {
            if let place = section.firstIndex(where: { $0 === element }) { return IndexPath(indexes: [index, place]) }
        }
        return nil
    }

    // MARK: What is asked for

    /// What is fetched. The sections' property is the first that is sorted by, ascending unless `sortBy` begins with it.
    public var fetchDescriptor: FetchDescriptor<Element> { query.descriptor }

    /// Which objects are shown. Setting it reads the result at once, blocking the thread; what that throws is in ``fetchError``.
    public var filterBy: Predicate<Element>? {
        get { query.descriptor.predicate }
        set {
            var descriptor = query.descriptor
            descriptor.predicate = newValue
            show(descriptor)
        }
    }

    /// The order of the objects. Setting it reads the result at once, blocking the thread; what that throws is in ``fetchError``.
    public var sortBy: [SortDescriptor<Element>] {
        get { query.descriptor.sortBy }
        set {
            var descriptor = query.descriptor
            descriptor.sortBy = newValue
            show(descriptor)
        }
    }

    private func show(_ descriptor: FetchDescriptor<Element>) {
        do {
            try refetch(descriptor)
        } catch {
            fetchError = error
        }
    }

    // MARK: Reading

    /// Reads the result now; blocks this thread. One round trip, one a level of prefetching, and one where the sections' titles are
    /// those of related objects.
    ///
    /// - Parameter descriptor: what to show from now on; the same as before when `nil`. One that cannot be fetched or observed
    ///   changes nothing.
    /// - Throws: what `fetch` throws.
    public func refetch(_ descriptor: FetchDescriptor<Element>? = nil) throws {
        try ask(for: descriptor)
        readings += 1
        let reading = readings
        do {
            try refreshTargets()
            let objects = try modelContext.fetch(query.descriptor)
            try modelContext.loadBlocking(query.titles, of: objects, in: query.session)
            show(objects, reading)
        } catch {
            changes.wake()
            throw error
        }
        // What waits for the server just now began before, and may bring older values.
        if isReading { changes.wake() }
    }

    /// What asynchronous callers get as `refetch`: see the module Strata.
    package func suspendingRefetch(_ descriptor: FetchDescriptor<Element>? = nil) async throws {
        try ask(for: descriptor)
        try await read(besideTransactions: false)
    }

    /// How often something is read that edits come between.
    private static var attempts: Int { 3 }

    /// - Parameter besideTransactions: whether a transaction that is open is somebody else's: its end comes first then.
    private func read(besideTransactions: Bool) async throws {
        if isReading { await withUnsafeContinuation { waitingToRead.append($0) } }
        isReading = true
        defer { if waitingToRead.isEmpty { isReading = false } else { waitingToRead.removeFirst().resume() } }
        let unit = modelContext.unit
        for attempt in 1...Self.attempts {
            if besideTransactions, unit.transaction.isOpen { return }
            readings += 1
            let (reading, before, query) = (readings, changes.count, query)
            try await refreshTargetsAwaiting()
            let objects = try await modelContext.suspendingFetch(query.descriptor)
            try await modelContext.load(query.titles, of: objects, in: query.session)
            if besideTransactions, unit.transaction.isOpen { return }
            // What was edited meanwhile may not belong to the result any more.
            if changes.count != before, attempt < Self.attempts { continue }
            return show(objects, reading)
        }
    }

    /// Reads related objects again that others have changed; blocks this thread.
    private func refreshTargets() throws {
        let taken = outdated
        outdated = OutdatedTargets()
        do {
            try modelContext.performAll(taken.calls(in: query.session))
        } catch {
            outdated.add(taken)
            throw error
        }
    }

    /// Reads related objects again that others have changed.
    private func refreshTargetsAwaiting() async throws {
        let taken = outdated
        outdated = OutdatedTargets()
        do {
            try await modelContext.performAll(taken.calls(in: query.session))
        } catch {
            outdated.add(taken)
            throw error
        }
    }

    private func ask(for descriptor: FetchDescriptor<Element>?) throws {
        guard let descriptor else { return }
        query = try query.asking(for: descriptor)
        watchEdits()
    }

    private func watchEdits() {
        modelContext.unit.editWatch.add(changes, classes: query.dependencies.classes)
    }

    /// Shows the objects that a reading has found, if that looks different.
    private func show(_ objects: [Element], _ reading: Int) {
        guard reading > shownReading else { return }
        shownReading = reading
        if fetchError != nil { fetchError = nil }
        let titles = query.request.sections.map { objects.map($0.title) } ?? []
        let content = ResultContent(objects, query.prefetched, slots: query.slots, in: query.session)
        let isFirst = query.request.sections != nil && shown.sections == nil
        guard isFirst || titles != shown.titles || !content.isSame(as: shown.content) else { return }
        shown = Shown(
            objects: objects, titles: titles,
            sections: query.request.sections == nil ? nil : SectionedResults(objects, titles: titles),
            content: content)
    }
}

// MARK: Beginning

extension ResultsObserver {
    /// An observer that has read its result, blocking this thread: one round trip a store for the place in the history, and those
    /// of the fetch.
    convenience init(
        blocking request: ResultRequest<Element, SectionTitle>, _ context: ModelContext, _ isolation: (any Actor)?
    ) throws {
        let isolation = try Self.required(isolation)
        let start = try context.container.currentHistoryToken()
        try self.init(request, in: context)
        let seen = changes.count
        try refetch()
        updates = ObserverUpdates(of: self, in: context.container, after: start, changes, seen: seen, isolation)
    }

    /// What asynchronous callers get as `init`: see the module Strata.
    package convenience init(
        suspending request: ResultRequest<Element, SectionTitle>, _ context: ModelContext,
        _ isolation: isolated (any Actor)?
    ) async throws {
        let isolation = try Self.required(isolation)
        let start = try await context.container.currentHistoryToken()
        try self.init(request, in: context)
        let seen = changes.count
        try await suspendingRefetch()
        updates = ObserverUpdates(of: self, in: context.container, after: start, changes, seen: seen, isolation)
    }

    private static func required(_ isolation: (any Actor)?) throws -> any Actor {
        if let isolation { return isolation }
        throw SwiftDataError(
            .unsupportedFeature,
            "A ResultsObserver was made outside of any actor, where nothing could keep it up to date without a race. Make it in an "
                + "actor or on the main actor; elsewhere, await container.results(of:).")
    }
}

extension ResultsObserver: UpdatedObserver {
    func isConcerned(by transaction: DefaultHistoryTransaction) -> Bool {
        guard transaction.storeIdentifier == query.session.store.identifier else { return false }
        outdated.note(transaction, of: query.targetRoots, in: query.session.store.mapping)
        // What is being read may show objects that are not known yet; and what is unsaved may meet rows of any class.
        if isReading || modelContext.hasChanges { return true }
        return query.dependencies.effect(of: transaction, showing: shown.content.shown) != .none
    }

    func bringUpToDate() async -> Bool {
        do {
            try await read(besideTransactions: true)
        } catch is CancellationError {
        } catch {
            // The end of the transaction is a change.
            guard !modelContext.unit.transaction.isOpen else { return false }
            note(error)
            return (error as? SwiftDataError)?.isPassing ?? false
        }
        return false
    }

    func noteGap() {
        outdated.noteGap(in: query.targetRoots)
    }

    func note(_ error: any Error) {
        fetchError = error
    }
}

extension ResultsObserver: CustomDebugStringConvertible {
    /// How much is shown.
    public var debugDescription: String {
        let sections = sections.map { " in \($0.count) sections" } ?? ""
        let failure = fetchError.map { ", not up to date: \($0)" } ?? ""
        return "ResultsObserver of \(Element.self): \(results.count) objects\(sections)\(failure)"
    }
}
