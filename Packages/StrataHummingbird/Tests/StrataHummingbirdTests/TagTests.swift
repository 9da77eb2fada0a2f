import Foundation
import Strata
import StrataHummingbird
import Testing

/// What a tag tells apart, and what not.
@Suite struct TagTests {
    /// A snapshot as a client writes it.
    private func snapshot(_ json: String) throws -> ModelSnapshot<Ledger> {
        try JSONDecoder().decode(ModelSnapshot<Ledger>.self, from: Data(json.utf8))
    }

    private func tag(_ json: String) throws -> String { try EntityTag(snapshot(json)).description }

    @Test func aTagIsTheSameInEveryProcess() throws {
        // As FNV-1a is worked out by hand, in Python.
        #expect(
            try tag(##"{"title": "A", "note": "b", "entries": [{"text": "c"}]}"##)
                == "\"class-amz9sd0biuxe.entries-31ltbyi1l755t.note-3h59eivdwj7fh.title-3h590vskzb8x0\"")
    }

    @Test func equalValuesHaveEqualTagsWhateverTheyWereMadeOf() throws {
        var (short, long) = (try snapshot(#"{"title": "A"}"#), try snapshot(#"{"title": "A"}"#))
        try short.set(\.price, to: 15)
        try long.set(\.price, to: Decimal(sign: .plus, exponent: -2, significand: 1500))
        #expect(try EntityTag(short) == EntityTag(long))

        // The stored bytes of a transformer differ each time, and the order of a dictionary in each process.
        let names = (0..<20).map { "n\($0)" }
        func ledger(_ names: [String]) throws -> ModelSnapshot<Ledger> {
            let ledger = Ledger("A")
            for name in names { ledger.limits.byName[name] = 1 }
            ledger.secret = "psst"
            return try ledger.snapshot()
        }
        let tag = try EntityTag(ledger(names))
        for _ in 0..<20 { #expect(try EntityTag(ledger(names.shuffled())) == tag) }
    }

    @Test func eachDifferenceIsOne() throws {
        let different = [
            #"{"title": "A"}"#, #"{"title": "B"}"#,
            // Left out, nil and empty are three things.
            #"{"title": "A", "note": null}"#, #"{"title": "A", "note": ""}"#, #"{"title": "A", "note": "A"}"#,
            #"{"title": "A", "price": 1}"#, #"{"title": "A", "price": -1}"#, #"{"title": "A", "day": 1}"#,
            #"{"title": "A", "limits": {"byName": {"a": 1}}}"#, #"{"title": "A", "limits": {"byName": {"a": 2}}}"#,
            #"{"title": "A", "secret": "x"}"#, #"{"title": "A", "größe": 2}"#,
            #"{"title": "A", "entries": []}"#, #"{"title": "A", "entries": [{"text": ""}]}"#,
            #"{"title": "A", "entries": [{"text": "a"}]}"#,
            #"{"title": "A", "entries": [{"text": "a"}, {"text": "b"}]}"#,
            #"{"title": "A", "entries": [{"text": "b"}, {"text": "a"}]}"#,
            #"{"title": "A", "entries": [{"text": "a", "ledger": null}]}"#,
            #"{"title": "A", "entries": [{"text": "a", "persistentModelID": "strata:s/Entry/1"}]}"#,
            #"{"title": "A", "entries": ["strata:s/Entry/1"]}"#, #"{"title": "A", "entries": ["strata:s/Entry/2"]}"#,
            #"{"title": "A", "persistentModelID": "strata:s/Ledger/1"}"#,
        ]
        let tags = try different.map(tag)
        for (index, tag) in tags.enumerated() {
            #expect(tags.firstIndex(of: tag) == index, "\(different[index])")
            #expect(EntityTag(tag)?.description == tag)
        }
    }

    @Test func aNameThatNoTokenMayHaveIsEscaped() throws {
        let tag = try tag(#"{"title": "A", "größe": 2}"#)
        #expect(tag.contains(".gr%C3%B6%C3%9Fe-"), "\(tag)")
        #expect(tag.utf8.allSatisfy { $0 > 32 && $0 < 127 })
    }

    @Test func whatIsReadHasTheTagOfWhatWasWritten() async throws {
        let container = try await TestServer.container(of: [Ledger.self, Entry.self])
        let written = try await container.withContext { models in
            let ledger = Ledger("A")
            ledger.price = Decimal(sign: .plus, exponent: -3, significand: 12500)
            ledger.day = Date(timeIntervalSince1970: 1_800_000_000.123456789)
            ledger.limits = Ledger.Limits(byName: ["b": 1, "a": 2])
            ledger.secret = "psst"
            ledger.entries = [Entry("one")]
            models.insert(ledger)
            // Before it is saved.
            return try EntityTag(try await models.snapshots(of: [ledger], including: \.entries)[0])
        }
        let read = try await container.read { models in
            try EntityTag(
                try await models.snapshots(of: models.fetch(FetchDescriptor<Ledger>()), including: \.entries)[0])
        }
        #expect(read == written)
        await container.close()
    }
}
