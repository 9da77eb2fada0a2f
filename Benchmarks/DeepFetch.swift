import CLibPQ
import Foundation
import Strata

/// All trips, each as its own class: one statement with a join a subclass.
enum DeepFetch {
    /// The same rows into plain structs through libpq, in single-row mode and as one result; the faster counts.
    struct PlainTrip {
        var key: Int64
        var kind: UInt8
        var name: String
        var destination: String
        var start: Int64
        var end: Int64
        var perdiem: Double
        var reason: String?
    }

    static let sql = """
        SELECT t.pk, t.class, t.name, t.destination, t.start_date, t.end_date, b.perdiem, p.reason
        FROM trip t LEFT JOIN business_trip b ON b.pk = t.pk LEFT JOIN personal_trip p ON p.pk = t.pk
        """

    static func plain(_ connection: PlainConnection) throws -> Int {
        guard PQsendQueryParams(connection.raw, sql, 0, nil, nil, nil, nil, 1) == 1,
            PQsetSingleRowMode(connection.raw) == 1
        else { throw BenchmarkFailure("the query could not be sent") }
        var trips: [PlainTrip] = []
        while let result = PQgetResult(connection.raw) {
            defer { PQclear(result) }
            try connection.check(result)
            for row in 0..<PQntuples(result) {
                trips.append(
                    PlainTrip(
                        key: integer(result, row, 0), kind: UInt8(truncatingIfNeeded: PQgetlength(result, row, 1)),
                        name: text(result, row, 2), destination: text(result, row, 3), start: integer(result, row, 4),
                        end: integer(result, row, 5),
                        perdiem: PQgetisnull(result, row, 6) == 1
                            ? 0 : Double(bitPattern: UInt64(bitPattern: integer(result, row, 6))),
                        reason: PQgetisnull(result, row, 7) == 1 ? nil : text(result, row, 7)))
            }
        }
        return trips.count
    }

    private static func integer(_ result: OpaquePointer, _ row: Int32, _ column: Int32) -> Int64 {
        guard let value = PQgetvalue(result, row, column) else { return 0 }
        return Int64(bigEndian: UnsafeRawPointer(value).loadUnaligned(as: Int64.self))
    }

    private static func text(_ result: OpaquePointer, _ row: Int32, _ column: Int32) -> String {
        guard let value = PQgetvalue(result, row, column) else { return "" }
        let bytes = UnsafeRawBufferPointer(start: value, count: Int(PQgetlength(result, row, column)))
        return String(decoding: bytes, as: UTF8.self)
    }

    static func strata(_ container: ModelContainer) throws -> Int {
        try ModelContext(container).fetch(FetchDescriptor<Trip>()).count
    }
}
