import Strata
import StrataTesting
import Testing

@Suite struct FactoryTests {
    @Test func eachObjectHasANumberOfItsOwn() async {
        let factory = Factory { number in Guide(email: "\(number)") }
        let variant = factory.with { $0.email += " changed" }
        #expect(factory.make().email == "1")
        #expect(variant.make().email == "2 changed")
        #expect(factory.make().email == "3")
        let emails = await withTaskGroup(of: [String].self) { group in
            for _ in 0..<8 { group.addTask { (0..<100).map { _ in factory.make().email } } }
            return await group.reduce(into: Set()) { $0.formUnion($1) }
        }
        #expect(emails.count == 800)
    }

    @Test func objectsAreInsertedWithThoseTheyAreRelatedTo() async throws {
        try await withTestStore(for: Tour.self, Guide.self) { container in
            let context = ModelContext(container)
            let tours = Sample.tour.insert(3, into: context) { tour, index in tour.price = index }
            let dear = Sample.dearTour.insert(into: context) { $0.name = "Dear" }
            try await context.save()
            #expect(tours.map(\.price) == [0, 1, 2])
            #expect(dear.price == 100 && dear.name == "Dear")
            #expect(try await ModelContext(container).fetchCount(FetchDescriptor<Guide>()) == 4)
        }
    }

    @Test func aNumberBelowOneMakesNothing() async throws {
        try await withTestStore(for: Tour.self, Guide.self) { container in
            let context = ModelContext(container)
            #expect(Sample.tour.insert(0, into: context).isEmpty)
            #expect(Sample.tour.insert(-1, into: context).isEmpty)
            #expect(context.insertedModelsArray.isEmpty)
        }
    }
}
