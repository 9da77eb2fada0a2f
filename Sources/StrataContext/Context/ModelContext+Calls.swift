import StrataClient
import StrataModels
import StrataRepository

/// How calls are made. What a call is, the two forms share; they differ in how they wait.
extension ModelContext {
    /// Makes a call; blocks this thread.
    ///
    /// - Returns: the call, which has what came of it.
    @discardableResult
    func perform<Call: ContextCall>(_ make: @autoclosure () throws -> Call) throws -> Call {
        do { return try performOnce(make()) } catch is ReplicaFailure { return try performOnce(make()) }
    }

    private func performOnce<Call: ContextCall>(_ call: Call) throws -> Call {
        var call = call
        let session = call.session
        let observed = unit.begin(.read, call.purpose)
        do {
            try session.withConnection(
                for: call.purpose, observed, rows: call.rowLimit, reads: !call.isForPrimary
            ) { try $0.perform(&call) }
            observed?.end()
            return call
        } catch {
            let failure = error as? ReplicaFailure
            let reason = explain(session.reason(of: failure?.reason ?? error), call.purpose)
            observed?.end(reason)
            throw failure.map { call.canBeginAnew ? $0 : call.explain(reason) } ?? call.explain(reason)
        }
    }

    /// Makes a call, and makes it anew where another task has saved the context meanwhile.
    ///
    /// Objects that were saved meanwhile keep their values in any case. If saves come between each time, the last reading counts.
    /// - Returns: the call, which has what came of it.
    @discardableResult
    func perform<Call: ContextCall>(_ make: @autoclosure () throws -> Call) async throws -> Call {
        for _ in 1..<Self.readings {
            let before = unit.stamps.save
            let call = try await performElsewhere(make())
            if unit.stamps.save == before || !call.isReadAgain { return call }
        }
        return try await performElsewhere(make())
    }

    /// Makes a call, and where a replica fails meanwhile, once more at the primary.
    private func performElsewhere<Call: ContextCall>(_ make: @autoclosure () throws -> Call) async throws -> Call {
        do { return try await performOnce(make()) } catch is ReplicaFailure { return try await performOnce(make()) }
    }

    /// How often something is read that saves come between.
    private static let readings = 3

    private func performOnce<Call: ContextCall>(_ call: Call) async throws -> Call {
        var call = call
        let session = call.session
        let observed = unit.begin(.read, call.purpose)
        do {
            if let connection = try session.transactionConnection() {
                try await unit.usingTransaction {
                    try await unit.reading(on: connection) {
                        try await connection.within(unit.terms, observed, rows: call.rowLimit) {
                            try await connection.perform(&call)
                        }
                    }
                }
            } else {
                let lease =
                    call.isForPrimary
                    ? try await session.leasePrimary(for: call.purpose)
                    : try await session.leaseToRead(for: call.purpose)
                defer { lease.end() }
                let connection = lease.connection
                do {
                    try await connection.within(unit.terms, observed, rows: call.rowLimit) {
                        try await connection.perform(&call)
                    }
                } catch { throw session.failure(error, of: lease) }
            }
            observed?.end()
            return call
        } catch {
            let failure = error as? ReplicaFailure
            let reason = explain(await session.reason(of: failure?.reason ?? error), call.purpose)
            observed?.end(reason)
            throw failure.map { call.canBeginAnew ? $0 : call.explain(reason) } ?? call.explain(reason)
        }
    }

    /// Carries out the parts of a save, or of a transaction's end, each on its store's connection; blocks this thread.
    func perform(_ parts: [StorePart]) throws {
        var leases: [Int: ConnectionLease] = [:]
        defer { for lease in leases.values { lease.end() } }
        for part in parts {
            let session = part.session
            if session.connection != nil, !part.isEnd { try unit.requireFreeTurn() }
            let leased = session.transactionLease ?? leases[session.index]
            let lease = try leased ?? lease { try session.leasePrimary(for: "save") }
            if session.transactionLease == nil { leases[session.index] = lease }
            let connection = lease.connection
            var operation = part.operation
            try connection.within(unit.terms, part.observed) { try connection.perform(&operation) }
        }
    }

    /// Carries out the parts of a save, or of a transaction's end, each on its store's connection.
    func perform(_ parts: [StorePart]) async throws {
        // Once: between two stores a save is not given up.
        if parts.first?.isEnd == false { try Task.checkCancellation() }
        var leases: [Int: ConnectionLease] = [:]
        defer { for lease in leases.values { lease.end() } }
        for part in parts {
            let session = part.session
            if let connection = session.connection {
                try await unit.usingTransaction {
                    if part.isEnd {
                        try await unit.inTurn { try await send(part) }
                    } else {
                        try await unit.saving(on: [connection]) { try await send(part) }
                    }
                }
            } else {
                var operation = part.operation
                let leased = leases[session.index]
                let lease =
                    if let leased { leased } else { try await lease { try await session.leasePrimary(for: "save") } }
                leases[session.index] = lease
                let connection = lease.connection
                try await connection.within(unit.terms, part.observed) { try await connection.perform(&operation) }
            }
        }
    }

    /// Carries out a part on the connection of the context's transaction, for a caller that has the turn.
    func send(_ part: StorePart) async throws {
        guard let connection = part.session.connection else { throw UnitOfWork.transactionHasEnded }
        var operation = part.operation
        try await connection.within(unit.terms, part.observed) { try await connection.perform(&operation) }
    }

    private func lease(_ acquire: () throws -> ConnectionLease) throws -> ConnectionLease {
        do { return try acquire() } catch { throw noConnection(error) }
    }

    private func lease(_ acquire: () async throws -> ConnectionLease) async throws -> ConnectionLease {
        do { return try await acquire() } catch { throw noConnection(error) }
    }

    private func noConnection(_ error: any Error) -> any Error {
        guard let error = error as? PostgresError else { return error }
        return SwiftDataError(.storeFailure, "Nothing was saved: \(error.message)", underlying: error)
    }

    /// Makes calls one after the other; blocks this thread.
    func performAll(_ calls: [some ContextCall]) throws {
        for call in calls { try perform(call) }
    }

    /// Makes calls one after the other.
    func performAll(_ calls: [some ContextCall]) async throws {
        for call in calls { try await perform(call) }
    }

    /// What the server or the connection reports, as an error of the context.
    func explain(_ error: any Error, _ purpose: String) -> any Error {
        guard let error = error as? PostgresError else { return error }
        if let absence = container.absence(behind: error) { return absence }
        let code: SwiftDataError.Code = error.code == .rowLimitExceeded ? .rowLimitExceeded : .storeFailure
        return SwiftDataError(code, "\(purpose): \(error.message)", underlying: error)
    }
}
