import StrataClient
import StrataModels
import StrataRepository

/// A fetch with its prefetches: the objects first, then each level of relationships in one round trip.
final class FetchExecution<T: PersistentModel>: ContextCall {
    let session: StoreSession
    var purpose: String { T._$descriptor.callNames.fetch }
    var rowLimit: Int? { session.rowLimit }
    private let query: FetchQuery<T, (statement: PostgresStatement, list: SelectList)>
    private var prefetch: FollowingPrefetch
    private let group: FetchGroup
    // Appended to for every row: without checks for overlapping access, and not generic, which would look the type up each time.
    @exclusivity(unchecked) private var objects: [AnyObject] = []
    /// The same as models, for what is prefetched with them.
    @exclusivity(unchecked) private var owners: [any PersistentModel] = []
    /// Counts all that match; `nil` where nobody asks.
    private let total: FetchQuery<T, PostgresStatement>?
    private var totalCount = 0
    /// Whether a row that cannot be read leaves the others to be read.
    private let passesOverUnreadable: Bool
    private var failures: [SwiftDataError] = []
    private var hasFetched = false

    /// - Parameters:
    ///   - countsAll: whether the objects are counted too, whatever the descriptor's limit and offset.
    ///   - passesOverUnreadable: whether rows that cannot be read become ``failures``.
    init(
        _ descriptor: FetchDescriptor<T>, unit: UnitOfWork, countsAll: Bool = false, passesOverUnreadable: Bool = false
    ) throws {
        let descriptor = try unit.limitingRows(descriptor)
        self.passesOverUnreadable = passesOverUnreadable
        total =
            countsAll
            ? try FetchQuery(descriptor.withoutPage, unit: unit, reading: .keys) { try $0.count() } : nil
        query = try FetchQuery(
            descriptor, unit: unit,
            plain: { session in
                try FetchPlan.objects(
                    descriptor, mapping: session.store.mapping, store: session.store.identifier, reading: .objects)
            },
            { try $0.objects() })
        session = query.session
        prefetch = try FollowingPrefetch(of: descriptor, in: session)
        group = FetchGroup(root: query.entity.root.descriptor)
    }

    func next() throws -> PostgresBatch? {
        guard hasFetched else {
            if let lookup = try query.lookUp() { return lookup }
            if let lookup = try total?.lookUp() { return lookup }
            hasFetched = true
            return try fetchBatch()
        }
        return try prefetch.next(for: owners)
    }

    private func fetchBatch() throws -> PostgresBatch {
        let (statement, list) = try query.planned()
        let decoder = RowDecoder(
            list, registry: session, group: group, replacements: query.replacements, saveStamp: query.saveStamp)
        let take: (PostgresRow) throws -> Void =
            if prefetch.isEmpty {
                { self.objects.append(try decoder.object(from: $0)) }
            } else {
                {
                    let object = try decoder.object(from: $0)
                    self.objects.append(object)
                    self.owners.append(object)
                }
            }
        var batch = PostgresBatch()
        batch.add(
            statement,
            onResult: { try decoder.check($0) },
            onRow: passesOverUnreadable ? { try self.passingOverUnreadable($0, take) } : take)
        if let total { batch.add(try total.planned(), onRow: { self.totalCount = Int($0.int64(0)) }) }
        return batch
    }

    private func passingOverUnreadable(_ row: PostgresRow, _ take: (PostgresRow) throws -> Void) throws {
        do { try take(row) } catch let error as SwiftDataError where error.isAboutOneRow { failures.append(error) }
    }

    /// The plan selects rows of `T` and its subclasses only, so every object is one; an array of objects is laid out alike
    /// whatever their class.
    var result: [T] { unsafeBitCast(objects, to: [T].self) }

    /// The objects, and how many there are on all pages.
    var page: FetchedPage<T> { FetchedPage(objects: result, totalCount: totalCount) }

    /// The objects that can be read, and why others cannot.
    var readable: ReadableObjects<T> { ReadableObjects(objects: result, failures: failures) }
}

extension FetchDescriptor {
    /// The same objects, all of them and in no order.
    fileprivate var withoutPage: FetchDescriptor {
        var descriptor = self
        (descriptor.fetchLimit, descriptor.fetchOffset, descriptor.sortBy, descriptor.orderBy) = (nil, nil, [], [])
        return descriptor
    }
}

extension SwiftDataError {
    /// Whether the row is not what its class can hold. What has become of a changed object is no reason to pass over it.
    fileprivate var isAboutOneRow: Bool { code == .invalidValue || code == .unknownSchema }
}
