import Foundation
import StrataMigrationFiles
import StrataModels
import StrataRepository
import StrataTestSupport
import Testing

@testable import StrataMigrations

enum ConstraintNames {
    enum ByRule {
        @Model class Person {
            #Check<Person>("grown") { $0.age > 17 }
            var age: Int = 18
            @Relationship(inverse: \Book.author) var books: [Book] = []
            var clubs: [Club] = []
            @Relationship(inverse: nil) var gifts: [Book] = []
            init() {}
        }
        @Model final class Employee: Person {
            var salary: Int = 0
        }
        @Model final class Book {
            var title: String = ""
            var author: Person?
            init() {}
        }
        @Model final class Club {
            @Relationship(inverse: \Person.clubs) var members: [Person] = []
            init() {}
        }
    }
    enum Given {
        @Model(keyConstraint: "pk_people") class Person {
            #Check<Person>("grown", name: "people must be grown") { $0.age > 17 }
            var age: Int = 18
            @Relationship(inverse: \Book.author) var books: [Book] = []
            @Relationship(constraint: "fk_member") var clubs: [Club] = []
            @Relationship(constraint: "fk_giver", inverse: nil) var gifts: [Book] = []
            init() {}
        }
        @Model(keyConstraint: "pk_employees", superclassConstraint: "fk_person") final class Employee: Person {
            var salary: Int = 0
        }
        @Model(keyConstraint: "pk_books") final class Book {
            var title: String = ""
            @Relationship(constraint: "fk_author") var author: Person?
            init() {}
        }
        @Model final class Club {
            @Relationship(constraint: "fk_club", keyConstraint: "pk_members", inverse: \Person.clubs)
            var members: [Person] = []
            init() {}
        }
    }
    /// Names change places, in one table and between tables.
    enum Exchanged {
        @Model(keyConstraint: "pk_books") class Person {
            #Check<Person>("grown", name: "people must be grown") { $0.age > 17 }
            var age: Int = 18
            @Relationship(inverse: \Book.author) var books: [Book] = []
            @Relationship(constraint: "fk_club") var clubs: [Club] = []
            @Relationship(constraint: "fk_author", inverse: nil) var gifts: [Book] = []
            init() {}
        }
        @Model(keyConstraint: "pk_employees", superclassConstraint: "fk_person") final class Employee: Person {
            var salary: Int = 0
        }
        @Model(keyConstraint: "pk_people") final class Book {
            var title: String = ""
            @Relationship(constraint: "fk_giver") var author: Person?
            init() {}
        }
        @Model final class Club {
            @Relationship(constraint: "fk_member", keyConstraint: "pk_members", inverse: \Person.clubs)
            var members: [Person] = []
            init() {}
        }
    }
    enum Wrong {
        @Model(keyConstraint: "other", superclassConstraint: "up") final class One {
            #Check<One>("small", name: "fk_other") { $0.number < 10 }
            var number = 0
            @Relationship(constraint: "fk_other", inverse: \Other.ones) var other: Other?
            @Relationship(constraint: "fk_free", inverse: \Other.free) var loose: Other?
            init() {}
        }
        @Model final class Other {
            @Relationship(keyConstraint: "pk") var ones: [One] = []
            @Relationship(deleteRule: .noAction) var free: [One] = []
            init() {}
        }
    }

    enum Two {
        @Model final class Shelf {
            var books: [Volume] = []
            init() {}
        }
        @Model final class Volume {
            var number = 0
            @Relationship(constraint: "fk_first", inverse: \Shelf.books) var shelf: Shelf?
            @Relationship(constraint: "fk_second", inverse: nil) var room: Shelf?
            init() {}
        }
    }
    /// The one that stays gets the name of the one that goes, and a new one that of the other.
    enum Taken {
        @Model final class Shelf {
            var books: [Volume] = []
            init() {}
        }
        @Model final class Volume {
            var number = 0
            @Relationship(constraint: "fk_second", inverse: \Shelf.books) var shelf: Shelf?
            @Relationship(constraint: "fk_first", inverse: nil) var house: Shelf?
            init() {}
        }
    }
    /// A check has the name that a foreign key had.
    enum OtherKind {
        @Model final class Shelf {
            var books: [Volume] = []
            init() {}
        }
        @Model final class Volume {
            #Check<Volume>("counted", name: "fk_first") { $0.number >= 0 }
            var number = 0
            @Relationship(constraint: "fk_third", inverse: \Shelf.books) var shelf: Shelf?
            @Relationship(constraint: "fk_second", inverse: nil) var room: Shelf?
            init() {}
        }
    }
    /// The new one has a name that the stage needs for the one that makes way.
    enum Interim {
        @Model final class Shelf {
            var books: [Volume] = []
            init() {}
        }
        @Model final class Volume {
            var number = 0
            @Relationship(constraint: "fk_second", inverse: \Shelf.books) var shelf: Shelf?
            @Relationship(constraint: "fk_second__old", inverse: nil) var house: Shelf?
            init() {}
        }
    }
    /// Pairs, and a class by whose new name the other end comes first.
    enum Clubs {
        @Model final class Club {
            @Relationship(
                table: "memberships", column: "club_id", inverseColumn: "person_id", constraint: "fk_club",
                keyConstraint: "pk_members", inverse: \Person.clubs)
            var members: [Person] = []
            init() {}
        }
        @Model final class Person {
            @Relationship(constraint: "fk_person") var clubs: [Club] = []
            init() {}
        }
    }
    enum Teams {
        @Model final class Team {
            @Relationship(
                table: "memberships", column: "club_id", inverseColumn: "person_id", constraint: "fk_club",
                keyConstraint: "pk_members", inverse: \Person.clubs)
            var members: [Person] = []
            init() {}
        }
        @Model final class Person {
            @Relationship(constraint: "fk_person") var clubs: [Team] = []
            init() {}
        }
    }

