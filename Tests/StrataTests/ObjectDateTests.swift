import Foundation
import Strata
import StrataModelTestSupport
import StrataTestSupport
import Testing

@testable import StrataContext

@Model private class Note {
    @Attribute(.unique) var code: String
    var title: String = ""
    var pages = 0
    @Attribute(.creationDate) var created = Date.distantPast
    @Attribute(.modificationDate) var changed: Date?
    @Relationship(inverse: \Remark.note) var remarks: [Remark] = []

    init(_ code: String, _ title: String = "") {
        self.code = code
        self.title = title
    }
}

@Model private final class SignedNote: Note {
    @Attribute(.modificationDate) var signed = Date.distantPast
    var signature: String = ""

    init(signed code: String) { super.init(code) }
}

@Model private final class Remark {
    var text: String = ""
    var note: Note?
    init(_ text: String) { self.text = text }
}

private enum Undated {
    @Model final class Word { @Attribute(.creationDate) var made: String = "" }
    @Model final class Both { @Attribute(.creationDate, .modificationDate) var made: Date = Date.now }
    @Model final class Document { @Attribute(.codable, .modificationDate) var made: Date? }
    @Model final class Log {
        #Unique<Log>([\.owner, \.made])
        var owner: String = ""
        @Attribute(.creationDate) var made: Date = Date.now
    }
}

/// Dates that saves set: when an object was made, and when it was last changed.
@Suite struct ObjectDateTests {
    private func withNotes(_ body: (ModelStore, ModelContext) async throws -> Void) async throws {
        try await withModelStore(Note.self, SignedNote.self, Remark.self) { store in
            try await body(store, ModelContext(store.container))
        }
    }

    private func note(_ code: String, _ store: ModelStore) async throws -> Note {
        try await note(code, ModelContext(store.container))
    }

