import CLibPQ
import Foundation

/// libpq without a library above it: what the ratios are measured against.
final class PlainConnection {
    let raw: OpaquePointer

    init(_ url: String) throws {
        guard let raw = PQconnectdb(url) else { throw BenchmarkFailure("libpq is out of memory") }
        self.raw = raw
        guard PQstatus(raw) == CONNECTION_OK else { throw BenchmarkFailure(String(cString: PQerrorMessage(raw))) }
    }

    deinit { PQfinish(raw) }

    func execute(_ sql: String) throws {
        let result = PQexec(raw, sql)
        defer { PQclear(result) }
        try check(result)
    }

    func check(_ result: OpaquePointer?) throws {
        let status = PQresultStatus(result)
        guard
            status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK || status == PGRES_SINGLE_TUPLE
                || status == PGRES_PIPELINE_SYNC || status == PGRES_COPY_IN
        else { throw BenchmarkFailure(String(cString: PQerrorMessage(raw))) }
    }

    func scalar(_ sql: String) throws -> Int64 {
        let result = PQexec(raw, sql)
        defer { PQclear(result) }
        try check(result)
        return Int64(String(cString: PQgetvalue(result, 0, 0))) ?? 0
    }
}

struct BenchmarkFailure: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}
