import Foundation
import StrataClient
import StrataModels

/// Rows on their way to the server, and what was found out about each.
package final class RowBatch {
    let plan: RowInsertPlan
    let buffers: ColumnBuffers
    /// How many rows came before these.
    let first: Int
    package internal(set) var count = 0

    /// Up to this many rows go at once.
    private static let mostRows = 16_384
    /// No further row comes to rows that take more than this.
    private static let mostBytes = 4 << 20

    /// - Parameter first: how many rows came before these.
    package init(_ plan: RowInsertPlan, first: Int) {
        self.plan = plan
        self.first = first
        buffers = ColumnBuffers(plan.types, reservingCapacity: 256)
    }

    package var isFull: Bool {
        count >= Self.mostRows || buffers.byteCount > Self.mostBytes
    }

    /// The keys that some rows bring, in this order; `nil` for all.
    func keys(of rows: [Int]?) throws -> [RowKey] {
        let parts = plan.entity.key.kinds
        var elements = plan.keyBuffers.map { PostgresArrayElements(buffers[$0]) }
        func next(_ place: Int) -> RowKey {
            elements[place].next().map { $0.withUnsafeBytes { RowKey(postgresBytes: $0, parts[place]) } } ?? 0
        }
        var keys: [RowKey] = []
        keys.reserveCapacity(count)
        for row in 0..<count {
            let key = plan.entity.key.isSingle ? next(0) : RowKey(parts: parts.indices.map(next)) ?? 0
            guard key.isFinal else {
                throw SwiftDataError(
                    .modelValidationFailure,
                    "\(name(ofRow: row)): \(plan.entity.keyRule). Give it another one.")
            }
            keys.append(key)
        }
        return rows.map { $0.map { keys[$0] } } ?? keys
    }

    /// Refuses numbers that the server would round.
    func checkPrecision() throws {
        for (property, precision, buffer) in plan.preciseBuffers {
            var elements = PostgresArrayElements(buffers[buffer])
            for row in 0..<count {
                guard let bytes = elements.next() else { continue }
                let value = try bytes.withUnsafeBytes { try Decimal(postgresBytes: $0) }
                guard !precision.holds(value) else { continue }
                throw SwiftDataError(
                    .invalidValue, "\(name(ofRow: row)): \(property.qualifiedName) \(precision.refusal)")
            }
        }
    }

    /// Refuses rows in which two properties say different things of a column that they have in common.
    func checkSharedColumns() throws {
        for column in plan.sharedBuffers {
            var own = PostgresArrayElements(buffers[column.buffers.own])
            var other = PostgresArrayElements(buffers[column.buffers.other])
            for row in 0..<count {
                let (said, written) = (own.next(), other.next())
                // Where there is no reference, the column is the other property's alone.
                guard let said, written.map({ said.elementsEqual($0) }) != true else { continue }
                throw SwiftDataError(
                    .modelValidationFailure,
                    "\(name(ofRow: row)): \(column.property.qualifiedName) and \(column.other.qualifiedName) have the column \(column.name) in common, "
                        + "and say different things. Give both.")
            }
        }
    }

    /// Refuses rows that name no tenant: nobody would see them.
    func checkTenants() throws {
        guard let property = plan.entity.descriptor.tenant, let buffer = plan.tenantBuffer else { return }
        var elements = PostgresArrayElements(buffers[buffer])
        for row in 0..<count {
            // An empty text, 0 and a UUID of zeros.
            if let bytes = elements.next(), bytes.contains(where: { $0 != 0 }) { continue }
            throw SwiftDataError(
                .otherTenant,
                "\(name(ofRow: row)): \(property.qualifiedName) names no tenant, and nobody would see the row. Give it the name of one."
            )
        }
    }

    /// `Row 12 that was to be inserted into Trip`, counted from 1.
    func name(ofRow index: Int) -> String { "Row \(first + index + 1) of those inserted into \(plan.entity.name)" }

    /// The same for all rows of the batch.
    var nameOfAll: String {
        count == 1
            ? name(ofRow: 0)
            : "One of the rows \(first + 1) to \(first + count) of those inserted into \(plan.entity.name)"
    }

    /// What is to be said of a value of the row that is being appended.
    func unwritable(_ error: any Error, _ property: String) -> any Error {
        switch error {
        case let error as PostgresError:
            SwiftDataError(
                .invalidValue, "\(name(ofRow: count)): \(property) cannot be stored: \(error.sentence)",
                underlying: error)
        case let error as SwiftDataError:
            SwiftDataError(error.code, "\(name(ofRow: count)): \(error.message)", identifiers: error.identifiers)
        default: error
        }
    }
}
