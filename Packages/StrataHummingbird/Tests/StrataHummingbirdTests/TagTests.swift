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
                == "\"class-amz9sd0biuxe.entries-v68kqp980kk0.note-3h59eivdwj7fh.title-3h590vskzb8x0\"")
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

    /// Where elements lie in memory depends on the capacity and on the order in which they came, and is written so by `JSONEncoder`.
    @Test func whatHasNoOrderHasTheSameTagHoweverItWasMade() throws {
        let names = (0..<20).map { "n\($0)" }
        func ledger(_ names: [String], _ kinds: [Ledger.Marks.Kind], capacity: Int) throws -> ModelSnapshot<Ledger> {
            var marks = Ledger.Marks(places: [])
            marks.places.reserveCapacity(capacity)
            marks.byKind.reserveCapacity(capacity)
            for name in names { marks.places.insert(name) }
            for kind in kinds { marks.byKind[kind] = Set(names.shuffled()) }
            let ledger = Ledger("A")
            (ledger.marks, ledger.words, ledger.sealed) = (marks, marks.places, marks)
            return try ledger.snapshot()
        }
        let kinds = Ledger.Marks.Kind.allCases
        let tag = try EntityTag(ledger(names, kinds, capacity: 0))
        for round in 0..<20 {
            let other = try ledger(names.shuffled(), kinds.shuffled(), capacity: round * 50)
            #expect(try EntityTag(other) == tag)
        }
        #expect(try EntityTag(ledger(names + ["n20"], kinds, capacity: 0)) != tag)
    }

    @Test func aNumberInADocumentHasOneForm() throws {
        func tag(_ factor: Double, _ share: Decimal) throws -> EntityTag {
            let ledger = Ledger("A")
            ledger.limits = Ledger.Limits(byName: [:], factor: factor, share: share)
            return try EntityTag(ledger.snapshot())
        }
        #expect(try tag(-0.0, 1) == tag(0, Decimal(sign: .plus, exponent: -2, significand: 100)))
        #expect(try tag(0, 10) != tag(0, 1))
        // As PostgreSQL may write it.
        #expect(
            try EntityTag(snapshot(#"{"title": "A", "limits": {"byName": {}, "factor": -0.0, "share": 1.500}}"#))
                == EntityTag(snapshot(#"{"title": "A", "limits": {"byName": {}, "share": 1.5, "factor": 0}}"#)))
    }

    @Test func aRelationshipHasAnOrderWhereItIsStored() throws {
        let orders = [#"[{"text": "a"}, {"text": "b"}]"#, #"[{"text": "b"}, {"text": "a"}]"#]
        let entries = try orders.map { try tag(#"{"title": "A", "entries": \#($0)}"#) }
        #expect(entries[0] == entries[1])
        let identifiers = try [
            #"["strata:s/Entry/1", "strata:s/Entry/2"]"#, #"["strata:s/Entry/2", "strata:s/Entry/1"]"#,
        ]
        .map { try tag(#"{"title": "A", "entries": \#($0)}"#) }
        #expect(identifiers[0] == identifiers[1])
        let log = try orders.map { try tag(#"{"title": "A", "log": \#($0)}"#) }
        #expect(log[0] != log[1])
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
            #"{"title": "A", "log": [{"text": "a"}, {"text": "b"}]}"#,
            #"{"title": "A", "log": [{"text": "b"}, {"text": "a"}]}"#,
            #"{"title": "A", "marks": {"places": ["x"]}}"#, #"{"title": "A", "marks": {"places": ["y"]}}"#,
            #"{"title": "A", "marks": {"places": ["x", "y"]}}"#,
            #"{"title": "A", "marks": {"places": [], "byKind": ["sea", ["x"], "lake", ["y"]]}}"#,
            #"{"title": "A", "marks": {"places": [], "byKind": ["sea", ["y"], "lake", ["x"]]}}"#,
            #"{"title": "A", "limits": {"byName": {}, "factor": 0.5}}"#,
            #"{"title": "A", "limits": {"byName": {}, "factor": -0.5}}"#,
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
        let container = try await TestServer.container(of: [Ledger.self, Entry.self, Note.self])
        let written = try await container.withContext { models in
            let ledger = Ledger("A")
            ledger.price = Decimal(sign: .plus, exponent: -3, significand: 12500)
            ledger.day = Date(timeIntervalSince1970: 1_800_000_000.123456789)
            ledger.limits = Ledger.Limits(byName: ["b": 1, "a": 2], factor: -0.0, share: ledger.price)
            ledger.marks = Ledger.Marks(
                places: ["x", "y", "z"], byKind: [.sea: ["a", "b"], .lake: ["c"], .river: []])
            ledger.words = ["d", "e", "f"]
            ledger.sealed = ledger.marks
            ledger.secret = "psst"
            // Keys are given in the order of insertion, which is not the list's.
            let entries = ["one", "two", "three"].map { Entry($0) }
            for entry in entries { models.insert(entry) }
            ledger.entries = entries.reversed()
            ledger.log = [Note("second"), Note("first")]
            models.insert(ledger)
            // Before it is saved.
            return try EntityTag(try await models.snapshots(of: [ledger], including: \.entries, \.log)[0])
        }
        let read = try await container.read { models in
            try EntityTag(
                try await models.snapshots(of: models.fetch(FetchDescriptor<Ledger>()), including: \.entries, \.log)[0])
        }
        #expect(read.description == written.description)
        await container.close()
    }
}
