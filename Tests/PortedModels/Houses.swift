import Foundation
import SwiftData

// Filters that are put together while a program runs, in the ways articles on dynamic predicates do it.

@Model
final class House {
    var street: String
    var price: Int
    var rooms: Double
    var listedAt: Date
    var kind: String = HouseKind.flat.rawValue
    var agent: Agent?
    var features: [Feature] = []

    init(street: String, price: Int, rooms: Double, kind: HouseKind = .flat, listedAt: Date = .now) {
        self.street = street
        self.price = price
        self.rooms = rooms
        self.kind = kind.rawValue
        self.listedAt = listedAt
    }

    var houseKind: HouseKind {
        get { HouseKind(rawValue: kind) ?? .flat }
        set { kind = newValue.rawValue }
    }
}

enum HouseKind: String, CaseIterable { case flat, villa, castle }

@Model
final class Agent {
    @Attribute(.unique) var name: String
    @Relationship(deleteRule: .nullify, inverse: \House.agent) var houses: [House] = []
    init(name: String) { self.name = name }
}

@Model
final class Feature {
    @Attribute(.unique) var name: String
    @Relationship(inverse: \House.features) var houses: [House] = []
    init(name: String) { self.name = name }
}

struct HouseFilter {
    var text = ""
    var maximum: Int?
    var kinds: Set<HouseKind> = []
    var features: [String] = []
    var since: Date?
    var order = Order.price

    enum Order: String, CaseIterable, Identifiable {
        case price, newest, street
        var id: Self { self }

        var descriptors: [SortDescriptor<House>] {
            switch self {
            case .price: [SortDescriptor(\.price), SortDescriptor(\.street)]
            case .newest: [SortDescriptor(\.listedAt, order: .reverse)]
            case .street: [SortDescriptor(\.street, comparator: .localizedStandard), SortDescriptor(\.agent?.name)]
            }
        }
    }

    var parts: [Predicate<House>] {
        var parts: [Predicate<House>] = []
        if !text.isEmpty {
            let text = self.text
            parts.append(#Predicate { $0.street.localizedStandardContains(text) })
        }
        if let maximum { parts.append(#Predicate { $0.price <= maximum }) }
        if !kinds.isEmpty {
            let raw = kinds.map(\.rawValue)
            parts.append(#Predicate { house in raw.contains(house.kind) })
        }
        for name in features {
            parts.append(#Predicate { house in house.features.contains { $0.name == name } })
        }
        if let since { parts.append(#Predicate<House> { $0.listedAt >= since }) }
        return parts
    }

    var predicate: Predicate<House> {
        parts.reduce(.true) { all, next in #Predicate { all.evaluate($0) && next.evaluate($0) } }
    }

    var either: Predicate<House> {
        guard let first = parts.first else { return Predicate.true }
        return parts.dropFirst().reduce(first) { all, next in #Predicate { all.evaluate($0) || next.evaluate($0) } }
    }

    /// By the nodes themselves, without the macro.
    static func cheap(below price: Int, atLeast rooms: Double?) -> Predicate<House> {
        Predicate<House> { house in
            PredicateExpressions.build_Conjunction(
                lhs: PredicateExpressions.build_Comparison(
                    lhs: PredicateExpressions.build_KeyPath(
                        root: PredicateExpressions.build_Arg(house), keyPath: \.price),
                    rhs: PredicateExpressions.build_Arg(price), op: .lessThan),
                rhs: PredicateExpressions.build_Comparison(
                    lhs: PredicateExpressions.build_KeyPath(
                        root: PredicateExpressions.build_Arg(house), keyPath: \.rooms),
                    rhs: PredicateExpressions.build_Arg(rooms ?? 0), op: .greaterThanOrEqual))
        }
    }
}

enum Filters<Root: PersistentModel> {
    static func all(_ parts: [Predicate<Root>]) -> Predicate<Root> {
        var result = Predicate<Root>.true
        for part in parts {
            let soFar = result
            result = #Predicate<Root> { soFar.evaluate($0) && part.evaluate($0) }
        }
        return result
    }

    static func not(_ part: Predicate<Root>) -> Predicate<Root> { #Predicate { !part.evaluate($0) } }
}

extension Optional {
    /// What is wanted, or everything.
    func orTrue<Root: PersistentModel>() -> Predicate<Root> where Wrapped == Predicate<Root> { self ?? .true }
}

struct HouseSearch {
    let context: ModelContext

    func run(_ filter: HouseFilter) throws -> [String] {
        let descriptor = FetchDescriptor(predicate: filter.predicate, sortBy: filter.order.descriptors)
        return try context.fetch(descriptor).map(\.street)
    }

    func ternary(onlyCheap: Bool, agent: String?) throws -> Int {
        let predicate = #Predicate<House> { house in
            (onlyCheap ? house.price < 100 : true) && (agent == nil ? true : house.agent?.name == agent)
        }
        return try context.fetchCount(FetchDescriptor(predicate: predicate))
    }

    func generic<Value: Codable & Equatable & Sendable>(_ keyPath: KeyPath<House, Value> & Sendable, is value: Value)
        throws -> [House]
    {
        let predicate = Predicate<House> { house in
            PredicateExpressions.build_Equal(
                lhs: PredicateExpressions.build_KeyPath(
                    root: PredicateExpressions.build_Arg(house), keyPath: keyPath),
                rhs: PredicateExpressions.build_Arg(value))
        }
        return try context.fetch(FetchDescriptor(predicate: predicate))
    }
}
