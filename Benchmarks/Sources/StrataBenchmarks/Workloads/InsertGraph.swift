import Foundation
import PlainClient
import Strata

/// W1: new trips of three classes with two items each, in one transaction; making the objects is part of it.
final class InsertGraph: Workload {
    let name = "W1"
    let title = "insert trips with 2 items each"
    let limit: Double? = 1.3
    let size: Int
    private let names: [String]
    private let destinations: [String]
    private let reasons: [String]
    private let titles: [String]
    private let texts: (names: PlainTexts, destinations: PlainTexts, reasons: PlainTexts, titles: PlainTexts)
    /// COPY instead of arrays of parameters: about as fast, and one round trip more a table.
    private let byCopy: Bool

    init(size: Int, byCopy: Bool = false) {
        self.size = size
        self.byCopy = byCopy
        names = (0..<size).map { "New trip \($0)" }
        destinations = (0..<size).map { "Destination \($0 % 997)" }
        reasons = (0..<size).map { "Reason number \($0 % 50)" }
        titles = (0..<size * 2).map { "Item \($0 % 2) of \($0 / 2)" }
        texts = (PlainTexts(names), PlainTexts(destinations), PlainTexts(reasons), PlainTexts(titles))
    }

    private let start = TripData.firstStart
    private let end = TripData.firstStart.addingTimeInterval(7 * 86_400)

    func plain(_ database: Database) throws -> () throws -> Outcome {
        try TripData.reset(database)
        return { [self] in
            var trips = plain_new_trips(
                count: Int64(size), first_key: TripData.firstPlainKey, names: texts.names.pointers,
                destinations: texts.destinations.pointers, reasons: texts.reasons.pointers,
                titles: texts.titles.pointers, start: start.microseconds, end: end.microseconds)
            return Outcome(count: try database.plain.count(plain_insert(database.plain.raw, &trips, byCopy)))
        }
    }

    func strata(_ database: Database) throws -> () throws -> Outcome {
        try TripData.reset(database)
        return { [self] in
            let context = ModelContext(database.container)
            for index in 0..<size { insert(index, into: context) }
            try context.save()
            return Outcome(count: size * 3, held: context)
        }
    }

    private func insert(_ index: Int, into context: ModelContext) {
        let (name, destination) = (names[index], destinations[index])
        let trip: Trip
        switch index % 3 {
        case 1:
            let business = BusinessTrip(name: name, destination: destination, startDate: start, endDate: end)
            business.perdiem = Double(index % 200)
            trip = business
        case 2:
            let personal = PersonalTrip(name: name, destination: destination, startDate: start, endDate: end)
            personal.reason = reasons[index]
            trip = personal
        default:
            trip = Trip(name: name, destination: destination, startDate: start, endDate: end)
        }
        trip.bucketList = [
            BucketListItem(title: titles[index * 2], hasReservation: true),
            BucketListItem(title: titles[index * 2 + 1], hasReservation: false),
        ]
        context.insert(trip)
    }
}