    static let byRule: [any PersistentModel.Type] = [
        ByRule.Person.self, ByRule.Employee.self, ByRule.Book.self, ByRule.Club.self,
    ]
    static let given: [any PersistentModel.Type] = [
        Given.Person.self, Given.Employee.self, Given.Book.self, Given.Club.self,
    ]
    static let exchanged: [any PersistentModel.Type] = [
        Exchanged.Person.self, Exchanged.Employee.self, Exchanged.Book.self, Exchanged.Club.self,
    ]
}

/// Names that models give to primary keys, foreign keys and checks.
@Suite struct ConstraintNameTests {
    private let fixture = FolderFixture()
    private var folder: MigrationFolder { fixture.folder }

    private func chain(
        _ versions: [[any PersistentModel.Type]], stage: MigrationChain.Stage = .init()
    ) throws -> MigrationChain {
        MigrationChain(
            versions: try versions.enumerated().map {
                try FrozenSchema(freezing: Schema($1, version: Schema.Version($0 + 1, 0, 0)))
            }, stages: versions.dropFirst().map { _ in stage })
    }

    private let query = """
        SELECT conrelid::regclass || ': ' || conname FROM pg_constraint
        WHERE contype IN ('p', 'f', 'c') AND connamespace = 'public'::regnamespace AND conname !~ 'class_check$' ORDER BY 1
        """

