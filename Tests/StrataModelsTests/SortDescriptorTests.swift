import Foundation
import StrataModels
import Testing

@Suite("Sort descriptors for properties that are not comparable")
struct SortDescriptorTests {
    @Test func sortByBooleans() {
        expect(SortDescriptor(\Journey.isOpen), \.isOpen) { $0.isOpen ? 1 : 0 }
        expect(SortDescriptor(\Journey.isPaid), \.isPaid) { $0.isPaid.map { $0 ? 1 : 0 } ?? -1 }
    }

    @Test func sortByRawValues() {
        expect(SortDescriptor(\Journey.weather), \.weather) { $0.weather.rawValue }
        expect(SortDescriptor(\Journey.lastWeather), \.lastWeather) { $0.lastWeather?.rawValue ?? "" }
    }

    @Test func sortByWhatIsComparableAlready() {
        expect(SortDescriptor(\Journey.rating), \.rating) { $0.rating }
        expect(SortDescriptor(\Journey.budget), \.budget) { $0.budget ?? .min }
        expect(SortDescriptor(\Journey.code), \.code) { $0.code }
        expect(SortDescriptor(\Journey.start), \.start) { $0.start }
    }

    @Test func sortByTextWithoutCaseAndAccents() {
        let name = SortDescriptor(\Journey.name, comparator: .localizedStandard)
        #expect(SortKeyPath.all(of: \Journey.name).contains { $0 == name.keyPath })
        #expect(name.keyPath.map(LocalizedStandardSortKey.isValue) == true)
        #expect(SortDescriptor(\Journey.name).keyPath.map(LocalizedStandardSortKey.isValue) == false)
        #expect(name == SortDescriptor(\Journey.name, comparator: .localized))
        #expect(SortDescriptor(\Journey.name, comparator: .localizedStandard, order: .reverse).order == .reverse)
        let names = PredicateSamples.journeys(count: 60).sorted(using: name).map(\.name)
        for (one, next) in zip(names, names.dropFirst()) {
            let (left, right) = (LocalizedStandardFold.fold(one), LocalizedStandardFold.fold(next))
            #expect(ExactString.less(left, right) || ExactString.equal(left, right) && !ExactString.less(next, one))
        }
    }

    @Test func keepTheOrder() {
        #expect(SortDescriptor(\Journey.isOpen, order: .reverse).order == .reverse)
        #expect(SortDescriptor(\Journey.weather, order: .reverse).order == .reverse)
        #expect(SortDescriptor(\Journey.isOpen) == SortDescriptor(\Journey.isOpen))
        #expect(SortDescriptor(\Journey.isOpen) != SortDescriptor(\Journey.isPaid))
    }

    @Test func otherPropertiesOfTheSameTypeHaveOtherKeyPaths() {
        let paths = SortKeyPath.all(of: \Journey.lastWeather)
        #expect(!paths.contains { $0 == SortDescriptor(\Journey.weather).keyPath })
        #expect(!SortKeyPath.all(of: \Journey.isOpen).contains { $0 == SortDescriptor(\Journey.isPaid).keyPath })
        #expect(SortKeyPath.all(of: \Journey.rating).count == 1)
    }

    private func expect<Rank: Comparable>(
        _ descriptor: SortDescriptor<Journey>,
        _ property: PartialKeyPath<Journey>,
        sourceLocation: SourceLocation = #_sourceLocation,
        _ rank: (Journey) -> Rank
    ) {
        #expect(SortKeyPath.all(of: property).contains { $0 == descriptor.keyPath }, sourceLocation: sourceLocation)
        let journeys = PredicateSamples.journeys(count: 60)
        let ranks = journeys.sorted { descriptor.compare($0, $1) == .orderedAscending }.map(rank)
        #expect(ranks == journeys.map(rank).sorted(), sourceLocation: sourceLocation)
    }
}
