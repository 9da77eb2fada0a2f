import Foundation
import Strata
import StrataBrowsing
import Testing

@testable import StrataStudio

@Suite struct EditingTests {
    /// The hidden mark of a form.
    private func mark(_ studio: StudioUnderTest, _ path: String) async throws -> String {
        let form = try await studio.client.get(studio.path(path))
        return String(try #require(form.body.firstMatch(of: /name="mark" value="([^"]*)"/)?.1))
    }

    @Test func anEditIsStoredAndRecorded() async throws {
        try await withStudio(allowsEdits: true) { studio in
            let key = try await studio.store { Tour("before", notes: "first\nsecond") }
            let path = "/c/Tour/o/\(key)/p/notes"
            let answer = try await studio.client.post(
                studio.path(path), [("mark", try await mark(studio, path)), ("value", "first\r\n<b>third</b>")])
            #expect(answer.status == 303)
            #expect(answer.header("location") == studio.path("/c/Tour/o/\(key)"))
            let stored = try await studio.container.read { models in
                try await models.fetch(FetchDescriptor<Tour>()).map(\.notes)
            }
            #expect(stored == ["first\n<b>third</b>"])
            let history = try await studio.client.get(studio.path("/c/Tour/o/\(key)/history"))
            #expect(history.body.contains("<bdi>studio</bdi>"))
            let changes = try await studio.browser.history(
                of: key, of: "Tour", in: try await studio.browser.schema(named: studio.schema)
            ).changes
            #expect(changes.map(\.kind) == [.update, .insert])
            #expect(changes[0].properties == ["notes"])
            #expect(changes.map(\.transaction.author) == ["studio", nil])
        }
    }

    @Test func whatSomebodyElseHasChangedMeanwhileIsNotOverwritten() async throws {
        try await withStudio(allowsEdits: true) { studio in
            let key = try await studio.store { Tour("tour", notes: "shown") }
            let path = "/c/Tour/o/\(key)/p/notes"
            let shown = try await mark(studio, path)
            try await studio.container.withContext { context in
                try await context.fetch(FetchDescriptor<Tour>())[0].notes = "theirs"
                try await context.save()
            }
            let answer = try await studio.client.post(studio.path(path), [("mark", shown), ("value", "mine")])
            #expect(answer.status == 409)
            #expect(answer.body.contains("theirs") && answer.body.contains("mine</textarea>"))
            #expect(try await notes(studio) == ["theirs"])
            // The form that came back says what is stored now: saving it again is meant.
            let now = try #require(answer.body.firstMatch(of: /name="mark" value="([^"]*)"/)?.1)
            #expect(
                try await studio.client.post(studio.path(path), [("mark", String(now)), ("value", "mine")]).status
                    == 303)
            #expect(try await notes(studio) == ["mine"])
        }
    }

