import Foundation
import StrataClient
import StrataModels
import StrataRepository

/// Reads the history of all stores of a container and puts it together.
struct HistoryFetch {
    private let descriptor: HistoryDescriptor<DefaultHistoryTransaction>
    private let limit: Int
    /// What a consumer had taken before.
    private let start: DefaultHistoryToken?
    let calls: [StoreCall<HistoryReading>]

    /// - Parameter endsTransaction: whether the transaction that is open does nothing else any more.
    init(
        _ descriptor: HistoryDescriptor<DefaultHistoryTransaction>, in sessions: [StoreSession],
        endsTransaction: Bool = false
    ) throws {
        self.descriptor = descriptor
        let limit = try Self.limit(of: descriptor)
        self.limit = limit
        start = HistoryReading.start(of: descriptor.predicate)
        // A token of another tenant may have the position of a store that all tenants share, too.
        let here = Set(sessions.map(\.store.identifier))
        if let positions = start?.positions, !here.isSuperset(of: positions.keys),
            !here.isSubset(of: positions.keys)
        {
            // Without a word it would be the beginning.
            throw SwiftDataError(
                .unknownSchema,
                "The history token is of a store that this container does not have: of another database, PostgreSQL schema or tenant."
            )
        }
        calls = try sessions.map { session in
            let request = HistoryRequest(
                predicate: descriptor.predicate, sortBy: descriptor.sortBy, limit: limit,
                isInsideTransaction: session.connection != nil, endsTransaction: endsTransaction)
            let reading = try HistoryReading(request, store: session.store.history)
            return StoreCall(reading, in: session, for: "fetch history").once.onPrimary
                .explaining(HistoryFailure.explain)
        }
    }

    /// 0 for all.
    static func limit(of descriptor: HistoryDescriptor<DefaultHistoryTransaction>) throws -> Int {
        guard let limit = Int(exactly: descriptor.fetchLimit), limit < .max else {
            throw SwiftDataError(
                .invalidTransactionFetchRequest, "The fetchLimit \(descriptor.fetchLimit) is too large; 0 fetches all.")
        }
        return limit
    }

    /// What was read: one store's as it is, that of several by time.
    var page: HistoryPage {
        if calls.count == 1 {
            let reading = calls[0].operation
            var positions = start?.positions.mapValues(\.unmarked) ?? [:]
            positions[calls[0].session.store.identifier] = reading.position
            return HistoryPage(
                transactions: reading.transactions, token: DefaultHistoryToken(positions), isLast: !reading.isCut)
        }
        var all = calls.flatMap(\.operation.transactions)
        if descriptor.sortBy.isEmpty {
            // Of one store they are in order already, which a stable sort by a growing time keeps.
            all = Self.byTime(calls.map(\.operation.transactions))
        } else {
            all.sort(using: descriptor.sortBy)
        }
        let isCut = calls.contains { $0.operation.isCut } || (limit > 0 && all.count > limit)
        if limit > 0 { all = Array(all.prefix(limit)) }
        var positions = start?.positions.mapValues(\.unmarked) ?? [:]
        for index in all.indices {
            let store = all[index].storeIdentifier
            let own = all[index].token.positions[store]
            var marked = positions
            marked[store] = own
            all[index].token = DefaultHistoryToken(marked)
            positions[store] = own?.unmarked
        }
        for call in calls {
            let (reading, store) = (call.operation, call.session.store.identifier)
            let taken = all.count { $0.storeIdentifier == store }
            if !reading.isCut, taken == reading.transactions.count { positions[store] = reading.position }
        }
        return HistoryPage(transactions: all, token: DefaultHistoryToken(positions), isLast: !isCut)
    }

    /// Takes of all lists the transaction that is earliest, without changing the order within one.
    private static func byTime(_ lists: [[DefaultHistoryTransaction]]) -> [DefaultHistoryTransaction] {
        var rests = lists.map { $0[...] }
        var merged: [DefaultHistoryTransaction] = []
        merged.reserveCapacity(lists.reduce(0) { $0 + $1.count })
        while true {
            var earliest: Int?
            for (index, rest) in rests.enumerated() {
                guard let next = rest.first else { continue }
                if let best = earliest, let other = rests[best].first, other.timestamp <= next.timestamp { continue }
                earliest = index
            }
            guard let earliest, let next = rests[earliest].popFirst() else { return merged }
            merged.append(next)
        }
    }
}
