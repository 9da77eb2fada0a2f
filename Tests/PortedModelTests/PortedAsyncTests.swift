import Foundation
import StrataTestSupport
import SwiftData
import Testing

@testable import PortedModels

/// Asynchronous functions of apps await nothing of SwiftData's: they compile and run unchanged.
@Suite struct PortedAsyncTests {
    private struct API: RemindersAPI {
        var name: String

        func lists() async throws -> [ReminderListDTO] {
            [
                ReminderListDTO(
                    id: 1, name: name,
                    reminders: [
                        ReminderDTO(id: 10, title: "Milk"), ReminderDTO(id: 11, title: "Bread", due: day(3)),
                        ReminderDTO(id: 12, title: "Eggs"),
                    ]),
                ReminderListDTO(id: 2, name: "Work", reminders: []),
            ]
        }
    }

    @MainActor @Test func `an actor and the main actor synchronise`() async throws {
        try await withTestDatabase { database in
            let model = try await RemindersModel(url: #require(database.foundationURL))
            defer { model.close() }
            try await model.refresh(from: API(name: "Home"))
            #expect(model.lists.map(\.name) == ["Home", "Work"])
            #expect(model.openCount == 3)
            let home = model.lists[0]
            try await model.refresh(from: API(name: "House"))
            #expect(model.lists.map(\.name) == ["House", "Work"])
            #expect(model.lists[0] === home)
            #expect(home.reminders.count == 3)

            let sync = model.sync()
            let titles = try await sync.titles()
            #expect(titles == ["Bread", "Eggs", "Milk"])
            let bread = try #require(home.reminders.first { $0.title == "Bread" })
            let title = await sync.title(of: bread.persistentModelID)
            #expect(title == "Bread")
            let finished = try await sync.finishAll()
            #expect(finished == 3)
            let authors = try await sync.authors(after: nil)
            #expect(authors.count == 3)
            try await sync.forgetDone()
            let left = try await sync.titles()
            #expect(left.isEmpty)
            try await sync.forgetHistory()
            try await model.eraseEverything()
            #expect(model.openCount == 0)
        }
    }
}
