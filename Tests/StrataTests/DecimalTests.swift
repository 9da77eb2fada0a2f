import Foundation
import Strata
import Testing

@Model private final class Share {
    struct Terms: Codable, Equatable { var rate: Decimal }

    var name: String
    var part: Decimal
    var parts: [Decimal] = []
    var terms: Terms?

    init(name: String, part: Decimal) {
        self.name = name
        self.part = part
    }
}

@Suite struct DecimalTests {
    @Test func `every quotient that is saved is read, equal`() async throws {
        try await withModelStore(Share.self) { store in
            let context = ModelContext(store.container)
            var saved: [String: Decimal] = [:]
            for dividend in 1...20 {
                for divisor in 1...50 { saved["\(dividend)/\(divisor)"] = Decimal(dividend) / Decimal(divisor) }
            }
            saved["greatest"] = .greatestFiniteMagnitude
            saved["least"] = -.greatestFiniteMagnitude
            saved["smallest"] = .leastNonzeroMagnitude
            saved["39 digits"] = Decimal(string: "340282366920938463463374607431768211455")
            for (name, part) in saved {
                let share = Share(name: name, part: part)
                share.parts = [part, -part]
                share.terms = Share.Terms(rate: part)
                context.insert(share)
            }
            try await context.save()
            let read = try await ModelContext(store.container).fetch(FetchDescriptor<Share>())
            #expect(read.count == saved.count)
            for share in read {
                let part = try #require(saved[share.name])
                #expect(share.part == part, "\(share.name)")
                #expect(share.parts == [part, -part], "\(share.name)")
                #expect(share.terms?.rate == part, "\(share.name)")
            }
            // A predicate finds it by the value that was saved.
            let third = Decimal(4) / 3
            let found = try await ModelContext(store.container)
                .fetchCount(FetchDescriptor<Share>(predicate: #Predicate { $0.part == third }))
            #expect(found == saved.values.count { $0 == third })
        }
    }

    @Test func `a Decimal that is no number cannot be part of a document, and the save says so`() async throws {
        try await withModelStore(Share.self) { store in
            let context = ModelContext(store.container)
            let share = Share(name: "nan", part: .nan)
            share.terms = Share.Terms(rate: .nan)
            context.insert(share)
            let error = await #expect(throws: SwiftDataError.self) { try await context.save() }
            #expect(error?.code == .invalidValue, "\(String(describing: error))")
            #expect(error?.message.contains("Share.terms") == true, "\(String(describing: error))")
            share.terms = nil
            try await context.save()
            let read = try await ModelContext(store.container).fetch(FetchDescriptor<Share>())
            #expect(read.first?.part.isNaN == true)
        }
    }
}