    @Test func `each kind has the name that the model gives`() {
        let definition = DatabaseDefinition(StoreMapping(Schema(ConstraintNames.given)))
        let names = definition.tables.flatMap { table in
            ([table.primaryKey?.name].compactMap(\.self) + table.foreignKeys.map(\.name)
                + table.checks.map(\.name).filter { !$0.hasSuffix("class_check") }).map { "\(table.name): \($0)" }
        }
        #expect(
            names.sorted() == [
                "book: fk_author", "book: fk_giver", "book: pk_books", "club: club_pkey", "club_members: fk_club",
                "club_members: fk_member", "club_members: pk_members", "employee: fk_person", "employee: pk_employees",
                "person: people must be grown", "person: pk_people",
            ], "\(names.sorted())")
    }

    @Test func `a given name is a rename, which the switch does, forth and back`() async throws {
        let chain = try chain([
            ConstraintNames.byRule, ConstraintNames.given, ConstraintNames.exchanged, ConstraintNames.byRule,
        ])
        try folder.generate(chain, schemaName: "public")
        try folder.check(chain, schemaName: "public")
        let sql = try fixture.text("0002_v1_v2.sql")
        for text in [
            #"ALTER TABLE "public"."book" RENAME CONSTRAINT "book_author_fkey" TO "fk_author";"#,
            #"ALTER TABLE "public"."person" RENAME CONSTRAINT "person_pkey" TO "pk_people";"#,
            #"ALTER TABLE "public"."person" RENAME CONSTRAINT "person_grown_check" TO "people must be grown";"#,
            #"ALTER TABLE "public"."employee" RENAME CONSTRAINT "employee_pk_fkey" TO "fk_person";"#,
        ] { #expect(sql.contains(text), "\(text)\n\(sql)") }
        #expect(!sql.contains(" ADD ") && !sql.contains("CREATE"), "\(sql)")
        let scripts = try folder.contents().all
        try await withTestDatabase("constraint names", template: .library) { database in
            let runner = MigrationRunner(configuration: database.configuration, schemaName: "public")
            for number in scripts.indices {
                try await blocking { try runner.apply(scripts, to: number + 1) }
                let lines = try await database.drift(chain.versions[number])
                #expect(lines == [], "version \(number + 1)")
                let stored = try await database.texts(query)
                let expected = chain.versions[number].database.tables.flatMap { table in
                    ([table.primaryKey?.name].compactMap(\.self) + table.foreignKeys.map(\.name)
                        + table.checks.map(\.name))
                        .filter { !$0.hasSuffix("class_check") }.map { "\(table.name): \($0)" }
                }
                #expect(stored.sorted() == expected.sorted(), "version \(number + 1)")
            }
        }
    }

    @Test func `a name is one constraint's, and of what is there`() {
        let schema = Schema(ConstraintNames.Wrong.One.self, ConstraintNames.Wrong.Other.self)
        let findings = SchemaValidation.findings(schema, mapping: StoreMapping(schema)).map(\.description)
        for part in [
            "One.loose: its constraint is called fk_free, and there is no foreign key of its own in the table one: with the delete rule .noAction there is none",
            "One: it names the foreign key to its superclass's table, and it has no superclass. Remedy: remove superclassConstraint",
            "One: its keyConstraint is called other, and something else of the PostgreSQL schema has that name. Remedy: give it another name, or leave keyConstraint out.",
            "One: its #Check \"small\" is called fk_other, and something else of the table one has that name.",
            "One.other: its constraint is called fk_other, and something else of the table one has that name. Remedy: give it another name, or leave constraint out.",
            "Other.ones: its links are in the column of One.other, which it cannot name",
        ] { #expect(findings.contains { $0.contains(part) }, "\(part)\n\(findings.joined(separator: "\n"))") }
    }

    @Test func `in tables of others a check has a name, and keys have none`() {
        let schema = Schema(ConstraintNames.given)
        let findings = SchemaValidation.findings(schema, mapping: StoreMapping(schema, tables: .external)).map(
            \.description)
        #expect(
            findings.contains(
                "Book.author: its constraint is called fk_author, and the tables are somebody else's (tables = .external), which are compared by "
                    + "columns and not by names of keys. Remedy: remove constraint."), "\(findings)")
        #expect(findings.count == 9 && !findings.contains { $0.contains("grown") }, "\(findings)")
    }

    @Test func `a name that another one gives up is free behind the switch`() async throws {
        let chain = try chain(
            [
                [ConstraintNames.Two.Shelf.self, ConstraintNames.Two.Volume.self],
                [ConstraintNames.Taken.Shelf.self, ConstraintNames.Taken.Volume.self],
            ], stage: .init(changes: [.dropped(\ConstraintNames.Two.Volume.room)]))
        try folder.generate(chain, schemaName: "public")
        let sql = try fixture.text("0002_v1_v2.sql")
        for text in [
            #"ALTER TABLE "public"."volume" RENAME CONSTRAINT "fk_second" TO "fk_second__old";"#,
            #"ALTER TABLE "public"."volume" RENAME CONSTRAINT "fk_first" TO "fk_second";"#,
            #"DROP CONSTRAINT "fk_second__old""#,
        ] { #expect(sql.contains(text), "\(text)\n\(sql)") }
        let scripts = try folder.contents().all
        try await withTestDatabase("names of foreign keys", template: .library) { database in
            let runner = MigrationRunner(configuration: database.configuration, schemaName: "public")
            try await blocking { try runner.apply(scripts, to: 1) }
            try await blocking { try runner.apply(scripts, to: 2) }
            #expect(try await database.drift(chain.versions[1]) == [])
            #expect(
                try await database.texts(query).filter { $0.hasPrefix("volume: fk") } == [
                    "volume: fk_first", "volume: fk_second",
                ])
        }
    }

    @Test func `a name is refused that a stage could not give`() throws {
        let two: [any PersistentModel.Type] = [ConstraintNames.Two.Shelf.self, ConstraintNames.Two.Volume.self]
        let dropped = MigrationChain.Stage(changes: [.dropped(\ConstraintNames.Two.Volume.room)])
        for (new, stage, name, reason) in [
            (
                [ConstraintNames.OtherKind.Shelf.self, ConstraintNames.OtherKind.Volume.self], .init(), "fk_first",
                "the older version has a constraint of another kind of that name in the table volume"
            ),
            (
                [ConstraintNames.Interim.Shelf.self, ConstraintNames.Interim.Volume.self], dropped, "fk_second__old",
                "a stage calls a constraint of the table volume so while it is under way"
            ),
        ] as [([any PersistentModel.Type], MigrationChain.Stage, String, String)] {
            let chain = try chain([two, new], stage: stage)
            let error = #expect(throws: MigrationError.self) { try folder.generate(chain, schemaName: "public") }
            #expect(error?.code == .planRefused)
            let text = error.map { "\($0)" } ?? ""
            #expect(text.contains("The name \(name) is taken: \(reason)."), "\(text)")
        }
    }

    @Test func `pairs whose sides change places keep the name of their key`() async throws {
        let evolution = try Evolution(
            [ConstraintNames.Clubs.Club.self, ConstraintNames.Clubs.Person.self],
            [ConstraintNames.Teams.Team.self, ConstraintNames.Teams.Person.self],
            changes: [.renamed(ConstraintNames.Clubs.Club.self, to: ConstraintNames.Teams.Team.self)])
        let keys = "SELECT pg_get_constraintdef(oid) FROM pg_constraint WHERE conname = 'pk_members'"
        let rows = [
            "INSERT INTO club (pk) VALUES (1)", "INSERT INTO person (pk) VALUES (2)",
            "INSERT INTO memberships (club_id, person_id) VALUES (1, 2)",
        ]
        try await evolution.withDatabase(seed: rows) { database, runner, scripts in
            #expect(try await database.texts(keys) == ["PRIMARY KEY (club_id, person_id)"])
            try await blocking { try runner.apply(scripts) }
            #expect(try await database.texts(keys) == ["PRIMARY KEY (person_id, club_id)"])
            #expect(try await database.drift(evolution.after) == [])
            #expect(try await database.texts("SELECT concat_ws(' ', club_id, person_id) FROM memberships") == ["1 2"])
        }
    }

    @Test func `the switch gives names back when the stage is taken back`() async throws {
        let evolution = try Evolution(
            ConstraintNames.given, ConstraintNames.exchanged, changes: [.sql("SELECT 1 / 0", phase: .contract)])
        try await evolution.withDatabase { database, runner, scripts in
            let before = try await database.texts(query)
            await #expect(throws: MigrationError.self) { try await blocking { try runner.apply(scripts) } }
            #expect(try await database.texts(query) != before)
            try await blocking { try runner.rollback(scripts[1]) }
            #expect(try await database.texts(query) == before)
            #expect(try await database.drift(evolution.before) == [])
        }
    }

    @Test func `a database whose constraints have such names is taken over`() async throws {
        let version = try FrozenSchema(freezing: Schema(ConstraintNames.given, version: Schema.Version(1, 0, 0)))
        try await withTestDatabase("constraints of others", template: .library) { database in
            for statement in [
                """
                CREATE TABLE person (pk bigint GENERATED BY DEFAULT AS IDENTITY (MAXVALUE 1099511627775) CONSTRAINT pk_people PRIMARY KEY,
                    class text COLLATE "C" NOT NULL DEFAULT 'Person'::text, age bigint NOT NULL,
                    CONSTRAINT person_class_check CHECK (class IN ('Employee', 'Person')),
                    CONSTRAINT "people must be grown" CHECK (age > '17'::bigint))
                """,
                """
                CREATE TABLE employee (pk bigint CONSTRAINT pk_employees PRIMARY KEY, salary bigint NOT NULL,
                    CONSTRAINT fk_person FOREIGN KEY (pk) REFERENCES person ON DELETE CASCADE)
                """,
                """
                CREATE TABLE book (pk bigint GENERATED BY DEFAULT AS IDENTITY (MAXVALUE 1099511627775) CONSTRAINT pk_books PRIMARY KEY,
                    title text COLLATE "C" NOT NULL,
                    author bigint CONSTRAINT fk_author REFERENCES person ON DELETE SET NULL,
                    person_gifts bigint CONSTRAINT fk_giver REFERENCES person ON DELETE SET NULL)
                """,
                "CREATE INDEX book_author_idx ON book (author)",
                "CREATE INDEX book_person_gifts_idx ON book (person_gifts)",
                "CREATE TABLE club (pk bigint GENERATED BY DEFAULT AS IDENTITY (MAXVALUE 1099511627775) PRIMARY KEY)",
                """
                CREATE TABLE club_members (club_pk bigint CONSTRAINT fk_club REFERENCES club ON DELETE CASCADE,
                    person_pk bigint CONSTRAINT fk_member REFERENCES person ON DELETE CASCADE,
                    CONSTRAINT pk_members PRIMARY KEY (club_pk, person_pk))
                """,
                "CREATE INDEX club_members_person_pk_club_pk_idx ON club_members (person_pk, club_pk)",
            ] { try await database.execute(statement) }
            let lines = try await database.drift(version)
            #expect(lines == [])
        }
    }
}
