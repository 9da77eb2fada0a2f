import Foundation
import Testing

@testable import StrataLocalServer

struct LocalServerErrorTests {
    @Test func missingProgramsAreReportedWithThePlacesAndTheRemedy() throws {
        let error = try #require(throws: LocalServerError.self) {
            try PostgresInstallation.find(environment: [:], usualPlaces: ["/nowhere/bin", "/tmp"])
        }
        #expect(error.code == .postgresNotFound)
        #expect(error.description.contains("/nowhere/bin"))
        #expect(error.description.contains("apt-get install postgresql"))
        #expect(error.description.contains("brew install postgresql"))
    }

    @Test func aFolderNamedByTheCallerIsTheOnlyOneSearched() throws {
        let error = try #require(throws: LocalServerError.self) {
            try LocalServer.temporary(options: .init(binaries: URL(fileURLWithPath: "/nowhere")))
        }
        #expect(error.code == .postgresNotFound)
        #expect(error.description.contains("/nowhere"))
    }

    @Test func theVariableNamesTheFolder() throws {
        let usual = try PostgresInstallation.find()
        let named = try PostgresInstallation.find(
            environment: [PostgresInstallation.variable: usual.binaries], usualPlaces: [])
        #expect(named == usual)
        #expect(throws: LocalServerError.self) {
            try PostgresInstallation.find(environment: [PostgresInstallation.variable: "/nowhere"])
        }
    }

    @Test func dataOfAnotherVersionAreNotTouched() throws {
        let usual = try PostgresInstallation.find()
        let error = try #require(throws: LocalServerError.self) {
            try PostgresInstallation.find(binaries: usual.binaries, majorVersion: 9)
        }
        #expect(error.code == .versionMismatch)
        #expect(error.description.contains("PostgreSQL 9"))
    }

    @Test func aFolderThatCannotBeMadeIsNamedWithTheSystemsReason() throws {
        let error = try #require(throws: LocalServerError.self) {
            try LocalServer.shared(in: URL(fileURLWithPath: "/dev/null"))
        }
        #expect(error.code == .directoryUnusable)
        #expect(error.description == "cannot make the directory /dev/null/.strata: Not a directory")
    }

    @Test func aPathTooLongForASocketIsRefusedWithItsLength() throws {
        let long = "/tmp/" + String(repeating: "d", count: 100)
        let error = try #require(throws: LocalServerError.self) {
            try LocalServer.temporary(options: .init(directory: URL(fileURLWithPath: long)))
        }
        #expect(error.code == .pathTooLong)
        #expect(error.description.contains("107"))
    }

    @Test func aProjectWithALongPathPutsItsSocketElsewhere() throws {
        let project = try Project(name: String(repeating: "long-", count: 24))
        defer { project.remove() }
        let server = try LocalServer.shared(in: project.url)
        #expect(try acceptsConnections(server))
        #expect(server.socketDirectory.path.utf8.count < 80)
        server.stop()
        #expect(project.isQuiet(within: .seconds(30)))
        #expect(!FileManager.default.fileExists(atPath: server.socketDirectory.path))
    }

    @Test func aSettingThatPostgresRefusesIsReportedWithItsLog() throws {
        let error = try #require(throws: LocalServerError.self) {
            try LocalServer.temporary(options: .init(settings: ["no_such_setting": "1"]))
        }
        #expect(error.code == .startFailed)
        #expect(error.description.contains("no_such_setting"))
    }
}
