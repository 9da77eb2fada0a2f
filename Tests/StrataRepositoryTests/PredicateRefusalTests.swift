import Foundation
import StrataModels
import StrataRepository
import Testing

/// What cannot be said in SQL, and what the error says: before anything is sent.
@Suite struct PredicateRefusalTests {
    @Test func `What has no column is refused`() {
        expectUnsupported(
            #Predicate<Journey> { $0.title == "x" }, .unsupportedKeyPath,
            "Journey has no column for a property of type String: it is computed, or marked @Transient.")
        expectUnsupported(
            #Predicate<Journey> { $0.selection == 1 }, .unsupportedKeyPath,
            "Journey has no column for a property of type Int: it is computed, or marked @Transient.")
        expectUnsupported(
            #Predicate<Journey> { $0.draft == 1 }, .unsupportedKeyPath,
            "Journey.draft is marked .ephemeral: it has no column.")
        expectUnsupported(
            #Predicate<Stop> { $0.journey?.home?.capital?.isDeleted == true }, .unsupportedKeyPath,
            "Stop.journey.home.capital has no column for a property of type Bool")
        expectUnsupported(
            #Predicate<Journey> { $0.address.line == "x" }, .unsupportedKeyPath,
            "Journey.address: it cannot be found out which coding key of Address a property of type String reads.")
        expectUnsupported(
            #Predicate<Journey> { $0.level.rawValue == 1 }, .unsupportedKeyPath,
            "A property of type Int of Journey.level is computed by Swift and has no column. Make Level CaseIterable")
    }

    @Test func `What only Swift can tell is refused`() {
        expectUnsupported(
            #Predicate<Journey> { $0.name.count == 4 }, .unsupportedPredicate,
            "The number of characters of Journey.name, which only Swift can count, cannot be translated to SQL.")
        expectUnsupported(
            #Predicate<Journey> { ("a"..."b").contains($0.name) }, .unsupportedPredicate,
            "A range of strings, for Journey.name, cannot be translated to SQL. Instead, compare with >= and <=.")
    }

    @Test func `The predicate's text is part of the message`() throws {
        let error = #expect(throws: SwiftDataError.self) {
            try conditionSQL(#Predicate<Journey> { $0.title == "x" })
        }
        #expect(error?.message.hasSuffix(#"The predicate: { $0.title == "x" }"#) == true)
    }

    @Test func `A computed property that is often the same as a stored one is none`() {
        for descriptor in [SortDescriptor(\Stop.journey?.shownName), SortDescriptor(\Stop.journey?.safeRating)] {
            #expect {
                try orderSQL(descriptor)
            } throws: {
                ($0 as? SwiftDataError)?.code == .unsupportedSortDescriptor
            }
        }
        #expect(throws: Never.self) {
            _ = try orderSQL(SortDescriptor(\Stop.journey?.name))
            _ = try orderSQL(SortDescriptor(\Stop.journey?.rating))
        }
    }

    @Test func `A sort descriptor without a column is refused`() {
        #expect {
            try orderSQL(SortDescriptor(\Journey.title))
        } throws: {
            ($0 as? SwiftDataError)?.code == .unsupportedSortDescriptor
        }
        #expect {
            try orderSQL(SortDescriptor(\Stop.journey?.title))
        } throws: {
            ($0 as? SwiftDataError)?.code == .unsupportedSortDescriptor
        }
    }
}
