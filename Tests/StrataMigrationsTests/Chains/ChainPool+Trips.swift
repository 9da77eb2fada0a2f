import StrataMigrations
import StrataModels

extension ChainPool {
    private typealias Models = ChainTripModels

    /// A hierarchy that is split, deepened, flattened, raised and renamed while stops refer to it.
    static let trips = ChainPool(
        shapes: [
            "flat": [Models.Flat.Trip.self, Models.Flat.Stop.self],
            "split": [Models.Split.Trip.self, Models.Split.BusinessTrip.self, Models.Split.Stop.self],
            "leaf": [Models.Leaf.Trip.self, Models.Leaf.BusinessTrip.self, Models.Leaf.Stop.self],
            "middle": [
                Models.Middle.Trip.self, Models.Middle.PaidTrip.self, Models.Middle.BusinessTrip.self,
                Models.Middle.Stop.self,
            ],
            "raised": [Models.Raised.Trip.self, Models.Raised.BusinessTrip.self, Models.Raised.Stop.self],
            "renamed": [Models.Renamed.Journey.self, Models.Renamed.WorkJourney.self, Models.Renamed.Stop.self],
        ],
        edges: [
            Edge(
                from: "flat", to: "split",
                changes: [.split(Models.Split.BusinessTrip.self, where: "perdiem IS NOT NULL")], apply: splitTrips),
            Edge(
                from: "split", to: "flat",
                changes: [.merged(Models.Split.BusinessTrip.self, into: Models.Flat.Trip.self)], apply: mergeTrips),
            Edge(
                from: "split", to: "leaf", changes: [],
                apply: { $0.change("BusinessTrip") { $0.values["purpose"] = "none" } }),
            Edge(
                from: "leaf", to: "split", changes: [.dropped(\Models.Leaf.BusinessTrip.purpose)],
                apply: { $0.change("BusinessTrip") { $0.values["purpose"] = nil } }),
            Edge(from: "leaf", to: "middle", changes: [], apply: { _ in }),
            Edge(
                from: "middle", to: "leaf",
                changes: [.merged(Models.Middle.PaidTrip.self, into: Models.Leaf.BusinessTrip.self)],
                apply: {
                    $0.change("PaidTrip") { ($0.kind, $0.values["purpose"]) = ("BusinessTrip", "none") }
                }),
            Edge(from: "leaf", to: "raised", changes: [], apply: { _ in }),
            Edge(from: "raised", to: "leaf", changes: [], apply: { _ in }),
            Edge(
                from: "flat", to: "raised",
                changes: [.split(Models.Raised.BusinessTrip.self, where: "perdiem IS NOT NULL")],
                apply: {
                    splitTrips(&$0)
                    $0.change("BusinessTrip") { $0.values["purpose"] = "none" }
                }),
            Edge(
                from: "raised", to: "flat",
                changes: [
                    .merged(Models.Raised.BusinessTrip.self, into: Models.Flat.Trip.self),
                    .dropped(\Models.Raised.BusinessTrip.purpose),
                ],
                apply: {
                    $0.change("BusinessTrip") { $0.values["purpose"] = nil }
                    mergeTrips(&$0)
                }),
            Edge(
                from: "split", to: "renamed",
                changes: [
                    .renamed(Models.Split.Trip.self, to: Models.Renamed.Journey.self),
                    .renamed(Models.Split.BusinessTrip.self, to: Models.Renamed.WorkJourney.self),
                ],
                apply: {
                    $0.change("Trip") { $0.kind = "Journey" }
                    $0.change("BusinessTrip") { $0.kind = "WorkJourney" }
                    for kind in ["Journey", "WorkJourney"] { $0.rename(kind, "name", "label") }
                    $0.rename("Stop", "trip", "journey")
                }),
            Edge(
                from: "renamed", to: "split",
                changes: [
                    .renamed(Models.Renamed.Journey.self, to: Models.Split.Trip.self),
                    .renamed(Models.Renamed.WorkJourney.self, to: Models.Split.BusinessTrip.self),
                    .renamed(\Models.Renamed.Journey.label, to: \Models.Split.Trip.name),
                    .renamed(\Models.Renamed.Stop.journey, to: \Models.Split.Stop.trip),
                ],
                apply: {
                    for kind in ["Journey", "WorkJourney"] { $0.rename(kind, "label", "name") }
                    $0.change("Journey") { $0.kind = "Trip" }
                    $0.change("WorkJourney") { $0.kind = "BusinessTrip" }
                    $0.rename("Stop", "journey", "trip")
                }),
        ], start: "flat",
        seed: { generator in
            let trips = (1...12).map { number -> StoredObject in
                let perdiem: String? = Bool.random(using: &generator) ? "\(number * 10).5" : nil
                return StoredObject(
                    "Trip", Int64(number * 7),
                    ["name": "trip \(number)", "code": "\(Int.random(in: -9...99, using: &generator))"]
                        .merging(perdiem.map { ["perdiem": $0] } ?? [:]) { $1 })
            }
            let stops = (1...15).map { number -> StoredObject in
                let trip = Int.random(in: 1...4, using: &generator) > 1 ? trips.randomElement(using: &generator) : nil
                return StoredObject(
                    "Stop", Int64(number * 3),
                    ["title": "stop \(number)"].merging(trip.map { ["trip": "\($0.key)"] } ?? [:]) { $1 })
            }
            return trips + stops
        })

    private static let splitTrips: @Sendable (inout [StoredObject]) -> Void = {
        $0.change("Trip") { if $0.values["perdiem"] != nil { $0.kind = "BusinessTrip" } }
    }

    private static let mergeTrips: @Sendable (inout [StoredObject]) -> Void = {
        $0.change("BusinessTrip") { $0.kind = "Trip" }
    }
}
