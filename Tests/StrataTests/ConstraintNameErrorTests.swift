import Strata
import StrataModelTestSupport
import StrataTestSupport
import Testing

enum NamedConstraints {
    @Model(keyConstraint: "pk_authors") final class Author {
        #Check<Author>("grown", name: "authors are grown") { $0.age > 17 }
        var age: Int
        @Relationship(deleteRule: .deny, inverse: \Novel.author) var novels: [Novel] = []
        init(age: Int) { self.age = age }
    }
    @Model final class Novel {
        @Relationship(constraint: "fk_author") var author: Author?
        @Relationship(constraint: "fk_reader", inverse: nil) var reader: Reader?
        init() {}
    }
    @Model final class Reader {
        var name = ""
        init() {}
    }

    /// As `introspect` writes it for a table of others: the server lets NULL pass.
    @Model(table: "ratings", keyColumn: "id") final class Rating {
        #Check<Rating>("stars", name: "ck_stars") { ($0.stars.flatMap { $0 >= 1 } ?? true) && $0.count >= 0 }
        var stars: Int?
        var count = 0
        init(stars: Int?) { self.stars = stars }
    }

    static let schema = Schema(Author.self, Novel.self, Reader.self)
}

/// Constraints are told by what they are, whatever they are called: errors name class and property.
@Suite struct ConstraintNameErrorTests {
    @Test func `errors name rule and relationship`() async throws {
        try await withModelStore(of: NamedConstraints.schema) { store in
            let context = ModelContext(store.container)
            let (author, novel, reader) = (
                NamedConstraints.Author(age: 40), NamedConstraints.Novel(), NamedConstraints.Reader()
            )
            (novel.author, novel.reader) = (author, reader)
            for object in [author, novel, reader] as [any PersistentModel] { context.insert(object) }
            try await context.save()

            author.age = 3
            let broken = await #expect(throws: SwiftDataError.self) { try await context.save() }
            #expect(broken?.code == .checkConstraint)
            #expect(broken?.message.contains("the rule grown of Author refuses it") == true, "\(broken as Any)")
            context.rollback()

            // A row that this context knows nothing of refers to what it deletes.
            try await store.database.execute("UPDATE novel SET author = NULL")
            let other = ModelContext(store.container)
            let lonely = try #require(try await other.fetch(FetchDescriptor<NamedConstraints.Author>()).first)
            #expect(lonely.novels.isEmpty)
            try await store.database.execute("UPDATE novel SET author = (SELECT pk FROM author)")
            other.delete(lonely)
            let denied = await #expect(throws: SwiftDataError.self) { try await other.save() }
            #expect(denied?.code == .deleteDenied)
            #expect(denied?.message.contains("Novel.author") == true, "\(denied as Any)")

            // The other end is gone meanwhile.
            let third = ModelContext(store.container)
            let found = try #require(try await third.fetch(FetchDescriptor<NamedConstraints.Reader>()).first)
            let next = NamedConstraints.Novel()
            third.insert(next)
            next.reader = found
            try await store.database.execute("UPDATE novel SET reader = NULL", "DELETE FROM reader")
            let missing = await #expect(throws: SwiftDataError.self) { try await third.save() }
            #expect(missing?.code == .modelNotFound)
            #expect(missing?.message.contains("Novel.reader") == true, "\(missing as Any)")
        }
    }

    @Test func `a stage that gives other names leaves errors and opening as they are`() async throws {
        try await withModelStore(of: NamedConstraints.schema) { store in
            try await store.database.execute(
                // They have changed places.
                "ALTER TABLE novel RENAME CONSTRAINT fk_author TO fk_other",
                "ALTER TABLE novel RENAME CONSTRAINT fk_reader TO fk_author",
                "ALTER TABLE novel RENAME CONSTRAINT fk_other TO fk_reader",
                "ALTER TABLE author RENAME CONSTRAINT pk_authors TO author_pkey",
                "ALTER TABLE author RENAME CONSTRAINT \"authors are grown\" TO author_grown_check")
            try await store.reopened(NamedConstraints.schema).close()
            let context = ModelContext(store.container)
            let (novel, reader) = (NamedConstraints.Novel(), NamedConstraints.Reader())
            context.insert(reader)
            try await context.save()
            novel.reader = reader
            context.insert(novel)
            try await store.database.execute("DELETE FROM reader")
            let missing = await #expect(throws: SwiftDataError.self) { try await context.save() }
            #expect(missing?.code == .modelNotFound)
            #expect(missing?.message.contains("Novel.reader") == true, "\(missing as Any)")

            // One that says something else is none.
            try await store.database.execute(
                "ALTER TABLE author DROP CONSTRAINT author_grown_check",
                "ALTER TABLE author ADD CONSTRAINT other CHECK (age < 100)")
            let error = await #expect(throws: SwiftDataError.self) {
                try await store.reopened(NamedConstraints.schema).close()
            }
            #expect(error?.message.contains("author has no check authors are grown") == true, "\(error as Any)")
        }
    }

    @Test func `a check of another program's table is a rule by its name`() async throws {
        let tables = [
            "CREATE TABLE ratings (id bigserial PRIMARY KEY, stars bigint, count bigint NOT NULL, CONSTRAINT ck_stars CHECK (stars >= 1 AND count >= 0))"
        ]
        try await withExternalTables(tables, [NamedConstraints.Rating.self]) { store in
            let context = ModelContext(store.container)
            context.insert(NamedConstraints.Rating(stars: nil))
            try await context.save()
            context.insert(NamedConstraints.Rating(stars: 0))
            let error = await #expect(throws: SwiftDataError.self) { try await context.save() }
            #expect(error?.code == .checkConstraint)
            #expect(error?.message.contains("the rule stars of Rating refuses it") == true, "\(error as Any)")
        }
    }
}
