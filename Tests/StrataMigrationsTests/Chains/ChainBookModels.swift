import StrataModels

/// Authors and books: attributes and links that change their type, name and kind, one declared change apart.
enum ChainBookModels {
    enum Plain {
        @Model class Author {
            var name: String
            @Relationship(inverse: \Book.author) var books: [Book] = []
            init(name: String) { self.name = name }
        }
        @Model class Book {
            var title: String
            var pages: Int
            var author: Author?
            init(title: String, pages: Int) { (self.title, self.pages) = (title, pages) }
        }
    }
    enum Texts {
        @Model class Author {
            var name: String
            @Relationship(inverse: \Book.author) var books: [Book] = []
            init(name: String) { self.name = name }
        }
        @Model class Book {
            var title: String
            var pages: String
            var author: Author?
            init(title: String, pages: String) { (self.title, self.pages) = (title, pages) }
        }
    }
    enum Unique {
        @Model class Author {
            @Attribute(.unique) var name: String
            @Relationship(inverse: \Book.author) var books: [Book] = []
            init(name: String) { self.name = name }
        }
        @Model class Book {
            #Index<Book>([\.title, \.pages])
            var title: String
            var pages: Int
            var language: String = "en"
            var author: Author?
            init(title: String, pages: Int) { (self.title, self.pages) = (title, pages) }
        }
    }
    enum Renamed {
        @Model class Author {
            var name: String
            @Relationship(inverse: \Book.writer) var books: [Book] = []
            init(name: String) { self.name = name }
        }
        @Model class Book {
            @Attribute(originalName: "title") var heading: String
            var pages: Int
            @Relationship(originalName: "author") var writer: Author?
            init(heading: String, pages: Int) { (self.heading, self.pages) = (heading, pages) }
        }
    }
    enum Pairs {
        @Model class Author {
            var name: String
            @Relationship(inverse: \Book.authors) var books: [Book] = []
            init(name: String) { self.name = name }
        }
        @Model class Book {
            var title: String
            var pages: Int
            @Relationship(originalName: "author") var authors: [Author] = []
            init(title: String, pages: Int) { (self.title, self.pages) = (title, pages) }
        }
    }
    enum Required {
        @Model class Author {
            var name: String
            @Relationship(deleteRule: .cascade, inverse: \Book.author) var books: [Book] = []
            init(name: String) { self.name = name }
        }
        @Model class Book {
            var title: String
            var pages: Int
            var author: Author
            init(title: String, pages: Int, author: Author) {
                (self.title, self.pages) = (title, pages)
                self.author = author
            }
        }
    }
    enum Hidden {
        @Model class Author {
            var name: String
            @Relationship(inverse: nil) var books: [Book] = []
            init(name: String) { self.name = name }
        }
        @Model class Book {
            var title: String
            var pages: Int?
            init(title: String) { self.title = title }
        }
    }
}
