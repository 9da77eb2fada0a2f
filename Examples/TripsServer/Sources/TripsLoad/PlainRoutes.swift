import Foundation
import HTTPTypes
import Hummingbird

/// Three routes of the service as somebody writes them who has libpq and nothing else: the same answers, of the same tables.
///
/// No patch that is checked key by key, no entity tag, no page links, no conflict, no author in the history.
enum PlainRoutes {
    /// One schema has the tables.
    static func statements(in schema: String) -> [String: String] {
        [
            "page": """
            SELECT pk, "class", name, destination, to_char(start_date AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')
            FROM \(schema).trip ORDER BY start_date, pk LIMIT $1
            """,
            "trip": """
            SELECT pk, "class", name, destination, to_char(start_date AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')
            FROM \(schema).trip WHERE pk = $1
            """,
            "change": """
            UPDATE \(schema).trip SET destination = $2 WHERE pk = $1
            RETURNING pk, "class", name, destination, to_char(start_date AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')
            """,
            "items": "SELECT pk, title FROM \(schema).bucket_list_item WHERE trip = $1",
        ]
    }

    struct Row: ResponseEncodable, Sendable {
        let persistentModelID, `class`, name, destination, startDate: String
        var bucketList: [String]?

        init(_ row: [String]) {
            (persistentModelID, `class`, name, destination, startDate) = (row[0], row[1], row[2], row[3], row[4])
        }
    }

    private struct Change: Decodable {
        let destination: String
    }

    static func add(to router: Router<BasicRequestContext>, _ connections: PlainConnections) {
        router.get("plain/trips") { request, _ in
            let size = request.uri.queryParameters["size"].map(String.init) ?? "20"
            return try await connections.use { try $0.rows(of: "page", [size]).map(Row.init) }
        }
        router.get("plain/trips/:id") { _, context in
            let id = try context.parameters.require("id")
            return try await connections.use { connection in
                guard let row = try connection.rows(of: "trip", [id]).first else { throw HTTPError(.notFound) }
                var trip = Row(row)
                trip.bucketList = try connection.rows(of: "items", [id]).map { $0[1] }
                return trip
            }
        }
        router.patch("plain/trips/:id") { request, context in
            let id = try context.parameters.require("id")
            let change = try await request.decode(as: Change.self, context: context)
            return try await connections.use { connection in
                guard let row = try connection.rows(of: "change", [id, change.destination]).first else {
                    throw HTTPError(.notFound)
                }
                var trip = Row(row)
                trip.bucketList = try connection.rows(of: "items", [id]).map { $0[1] }
                return trip
            }
        }
    }
}
