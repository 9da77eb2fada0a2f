import Foundation
import Strata
import StrataBrowsing
import Testing
import TicketModels

@testable import StrataStudio

/// A studio that knows an application's models.
@Suite(.timeLimit(.minutes(2))) struct ApplicationModelsTests {
    private var tickets: Schema { Schema([Ticket.self, Journey.self]) }

    @Test func whatTheDatabaseDoesNotKnowTheModelsSay() async throws {
        try await withStudio(models: tickets, allowsEdits: true) { studio in
            // No migrations: of these the database has a description for its history, without cases and rules.
            let schema = try await studio.browser.schema(named: studio.schema)
            #expect(schema.source == .models)
            let ticket = try #require(schema.storedClass(named: "Ticket"))
            #expect(ticket.properties.first { $0.name == "grade" }?.cases == ["simple", "flexible"])
            #expect(ticket.properties.first { $0.name == "grade" }?.valueType == "Grade")
            #expect(ticket.relationships.first { $0.name == "journeys" }?.deleteRule == "deny")
            let page = try await studio.client.get(studio.path())
            #expect(page.body.contains("2 classes in 3 tables, as the program") && page.body.contains("models say"))
            let form = try await studio.client.get(studio.path("/c/Ticket/new"))
            #expect(form.body.contains("<option value=\"flexible\""))
        }
    }

    @Test func theModelsRulesHoldWhereNoForeignKeyHasThem() async throws {
        try await withStudio(models: tickets, allowsEdits: true) { studio in
            let key = try await studio.container.withContext { context in
                let ticket = Ticket("north")
                ticket.journeys = [Journey("Tallinn")]
                context.insert(ticket)
                try await context.save()
                return try ticket.key
            }
            let path = studio.path("/c/Ticket/o/\(key)/delete")
            let form = try await studio.client.get(path)
            #expect(!form.body.contains("The rules of the models are not known here"))
            #expect(form.body.contains("there must be none"))
            let mark = try #require(form.body.firstMatch(of: /name="mark" value="([^"]*)"/)?.1)
            _ = try await studio.client.post(path, [("mark", String(mark))])
            #expect(
                try await studio.container.read { models in try await models.fetchCount(FetchDescriptor<Ticket>()) }
                    == 1)
        }
    }

    @Test func whatTheDatabaseDoesNotHaveIsLeftOut() async throws {
        try await withStudio(models: tickets) { studio in
            try studio.run("ALTER TABLE \"\(studio.schema)\".ticket DROP COLUMN grade CASCADE")
            let schema = try await studio.browser.schema(named: studio.schema)
            #expect(schema.source == .models)
            let names = schema.storedClass(named: "Ticket")?.properties.map(\.name)
            #expect(names == ["name"])
            #expect(try await studio.client.get(studio.path("/c/Ticket")).status == 200)
        }
    }

    @Test func whatModelsDoNotKnowIsSaidBeforeSomethingIsDeleted() async throws {
        try await withStudio(models: tickets, allowsEdits: true) { studio in
            #expect(try await studio.browser.schema(named: studio.schema).unknownReferences.isEmpty)
            // As a newer version of the models would have it.
            try studio.run(
                "CREATE TABLE \"\(studio.schema)\".stamp (id bigint PRIMARY KEY, ticket bigint REFERENCES "
                    + "\"\(studio.schema)\".ticket ON DELETE CASCADE)")
            let schema = try await studio.browser.schema(named: studio.schema)
            let found = schema.unknownReferences.map { "\($0.table).\($0.columns) to \($0.target): \($0.whenDeleted)" }
            #expect(found == [#"stamp.["ticket"] to ticket: deletes"#])
            #expect(!schema.knowsDeleteRules)
            let key = try await studio.container.withContext { context in
                let ticket = Ticket("north")
                context.insert(ticket)
                try await context.save()
                return try ticket.key
            }
            let form = try await studio.client.get(studio.path("/c/Ticket/o/\(key)/delete"))
            #expect(form.body.contains("do not know all that refers to objects here"))
            #expect(form.body.contains("stamp.ticket") && form.body.contains("its objects are deleted too"))
        }
    }

    @Test func otherSchemasOfTheDatabaseDescribeThemselves() async throws {
        try await withStudio { others in
            try await withStudio(models: tickets) { studio in
                let schema = try await studio.browser.schema(named: others.schema)
                #expect(schema.source == .history)
                #expect(schema.storedClass(named: "CityTour") != nil)
            }
        }
    }

    @Test func modelsThatNoContainerTakesAreRefusedWithTheirFindings() {
        let error = #expect(throws: BrowsingError.self) {
            try StoreBrowser(url: "postgres://localhost/none", models: Schema([Torn.self, Shred.self]))
        }
        #expect(error?.code == .refused)
        #expect(error?.message.contains("Torn") == true, "\(error?.message ?? "")")
    }

    @Test func aProgramOfAnApplicationIsThreeLines() async throws {
        try await withStudio(models: tickets) { studio in
            let process = Process()
            // Beside the bundle of the tests.
            process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
                .appendingPathComponent("TicketStudio")
            process.arguments = ["--database-url", studio.databaseURL]
            process.environment = ProcessInfo.processInfo.environment.merging(["TICKET_SCHEMA": studio.schema]) { $1 }
            let output = Pipe()
            process.standardOutput = output
            let (ends, ended) = AsyncStream<Int32>.makeStream()
            process.terminationHandler = { ended.yield($0.terminationStatus) }
            try process.run()
            let id = process.processIdentifier
            var line = ""
            while !line.contains("\n") {
                let more = output.fileHandleForReading.availableData
                guard !more.isEmpty else { break }
                line += String(decoding: more, as: UTF8.self)
            }
            do {
                let link = try #require(URLComponents(string: String(line.prefix { $0 != "\n" })))
                var client = StudioClient(port: try #require(link.port))
                let cookie = try #require(try await client.get(link.path).header("set-cookie"))
                client.cookie = String(cookie.prefix { $0 != ";" })
                let page = try await client.get("/s/\(studio.schema)")
                #expect(page.body.contains("models say"), "\(page.body)")
            } catch {
                kill(id, SIGKILL)
                throw error
            }
            kill(id, SIGTERM)
            var status = ends.makeAsyncIterator()
            #expect(await status.next() == 0)
        }
    }

    @Test func aProgramWhoseModelsLieElsewhereSaysSo() async throws {
        try await withStudio { studio in
            let process = Process()
            process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
                .appendingPathComponent("TicketStudio")
            process.arguments = ["--database-url", studio.databaseURL]
            process.environment = ProcessInfo.processInfo.environment.merging(["TICKET_SCHEMA": "nowhere"]) { $1 }
            let output = Pipe()
            process.standardError = output
            try process.run()
            let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            process.waitUntilExit()
            #expect(process.terminationStatus != 0)
            #expect(text.contains("\"nowhere\" has no tables"), "\(text)")
        }
    }
}

/// No container takes it: both relationships claim the same one as their other end.
@Model final class Torn {
    @Relationship(inverse: \Shred.torn) var left: [Shred] = []
    @Relationship(inverse: \Shred.torn) var right: [Shred] = []
    init() {}
}

@Model final class Shred {
    var torn: Torn?
    init() {}
}
