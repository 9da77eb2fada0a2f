import Foundation
import StrataModels
import Testing

@testable import StrataRepository

/// Which predicates are read from the bytes of their trees. What is read that way is compared with the database by `FetchShapeTests`.
@Suite struct TreeLayoutTests {
    private typealias Value = TypeModels.Everything
    private typealias Item = TripModels.BucketListItem

    private func shape<M: PersistentModel>(_ predicate: Predicate<M>, _ sorts: SortDescriptor<M>...) -> FetchShape? {
        ShapedFetch(FetchDescriptor(predicate: predicate, sortBy: sorts))?.shape
    }

    @Test func `Comparisons of properties with numbers, texts, dates, UUIDs and truth values have a shape`() {
        let (number, text, date, uuid, truth) = (3, "x", Date.now, UUID(), true)
        let predicates: [Predicate<Value>] = [
            #Predicate { $0.int == number },
            #Predicate { number != $0.int },
            #Predicate { $0.int < number && $0.int >= number },
            #Predicate { !($0.string == text) },
            #Predicate { $0.string > text && $0.date <= date },
            #Predicate { $0.uuid == uuid && $0.bool == truth },
            #Predicate { $0.bool },
        ]
        #expect(predicates.map { shape($0) != nil } == predicates.map { _ in true })
        let title = "Kyoto"
        #expect(shape(#Predicate<Item> { $0.trip!.name == title }) == nil)
        #expect(shape(#Predicate<Item> { $0.title == title }, SortDescriptor(\.title, order: .reverse)) != nil)
    }

    @Test func `What a text depends on has none`() {
        let number = 3
        let predicates: [Predicate<Value>] = [
            #Predicate { $0.int == number || $0.int == 7 },
            #Predicate { $0.int + 1 == number },
            #Predicate { $0.url == nil },
            #Predicate { $0.string.contains("x") },
        ]
        #expect(predicates.map { shape($0) == nil } == predicates.map { _ in true })
    }

    @Test func `A shape tells properties, comparisons, truth values and directions apart, and no captured values`() {
        func less(_ limit: Int) -> Predicate<Value> { #Predicate { $0.int < limit } }
        func sold(_ truth: Bool) -> Predicate<Value> { #Predicate { $0.bool == truth } }
        let limit = 3
        let shapes = [
            shape(less(1)), shape(#Predicate<Value> { $0.int > limit }), shape(#Predicate<Value> { $0.int != limit }),
            shape(sold(true)), shape(sold(false)), shape(less(1), SortDescriptor(\.int)),
            shape(less(1), SortDescriptor(\.int, order: .reverse)),
        ]
        #expect(Set(shapes).count == shapes.count && !shapes.contains(nil))
        #expect(shape(less(1)) == shape(less(2)))
    }

    @Test func `A key path is known again by its identity, and an equal one by what it names`() {
        let descriptor = Value._$descriptor
        func path() -> KeyPath<Value, Int> { \.int }
        let (first, again) = (descriptor.property(for: path()), descriptor.property(for: path()))
        #expect(first?.name == "int" && first === again)
        #expect(descriptor.property(for: \Value.int) === first)
        #expect(descriptor.property(for: \Value.string.count) == nil)
    }
}
