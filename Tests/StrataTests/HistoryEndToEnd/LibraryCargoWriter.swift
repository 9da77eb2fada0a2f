import Foundation
import Strata

/// A service that works with contexts: new ones with tags, changes of them, deletions.
struct LibraryCargoWriter {
    let number: Int
    let container: ModelContainer
    let ledger: CargoLedger
    var random: SeededGenerator

    init(_ number: Int, _ container: ModelContainer, _ ledger: CargoLedger, seed: UInt64) {
        self.number = number
        self.container = container
        self.ledger = ledger
        random = SeededGenerator(seed &+ UInt64(number) &* 104_729)
    }

    mutating func run(until hasEnded: @Sendable () -> Bool) async throws {
        var code = number * 1_000_000
        while !hasEnded() {
            let context = ModelContext(container)
            code += 1
            let author = "writer \(number), \(code)"
            context.author = author
            do {
                ledger.committed(author, try await work(code, in: context))
            } catch SwiftDataError.conflict {
                // A foreign writer was faster; nothing of it is in.
                ledger.rolledBack()
            }
            try await Task.sleep(for: .milliseconds(Int.random(in: 0...20, using: &random)))
        }
    }

    private mutating func work(_ code: Int, in context: ModelContext) async throws -> Set<String> {
        let chance = Int.random(in: 0..<10, using: &random)
        let own = number * 1_000_000
        let mine = FetchDescriptor<Cargo>(predicate: #Predicate { $0.code > own && $0.code < own + 1_000_000 })
        let cargos = chance < 4 ? [] : try await context.fetch(mine)
        guard let cargo = cargos.randomElement(using: &random) else {
            let cargo = ColdCargo(code: code, pages: 2)
            cargo.tags = [CargoTag(value: 1, cargo: nil)]
            context.insert(cargo)
            try await context.save()
            return ["I\(cargo.persistentModelID.key)"]
        }
        let key = cargo.persistentModelID.key
        if chance < 7 {
            context.delete(cargo)
            try await context.save()
            return ["D\(key)"]
        }
        cargo.version += 1
        (cargo as? ColdCargo)?.pages += 1
        try await context.save()
        return ["U\(key)"]
    }
}
