import Foundation
import StrataMigrationFiles
import StrataModels
import StrataRepository
import StrataTestSupport
import Testing

@testable import StrataMigrations

enum GivenNames {
    enum ByRule {
        @Model class User {
            #Index<User>([\.age])
            #Index<User>([\.city]) { $0.age > 17 }
            #Unique<User>([\.city, \.age])
            #Unique<User>([\.login]) { $0.age > 17 }
            @Attribute(.unique) var email: String = ""
            var login: String = ""
            var city: String = ""
            var age: Int = 0
            init() {}
        }
    }
    enum Given {
        @Model class User {
            #Index<User>([\.age], name: "Users by age")
            #Index<User>([\.city], name: "grown") { $0.age > 17 }
            #Unique<User>([\.city, \.age], name: "one_each")
            #Unique<User>([\.login], name: "one_login") { $0.age > 17 }
            // Says what `.unique` says, and what it is called.
            #Unique<User>([\.email], name: "one_mail")
            @Attribute(.unique) var email: String = ""
            var login: String = ""
            var city: String = ""
            var age: Int = 0
            init() {}
        }
    }
    /// Names change places.
    enum Exchanged {
        @Model class User {
            #Index<User>([\.age], name: "grown")
            #Index<User>([\.city], name: "Users by age") { $0.age > 17 }
            #Unique<User>([\.city, \.age], name: "one_mail")
            #Unique<User>([\.login], name: "one_login") { $0.age > 17 }
            #Unique<User>([\.email], name: "one_each")
            var email: String = ""
            var login: String = ""
            var city: String = ""
            var age: Int = 0
            init() {}
        }
    }
    enum Wrong {
        @Model class Person {
            #Index<Person>([\.age], name: "person")
            #Unique<Person>([\.name], name: "twice")
            #Unique<Person>([\.age], name: "one")
            #Unique<Person>([\.age], name: "another")
            var name: String = ""
            var age: Int = 0
            init() {}
        }
        @Model class Other {
            #Index<Other>([\.age], name: "twice")
            var age: Int = 0
            init() {}
        }
    }
}

extension GivenNames {
    enum Before {
        @Model class Entry {
            var date: Date = Date(timeIntervalSince1970: 0)
            init() {}
        }
    }
    /// The index has the name that the table gives up.
    enum After {
        @Model(table: "records") class Entry {
            #Index<Entry>([\.date], name: "entry")
            var date: Date = Date(timeIntervalSince1970: 0)
            init() {}
        }
    }
    enum Interim {
        @Model class Entry {
            #Index<Entry>([\.date], name: "by_date")
            #Index<Entry>([\.age], name: "by_date__new")
            var date: Date = Date(timeIntervalSince1970: 0)
            var age: Int = 0
            init() {}
        }
    }
    enum Reformed {
        @Model class Entry {
            #Index<Entry>([\.date, \.age], name: "by_date")
            #Index<Entry>([\.age], name: "by_date__new")
            var date: Date = Date(timeIntervalSince1970: 0)
            var age: Int = 0
            init() {}
        }
    }
}

/// Names that models give to constraints and indexes.
@Suite struct GivenNameTests {
    private let fixture = FolderFixture()
    private var folder: MigrationFolder { fixture.folder }

    private let names = """
        SELECT string_agg(c.relname, ', ' ORDER BY c.relname) FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
        WHERE i.indrelid = 'public."user"'::regclass
        """

    @Test func `a given name is a rename, which the switch does, forth and back`() async throws {
        let chain = try FolderModels.chain([
            GivenNames.ByRule.User.self, GivenNames.Given.User.self, GivenNames.Exchanged.User.self,
            GivenNames.ByRule.User.self,
        ])
        try folder.generate(chain, schemaName: "public")
        try folder.check(chain, schemaName: "public")
        let sql = try fixture.text("0002_v1_v2.sql")
        for text in [
            #"ALTER TABLE "public"."user" RENAME CONSTRAINT "user_email_key" TO "one_mail";"#,
            #"ALTER INDEX "public"."user_age_idx" RENAME TO "Users by age";"#,
        ] { #expect(sql.contains(text), "\(text)\n\(sql)") }
        // Nothing is built for it.
        #expect(!sql.contains("CREATE"), "\(sql)")
        let scripts = try folder.contents().all
        let expected = [
            "user_age_idx, user_city_age_key, user_city_idx, user_email_key, user_login_key, user_pkey",
            "Users by age, grown, one_each, one_login, one_mail, user_pkey",
            "Users by age, grown, one_each, one_login, one_mail, user_pkey",
            "user_age_idx, user_city_age_key, user_city_idx, user_email_key, user_login_key, user_pkey",
        ]
        try await withTestDatabase("given names", template: .library) { database in
            let runner = MigrationRunner(configuration: database.configuration, schemaName: "public")
            for (number, names) in expected.enumerated() {
                try await blocking { try runner.apply(scripts, to: number + 1) }
                #expect(try await database.texts(self.names) == [names])
                let lines = try await database.drift(chain.versions[number])
                #expect(lines == [], "version \(number + 1)")
            }
        }
    }

    @Test func `a name is one relation's`() {
        let schema = Schema(GivenNames.Wrong.Person.self, GivenNames.Wrong.Other.self)
        let findings = SchemaValidation.findings(schema, mapping: StoreMapping(schema)).map(\.description)
        #expect(
            findings.sorted() == [
                "Other: a #Unique or #Index is called twice, and something else of the PostgreSQL schema has that name. Remedy: give it another name, or leave name out.",
                "Person: a #Unique or #Index is called one, and another name is given to the same. Remedy: give it another name, or leave name out.",
                "Person: a #Unique or #Index is called person, and something else of the PostgreSQL schema has that name. Remedy: give it another name, or leave name out.",
                "Person: a #Unique or #Index is called twice, and something else of the PostgreSQL schema has that name. Remedy: give it another name, or leave name out.",
            ])
    }

    @Test(
        arguments: [
            ([GivenNames.Before.Entry.self], [GivenNames.After.Entry.self], "entry", "something else of that name"),
            (
                [GivenNames.Interim.Entry.self], [GivenNames.Reformed.Entry.self], "by_date__new",
                "a stage calls by_date so while it is under way"
            ),
        ] as [([any PersistentModel.Type], [any PersistentModel.Type], String, String)])
    func `a name that the older version has for something else is refused`(
        old: [any PersistentModel.Type], new: [any PersistentModel.Type], name: String, reason: String
    ) throws {
        let error = #expect(throws: MigrationError.self) {
            try folder.generate(try FolderModels.chain(old + new), schemaName: "public")
        }
        #expect(error?.code == .planRefused)
        let text = error.map { "\($0)" } ?? ""
        #expect(text.contains("The name \(name) is taken: ") && text.contains(reason), "\(text)")
    }
}
