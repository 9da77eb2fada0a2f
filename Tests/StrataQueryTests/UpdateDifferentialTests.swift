import Foundation
import Strata
import StrataModelTestSupport
import StrataTestSupport
import Testing

/// Updates by predicate against the same done to values in Swift, one after the other, among unsaved changes of all kinds.
@Suite struct UpdateDifferentialTests {
    /// An object as it should be.
    private struct Row: Equatable {
        enum Kind: Int { case vehicle, car, racer }
        let kind: Kind
        var wheels: Int
        var note: String?
        var load: Int16
        var doors: Int
        var power: Int
        var country = "CH"
        var mark: String?
    }

    private typealias Rows = [Int: Row]

    /// One update in both worlds.
    private struct Step {
        let name: String
        let send: (ModelContext) throws -> UpdateByPredicate
        let kind: Row.Kind
        let matches: (Row) -> Bool
        let change: (inout Row) -> Void
    }

    private static func step(_ random: inout SeededGenerator) -> Step {
        let (a, b) = (Int.random(in: 0..<6, using: &random), Int.random(in: 0..<6, using: &random))
        let text = "n\(a)"
        switch Int.random(in: 0..<10, using: &random) {
        case 0:
            return Step(
                name: "wheels of all",
                send: {
                    try $0.update(model: Vehicle.self, where: #Predicate { $0.wheels == a }, .set(\.wheels, to: b))
                },
                kind: .vehicle, matches: { $0.wheels == a }, change: { $0.wheels = b })
        case 1:
            return Step(
                name: "wheels of cars by doors",
                send: {
                    try $0.update(
                        model: Car.self, where: #Predicate { $0.doors < a && $0.wheels != b }, .add(1, to: \.wheels),
                        .set(\.note, to: text))
                }, kind: .car, matches: { $0.doors < a && $0.wheels != b },
                change: { row in
                    row.wheels += 1
                    row.note = text
                })
        case 2:
            return Step(
                name: "doors from wheels",
                send: {
                    try $0.update(
                        model: Car.self, where: #Predicate { $0.wheels >= a }, .set(\.doors, from: \.wheels),
                        .set(\.wheels, from: \.doors))
                }, kind: .car, matches: { $0.wheels >= a },
                change: { row in (row.doors, row.wheels) = (row.wheels, row.doors) })
        case 3:
            return Step(
                name: "power of racers",
                send: {
                    try $0.update(
                        model: Racer.self, where: #Predicate { $0.note == text || $0.power > b },
                        .set(\.power, to: #Expression<Racer, Int> { ($0.power + $0.doors) % 7 }), .set(\.note, to: nil))
                }, kind: .racer, matches: { $0.note == text || $0.power > b },
                change: { row in
                    row.power = (row.power + row.doors) % 7
                    row.note = nil
                })
        case 4:
            return Step(
                name: "load of noted ones",
                send: {
                    try $0.update(
                        model: Vehicle.self, where: #Predicate { $0.note != nil }, .subtract(Int16(a), from: \.load))
                }, kind: .vehicle, matches: { $0.note != nil }, change: { $0.load -= Int16(a) })
        case 5:
            return Step(
                name: "note of all with load",
                send: { try $0.update(model: Vehicle.self, where: #Predicate { $0.load < 0 }, .set(\.note, to: text)) },
                kind: .vehicle, matches: { $0.load < 0 }, change: { $0.note = text })
        case 6:
            return Step(
                name: "racers among vehicles",
                send: {
                    try $0.update(
                        model: Vehicle.self, where: #Predicate { ($0 as? Racer)?.power == a }, .set(\.wheels, to: 9))
                }, kind: .vehicle, matches: { $0.kind == .racer && $0.power == a }, change: { $0.wheels = 9 })
        case 7:
            let mark = b < 2 ? nil : "m\(b)"
            return Step(
                name: "parts of the plate of all",
                send: {
                    try $0.update(
                        model: Vehicle.self, where: #Predicate { $0.wheels <= a }, .set(\.plate.country, to: text),
                        .set(\.plate.mark, to: mark))
                }, kind: .vehicle, matches: { $0.wheels <= a },
                change: { row in (row.country, row.mark) = (text, mark) })
        case 8:
            return Step(
                name: "doors of cars by a part of the plate",
                send: {
                    try $0.update(
                        model: Car.self, where: #Predicate { $0.plate.country == text || $0.plate.mark == nil },
                        .set(\.doors, to: b), .set(\.plate.mark, to: text))
                }, kind: .car, matches: { $0.country == text || $0.mark == nil },
                change: { row in (row.doors, row.mark) = (b, text) })
        default:
            return Step(
                name: "every car", send: { try $0.update(model: Car.self, .set(\.doors, to: b)) }, kind: .car,
                matches: { _ in true }, change: { $0.doors = b })
        }
    }

    private static func object(_ number: Int, _ row: Row) -> Vehicle {
        let object: Vehicle =
            switch row.kind {
            case .vehicle: Vehicle("v")
            case .car: Car("c", doors: row.doors)
            case .racer: Racer("r", power: row.power)
            }
        object.plate.number = number
        (object.wheels, object.note, object.load) = (row.wheels, row.note, row.load)
        (object as? Car)?.doors = row.doors
        return object
    }

    private static func row(_ object: Vehicle) -> Row {
        let kind: Row.Kind = object is Racer ? .racer : object is Car ? .car : .vehicle
        return Row(
            kind: kind, wheels: object.wheels, note: object.note, load: object.load,
            doors: (object as? Car)?.doors ?? 0, power: (object as? Racer)?.power ?? 0,
            country: object.plate.country, mark: object.plate.mark)
    }

    private static func newRow(_ random: inout SeededGenerator) -> Row {
        let kind = Row.Kind(rawValue: Int.random(in: 0..<3, using: &random)) ?? .car
        return Row(
            kind: kind, wheels: Int.random(in: 0..<6, using: &random),
            note: Bool.random(using: &random) ? "n\(Int.random(in: 0..<6, using: &random))" : nil,
            load: 0, doors: kind == .vehicle ? 0 : Int.random(in: 0..<6, using: &random),
            power: kind == .racer ? Int.random(in: 0..<6, using: &random) : 0)
    }

    private static func fetched(_ context: ModelContext) async throws -> Rows {
        let objects = try await context.fetch(FetchDescriptor<Vehicle>())
        return Dictionary(uniqueKeysWithValues: objects.map { ($0.plate.number, row($0)) })
    }

    /// What a query sees before the save, without objects.
    private static func selected(_ context: ModelContext) async throws -> [Int: [Int]] {
        let rows = try await context.fetch(
            FetchDescriptor<Vehicle>(), selecting: \.plate, \.wheels, \.load)
        return Dictionary(uniqueKeysWithValues: rows.map { ($0.0.number, [$0.1, Int($0.2)]) })
    }

    @Test(arguments: 0..<(isSoak ? 400 : 24)) func `updates mean what the same in memory means`(seed: Int) async throws
    {
        try await withModelStore(Vehicle.self, Car.self, Racer.self, Garage.self) { store in
            var random = SeededGenerator(UInt64(seed))
            let context = ModelContext(store.container)
            var rows: Rows = [:]
            for number in 0..<12 {
                let row = Self.newRow(&random)
                rows[number] = row
                context.insert(Self.object(number, row))
            }
            try await context.save()
            var held: [Int: Vehicle] = [:]
            var results: [(UpdateByPredicate, Int)] = []
            var log: [String] = []
            func save() async throws {
                if Bool.random(using: &random) {
                    try await context.save()
                } else {
                    try { try context.save() }()
                }
                for (result, count) in results { #expect(result.count == count, "\(seed): \(log)") }
                results = []
                log.append("save")
                #expect(try await Self.fetched(ModelContext(store.container)) == rows, "\(seed): \(log)")
                for (number, object) in held where rows[number] != nil {
                    #expect(Self.row(object) == rows[number], "\(seed), in memory: \(log)")
                }
            }
            for _ in 0..<25 {
                switch Int.random(in: 0..<10, using: &random) {
                case 0..<4:
                    let step = Self.step(&random)
                    let result: UpdateByPredicate
                    do { result = try step.send(context) } catch SwiftDataError.unsupportedFeature {
                        try await save()
                        result = try step.send(context)
                    }
                    log.append(step.name)
                    let matching = rows.filter {
                        $0.value.kind.rawValue >= step.kind.rawValue && step.matches($0.value)
                    }
                    for number in matching.keys { step.change(&rows[number]!) }
                    results.append((result, matching.count))
                case 4:
                    // An object comes into memory, or goes.
                    let number = rows.keys.sorted().randomElement(using: &random) ?? 0
                    let all = try await context.fetch(FetchDescriptor<Vehicle>())
                    held[number] = all.first { $0.plate.number == number }
                    log.append("hold \(number)")
                case 5:
                    guard let (number, object) = held.sorted(by: { $0.key < $1.key }).randomElement(using: &random),
                        rows[number] != nil
                    else { continue }
                    let value = Int.random(in: 0..<6, using: &random)
                    object.wheels = value
                    rows[number]?.wheels = value
                    log.append("edit wheels of \(number)")
                case 6:
                    guard let (number, object) = held.sorted(by: { $0.key < $1.key }).randomElement(using: &random),
                        rows[number] != nil
                    else { continue }
                    object.note = "edited"
                    rows[number]?.note = "edited"
                    log.append("edit note of \(number)")
                case 7:
                    let number = 100 + rows.count + log.count * 50
                    let row = Self.newRow(&random)
                    rows[number] = row
                    let object = Self.object(number, row)
                    context.insert(object)
                    held[number] = object
                    log.append("insert \(number)")
                case 8:
                    #expect(
                        try await Self.selected(context) == rows.mapValues { [$0.wheels, Int($0.load)] },
                        "\(seed), before the save: \(log)")
                default: try await save()
                }
            }
            try await save()
        }
    }
}
