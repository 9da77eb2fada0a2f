import Foundation
import Strata
import StrataModelTestSupport
import Testing

/// Arithmetic with whole numbers, in memory and on the server.
@Suite struct ArithmeticInMemoryTests {
    private func outcome<Value: Equatable>(_ work: () async throws -> Value) async -> (Value?, SwiftDataError?) {
        do { return (try await work(), nil) } catch { return (nil, error as? SwiftDataError) }
    }

    private static let numbers = [Int.min, Int.min + 1, -3, -1, 0, 1, 2, 7, Int.max - 1, Int.max]

    @Test(arguments: numbers) func `both give the same or refuse`(other: Int) async throws {
        try await withVoyages { store, context in
            let voyage = Voyage("edge")
            context.insert(voyage)
            let edge = FetchDescriptor<Voyage>(predicate: #Predicate { $0.name == "edge" })
            let expressions = [
                #Expression<Voyage, Int> { $0.rating + other }, #Expression<Voyage, Int> { $0.rating - other },
                #Expression<Voyage, Int> { $0.rating * other }, #Expression<Voyage, Int> { $0.rating / other },
                #Expression<Voyage, Int> { $0.rating % other }, #Expression<Voyage, Int> { -$0.rating },
            ]
            for number in Self.numbers {
                voyage.rating = number
                for expression in expressions {
                    let (found, refused) = await outcome {
                        try await context.fetch(edge, selecting: .value(expression)).first
                    }
                    let (own, ownRefused) = await outcome { try expression.evaluate(voyage) }
                    #expect((found ?? nil) == own)
                    let state = refused?.sqlState
                    #expect((state == nil) == (ownRefused == nil))
                    if let state {
                        #expect(ownRefused?.code == .invalidValue)
                        #expect(ownRefused?.message.contains("(SQLSTATE \(state))") == true)
                    }
                }
            }
        }
    }

    @Test func `captured numbers do not stop the program`() async throws {
        try await withVoyages { store, context in
            let (limit, nothing) = (Int.max, 0)
            let error = await #expect(throws: SwiftDataError.self) {
                _ = try await context.fetch(
                    FetchDescriptor<Voyage>(predicate: #Predicate { $0.rating == 1 && $0.rating / nothing > limit }))
            }
            #expect(error?.sqlState == "22012")
            let predicate = #Predicate<Voyage> { $0.rating / nothing > limit }
            let own = #expect(throws: SwiftDataError.self) { try predicate.evaluate(Voyage("edge")) }
            #expect(own?.message.contains("divides by zero") == true)
        }
    }

    @Test func `an update of an unsaved object is refused, whole`() async throws {
        try await withVoyages { _, context in
            let voyage = Voyage("edge", rating: .max)
            context.insert(voyage)
            let error = #expect(throws: SwiftDataError.self) {
                try context.update(
                    model: Voyage.self, .set(\.rating, to: #Expression<Voyage, Int> { $0.rating * 2 }))
            }
            #expect(error?.code == .invalidValue)
            #expect(voyage.rating == .max)
        }
    }
}