    private func note(_ code: String, _ context: ModelContext) async throws -> Note {
        try #require(
            try await context.fetch(FetchDescriptor<Note>(predicate: #Predicate { $0.code == code })).first)
    }

    /// Sets both dates back, so that a later one is told from them.
    private func age(_ store: ModelStore) async throws {
        try await store.database.execute("UPDATE note SET created = '2001-01-01Z', changed = '2002-02-02Z'")
        try await store.database.execute("UPDATE signed_note SET signed = '2003-03-03Z'")
    }

    private let made = Date(timeIntervalSince1970: 978_307_200)
    private let edited = Date(timeIntervalSince1970: 1_012_608_000)
    private let signed = Date(timeIntervalSince1970: 1_046_649_600)

    @Test func `the save that inserts an object gives it both, as they are stored`() async throws {
        try await withNotes { store, context in
            let before = Date.now.addingTimeInterval(-0.001)
            let (one, two) = (Note("a"), SignedNote(signed: "b"))
            one.created = .distantFuture
            context.insert(one)
            context.insert(two)
            #expect(one.changed == nil)
            try await context.save()
            #expect(before <= one.created && one.created <= Date.now)
            #expect(one.changed == one.created && two.created == one.created && two.signed == one.created)
            let read = try await note("a", store)
            #expect((read.created, read.changed) == (one.created, one.changed))
            #expect((try await note("b", store) as? SignedNote)?.signed == one.created)
            #expect(!context.hasChanges)
        }
    }

    @Test func `a save that changes the row gives it a date of change, in the same statement`() async throws {
        try await withNotes { store, context in
            for code in ["a", "b", "c"] { context.insert(Note(code)) }
            context.insert(SignedNote(signed: "d"))
            try await context.save()
            try await age(store)
            let own = ModelContext(store.container)
            let notes = try await own.fetch(FetchDescriptor<Note>(sortBy: [SortDescriptor(\.code)]))
            (notes[0].title, notes[3].title) = ("new", "new")
            // The key is in the row of the remark.
            notes[1].remarks = [Remark("x")]
            store.recorder.reset()
            try await own.save()
            #expect(store.recorder.roundTrips == 1)
            let texts = try await store.database.texts(
                """
                SELECT code || ' ' || (created = '2001-01-01Z')::text || ' ' || (changed > '2020-01-01Z')::text
                FROM note ORDER BY code
                """)
            #expect(texts == ["a true true", "b true false", "c true false", "d true true"])
            #expect(notes[0].created == made && notes[1].changed == edited)
            #expect((notes[3] as? SignedNote)?.signed == notes[3].changed)
            #expect(!own.hasChanges)
        }
    }

    @Test func `changes of different properties are no conflict because of it`() async throws {
        try await withNotes { store, context in
            context.insert(Note("a"))
            try await context.save()
            let contexts = (ModelContext(store.container), ModelContext(store.container))
            let (one, two) = (try await note("a", contexts.0), try await note("a", contexts.1))
            one.title = "one"
            try await contexts.0.save()
            two.pages = 2
            try await contexts.1.save()
            let read = try await note("a", store)
            #expect((read.title, read.pages) == ("one", 2))
            #expect(read.changed == two.changed)
            one.pages = 3
            await #expect {
                try await contexts.0.save()
            } throws: { error in
                let error = error as? SwiftDataError
                return error?.code == .conflict && error?.conflicts.map(\.qualifiedName) == ["Note.pages"]
            }
        }
    }

    @Test func `an upsert keeps the date of creation, and the new object takes it`() async throws {
        try await withNotes { store, context in
            context.insert(Note("a", "old"))
            try await context.save()
            try await age(store)
            let other = ModelContext(store.container)
            let (new, fresh) = (Note("a", "new"), Note("b"))
            other.insert(new)
            other.insert(fresh)
            try await other.save()
            #expect(new.created == made)
            #expect(try #require(new.changed) > edited && fresh.created == new.changed)
            let read = try await note("a", store)
            #expect((read.title, read.created, read.changed) == ("new", made, new.changed))

            try await age(store)
            let third = ModelContext(store.container)
            third.uniquePolicy = .upsert(updating: \Note.pages)
            let counted = Note("a", "newer")
            counted.pages = 7
            third.insert(counted)
            try await third.save()
            let again = try await note("a", store)
            #expect((again.title, again.pages, again.created) == ("new", 7, made))
            #expect(try #require(again.changed) > edited && counted.changed == again.changed)
            #expect(counted.created == made)
        }
    }

    @Test func `rows without objects have them, unless they bring their own`() async throws {
        try await withNotes { store, context in
            try await context.insert(into: Note.self, \.code, \.title, rows: [("a", "A"), ("b", "B")])
            try await context.insert(into: Note.self, \.code, \.created, \.changed, rows: [("c", made, edited)])
            let first = try await note("a", store)
            #expect(first.created > edited && first.changed != nil)
            let brought = try await note("c", store)
            #expect((brought.created, brought.changed) == (made, edited))
            #expect(first.created == first.changed)
            #expect(try await note("b", store).created == first.created)
            try await age(store)
            try await context.insert(into: Note.self, \.code, \.title, rows: [("a", "AA")], uniquePolicy: .upsert)
            let again = try await note("a", store)
            #expect((again.title, again.created) == ("AA", made))
            #expect(try #require(again.changed) > edited)
        }
    }

    @Test func `an update by predicate sets the date of change`() async throws {
        try await withNotes { store, context in
            for code in ["a", "b", "c"] { context.insert(Note(code)) }
            try await context.save()
            try await age(store)
            let other = ModelContext(store.container)
            try other.update(model: Note.self, where: #Predicate { $0.code == "a" }, .set(\.title, to: "new"))
            try other.update(
                model: Note.self, where: #Predicate { $0.code == "b" }, .set(\.title, to: "new"),
                .set(\.changed, to: made))
            try await other.save()
            #expect(try #require(try await note("a", store).changed) > edited)
            #expect(try await note("a", store).created == made)
            #expect(try await note("b", store).changed == made)
            #expect(try await note("c", store).changed == edited)
        }
    }

    @Test func `an undo takes back the edit, and the next save dates that`() async throws {
        try await withNotes { store, context in
            context.insert(Note("a", "old"))
            try await context.save()
            try await age(store)
            let edit = ModelContext(store.container)
            let own = try await note("a", edit)
            edit.undoManager = ModelUndoManager()
            own.title = "new"
            try await edit.save()
            let first = try #require(own.changed)
            edit.undoManager?.undo()
            #expect((own.title, own.changed) == ("old", first))
            try await edit.save()
            #expect(try #require(own.changed) >= first)
            #expect(try await note("a", store).title == "old")
        }
    }

    @Test func `a save that fails takes the date back`() async throws {
        try await withNotes { store, context in
            context.insert(Note("a", "old"))
            try await context.save()
            try await age(store)
            let edit = ModelContext(store.container)
            edit.undoManager = ModelUndoManager()
            let own = try await note("a", edit)
            try await store.database.execute("UPDATE note SET title = 'other'")
            own.title = "mine"
            await #expect(throws: SwiftDataError.self) { try await edit.save() }
            #expect(own.changed == edited)
            edit.undoManager?.undo()
            #expect(!edit.hasChanges)
            own.title = "mine"
            edit.conflictPolicy = .overwrite
            try await edit.save()
            #expect(try #require(own.changed) > edited)
            #expect(try await note("a", store).changed == own.changed)
        }
    }

    @Test func `a date that was assigned stays, for one save`() async throws {
        try await withNotes { store, context in
            let own = Note("a")
            context.insert(own)
            try await context.save()
            (own.title, own.changed) = ("imported", made)
            try await context.save()
            #expect(try await note("a", store).changed == made)
            own.title = "edited"
            try await context.save()
            #expect(try #require(try await note("a", store).changed) > edited)
            (own.title, own.changed) = ("again", edited)
            try context.update(model: Note.self, .set(\.changed, to: made))
            try await context.save()
            #expect(try await note("a", store).changed == made)
        }
    }

    @Test func `a save that fails is no reason for the next one`() async throws {
        try await withNotes { store, context in
            context.insert(Note("a"))
            try await context.save()
            let other = ModelContext(store.container)
            other.uniquePolicy = .fail
            let own = Note("a")
            other.insert(own)
            let edits = other.unit.edits
            await #expect(throws: SwiftDataError.self) { try await other.save() }
            #expect(other.unit.edits == edits)
        }
    }

    @Test func `what is no date is refused, with what to do`() async throws {
        func finding(_ type: any PersistentModel.Type) async -> String {
            do {
                _ = try await ModelContainer(
                    for: Schema([type]), configurations: [ModelConfiguration(isStoredInMemoryOnly: true)])
                return "opened"
            } catch { return "\(error)" }
        }
        #expect(
            await finding(Undated.Word.self).contains("Word.made: it is marked .creationDate, and String is no date"))
        #expect(
            await finding(Undated.Both.self).contains("Both.made: it is marked .creationDate and .modificationDate"))
        #expect(await finding(Undated.Log.self).contains("all objects of a save have one date"))
        #expect(await finding(Undated.Document.self).contains("each save sets a date in a column"))
    }
}
