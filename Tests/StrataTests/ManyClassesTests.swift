import Strata
import StrataModelTestSupport
import Testing

/// A context keeps in mind where new objects of the first classes belong, and looks it up for those that come later.
@Suite struct ManyClassesTests {
    enum Many {
        @Model final class First { init() {} }
        @Model final class Second { init() {} }
        @Model final class Third { init() {} }
        @Model final class Fourth { init() {} }
        @Model final class Fifth { init() {} }
        @Model final class Sixth { init() {} }
        @Model final class Seventh { init() {} }
        @Model final class Eighth { init() {} }

        @Model final class Shelf {
            @Attribute(.primaryKey) var code: String
            @Relationship(deleteRule: .cascade, inverse: \Book.shelf) var books: [Book] = []
            init(_ code: String) { self.code = code }
        }

        @Model final class Book {
            #PrimaryKey<Book>([\.shelf, \.number])
            var shelf: Shelf
            var number: Int
            init(_ shelf: Shelf, _ number: Int) {
                self.shelf = shelf
                self.number = number
            }
        }

        @Model final class Account { init() {} }

        @Model final class Profile {
            @Attribute(.primaryKey) var id = 0
            @Relationship(columns: ["id"], inverse: nil) var account: Account
            init(_ account: Account) { self.account = account }
        }

        static let schema = Schema([
            First.self, Second.self, Third.self, Fourth.self, Fifth.self, Sixth.self, Seventh.self, Eighth.self,
            Shelf.self, Book.self, Account.self, Profile.self,
        ])

        static func oneOfEach() -> [any PersistentModel] {
            [First(), Second(), Third(), Fourth(), Fifth(), Sixth(), Seventh(), Eighth()]
        }
    }

    /// The object comes before the one that its key is made of.
    @Test func `a key of parts is given to an object of a ninth class`() async throws {
        try await withModelStore(of: Many.schema) { store in
            let context = ModelContext(store.container)
            for model in Many.oneOfEach() { context.insert(model) }
            let book = Many.Book(Many.Shelf("a"), 7)
            context.insert(book)
            let profile = Many.Profile(Many.Account())
            context.insert(profile)
            try await context.save()
            #expect(try await store.database.texts("SELECT shelf || ' ' || number FROM book") == ["a 7"])
            #expect(profile.id > 0)
            let reader = ModelContext(store.container)
            let found = try await reader.fetch(FetchDescriptor<Many.Profile>())
            #expect(found.map(\.id) == [profile.id])
            #expect(found.first?.account.persistentModelID == profile.account.persistentModelID)
        }
    }

    /// A number that an object has from the one that it leads to is nobody's when the insertion is taken back.
    @Test func `a shared key of a ninth class is empty behind a rollback`() async throws {
        try await withModelStore(of: Many.schema) { store in
            let context = ModelContext(store.container)
            for model in Many.oneOfEach() { context.insert(model) }
            let profile = Many.Profile(Many.Account())
            context.insert(profile)
            context.rollback()
            #expect(profile.id == 0)
            profile.account = Many.Account()
            context.insert(profile)
            try await context.save()
            #expect(profile.id > 0)
            #expect(try await context.fetchCount(FetchDescriptor<Many.Profile>()) == 1)
        }
    }
}
