package import StrataClient
package import StrataModels

/// Looks whether a store is complete: the catalogs first, then the store's identifier. Writes nothing and locks nothing.
package struct StoreVerification: StoreOperation {
    private enum Step { case inspect, identify, done }

    private let findings: StoreFindings
    private var step = Step.inspect

    package init(_ mapping: StoreMapping, unsettled: [String: Set<String>] = [:]) {
        findings = StoreFindings(mapping, unsettled: unsettled)
    }

    package mutating func next() throws -> PostgresBatch? {
        var batch = PostgresBatch()
        switch step {
        case .inspect:
            // One snapshot for all catalogs, so that a table that is being created is seen whole or not at all.
            batch.begin(.repeatableRead, readOnly: true)
            try findings.addInspection(to: &batch)
            batch.commit()
            step = .identify
            return batch
        case .identify:
            step = .done
            guard findings.hasStoreTable else { return nil }
            try findings.addReading(to: &batch)
            return batch
        case .done:
            return nil
        }
    }

    package var historyFindings: [HistoryFinding] { findings.historyFindings }

    /// Whether the store had none of its tables.
    var isNew: Bool { findings.isNew }

    /// The store, if it is complete; `nil` when something is missing that `mode` allows to create.
    ///
    /// Throws `storeDoesNotFit`.
    func identity(_ mode: StorePreparation.Mode) throws(SwiftDataError) -> StoreIdentity? {
        let difference = findings.difference
        let hasHistory = !findings.hasOldLibrary && !findings.hasOtherHistory
        if difference.misfits.isEmpty, !findings.isIncomplete, let identifier = findings.row.identifier,
            mode == .verifyOnly || hasHistory
        {
            return StoreIdentity(
                identifier: identifier, number: findings.row.number, advice: difference.advice,
                history: findings.historyFindings,
                hasOldLibrary: findings.hasOldLibrary, hasOtherHistory: findings.hasOtherHistory)
        }
        guard mode == .verifyOnly else { return nil }
        var lines = difference.misfits
        if findings.row.identifier == nil {
            lines.append(
                "the schema has no row in \(LibrarySchema.name).\(LibrarySchema.store.name), which gives the store its identifier: "
                    + "open it once with a configuration that may write, or apply the migrations")
        } else if lines.isEmpty {
            lines.append(
                "the sequence \(LibrarySchema.name).\(LibrarySchema.keyBlock.name) is missing: "
                    + "open the store once with a configuration that may write, or apply the migrations")
        }
        throw findings.misfit(lines)
    }
}
