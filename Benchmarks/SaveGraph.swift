import CLibPQ
import Foundation
import Strata

/// 10,000 new trips of three classes with two items each, in one transaction.
enum SaveGraph {
    static let count = 10_000

    /// The same rows by COPY in text form, keys made by the client: the least work a client can have.
    static func plain(_ connection: PlainConnection, firstKey: Int64) throws {
        try connection.execute("BEGIN")
        var trips = ""
        var business = ""
        var personal = ""
        var items = ""
        for index in 0..<Int64(count) {
            let key = firstKey + index
            let name = ["Trip", "BusinessTrip", "PersonalTrip"][Int(index % 3)]
            trips +=
                "\(key)\t\(name)\tNew trip \(index)\tSomewhere \(index % 997)\t2026-01-01 00:00:00+00\t2026-01-08 00:00:00+00\n"
            if index % 3 == 1 { business += "\(key)\t\(Double(index % 200))\n" }
            if index % 3 == 2 { personal += "\(key)\tReason number \(index % 50)\n" }
            for item in 0..<Int64(2) {
                items +=
                    "\(firstKey + Int64(count) + index * 2 + item)\tItem \(item) of \(index)\t\(item == 0 ? "t" : "f")\t\(key)\n"
            }
        }
        try copy(connection, "trip (pk, class, name, destination, start_date, end_date)", trips)
        try copy(connection, "business_trip (pk, perdiem)", business)
        try copy(connection, "personal_trip (pk, reason)", personal)
        try copy(connection, "bucket_list_item (pk, title, has_reservation, trip)", items)
        try connection.execute("COMMIT")
    }

    private static func copy(_ connection: PlainConnection, _ target: String, _ rows: String) throws {
        let start = PQexec(connection.raw, "COPY \(target) FROM STDIN")
        defer { PQclear(start) }
        try connection.check(start)
        var rows = rows
        let sent = rows.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) { PQputCopyData(connection.raw, $0.baseAddress, Int32($0.count)) }
        }
        guard sent == 1, PQputCopyEnd(connection.raw, nil) == 1 else {
            throw BenchmarkFailure("COPY could not be sent")
        }
        while let result = PQgetResult(connection.raw) {
            defer { PQclear(result) }
            try connection.check(result)
        }
    }

    /// Makes the objects (not timed) and returns the save (timed).
    static func objects(_ context: ModelContext) {
        let start = Date(timeIntervalSince1970: 1_767_225_600)
        let end = start.addingTimeInterval(7 * 86_400)
        for index in 0..<count {
            let trip: Trip
            switch index % 3 {
            case 1:
                let business = BusinessTrip(
                    name: "New trip \(index)", destination: "Somewhere \(index % 997)", startDate: start, endDate: end)
                business.perdiem = Double(index % 200)
                trip = business
            case 2:
                let personal = PersonalTrip(
                    name: "New trip \(index)", destination: "Somewhere \(index % 997)", startDate: start, endDate: end)
                personal.reason = "Reason number \(index % 50)"
                trip = personal
            default:
                trip = Trip(
                    name: "New trip \(index)", destination: "Somewhere \(index % 997)", startDate: start, endDate: end)
            }
            for item in 0..<2 {
                trip.bucketList.append(BucketListItem(title: "Item \(item) of \(index)", hasReservation: item == 0))
            }
            context.insert(trip)
        }
    }
}
