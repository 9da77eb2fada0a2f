import Foundation
import Strata
import StrataModelTestSupport
import StrataTestSupport
import Testing

/// Queries whose keys, aggregates, conditions, orders and limits are drawn, over objects with unsaved changes: what the server answers is what
/// Swift makes of the same objects. Pages in drawn orders likewise.
@Suite struct RandomQueryTests {
    /// A column, and what it is of some objects in memory.
    private struct Column<Value: Sendable> {
        let column: QueryColumn<Voyage, Value>
        let value: ([Voyage]) -> Value
    }

    /// A condition on groups, and whether some objects meet it.
    private struct Condition {
        let condition: QueryCondition<Voyage>
        let isMet: ([Voyage]) -> Bool
    }

    /// One group as a row.
    private struct Row: Equatable {
        var name: String?
        var number: Int
        var count: Int
        var other: Int
        var text: String?
    }

    // What one group has in common.
    private let names: [Column<String?>] = [
        Column(column: .key(\.nickname)) { $0[0].nickname },
        Column(column: .key(\Voyage.harbour?.city)) { $0[0].harbour?.city },
        Column(column: .key(#Expression { $0.rating > 0 ? $0.nickname : nil })) {
            $0[0].rating > 0 ? $0[0].nickname : nil
        },
        Column(column: .key(#Expression { $0.isOpen ? $0.harbour?.country : nil })) {
            $0[0].isOpen ? $0[0].harbour?.country : nil
        },
    ]
    private let numbers: [Column<Int>] = [
        Column(column: .key(\.rating)) { $0[0].rating },
        Column(column: .key(\.ship.decks)) { $0[0].ship.decks },
        Column(column: .key(#Expression { ($0 as? Cruise)?.nights ?? -1 })) { ($0[0] as? Cruise)?.nights ?? -1 },
        Column(column: .key(#Expression { $0.rating * 2 + $0.ship.decks })) { $0[0].rating * 2 + $0[0].ship.decks },
        Column(column: .key(#Expression { $0.tags.count })) { $0[0].tags.count },
        Column(column: .key(.day, from: \.start, in: .gmt)) { Int($0[0].start.timeIntervalSince1970 / 86_400) + 1 },
        Self.scaled(by: 2), Self.scaled(by: 3),
    ]
    /// What differs in nothing but the value that it has captured.
    private static func scaled(by factor: Int) -> Column<Int> {
        Column(column: .key(#Expression { $0.rating * factor })) { $0[0].rating * factor }
    }
    private static func sum(times factor: Int) -> Column<Int> {
        Column(column: .sum(#Expression { $0.ship.decks * factor })) {
            $0.map { $0.ship.decks * factor }.reduce(0, +)
        }
    }
    // What is computed of a group.
    private let counts: [Column<Int>] = [
        Column(column: .count) { $0.count },
        Column(column: .count(of: \.discount)) { $0.count { $0.discount != nil } },
        Column(column: .count(distinct: \.nickname)) { Set($0.compactMap(\.nickname)).count },
        Column(column: .count(distinct: \.rating)) { Set($0.map(\.rating)).count },
        Column(column: .sum(\.rating)) { $0.map(\.rating).reduce(0, +) },
        Column(column: .sum(\.ship.decks)) { $0.map(\.ship.decks).reduce(0, +) },
        Column(column: .sum(#Expression { ($0 as? Cruise)?.nights ?? 0 })) {
            $0.map { ($0 as? Cruise)?.nights ?? 0 }.reduce(0, +)
        },
        Column(column: .sum(\.rating) + .count) { $0.map(\.rating).reduce(0, +) + $0.count },
        Self.sum(times: 5), Self.sum(times: 7),
    ]
    // Of some groups nothing.
    private let ratings: [Column<Int?>] = [
        Column(column: .maximum(\.rating)) { $0.map(\.rating).max() },
        Column(column: .minimum(#Expression<Voyage, Int?> { ($0 as? Cruise)?.nights })) {
            $0.compactMap { ($0 as? Cruise)?.nights }.min()
        },
        Column(column: .maximum(#Expression<Voyage, Int?> { ($0 as? Cruise)?.nights })) {
            $0.compactMap { ($0 as? Cruise)?.nights }.max()
        },
    ]
    private let texts: [Column<String?>] = [
        Column(column: .minimum(\.name)) { $0.map(\.name).min(by: Self.precedes) },
        Column(column: .maximum(\.name)) { $0.map(\.name).max(by: Self.precedes) },
        Column(column: .minimum(\.nickname)) { $0.compactMap(\.nickname).min(by: Self.precedes) },
        Column(column: .maximum(\Voyage.harbour?.city)) { $0.compactMap(\.harbour?.city).max(by: Self.precedes) },
    ]
    private let predicates: [(Predicate<Voyage>?, (Voyage) -> Bool)] = [
        (nil, { _ in true }),
        (#Predicate { $0.rating > -2 }, { $0.rating > -2 }),
        (#Predicate { $0.harbour != nil && !$0.isOpen }, { $0.harbour != nil && !$0.isOpen }),
        (#Predicate { $0 is Cruise }, { $0 is Cruise }),
        (#Predicate { $0.nickname == "x" || $0.discount == nil }, { $0.nickname == "x" || $0.discount == nil }),
    ]

    /// As the server compares texts: by bytes.
    private static func precedes(_ lhs: String, _ rhs: String) -> Bool { lhs.utf8.lexicographicallyPrecedes(rhs.utf8) }

    /// As the server orders them: nothing first.
    private static func precedes(_ lhs: String?, _ rhs: String?) -> Bool {
        guard let lhs, let rhs else { return lhs == nil && rhs != nil }
        return precedes(lhs, rhs)
    }

    /// - Parameter name: the key by which groups are made, which may have nothing.
    private func drawCondition(
        _ depth: Int, of name: Column<String?>, _ random: inout SeededGenerator
    ) -> Condition {
        let (one, other) = (counts.randomElement(using: &random)!, counts.randomElement(using: &random)!)
        let bound = Int.random(in: -3...12, using: &random)
        if depth > 0, Bool.random(using: &random) {
            let (left, right) = (
                drawCondition(depth - 1, of: name, &random), drawCondition(depth - 1, of: name, &random)
            )
            switch Int.random(in: 0..<3, using: &random) {
            case 0: return Condition(condition: left.condition && right.condition) { left.isMet($0) && right.isMet($0) }
            case 1: return Condition(condition: left.condition || right.condition) { left.isMet($0) || right.isMet($0) }
            default: return Condition(condition: !left.condition) { !left.isMet($0) }
            }
        }
        let (number, second) = (ratings.randomElement(using: &random)!, ratings.randomElement(using: &random)!)
        let word = [nil, "x", "Kyoto", "Japan"].randomElement(using: &random)!
        let text = texts.randomElement(using: &random)!
        switch Int.random(in: 0..<17, using: &random) {
        case 11: return Condition(condition: name.column == word) { name.value($0) == word }
        case 12: return Condition(condition: name.column != word) { name.value($0) != word }
        case 13: return Condition(condition: name.column == text.column) { name.value($0) == text.value($0) }
        case 14: return Condition(condition: name.column != text.column) { name.value($0) != text.value($0) }
        case 15:
            return Condition(condition: name.column < text.column) {
                guard let one = name.value($0), let other = text.value($0) else { return false }
                return Self.precedes(one, other)
            }
        case 5: return Condition(condition: one.column == number.column) { one.value($0) == number.value($0) }
        case 6: return Condition(condition: number.column != one.column) { number.value($0) != one.value($0) }
        case 7: return Condition(condition: number.column == second.column) { number.value($0) == second.value($0) }
        case 8: return Condition(condition: number.column != second.column) { number.value($0) != second.value($0) }
        case 9:
            return Condition(condition: number.column < second.column) {
                guard let first = number.value($0), let second = second.value($0) else { return false }
                return first < second
            }
        case 10:
            return Condition(condition: one.column >= number.column) { voyages in
                number.value(voyages).map { one.value(voyages) >= $0 } ?? false
            }
        case 0: return Condition(condition: one.column < bound) { one.value($0) < bound }
        case 1: return Condition(condition: one.column >= bound) { one.value($0) >= bound }
        case 2: return Condition(condition: one.column != bound) { one.value($0) != bound }
        case 3: return Condition(condition: one.column <= other.column) { one.value($0) <= other.value($0) }
        case 4: return Condition(condition: one.column == other.column) { one.value($0) == other.value($0) }
        default:
            return Condition(condition: text.column > "a") { text.value($0).map { Self.precedes("a", $0) } ?? false }
        }
    }

    private func change(_ voyage: Voyage, _ harbours: [Harbour], _ random: inout SeededGenerator) {
        voyage.name = ["a", "B", "é", "ab", "z"].randomElement(using: &random)!
        voyage.nickname = [nil, "x", "y"].randomElement(using: &random)!
        voyage.price = Decimal(Int.random(in: -40...40, using: &random)) / 4
        voyage.rating = Int.random(in: -3...3, using: &random)
        voyage.discount = Bool.random(using: &random) ? nil : Double(Int.random(in: -8...8, using: &random)) / 8
        voyage.start = Date(timeIntervalSince1970: Double(Int.random(in: 0..<10, using: &random)) * 86_400)
        voyage.tags = Array(["green", "quiet"].prefix(Int.random(in: 0...2, using: &random)))
        voyage.ship.decks = Int.random(in: 0...2, using: &random)
        voyage.isOpen = Bool.random(using: &random)
        voyage.harbour = Bool.random(using: &random) ? harbours.randomElement(using: &random) : nil
    }

    /// Objects that are saved, and then some of them changed, some deleted, and some new.
    private func withObjects(
        _ seed: UInt64, isSaved: Bool, _ body: (ModelContext, [Voyage], inout SeededGenerator) async throws -> Void
    ) async throws {
        try await withModelStore(Harbour.self, Voyage.self, Cruise.self) { store in
            var random = SeededGenerator(seed)
            let context = ModelContext(store.container)
            let harbours = [Harbour("Kyoto", country: "Japan"), Harbour("Paris"), Harbour("Aqaba", country: "Jordan")]
            for harbour in harbours { context.insert(harbour) }
            var voyages = (0..<60).map { $0 % 4 == 0 ? Cruise("", nights: $0 % 3) : Voyage("") }
            for voyage in voyages {
                change(voyage, harbours, &random)
                context.insert(voyage)
            }
            try await context.save()
            for _ in 0..<15 { change(voyages.randomElement(using: &random)!, harbours, &random) }
            for _ in 0..<5 { context.delete(voyages.remove(at: Int.random(in: 0..<voyages.count, using: &random))) }
            for number in 0..<5 {
                let voyage = number == 0 ? Cruise("", nights: 1) : Voyage("")
                change(voyage, harbours, &random)
                context.insert(voyage)
                voyages.append(voyage)
            }
            if isSaved { try await context.save() }
            try await body(context, voyages, &random)
        }
    }

    @Test(arguments: 1...(isSoak ? 100 : 4) as ClosedRange<UInt64>)
    func `groups are those in memory`(seed: UInt64) async throws {
        try await withObjects(seed, isSaved: seed % 2 == 0) { context, voyages, random in
            for _ in 0..<60 {
                let (predicate, matches) = predicates.randomElement(using: &random)!
                let (name, number) = (names.randomElement(using: &random)!, numbers.randomElement(using: &random)!)
                let (count, other) = (counts.randomElement(using: &random)!, counts.randomElement(using: &random)!)
                let text = texts.randomElement(using: &random)!
                let having = Bool.random(using: &random) ? drawCondition(2, of: name, &random) : nil
                var descriptor = FetchDescriptor<Voyage>(predicate: predicate)
                if Bool.random(using: &random) { descriptor.fetchLimit = Int.random(in: 0...20, using: &random) }
                if Bool.random(using: &random) { descriptor.fetchOffset = Int.random(in: 0...3, using: &random) }
                let isReverse = Bool.random(using: &random)
                let found = try await context.fetch(
                    descriptor, selecting: name.column, number.column, count.column, other.column, text.column,
                    having: having?.condition,
                    orderBy: [
                        isReverse ? .reverse(count.column) : .forward(count.column), .forward(name.column),
                        .forward(number.column),
                    ], into: Row.init)
                struct Key: Hashable {
                    var name: String?
                    var number: Int
                }
                let groups = Dictionary(grouping: voyages.filter(matches)) {
                    Key(name: name.value([$0]), number: number.value([$0]))
                }
                let expected = groups.values.filter { having?.isMet($0) ?? true }.map {
                    Row(
                        name: name.value($0), number: number.value($0), count: count.value($0), other: other.value($0),
                        text: text.value($0))
                }.sorted { one, other in
                    if one.count != other.count { return isReverse ? one.count > other.count : one.count < other.count }
                    if one.name != other.name { return Self.precedes(one.name, other.name) }
                    return one.number < other.number
                }
                let page = expected.dropFirst(descriptor.fetchOffset ?? 0).prefix(descriptor.fetchLimit ?? .max)
                #expect(found == Array(page), "seed \(seed): \(descriptor)")
            }
        }
    }

    /// An order by one property, and the order of two objects in it: negative where the first one comes first.
    private struct Order {
        let descriptor: SortDescriptor<Cruise>
        let compare: (Cruise, Cruise) -> Int
    }

    private static func order<Value: Comparable>(
        _ keyPath: any KeyPath<Cruise, Value> & Sendable, isReverse: Bool
    ) -> Order {
        Order(descriptor: SortDescriptor(keyPath, order: isReverse ? .reverse : .forward)) {
            let (one, other) = ($0[keyPath: keyPath], $1[keyPath: keyPath])
            return (one < other ? -1 : one > other ? 1 : 0) * (isReverse ? -1 : 1)
        }
    }

    private static func order<Value: Comparable>(
        _ keyPath: any KeyPath<Cruise, Value?> & Sendable, isReverse: Bool
    ) -> Order {
        Order(descriptor: SortDescriptor(keyPath, order: isReverse ? .reverse : .forward)) {
            let (one, other) = ($0[keyPath: keyPath], $1[keyPath: keyPath])
            let order =
                switch (one, other) {
                case (nil, nil): 0
                case (nil, _): -1
                case (_, nil): 1
                case (let one?, let other?): one < other ? -1 : one > other ? 1 : 0
                }
            return order * (isReverse ? -1 : 1)
        }
    }

    /// Of a subclass: by its own properties, by inherited ones that may be missing, and by those of other objects.
    @Test(arguments: 1...(isSoak ? 100 : 3) as ClosedRange<UInt64>)
    func `pages in any order are the whole result`(seed: UInt64) async throws {
        try await withObjects(seed, isSaved: seed % 2 == 0) { context, voyages, random in
            let cruises = voyages.compactMap { $0 as? Cruise }
            let makers: [(Bool) -> Order] = [
                { Self.order(\.nights, isReverse: $0) }, { Self.order(\.rating, isReverse: $0) },
                { Self.order(\.discount, isReverse: $0) }, { Self.order(\.price, isReverse: $0) },
                { Self.order(\.start, isReverse: $0) }, { Self.order(\.nickname, isReverse: $0) },
                { Self.order(\.harbour?.city, isReverse: $0) },
            ]
            for _ in 0..<25 {
                let orders = makers.shuffled(using: &random).prefix(Int.random(in: 1...4, using: &random))
                    .map { $0(Bool.random(using: &random)) }
                let descriptor = FetchDescriptor<Cruise>(sortBy: orders.map(\.descriptor))
                let size = Int.random(in: 1...6, using: &random)
                var (paged, cursor): ([Cruise], PageCursor?) = ([], nil)
                repeat {
                    let page = try await context.fetchPage(descriptor, after: cursor, size: size)
                    // Full, but for the last.
                    #expect(page.objects.count == min(size, cruises.count - paged.count))
                    paged += page.objects
                    cursor = page.next
                } while cursor != nil && paged.count <= cruises.count
                #expect(Set(paged) == Set(cruises) && paged.count == cruises.count)
                let isInOrder = zip(paged, paged.dropFirst()).allSatisfy { one, other in
                    orders.lazy.map { $0.compare(one, other) }.first { $0 != 0 } ?? 0 <= 0
                }
                #expect(isInOrder, "seed \(seed): \(descriptor)")
                var back: [Cruise] = []
                repeat {
                    let page = try await context.fetchPage(descriptor, before: cursor, size: size)
                    #expect(page.objects.count == min(size, cruises.count - back.count))
                    back = page.objects + back
                    cursor = page.previous
                } while cursor != nil && back.count <= cruises.count
                #expect(back == paged, "seed \(seed): \(descriptor)")
                var names: [String] = []
                repeat {
                    let page = try await context.fetchPage(descriptor, selecting: \.name, after: cursor, size: size)
                    names += page.rows
                    cursor = page.next
                } while cursor != nil && names.count <= cruises.count
                #expect(names == paged.map(\.name), "seed \(seed): \(descriptor)")
            }
        }
    }
}