    @Test func aChangeOfAnotherPropertyIsNoConflict() async throws {
        try await withStudio(allowsEdits: true) { studio in
            let key = try await studio.store { Tour("tour", notes: "shown") }
            let path = "/c/Tour/o/\(key)/p/notes"
            let shown = try await mark(studio, path)
            try await studio.container.withContext { context in
                try await context.fetch(FetchDescriptor<Tour>())[0].price = 99
                try await context.save()
            }
            #expect(
                try await studio.client.post(studio.path(path), [("mark", shown), ("value", "mine")]).status == 303)
        }
    }

    @Test func nullAndTheEmptyTextAreTwoValues() async throws {
        try await withStudio(allowsEdits: true) { studio in
            let key = try await studio.store { Tour("tour", notes: "shown") }
            let path = "/c/Tour/o/\(key)/p/notes"
            for (fields, stored) in [([("null", "yes")], nil), ([], ""), ([("null", "yes")], nil)]
                as [([(String, String)], String?)]
            {
                let answer = try await studio.client.post(
                    studio.path(path), [("mark", try await mark(studio, path)), ("value", "")] + fields)
                #expect(answer.status == 303)
                #expect(try await notes(studio) == [stored])
            }
        }
    }

    @Test func lineBreaksOfAnyKindStayAsTheyAre() async throws {
        try await withStudio(allowsEdits: true) { studio in
            let key = try await studio.store { Tour("tour", notes: "dos\r\nunix\nold mac\rend") }
            let path = "/c/Tour/o/\(key)/p/notes"
            let answer = try await studio.client.post(
                studio.path(path),
                [("mark", try await mark(studio, path)), ("value", "dos\r\nUNIX\r\nold mac\r\nend")])
            #expect(answer.status == 303)
            #expect(
                try await notes(studio).map { $0.map { Array($0.utf8) } } == [Array("dos\r\nUNIX\nold mac\rend".utf8)])
        }
    }

    @Test func whatTheDatabaseDoesNotTakeIsSaidAtTheForm() async throws {
        try await withStudio(allowsEdits: true) { studio in
            _ = try await studio.store { Tour("taken") }
            let key = try await studio.store { Tour("tour") }
            let price = "/c/Tour/o/\(key)/p/price"
            let wrong = try await studio.client.post(
                studio.path(price), [("mark", try await mark(studio, price)), ("value", "a lot")])
            #expect(wrong.status == 422)
            #expect(wrong.body.contains("SQLSTATE 22P02") && wrong.body.contains("value=\"a lot\""))
            let name = "/c/Tour/o/\(key)/p/name"
            let taken = try await studio.client.post(
                studio.path(name), [("mark", try await mark(studio, name)), ("value", "taken")])
            #expect(taken.status == 403)
            #expect(taken.body.contains("SQLSTATE 23505"))
            let none = try await studio.client.post(
                studio.path(name), [("mark", try await mark(studio, name)), ("value", ""), ("null", "yes")])
            #expect(none.status == 403)
            #expect(try await studio.client.get(studio.path("/c/Tour/o/\(key)/p/map")).status == 403, "binary data")
            #expect(try await studio.client.get(studio.path("/c/Tour/o/\(key)/p/nothing")).status == 404)
            #expect(try await studio.client.get(studio.path("/c/Tour/o/999/p/name")).status == 404)
            #expect(try await studio.client.post(studio.path(name), [("value", "without a mark")]).status == 400)
        }
    }

    @Test func aFormThatComesBackHasTheMarkOfTheValueThatWasShown() async throws {
        try await withStudio(allowsEdits: true) { studio in
            _ = try await studio.store { Tour("taken") }
            let key = try await studio.store { Tour("tour") }
            let path = "/c/Tour/o/\(key)/p/name"
            let shown = try await mark(studio, path)
            let refused = try await studio.client.post(studio.path(path), [("mark", shown), ("value", "taken")])
            #expect(refused.status == 403)
            #expect(refused.body.contains("name=\"mark\" value=\"\(shown)\""))
            // Somebody has stored something before it is mended.
            try await studio.container.withContext { context in
                let tours = try await context.fetch(FetchDescriptor<Tour>(predicate: #Predicate { $0.name == "tour" }))
                tours[0].name = "theirs"
            }
            #expect(
                try await studio.client.post(studio.path(path), [("mark", shown), ("value", "mine")]).status == 409)
        }
    }

    @Test func aStudioThatOnlyReadsCannotWrite() async throws {
        try await withStudio { studio in
            let key = try await studio.store { Tour("tour") }
            #expect(try await studio.client.get(studio.path("/c/Tour/o/\(key)/p/name")).body.contains("--allow-edits"))
            let answer = try await studio.client.post(
                studio.path("/c/Tour/o/\(key)/p/name"), [("mark", "null"), ("value", "mine")])
            #expect(answer.status == 403)
            #expect(!(try await studio.client.get(studio.path("/c/Tour/o/\(key)"))).body.contains("class=\"edit\""))
            let edit = PropertyEdit(className: "Tour", key: key, property: "name", mark: "null", value: "mine")
            let schema = try await studio.browser.schema(named: studio.schema)
            let error = await #expect(throws: BrowsingError.self) { try await studio.browser.save(edit, in: schema) }
            #expect(error?.code == .refused)
        }
    }

    private func notes(_ studio: StudioUnderTest) async throws -> [String?] {
        try await studio.container.read { models in try await models.fetch(FetchDescriptor<Tour>()).map(\.notes) }
    }
}
