import Foundation
import Strata
import StrataModelTestSupport
import StrataTestSupport
import Testing

@Model private final class Post {
    var title: String
    @Relationship(inverse: \Tag.posts) var tags: [Tag] = []
    @Relationship(inverse: \Comment.post) var comments: [Comment] = []
    init(_ title: String, _ tags: [Tag]) {
        self.title = title
        self.tags = tags
    }
}

@Model private final class Tag {
    var name: String
    var posts: [Post] = []
    init(_ name: String) { self.name = name }
}

@Model private final class Comment {
    var post: Post?
    init() {}
}

/// Tables of pairs in SQL.
@Suite struct SQLLinkTests {
    private func withPosts(_ body: (ModelStore, ModelContext) async throws -> Void) async throws {
        try await withModelStore(Post.self, Tag.self, Comment.self) { store in
            let context = ModelContext(store.container)
            let (red, blue) = (Tag("red"), Tag("blue"))
            for post in [Post("one", [red, blue]), Post("two", [red]), Post("three", [])] { context.insert(post) }
            try await context.save()
            store.recorder.reset()
            try await body(store, ModelContext(store.container))
        }
    }

    @Test func `the table of pairs and its two columns have names`() async throws {
        try await withPosts { store, context in
            let counts = try await context.fetch(
                (String, Int).self,
                sql: """
                    SELECT \(\Tag.name), count(*) FROM \(Tag.self)
                    JOIN \(joinTable: \Tag.posts) ON \(ownKey: \Tag.posts) = \(\Tag.persistentModelID)
                    JOIN \(Post.self) ON \(\Post.persistentModelID) = \(otherKey: \Tag.posts)
                    GROUP BY 1 ORDER BY 1
                    """)
            #expect(counts.map(\.0) == ["blue", "red"] && counts.map(\.1) == [1, 2])
            let sql = try #require(store.recorder.statements.last)
            #expect(sql.contains(#"= "tag"."pk""#) && sql.contains(#"ON "post"."pk" = ""#), "\(sql)")
            // From the other side it is the same table.
            let same = try await context.fetch(
                Int.self,
                sql: """
                    SELECT count(*) FROM \(joinTable: \Post.tags) WHERE \(ownKey: \Post.tags) = \(otherKey: \Tag.posts)
                    """)
            #expect(same == [3])
        }
    }

    @Test func `what has no table of pairs is refused`() async throws {
        try await withPosts { store, context in
            let error = await #expect(throws: SwiftDataError.self) {
                _ = try await context.fetch(Int.self, sql: "SELECT count(*) FROM \(joinTable: \Post.comments)")
            }
            #expect(error?.code == .unsupportedKeyPath)
            #expect(
                error?.description.contains(
                    "An SQL statement names the table of pairs of Post.comments, which has none. Join \"comment\", whose column \"post\" holds the key."
                ) == true, "\(error?.description ?? "")")
            await #expect(throws: SwiftDataError.unsupportedKeyPath) {
                _ = try await context.fetch(Int.self, sql: "SELECT count(*) FROM \(joinTable: \Post.title)")
            }
            #expect(store.recorder.roundTrips == 0)
        }
    }
}
