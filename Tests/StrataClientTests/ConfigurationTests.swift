import Testing

@testable import StrataClient

@Suite struct ConfigurationTests {
    @Test func aURLIsReadAsLibpqReadsIt() throws {
        let url = "postgres://app:s3cret%21@db.example.com:6432/trips?sslmode=verify-full&application_name=api"
        let configuration = try PostgresConfiguration(url: url)
        #expect(configuration.host == "db.example.com")
        #expect(configuration.port == 6432)
        #expect(configuration.user == "app")
        #expect(configuration.database == "trips")
        #expect(configuration.applicationName == "api")
        #expect(configuration.options["password"] == "s3cret!")
        #expect(configuration.options["sslmode"] == "verify-full")
    }

    @Test func keywordsAreReadAsLibpqReadsThem() throws {
        let configuration = try PostgresConfiguration(keywords: "host=/tmp dbname='my trips' connect_timeout=3")
        #expect(configuration.host == "/tmp" && configuration.database == "my trips")
        #expect(configuration.optionsToConnect.contains { $0 == ("connect_timeout", "3") })
    }

    @Test func thePasswordIsNeverShown() throws {
        let configuration = try PostgresConfiguration(url: "postgres://app:hush@h/d?sslpassword=hush")
        var dumped = ""
        dump(configuration, to: &dumped)
        for text in ["\(configuration)", String(reflecting: configuration), dumped, "\([configuration])"] {
            #expect(!text.contains("hush"))
            #expect(text.contains("user=app"))
        }
    }

    @Test(arguments: [
        "postgres://app:hush@h:port/d", "postgres://app:hush@h/d?unknown=hush", "postgres://app:hu%zzhush@h/d",
        "postgres://app:hush@[::1/d", "mysql://app:hush@h/d", "hush", "postgres://h/hush\0",
    ])
    func aURLThatCannotBeReadIsAnErrorThatDoesNotRepeatIt(_ url: String) throws {
        do {
            // libpq looks at ports only when it connects.
            let configuration = try PostgresConfiguration(url: url)
            #expect(throws: PostgresError.self) { try PostgresConnection.connect(configuration) }
        } catch {
            let error = try #require(error as? PostgresError)
            #expect(error.code == .invalidConfiguration)
            #expect(!error.debugDescription.contains("hush"))
        }
    }

    @Test(arguments: [
        "postgres//app:hush@h/d", "postgre://app:hush@h/d", "localhost:5432/hush", "http://h/hush",
        "postgres//app:hush@h/d?sslmode=require", "hush",
    ])
    func whatIsNoURLIsSaidWithTheVariableAndTheForm(_ text: String) throws {
        let error = try #require(throws: PostgresError.self) { try ConnectionString.parse(databaseURL: text) }
        #expect(error.code == .invalidConfiguration)
        #expect(
            error.message == "DATABASE_URL must begin with postgres:// or postgresql://: write "
                + "postgres://user@host:5432/database.")
    }

    @Test func keywordsAreTakenFromTheVariableToo() throws {
        #expect(try ConnectionString.parse(databaseURL: "host=/tmp dbname=trips")["host"] == "/tmp")
    }

    @Test func anUnknownParameterIsNamedUnlessItMayBePartOfAPassword() throws {
        func message(_ url: String) throws -> String {
            try #require(throws: PostgresError.self) { try ConnectionString.parse(databaseURL: url) }.message
        }
        #expect(
            try message("postgres://app:hush@h/d?sslmod=require")
                == "DATABASE_URL has a parameter that libpq does not know: sslmod.")
        for url in ["postgres://app:a?hush=1@h/d?sslmod=x", "postgres://app:a?hush@h/d?sslmod=x"] {
            #expect(try !message(url).contains("hush"), "\(url)")
            #expect(try message(url).hasPrefix("DATABASE_URL cannot be read: "))
        }
    }

    @Test func deadServersAreNoticedByDefault() throws {
        let options = Dictionary(
            uniqueKeysWithValues: try PostgresConfiguration(url: "postgres://h/d?tcp_user_timeout=5").optionsToConnect)
        #expect(options["connect_timeout"] == "10")
        #expect(options["keepalives_idle"] == "30")
        #expect(options["tcp_user_timeout"] == "5")
        #expect(options["client_encoding"] == "UTF8")
        #expect(options["options"] == nil)
    }

    @Test(
        "A URL whose password is not encoded is refused, and no part of it is shown",
        arguments: ["postgres://u:hunter2@secret@127.0.0.1/shop", "postgres://u:top/secret@127.0.0.1/shop"])
    func unencodedPassword(url: String) throws {
        let error = try #require(throws: PostgresError.self) { try PostgresConfiguration(url: url) }
        #expect(error.code == .invalidConfiguration)
        #expect(!"\(error)".contains("secret"))
        #expect("\(error)".contains("%40"))
    }
}
