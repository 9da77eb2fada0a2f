import Foundation
import Strata
import StrataClient
import StrataTestSupport
import Testing

/// Classes that share a table, and those without a class column: what programs see is what they see of classes with a table each and a class column.
@Suite struct SingleTableTests {
    private struct Numbers: RandomNumberGenerator {
        var state: UInt64
        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state >> 11
        }
    }

    /// Inserts, edits, converts and deletes what the numbers say, and notes what is found, before saves and after them.
    private func run<S: Staff>(_ staff: S.Type, seed: UInt64) async throws -> [[String: [String]]] {
        var notes: [[String: [String]]] = []
        try await S.withStore { container in
            var numbers = Numbers(state: seed)
            let context = ModelContext(container)
            let groups = [S.group("north"), S.group("south")]
            for group in groups { context.insert(group) }
            func people() async throws -> [S.Person] {
                try await context.fetch(FetchDescriptor<S.Person>()).sorted { $0.name < $1.name }
            }
            for round in 0..<4 {
                for place in 0..<4 {
                    let number = Int.random(in: 0..<10, using: &numbers)
                    let kind = StaffKind.allCases.randomElement(using: &numbers) ?? .person
                    let person = S.person(kind, "p\(round)\(place)", number)
                    context.insert(person)
                    S.place(person, in: groups.randomElement(using: &numbers))
                }
                notes.append(try await S.findings(context))
                try await context.save()
                for person in try await people() {
                    switch Int.random(in: 0..<6, using: &numbers) {
                    case 0: context.delete(person)
                    case 1, 2: S.edit(person, Int.random(in: 0..<10, using: &numbers))
                    default: break
                    }
                }
                notes.append(try await S.findings(context))
                try await context.save()
                if let person = try await people().randomElement(using: &numbers) {
                    let kind = StaffKind.allCases.randomElement(using: &numbers) ?? .person
                    let number = Int.random(in: 0..<10, using: &numbers)
                    let isSame = person.persistentModelID.entityName.lowercased() == "\(kind)"
                    if !isSame { try await S.convert(person, to: kind, number, in: context) }
                }
                if round == 2 { notes.append(["changed": try await S.raise(context).map(String.init)]) }
                if round == 3 { try await S.insertRows(context) }
                try await context.save()
                notes.append(try await S.findings(ModelContext(container)))
            }
            guard S.recordsHistory else { return }
            let history = try await context.fetchHistory(HistoryDescriptor<DefaultHistoryTransaction>())
            notes.append(["history": history.map(\.summary)])
        }
        return notes
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func programsSeeNoDifference(seed: UInt64) async throws {
        let joined = try await run(Joined.self, seed: seed)
        #expect(joined.last?["history"]?.isEmpty == false)
        let single = try await run(Single.self, seed: seed)
        #expect(joined.count == single.count)
        // Of tables of others there is no history.
        let keyed = try await run(KeyedStaff.self, seed: seed)
        #expect(joined.count == keyed.count + 1)
        // So do hierarchies whose keys have two columns.
        let parted = try await run(PartedStaff.self, seed: seed)
        let partedSingle = try await run(PartedSingleStaff.self, seed: seed)
        #expect(joined.count == parted.count && joined.count == partedSingle.count)
        let partedKeyed = try await run(KeyedPartedStaff.self, seed: seed)
        let forms = [
            ("single", single), ("keyed", keyed), ("parted", parted), ("parted single", partedSingle),
            ("parted keyed", partedKeyed),
        ]
        for (form, others) in forms {
            for (place, (one, other)) in zip(joined, others).enumerated() {
                for name in one.keys.sorted() { #expect(one[name] == other[name], "\(form) \(place) \(name)") }
            }
        }
    }

    private func withStaff(_ body: (ModelStore, ModelContext) async throws -> Void) async throws {
        try await withModelStore(of: Schema(Single.types)) { try await body($0, ModelContext($0.container)) }
    }

    /// What was sent, without the schema and quotes.
    private func sent(_ store: ModelStore, _ body: () async throws -> Void) async throws -> [String] {
        store.recorder.reset()
        try await body()
        return store.recorder.statements.filter { !["BEGIN", "COMMIT"].contains($0) && !$0.hasPrefix("BEGIN") }
            .map { $0.replacing("\"public\".", with: "").replacing("\"", with: "") }
    }

    @Test func aFetchReadsOneTable() async throws {
        try await withStaff { store, context in
            let all = try await sent(store) { _ = try await context.fetch(FetchDescriptor<Single.Person>()) }
            #expect(
                all == [
                    "SELECT t0.pk, t0.type, t0.name, t0.age, t0.team, t0.language, t0.level, t0.reports, t0.budget, t0.office FROM people AS t0"
                ])
            let managers = try await sent(store) {
                _ = try await context.fetch(FetchDescriptor<Single.Manager>(predicate: #Predicate { $0.budget > 3 }))
            }
            #expect(
                managers == [
                    "SELECT t0.pk, t0.name, t0.age, t0.team, t0.budget, t0.office FROM people AS t0 WHERE (t0.budget > $1::bigint) AND t0.type = $2::text"
                ])
            let engineers = try await sent(store) {
                _ = try await context.fetchCount(FetchDescriptor<Single.Engineer>())
            }
            #expect(engineers == ["SELECT count(*) FROM people AS t0 WHERE t0.type = ANY($1::text[])"])
            let cast = try await sent(store) {
                _ = try await context.fetchCount(
                    FetchDescriptor<Single.Person>(
                        predicate: #Predicate {
                            if let manager = $0 as? Single.Manager { manager.budget > 3 } else { false }
                        }))
            }
            #expect(
                cast == [
                    "SELECT count(*) FROM people AS t0 WHERE CASE WHEN t0.type = $1::text THEN t0.budget > $2::bigint END"
                ])
        }
    }
}
